/** What is wrong with a value by a JSON Schema. The one place that knows the validator. */
import { Validator } from '@cfworker/json-schema'
import type { Fits } from '../core/answer-form.ts'

const COMPLAINT_CHARS_MAX = 300

/** A schema that cannot be applied binds nothing. */
export const fits: Fits = (schema, value) => {
  try {
    const { valid, errors } = new Validator(schema, '2020-12').validate(value)
    return valid ? null : (errors.at(-1)?.error ?? 'it does not fit').slice(0, COMPLAINT_CHARS_MAX)
  } catch {
    return null
  }
}
