/** Turns the typed fields into the text of the answer, or into errors. The service checks the answer again. */
import type { Attempt } from '../../../../core/terms/attempt.ts'
import { parseJson } from '../../../parse.ts'
import type { AnswerField, AnswerShape } from './answer-fields.ts'

/**
 * The typed texts by the names of their fields; a list has one value a line. It is a Map, because a model chooses the names and may call
 * a field `constructor`.
 */
export type TypedValues = ReadonlyMap<string, string>
export type AnswerErrors = ReadonlyMap<string, AnswerError>
export type AnswerError =
  | { code: 'missing' | 'not_a_number' | 'not_whole' | 'not_json' }
  | { code: 'too_low' | 'too_short' | 'too_few'; least: number }
  | { code: 'too_high' | 'too_long' | 'too_many'; most: number }
type AnswerResult = Attempt<string, AnswerErrors>
/** The name of the field of an answer without named fields. */
export const WHOLE = ''

export function answerText(shape: AnswerShape, typed: TypedValues): AnswerResult {
  if (shape.kind !== 'fields') return wholeText(shape.kind, typed.get(WHOLE) ?? '')
  const values: [string, unknown][] = []
  const errors = new Map<string, AnswerError>()
  for (const field of shape.fields) {
    const read = valueOf(field, typed.get(field.name) ?? field.preset)
    if (!read.ok) errors.set(field.name, read.error)
    else if (read.value !== undefined) values.push([field.name, read.value])
  }
  if (errors.size > 0) return { ok: false, error: errors }
  const answer = shape.whole ? values[0]?.[1] : Object.fromEntries(values)
  return { ok: true, value: shape.plain ? String(answer) : JSON.stringify(answer) }
}

function wholeText(kind: 'text' | 'json' | 'choices', typed: string): AnswerResult {
  const text = typed.trim()
  const code = text === '' ? 'missing' : kind === 'json' && !parseJson(text).ok ? 'not_json' : null
  return code === null ? { ok: true, value: text } : { ok: false, error: new Map([[WHOLE, { code }]]) }
}

/** The value `undefined` stands for a property that is left out. */
type ReadValue = Attempt<unknown, AnswerError>
const refuse = (error: AnswerError): ReadValue => ({ ok: false, error })

function valueOf(field: AnswerField, typed: string): ReadValue {
  if (!field.many) return typed.trim() === '' ? absent(field) : oneOf(field, typed.trim(), field)
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const { least, most } = field
  if (lines.length === 0 && !field.required) return absent(field)
  if (least !== null && lines.length < least) return refuse({ code: 'too_few', least })
  if (most !== null && lines.length > most) return refuse({ code: 'too_many', most })
  const read = lines.map((line) => oneOf(field, line.trim(), { least: null, most: null }))
  return read.find((one) => !one.ok) ?? { ok: true, value: read.map((one) => (one.ok ? one.value : null)) }
}

function absent({ nullable, required }: AnswerField): ReadValue {
  if (nullable) return { ok: true, value: null }
  return required ? refuse({ code: 'missing' }) : { ok: true, value: undefined }
}

function oneOf({ kind }: AnswerField, text: string, { least, most }: Pick<AnswerField, 'least' | 'most'>): ReadValue {
  switch (kind.of) {
    case 'choice':
    case 'boolean': {
      const read = parseJson(text)
      return read.ok ? read : refuse({ code: 'not_json' })
    }
    case 'text': {
      // JSON Schema counts code points.
      const { length } = [...text]
      if (least !== null && length < least) return refuse({ code: 'too_short', least })
      return most !== null && length > most ? refuse({ code: 'too_long', most }) : { ok: true, value: text }
    }
    case 'number':
    case 'integer': {
      const number = Number(text)
      if (!Number.isFinite(number)) return refuse({ code: 'not_a_number' })
      if (kind.of === 'integer' && !Number.isInteger(number)) return refuse({ code: 'not_whole' })
      // A number beyond this limit would be sent as another number.
      if (number > Number.MAX_SAFE_INTEGER) return refuse({ code: 'too_high', most: Number.MAX_SAFE_INTEGER })
      if (number < Number.MIN_SAFE_INTEGER) return refuse({ code: 'too_low', least: Number.MIN_SAFE_INTEGER })
      if (least !== null && number < least) return refuse({ code: 'too_low', least })
      return most !== null && number > most ? refuse({ code: 'too_high', most }) : { ok: true, value: number }
    }
  }
}
