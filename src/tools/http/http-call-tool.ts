/**
 * A tool that is a plain HTTP request (docs/tools.md): its arguments are written into address, headers and body, and the model sees the
 * answer. Nothing has to be built for it on the other side, and no request is signed.
 */
import type { ClientTool, HttpCall } from '../../core/terms/tools/client-tools.ts'
import type { SchemaValidator } from '../../core/terms/schema/answer-form.ts'
import type { Reach } from '../../shell/network/address.ts'
import { secretFiller } from '../../shell/secrets/filler.ts'
import { guardedFetch } from '../../shell/network/guarded-fetch.ts'
import type { Secrets, Tool, ToolContext, ToolResult } from '../../shell/tool-ports.ts'
import { readArguments } from '../tool-arguments.ts'
import { answerResult } from './answer.ts'
import { buildRequest } from './request.ts'
import { CALL_PROBLEMS, type CallProblem } from './texts.ts'

/** The longest answer that is read. */
const ANSWER_BYTES_MAX = 524_288

interface HttpCallPorts extends Reach {
  fetch: typeof globalThis.fetch
  fits: SchemaValidator
  secrets: Secrets
  /** Real time, ms since the epoch. */
  now_ms: () => number
}

/**
 * The result has the code `http_ok` for a status 2xx, `http_error` for any other, `no_answer`, `bad_answer`, or, if nothing was sent,
 * `usage_error` or `not_called`.
 */
export function httpCallTool(outside: HttpCallPorts, tool: ClientTool, http: HttpCall): Tool {
  return { name: tool.name, run: (input, call) => runCall(outside, tool, http, input, call) }
}

async function runCall(
  outside: HttpCallPorts,
  tool: ClientTool,
  http: HttpCall,
  input: string,
  call: ToolContext,
): Promise<ToolResult> {
  const secrets = secretFiller(outside.secrets, call)
  const fail = ({ kind, detail }: CallProblem): ToolResult => {
    const { code, text } = CALL_PROBLEMS[kind]
    return { ok: false, code, text: secrets.redact(text[call.locale](detail)) }
  }
  const args = readArguments(outside.fits, tool, input, call.checks)
  if (!args.ok) return fail(args.error)
  const request = await buildRequest({ url: tool.url, call: http, args: args.value }, outside, secrets)
  if (!request.ok) return fail(request.error)
  const { address, headers, body } = request.value
  const answer = await guardedFetch(
    outside.fetch,
    address,
    { method: http.method, headers: { ...ownHeaders(call), ...headers, ...keyHeader(http, call) }, body },
    {
      reach: outside,
      timeout_ms: call.timeout_ms,
      bytes_max: ANSWER_BYTES_MAX,
      redirects: 0,
      ...(call.stop === undefined ? {} : { stop: call.stop }),
    },
  )
  if (answer.kind === 'unanswered') return fail({ kind: answer.failure, detail: answer.reason })
  return answerResult(answer, {
    call: http,
    fields: http.selects ? fieldsIn(args.value) : [],
    locale: call.locale,
    limit: call.settings.observation_char_limit,
    now_ms: outside.now_ms(),
    redact: secrets.redact,
    redactAll: secrets.redactAll,
  })
}

/** The headers of the service, which those of the tool may replace. */
const ownHeaders = ({ traceparent }: ToolContext): Record<string, string> => ({
  accept: 'application/json, text/*;q=0.9, */*;q=0.5',
  'user-agent': 'loop-agent/0.1 (tool)',
  ...(traceparent === null ? {} : { traceparent }),
})

/** Requests that only read need no key: they may come twice. */
const keyHeader = ({ method }: HttpCall, { key }: ToolContext): Record<string, string> =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? {} : { 'idempotency-key': key }

/** The argument by which a model chooses what it wants to see. */
function fieldsIn({ fields }: Record<string, unknown>): string[] {
  return Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : []
}
