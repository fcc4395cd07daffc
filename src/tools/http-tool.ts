/**
 * A client's own tool: one signed POST to its address, under the key of the effect; what it answers is one result (docs/tools.md). Whatever
 * fails is a failed action in our own words: no body, no address and no secret is quoted.
 */
import type { Fits } from '../core/terms/schema/answer-form.ts'
import { freshChecks, tooLarge, type Checks } from '../core/terms/schema/checks.ts'
import type { ClientTool } from '../core/terms/client-tools.ts'
import { isDeep, plainJson } from '../core/mode/reply.ts'
import { appliedSchema } from '../core/terms/schema/tool-parameters.ts'
import { readAddress } from '../shell/network/address.ts'
import { boundedFetch, unanswered, UNREACHED, withDeadline, type Answer } from '../shell/network/outbound.ts'
import type { Tool, ToolCall, WebhookPorts } from '../shell/ports.ts'
import { signedHeaders } from '../shell/callbacks/standard-webhooks.ts'
import { HTTP_TOOL_TEXTS, type Reason } from './http-tool-texts.ts'

/** The longest answer that is read. */
const ANSWER_BYTES_MAX = 262_144

interface Outside extends Omit<WebhookPorts, 'chance'> {
  fits: Fits
  /** Real time, for the signature; ms since the epoch. */
  now_ms: () => number
}
type Read<T> = { ok: true; value: T } | { ok: false; reason: Reason; detail: string }
const bad = (reason: Reason, detail = '') => ({ ok: false as const, reason, detail })

/** Codes: `success`, `error` (as it says itself); `usage_error` (nothing was sent), `not_called`, `no_answer`, `bad_answer`. */
export function httpTool(outside: Outside, tool: ClientTool): Tool {
  return {
    name: tool.name,
    async run(input, call) {
      const ran = await answerOf(outside, tool, input, call)
      if (ran.ok) return { ok: ran.value.status === 'success', code: ran.value.status, text: JSON.stringify(ran.value) }
      const { code, text } = HTTP_TOOL_TEXTS[ran.reason]
      return { ok: false, code, text: text[call.locale](ran.detail) }
    },
  }
}

async function answerOf(outside: Outside, tool: ClientTool, input: string, call: ToolCall): Promise<Read<Said>> {
  const args = argumentsOf(outside.fits, tool, input, call.checks ?? freshChecks())
  if (!args.ok) return args
  const address = readAddress(tool.url, outside)
  if (!address.ok) return bad('address', address.flaw)
  const secrets = outside.secrets.get(call.tenant) ?? []
  if (secrets.length === 0) return bad('unsigned')
  const text = JSON.stringify({ task_id: call.task, call_id: call.key, tool: tool.name, arguments: args.value })
  const signed = await signedHeaders(secrets, { id: call.key, text, agent: 'tool' }, outside.now_ms())
  const headers: Record<string, string> = { ...signed, accept: 'application/json', 'idempotency-key': call.key }
  if (call.traceparent !== null) headers['traceparent'] = call.traceparent
  const answer = await withDeadline(call.timeout_ms, unanswered('timed out'), (signal) =>
    boundedFetch(outside.fetch, address.url.href, { method: 'POST', headers, body: text, signal }, CAP),
  )
  return saidIn(answer)
}
const CAP = { bytes_max: ANSWER_BYTES_MAX }

/** Nothing is sent that the tool has said it does not take. */
function argumentsOf(fits: Fits, tool: ClientTool, input: string, checks: Checks): Read<object> {
  // A call without arguments.
  const text = input.trim() === '' ? '{}' : input
  if (isDeep(text)) return bad('deep_arguments')
  const value = plainJson(text)
  if (!isObject(value)) return bad('no_object')
  if (tool.parameters !== null && checks.left <= 0) return bad('do_not_fit', tooLarge(checks.left))
  const schema = schemaOf(tool, checks)
  const flaw = schema === null ? null : fits(schema, value, checks)
  return flaw === null ? { ok: true, value } : bad('do_not_fit', flaw)
}

/** To make it ready takes longer than to hold one value against it. */
const STEPS_PER_PART = 12

function schemaOf({ name, parameters }: ClientTool, checks: Checks) {
  const known = checks.applied.get(name)
  if (known !== undefined || parameters === null) return known ?? null
  const applied = appliedSchema(parameters)
  // What could not be applied was refused when the task was made.
  if (!applied.ok) return null
  checks.applied.set(name, applied.schema)
  checks.left -= JSON.stringify(applied.schema).split('{').length * STEPS_PER_PART
  return applied.schema
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Said = { status: 'success' | 'error' }
const isSaid = (value: unknown): value is Said =>
  isObject(value) && 'status' in value && (value.status === 'success' || value.status === 'error')

function saidIn(answer: Answer): Read<Said> {
  if (answer.kind === 'unanswered') return bad(UNANSWERED[answer.reason] ?? 'connection_failed')
  const { status, headers, body } = answer
  if (status >= 300 && status < 400) return bad('redirect', String(status))
  if (status < 200 || status >= 300) return bad('http', String(status))
  if (!/^application\/(?:[\w.+-]+\+)?json$/i.test(essenceOf(headers))) return bad('no_json')
  const text = textOf(body)
  const value = text === null || isDeep(text) ? undefined : plainJson(text)
  if (value === undefined) return bad('no_json')
  return isSaid(value) ? { ok: true, value } : bad('no_status')
}

/** By the words of outbound.ts. */
const UNANSWERED: Partial<Record<string, Reason>> = {
  'timed out': 'timed_out',
  'connection lost': 'connection_lost',
  'reply too large': 'too_large',
  [UNREACHED]: 'unreached',
}

const essenceOf = (headers: Headers) => (headers.get('content-type') ?? '').split(';', 1)[0]?.trim() ?? ''

function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
  } catch {
    return null
  }
}
