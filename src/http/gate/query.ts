/** Reads the query of a request by the schema of its route. */
import * as z from 'zod'
import { jsonOrNull } from '../../core/terms/values/parse-json.ts'
import { refuse, type FieldError, type HttpResult } from '../shapes/http-refusal.ts'
import { parameterHint, type OtherParts } from './hints/member-hint.ts'
import { innerSchema } from './inner-schema.ts'
import { percentDecodesToUtf8 } from './body.ts'
import { checkFields } from './field-check.ts'
import { pointerToken, printableName } from '../shapes/pointers.ts'
import { ERRORS_MAX, textError } from './text-safety.ts'

const LABEL = 'metadata.'

/** Texts become numbers or booleans where the schema wants these. `metadata.<key>` are gathered where the schema has metadata. */
export function readQuery(schema: z.ZodObject, url: string, others: OtherParts): HttpResult<Record<string, unknown>> {
  // Most requests have none.
  if (!url.includes('?')) return checkFields(schema, {})
  const { search, searchParams } = new URL(url)
  const parameters = new Map<string, string>()
  const errors: FieldError[] = []
  if (!percentDecodesToUtf8(search)) errors.push({ pointer: '', message: 'the query is not valid UTF-8' })
  else
    for (const [name, value] of searchParams) {
      const message = parameterError(schema, name, value, parameters, others)
      if (message !== null) errors.push({ pointer: pointerToken(name), message })
      parameters.set(name, value)
      if (errors.length >= ERRORS_MAX) break
    }
  if (errors.length > 0) return refuse({ code: 'validation_failed', errors })
  const isLabel = ([name]: [string, string]) => name.startsWith(LABEL)
  const labels = [...parameters].filter(isLabel).map(([name, value]) => [name.slice(LABEL.length), value] as const)
  const values = new Map([...parameters].filter((parameter) => !isLabel(parameter)))
  const metadata = labels.length === 0 ? {} : { metadata: Object.fromEntries(labels) }
  return checkFields(schema, { ...typedValues(schema, values), ...metadata })
}

function parameterError(
  schema: z.ZodObject,
  name: string,
  value: string,
  earlier: ReadonlyMap<string, string>,
  others: OtherParts,
): string | null {
  const isLabel = name.startsWith(LABEL) && name !== `${LABEL}__proto__`
  const isKnown = isLabel ? 'metadata' in schema.shape : name !== 'metadata' && Object.hasOwn(schema.shape, name)
  if (!isKnown)
    return `unknown query parameter "${printableName(name)}"${parameterHint(name, Object.keys(schema.shape), others)}`
  const error = textError(value) ?? textError(name) ?? (earlier.has(name) ? 'must be given once' : null)
  return error === null ? null : `${printableName(name)} ${error}`
}

/** Values of a query or a form, which come as texts, with the types of their fields. */
export function typedValues(schema: z.ZodObject, texts: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries([...texts].map(([name, text]) => [name, valueOf(schema.shape[name], text)]))
}

/** A text that does not fit stays a text, and the schema refuses it with its own message. */
function valueOf(field: z.core.$ZodType | undefined, text: string): unknown {
  const type = field === undefined ? undefined : innerSchema(field)
  if (type instanceof z.ZodNumber && /^\d{1,16}$/.test(text)) return wholeNumber(text)
  if (type instanceof z.ZodRecord) return jsonOrNull(text) ?? text
  return type instanceof z.ZodBoolean && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

/** A cursor of several shards has 16 digits (core/workspace/shards/merge-pages.ts). A number that is not exact would stand for another one. */
const wholeNumber = (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text)
