/**
 * What the answer to a question must look like: one of a few choices, or what a JSON Schema describes. The schema is
 * written by a model and has the words of schema-words.ts only.
 */
import * as z from 'zod'
import type { Checks } from './checks.ts'
import { schemaFlaw } from './schema-words.ts'

type JsonSchema = Record<string, unknown>

const CHOICES_MIN = 2
const CHOICES_MAX = 20
const CHOICE_CHARS_MAX = 200
const SCHEMA_CHARS_MAX = 4_000
const SCHEMA_DEPTH_MAX = 12
/** Each of them may be held against each part of an answer. */
const SCHEMA_PARTS_MAX = 100

/** Told apart as they are compared: without case. */
const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

export const Choices = z
  .array(z.string().max(CHOICE_CHARS_MAX))
  .min(CHOICES_MIN)
  .max(CHOICES_MAX)
  .refine((all) => all.every((one, at) => all.findIndex((other) => same(one, other)) === at), 'must differ')

/** A JSON Schema as text: an open object has no place in the strict schemas that models are held to. */
export const ResponseSchema = z
  .string()
  .max(SCHEMA_CHARS_MAX)
  .superRefine((text, issues) => {
    const schema = asJson(text)
    const report = (message: string) => issues.addIssue({ code: 'custom', message })
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      return report('must be a JSON Schema object')
    if (depthOf(schema) > SCHEMA_DEPTH_MAX) return report(`must not nest deeper than ${SCHEMA_DEPTH_MAX}`)
    if (text.split('{').length > SCHEMA_PARTS_MAX + 1)
      return report(`must not have more than ${SCHEMA_PARTS_MAX} parts`)
    const flaw = schemaFlaw(schema)
    if (flaw !== null) report(`is not a JSON Schema that is taken here: ${flaw}`)
  })

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface AnswerForm {
  choices: string[] | null
  response_schema: JsonSchema | null
}
/**
 * What is wrong with a value by a schema, null: nothing. Given from outside: the core has no validator. Its steps are taken from `checks`,
 * where more values than this one are checked in one go.
 */
export type Fits = (schema: JsonSchema, value: unknown, checks?: Checks) => string | null
export type Recordable = { ok: true; text: string } | { ok: false; message: string }

/** An answer as it is recorded: a choice as it stands in the list, any other text as it was given, trimmed. */
export function recordable({ choices, response_schema }: AnswerForm, given: string, fits: Fits): Recordable {
  const text = given.trim()
  if (text === '') return { ok: false, message: 'must not be empty' }
  if (choices !== null) {
    const chosen = choices.find((choice) => same(choice, text))
    return chosen === undefined
      ? { ok: false, message: `must be one of ${choices.join(', ')}` }
      : { ok: true, text: chosen }
  }
  if (response_schema === null) return { ok: true, text }
  const flaw = fits(response_schema, valueOf(response_schema, text))
  return flaw === null
    ? { ok: true, text }
    : { ok: false, message: `must fit the response_schema of the question: ${flaw}` }
}

/** Where a text is wanted it is the text itself, else what it says as JSON; what is no JSON is a text. */
function valueOf({ type }: JsonSchema, text: string): unknown {
  if (type === 'string') return text
  const value = asJson(text)
  return value === undefined ? text : value
}

/** Of a reply that was accepted. */
export function formOf({
  choices,
  response_schema,
}: {
  choices: string[] | null
  response_schema: string | null
}): AnswerForm {
  const schema = response_schema === null ? null : asJson(response_schema)
  // ResponseSchema takes objects only.
  return { choices, response_schema: (schema as JsonSchema | null | undefined) ?? null }
}
