/** The errors of the binding of Workers AI: how it tells them, and what they are called elsewhere. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import type { HttpAnswer } from '../../../shell/network/bounded-fetch.ts'

/** The statuses and names of the documented errors. The name gets into the reason of the failure. */
const ERRORS = new Map<number, [status: number, name: string]>([
  [3003, [400, 'incomplete_request']],
  [3006, [413, 'request_too_large']],
  [3007, [408, 'timed_out']],
  [3008, [408, 'aborted']],
  [3023, [403, 'account_blocked']],
  [3036, [429, 'daily_allocation_used_up']],
  [3039, [400, 'incomplete_finetune']],
  [3040, [429, 'out_of_capacity']],
  [3041, [403, 'model_not_allowed']],
  [3042, [404, 'no_such_model']],
  [3046, [408, 'timed_out']],
  [5004, [400, 'invalid_data']],
  [5005, [405, 'no_lora']],
  [5006, [400, 'invalid_input']],
  [5007, [400, 'no_such_model']],
  [5016, [403, 'terms_not_accepted']],
  [5018, [403, 'model_not_allowed']],
  [5019, [405, 'outdated_binding']],
  [5023, [400, 'no_stream_in_json_mode']],
  [5024, [422, 'form_not_met']],
])
export const statusOf = (code: number): number | undefined => ERRORS.get(code)?.[0]

/** `5007: No such model`, at times behind the name of the error. */
const CODE = /^(?:\w{1,40}: )?(\d{4}):/
export const codeIn = (message: string): number | null => Number(CODE.exec(message)?.[1] ?? 0) || null

/** An error of the binding in the shape in which endpoints tell theirs, with its documented status and our name. What it says is only searched. */
export function namedError(answer: Extract<HttpAnswer, { kind: 'answered' }>): HttpAnswer {
  const told = jsonOrNull(new TextDecoder().decode(answer.body))
  const named = isRecord(told) ? namedErrorIn(told) : null
  if (named === null) return answer
  const { status, ...error } = named
  return { ...answer, status, body: new Uint8Array(new TextEncoder().encode(JSON.stringify({ error }))) }
}

/** The documented error in a value that the binding has told. null: there is none. */
export function namedErrorIn(told: Record<string, unknown>): { status: number; code: string; message: unknown } | null {
  const { code, message } = errorIn(told)
  const known = ERRORS.get(Number(code))
  return known === undefined ? null : { status: known[0], code: known[1], message }
}

/** The binding tells an error in one of two ways. */
function errorIn({ errors, internalCode, description }: Record<string, unknown>): Record<string, unknown> {
  const [first] = Array.isArray(errors) ? errors : []
  return isRecord(first) ? first : { code: internalCode, message: description }
}
