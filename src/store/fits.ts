/** Says what is wrong with a value by a JSON Schema. Only this file knows the validator. */
import type * as Loaded from '@cfworker/json-schema'
import type { SchemaValidator } from '../core/terms/schema/answer-form.ts'
import { newCheckBudget, tooLargeMessage } from '../core/terms/schema/checks.ts'
import { stepsWithin } from './schema-steps.ts'

let LoadedValidator: typeof Loaded.Validator | null = null

/** Loads the validator once, so that a start need not read it (U28). `fits` is called without waiting. */
export async function loadValidator(): Promise<void> {
  LoadedValidator ??= (await import('@cfworker/json-schema')).Validator
}

const COMPLAINT_CHARS_MAX = 300
/** Counting up to the limit takes less than a quarter of the time of the check. */
const COUNT_SHARE = 1 / 4

/** A schema that cannot be applied accepts every value. */
export const fits: SchemaValidator = (schema, value, checks = newCheckBudget()) => {
  const Validator = LoadedValidator
  if (Validator === null) throw new Error('the validator is not loaded: loadValidator() comes first')
  const { left } = checks
  try {
    const steps = stepsWithin(left, schema, value)
    checks.left = Math.max(0, left - (steps ?? left * COUNT_SHARE))
    if (steps === null) return tooLargeMessage(left)
    const { valid, errors } = validatorOf(schema, Validator).validate(value)
    return valid ? null : complaintOf(errors.at(-1)).slice(0, COMPLAINT_CHARS_MAX)
  } catch {
    return null
  }
}

/** The place of a member in a value is written as a pointer, such as `/address/city`. */
function complaintOf(error: Loaded.OutputUnit | undefined): string {
  if (error === undefined) return 'it does not fit'
  const place = error.instanceLocation.replace(/^#/, '')
  return place === '' ? error.error : `${place}: ${error.error}`
}

/** The calls of a reply share the schema of their tool. */
const validators = new WeakMap<object, Loaded.Validator>()
function validatorOf(schema: object, Validator: typeof Loaded.Validator): Loaded.Validator {
  const validator = validators.get(schema) ?? new Validator(schema, '2020-12')
  validators.set(schema, validator)
  return validator
}
