/** What went wrong between this service and an MCP server, read from the errors of the client library. */
import {
  InsufficientScopeError,
  OAuthClientFlowError,
  OAuthError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { cut } from '../../core/terms/text.ts'
import { mcpFailure, type McpFailure } from './texts.ts'

const REASON_CHARS_MAX = 500

/** A failure as an error, for the way through the library. */
export const failureError = (failure: McpFailure): Error => Object.assign(new Error(failure.kind), { failure })

const isFailure = (value: unknown): value is McpFailure => isRecord(value) && typeof value['kind'] === 'string'

/** The failure that an error stands for. The library wraps errors, so their causes are looked through. */
export function failureOf(error: unknown): McpFailure {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    const known = readError(one)
    if (known !== null) return known
  }
  return mcpFailure('no_protocol', reasonOf(error))
}

const reasonOf = (error: unknown): string => (error instanceof Error ? inOneLine(error.message) : '')

/** The library writes what is wrong with a message over many lines. */
const inOneLine = (text: string): string => {
  const lines = cut(text, 4 * REASON_CHARS_MAX).split('\n')
  return cut(lines.map((line) => line.trim()).join(' '), REASON_CHARS_MAX)
}

/** The library quotes the whole answer of an authorization server that is no error of OAuth. */
const withoutBody = (text: string): string =>
  text.includes(UNREADABLE)
    ? `the authorization server answered with no error of OAuth (${text.split(':', 1)[0]})`
    : text
const UNREADABLE = 'Invalid OAuth error response'

/** These codes of JSON-RPC say that the method or the revision is not known there. */
const UNKNOWN_METHOD: ReadonlySet<number> = new Set([-32_601, -32_022])

function readError(error: Error): McpFailure | null {
  const { failure, code, data } = error as { failure?: unknown; code?: unknown; data?: unknown }
  if (isFailure(failure)) return failure
  const status = isRecord(data) && typeof data['status'] === 'number' ? data['status'] : null
  if (status === 401 || error instanceof UnauthorizedError) return mcpFailure('unauthorized')
  if (error instanceof InsufficientScopeError) return mcpFailure('insufficient_scope', scopeOf(error))
  if (status === 403 && error.message.includes('insufficient_scope')) return mcpFailure('insufficient_scope')
  if (status !== null) return statusFailure(status)
  if (error instanceof OAuthError || error instanceof OAuthClientFlowError)
    return mcpFailure('authorization', withoutBody(reasonOf(error)))
  // An error of JSON-RPC has a number, one of the library a word.
  if (typeof code === 'number') return mcpFailure('refused', `${inOneLine(error.message)} (${code})`)
  return null
}

const scopeOf = ({ requiredScope }: InsufficientScopeError): string => cut(requiredScope ?? '', REASON_CHARS_MAX)

/** 408, 425 and 429 ask for patience, and so does an error of the server. */
function statusFailure(status: number): McpFailure {
  const passing = status >= 500 || status === 408 || status === 425 || status === 429
  return mcpFailure(passing ? 'http_passing' : 'http', String(status))
}

/** Whether a server may have refused only because it speaks another revision than it did before. */
export function mayBeRevision({ kind, detail }: McpFailure): boolean {
  if (kind === 'http') return ['400', '404', '405', '406', '415'].includes(detail)
  return kind === 'refused' && [...UNKNOWN_METHOD].some((code) => detail.endsWith(`(${code})`))
}
