/** The bodies of requests to an MCP server and of its responses, read as far as a bound on them needs it. */
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { isTooDeep } from '../../core/mode/json-text.ts'
import { readWhole } from '../../shell/network/read-whole.ts'

/** The longest document of an authorization server, and the part of an error that is read. */
const DOCUMENT_BYTES_MAX = 65_536
/** JSON that nests deeper is no message. A schema has two levels for each level of its values. */
const MESSAGE_DEPTH_MAX = 100

/** What one request asks for. `id`: the answer that has to come. */
export interface RequestSummary {
  method: string | null
  id: string | null
}

/** A message without `method` is an answer of the service, and one without an id is a notification. */
export function readAsked(body: unknown): RequestSummary {
  const message: unknown = typeof body === 'string' && body.startsWith('{') ? parse(body) : null
  if (!isRecord(message) || typeof message['method'] !== 'string') return { method: null, id: null }
  const id = message['id']
  return { method: message['method'], id: typeof id === 'string' || typeof id === 'number' ? String(id) : null }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The messages of a JSON text. null: it is none. */
export function readMessages(text: string): unknown[] | null {
  if (isTooDeep(text, MESSAGE_DEPTH_MAX)) return null
  const value = parse(text)
  return value === undefined ? null : Array.isArray(value) ? value : [value]
}

/** The media type without its parameters. */
export const essenceOf = (headers: Headers) =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** A response with another body. Its length and its coding were those of the old one. */
export function copyResponse(response: Response, body: string | ReadableStream<Uint8Array> | null): Response {
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  const { status } = response
  return new Response(status === 204 || status === 205 || status === 304 ? null : body, { status, headers })
}

/** A short text: an error, in which there may be a message, or a document. It is empty where it is too long. */
export async function beginningOf(response: Response): Promise<string> {
  const bytes = await readWhole(response, DOCUMENT_BYTES_MAX).catch(() => null)
  const text = bytes === null ? '' : new TextDecoder().decode(bytes)
  return isTooDeep(text, MESSAGE_DEPTH_MAX) ? '' : text
}
