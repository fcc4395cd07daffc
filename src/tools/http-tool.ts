/**
 * A client's own tool: each call is one signed POST to its address under the key of the effect (docs/tools.md). A failure is told in our own
 * words: no body, address or secret is quoted, because the model reads them.
 */
import type { Attempt } from '../core/terms/attempt.ts'
import type { SchemaValidator } from '../core/terms/schema/answer-form.ts'
import type { ClientTool } from '../core/terms/tools/client-tools.ts'
import { isTooDeep, parseWellFormedJson } from '../core/mode/json-text.ts'
import { isRecord } from '../core/terms/plain/is-record.ts'
import { readAddress } from '../shell/network/address.ts'
import { mediaType } from '../shell/network/guarded-fetch.ts'
import { boundedFetch, noAnswer, UNREACHED, withDeadline, type HttpAnswer } from '../shell/network/bounded-fetch.ts'
import type { WebhookPorts } from '../shell/ports.ts'
import type { Tool, ToolContext } from '../shell/tool-ports.ts'
import { signedHeaders } from '../shell/callbacks/standard-webhooks.ts'
import { HTTP_TOOL_TEXTS, type HttpToolFailure } from './http-tool-texts.ts'
import { readArguments } from './tool-arguments.ts'

/** The longest answer that is read. */
const ANSWER_BYTES_MAX = 262_144

export interface HttpToolPorts extends Omit<WebhookPorts, 'chance'> {
  fits: SchemaValidator
  /** Real time, for the signature; ms since the epoch. */
  now_ms: () => number
}
type HttpToolResult<T> = Attempt<T, { kind: HttpToolFailure; detail: string }>
const fail = (kind: HttpToolFailure, detail = '') => ({ ok: false as const, error: { kind, detail } })

/**
 * Makes a tool of an HTTP endpoint of the client. An answer that can be read says itself whether its code is `success` or `error`.
 * Otherwise the code is that of HTTP_TOOL_TEXTS. With `usage_error` and `not_called` nothing was sent.
 */
export function httpTool(outside: HttpToolPorts, tool: ClientTool): Tool {
  return {
    name: tool.name,
    async run(input, call) {
      const result = await callTool(outside, tool, input, call)
      if (result.ok) {
        const { status } = result.value
        return { ok: status === 'success', code: status, text: JSON.stringify(result.value) }
      }
      const { kind, detail } = result.error
      const { code, text } = HTTP_TOOL_TEXTS[kind]
      return { ok: false, code, text: text[call.locale](detail) }
    },
  }
}

async function callTool(
  outside: HttpToolPorts,
  tool: ClientTool,
  input: string,
  call: ToolContext,
): Promise<HttpToolResult<ToolAnswer>> {
  const args = readArguments(outside.fits, tool, input, call.checks)
  if (!args.ok) return args
  const address = readAddress(tool.url, outside)
  if (!address.ok) return fail('address', address.error)
  const secrets = outside.secrets.get(call.tenant) ?? []
  if (secrets.length === 0) return fail('unsigned')
  const text = JSON.stringify({ task_id: call.task, call_id: call.key, tool: tool.name, arguments: args.value })
  const signed = await signedHeaders(secrets, { id: call.key, text, agent: 'tool' }, outside.now_ms())
  const headers: Record<string, string> = { ...signed, accept: 'application/json', 'idempotency-key': call.key }
  if (call.traceparent !== null) headers['traceparent'] = call.traceparent
  // Of a call that is stopped nobody knows more than of one that was late.
  const late = noAnswer('timed out')
  const answer = await withDeadline(
    call.timeout_ms,
    late,
    (signal) => boundedFetch(outside.fetch, address.value.href, { method: 'POST', headers, body: text, signal }, CAP),
    call.stop && { signal: call.stop, stopped: late },
  )
  return toolAnswerIn(answer)
}
const CAP = { bytes_max: ANSWER_BYTES_MAX }

type ToolAnswer = { status: 'success' | 'error' }
const isToolAnswer = (value: unknown): value is ToolAnswer =>
  isRecord(value) && (value['status'] === 'success' || value['status'] === 'error')

function toolAnswerIn(answer: HttpAnswer): HttpToolResult<ToolAnswer> {
  if (answer.kind === 'unanswered') return fail(UNANSWERED[answer.reason] ?? 'connection_failed')
  const { status, headers, body } = answer
  if (status >= 300 && status < 400) return fail('redirect', String(status))
  if (status < 200 || status >= 300) return fail('http', String(status))
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(mediaType(headers))) return fail('no_json')
  const text = textOf(body)
  const value = text === null || isTooDeep(text) ? undefined : parseWellFormedJson(text)
  if (value === undefined) return fail('no_json')
  return isToolAnswer(value) ? { ok: true, value } : fail('no_status')
}

/** The keys are the reasons that outbound.ts gives. */
const UNANSWERED: Partial<Record<string, HttpToolFailure>> = {
  'timed out': 'timed_out',
  'connection lost': 'connection_lost',
  'reply too large': 'too_large',
  [UNREACHED]: 'unreached',
}

function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
  } catch {
    return null
  }
}
