/** The arguments of a call of a client's tool, checked against the parameters of the tool. */
import type { Attempt } from '../core/terms/attempt.ts'
import type { ClientTool } from '../core/terms/tools/client-tools.ts'
import { isRecord } from '../core/terms/plain/is-record.ts'
import type { SchemaValidator } from '../core/terms/schema/answer-form.ts'
import { tooLargeMessage, type CheckBudget } from '../core/terms/schema/checks.ts'
import { appliedSchema } from '../core/terms/schema/tool-parameters.ts'
import { isTooDeep, parseWellFormedJson } from '../core/mode/json-text.ts'

/** `detail` says what does not fit. */
type ArgumentError = { kind: 'no_object' | 'deep_arguments' | 'do_not_fit'; detail: string }

const fail = (kind: ArgumentError['kind'], detail = '') => ({ ok: false as const, error: { kind, detail } })

/** Arguments that do not fit the parameters of the tool are never sent. */
export function readArguments(
  fits: SchemaValidator,
  tool: Pick<ClientTool, 'name' | 'parameters'>,
  input: string,
  checks: CheckBudget,
): Attempt<Record<string, unknown>, ArgumentError> {
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
  // A schema that cannot be applied was refused when the task was created.
  if (!applied.ok) return null
  checks.applied.set(name, applied.schema)
  checks.left -= JSON.stringify(applied.schema).split('{').length * STEPS_PER_PART
  return applied.schema
}
