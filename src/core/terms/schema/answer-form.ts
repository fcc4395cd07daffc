/**
 * What the answer to a question must look like: one of a few choices, or a value that fits a JSON Schema. A model writes the
 * schema, and it may use only the words of schema-words.ts.
 */
import * as z from 'zod'
import type { CheckBudget } from './checks.ts'
import type { JsonSchema } from './json-schema.ts'
import { schemaError } from './schema-words.ts'
import { parseJson } from '../values/parse-json.ts'

const CHOICES_MIN = 2
const CHOICES_MAX = 20
const CHOICE_CHARS_MAX = 200
const SCHEMA_CHARS_MAX = 4_000
const SCHEMA_DEPTH_MAX = 12
/** The bound limits the work of a check, because each part of a schema may be compared with each part of an answer. */
const SCHEMA_PARTS_MAX = 100

/** Choices are compared without case. Two that differ only in case could not be told apart. */
const isSameChoice = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

export const Choices = z
  .array(z.string().max(CHOICE_CHARS_MAX))
  .min(CHOICES_MIN)
  .max(CHOICES_MAX)
  .refine(
    (choices) => choices.every((one, index) => choices.findIndex((other) => isSameChoice(one, other)) === index),
    'must differ',
  )

/** A JSON Schema as text, because the strict schemas of model replies cannot contain an open object. */
export const ResponseSchema = z
  .string()
  .max(SCHEMA_CHARS_MAX)
  .superRefine((text, issues) => {
    const schema = parseJson(text)
    const report = (message: string) => issues.addIssue({ code: 'custom', message })
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      return report('must be a JSON Schema object')
    if (depthOf(schema) > SCHEMA_DEPTH_MAX) return report(`must not nest deeper than ${SCHEMA_DEPTH_MAX}`)
    if (text.split('{').length > SCHEMA_PARTS_MAX + 1)
      return report(`must not have more than ${SCHEMA_PARTS_MAX} parts`)
    const error = schemaError(schema)
    if (error !== null) report(`is not a JSON Schema that is taken here: ${error}`)
  })

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

export interface AnswerForm {
  choices: string[] | null
  /** Whether an answer outside the choices is taken too, because a model has made them up (ruling 37). */
  other_answers: boolean
  response_schema: JsonSchema | null
}
/**
 * Says why a value does not fit a schema. null: it fits. The caller passes it in, because the core has no validator.
 * `checks` holds the steps that are left for all values which are checked together.
 */
export type SchemaValidator = (schema: JsonSchema, value: unknown, checks?: CheckBudget) => string | null
type RecordableAnswer = { ok: true; text: string } | { ok: false; message: string }

/** The answer in the form that is recorded: a choice as the list writes it, any other text trimmed. Choices bind unless others are taken. */
export function normalizeAnswer(
  { choices, other_answers, response_schema }: AnswerForm,
  given: string,
  fits: SchemaValidator,
): RecordableAnswer {
  const text = given.trim()
  if (text === '') return { ok: false, message: 'must not be empty' }
  if (choices !== null) {
    const choice = choices.find((one) => isSameChoice(one, text))
    if (choice !== undefined) return { ok: true, text: choice }
    return other_answers ? { ok: true, text } : { ok: false, message: `must be one of ${choices.join(', ')}` }
  }
  if (response_schema === null) return { ok: true, text }
  const error = fits(response_schema, valueOf(response_schema, text))
  return error === null
    ? { ok: true, text }
    : { ok: false, message: `must fit the response_schema of the question: ${error}` }
}

/** The value of an answer: the text itself if the schema wants a string or the text is not JSON, else the parsed JSON. */
function valueOf({ type }: JsonSchema, text: string): unknown {
  if (type === 'string') return text
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** The form of the answer that an accepted reply of a model asks for. */
export function requestedAnswerForm({
  choices,
  response_schema,
}: {
  choices: string[] | null
  response_schema: string | null
}): AnswerForm {
  const schema = response_schema === null ? null : parseJson(response_schema)
  // The cast holds because ResponseSchema accepts objects only.
  return {
    choices,
    other_answers: choices !== null,
    response_schema: (schema as JsonSchema | null | undefined) ?? null,
  }
}
