/** Reads the arguments of a call to a tool that a client has brought. Arguments that do not fit its parameters are never sent. */
import type { Attempt } from '../core/terms/attempt.ts'
import type { ClientTool } from '../core/terms/tools/client-tools.ts'
import type { SchemaValidator } from '../core/terms/schema/answer-form.ts'
import { newCheckBudget, tooLargeMessage, type CheckBudget } from '../core/terms/schema/checks.ts'
import { appliedSchema } from '../core/terms/schema/tool-parameters.ts'
import { isRecord } from '../core/terms/plain/is-record.ts'
import { isTooDeep, parseWellFormedJson } from '../core/mode/json-text.ts'

/** What is wrong with arguments. `detail` says for `do_not_fit` what does not fit. */
interface ArgumentsError {
  kind: 'no_object' | 'deep_arguments' | 'do_not_fit'
  detail: string
}
const fail = (kind: ArgumentsError['kind'], detail = '') => ({ ok: false as const, error: { kind, detail } })

export function readArguments(
  fits: SchemaValidator,
  tool: Pick<ClientTool, 'name' | 'parameters'>,
  input: string,
  checks: CheckBudget = newCheckBudget(),
): Attempt<Record<string, unknown>, ArgumentsError> {
  // An empty input is a call without arguments.
  const text = input.trim() === '' ? '{}' : input
  if (isTooDeep(text)) return fail('deep_arguments')
  const value = parseWellFormedJson(text)
  if (!isRecord(value)) return fail('no_object')
  if (tool.parameters !== null && checks.left <= 0) return fail('do_not_fit', tooLargeMessage(checks.left))
  const schema = schemaOf(tool, checks)
  const mismatch = schema === null ? null : fits(schema, value, checks)
  return mismatch === null ? { ok: true, value } : fail('do_not_fit', mismatch)
}

/** Preparing a schema takes longer than checking one value against it. */
const STEPS_PER_PART = 12

function schemaOf({ name, parameters }: Pick<ClientTool, 'name' | 'parameters'>, checks: CheckBudget) {
  const known = checks.applied.get(name)
  if (known !== undefined || parameters === null) return known ?? null
  const applied = appliedSchema(parameters)
  // A schema that cannot be applied was refused or replaced when the tool was taken.
  if (!applied.ok) return null
  checks.applied.set(name, applied.schema)
  checks.left -= JSON.stringify(applied.schema).split('{').length * STEPS_PER_PART
  return applied.schema
}
