/**
 * The body of a request: its bytes, never more than the limit, and its text by content type. Nothing here trusts a
 * header: a length that lies, a charset, an encoding, a form that is JSON – each is refused with a word of help.
 */
import { readWhole } from '../../shell/network/read-whole.ts'
import type { HttpRefusal, HttpResult } from '../shapes/http-refusal.ts'

export const BODY_BYTES_MAX = 1_048_576

/** A body as the content type says it is to be read. `empty`: none was sent. */
export type Body =
  | { kind: 'empty' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; form: URLSearchParams }
  | { kind: 'text'; text: string }
/** As a content type has it; Markdown is read as the text it is. */
export type BodyKind = Exclude<Body['kind'], 'empty'> | 'markdown'

const TYPES: Record<BodyKind, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  markdown: 'text/markdown',
}
const HINT = "send it as JSON: -H 'content-type: application/json'"
const FILE_HINT = "send the file as it is: -H 'content-type: text/markdown' --data-binary @report.md"

const fail = (refusal: HttpRefusal) => ({ ok: false, refusal }) as const

/** What a route takes. */
export interface AcceptedBody {
  kinds: readonly BodyKind[]
  /** Whether it takes no body too; then white space and nothing else is none, whatever its type. */
  empty: boolean
}

/** The body of a request, whose bytes were read already, or why it cannot be used: 400, 415. */
export function parseBody(bytes: Uint8Array, headers: Headers, accepted: AcceptedBody): HttpResult<Body> {
  const type = headers.get('content-type') ?? ''
  if (isEmpty(bytes, type, accepted)) return { ok: true, value: { kind: 'empty' } }
  const kind = kindOf(type)
  const types = accepted.kinds.map((name) => TYPES[name])
  const unsupported = (detail: string) => fail({ code: 'unsupported_media_type', detail, accepted: types })
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return unsupported('The body must not be compressed.')
  if (!isUtf8(type)) return unsupported('The body must be UTF-8.')
  if (kind === null || !accepted.kinds.includes(kind))
    return unsupported(`The body must be ${types.join(' or ')}; ${hintFor(accepted)}.`)
  const text = decode(kind, bytes)
  if (!text.ok) return text
  if (kind === 'text' || kind === 'markdown') return { ok: true, value: { kind: 'text', text: text.value } }
  if (kind === 'json') return parseJson(text.value)
  // `curl -d '{…}'` without a header says it is a form.
  if (text.value.trimStart().startsWith('{'))
    return unsupported(`The body looks like JSON but was sent as a form; ${HINT}.`)
  return parseForm(text.value)
}

const hintFor = ({ kinds }: AcceptedBody) => (kinds.includes('markdown') ? FILE_HINT : HINT)

const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Where a body is needed, one without bytes and type is left to the schema, which names the missing field. */
function isEmpty(bytes: Uint8Array, type: string, accepted: AcceptedBody): boolean {
  return accepted.empty ? bytes.every((byte) => WHITE_SPACE.has(byte)) : bytes.byteLength === 0 && type.trim() === ''
}

/** 400 or 413. A body that breaks off is the sender's fault. */
export async function readBytes(request: Request): Promise<HttpResult<Uint8Array<ArrayBuffer>>> {
  const tooLarge = fail({ code: 'payload_too_large', max_bytes: BODY_BYTES_MAX })
  if (Number(request.headers.get('content-length')) > BODY_BYTES_MAX) return tooLarge
  try {
    const bytes = await readWhole(request, BODY_BYTES_MAX)
    return bytes === null ? tooLarge : { ok: true, value: bytes }
  } catch {
    return fail({ code: 'unreadable_body', detail: 'The body ended before it was complete.' })
  }
}

/** A content type without its parameters. */
export const mediaTypeOf = (type: string) => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

function kindOf(type: string): BodyKind | null {
  const media = mediaTypeOf(type)
  // No `+json`: a merge patch or a problem document is JSON that means something else.
  if (media === TYPES.json) return 'json'
  if (media === TYPES.form) return 'form'
  if (media === TYPES.markdown) return 'markdown'
  return media === TYPES.text ? 'text' : null
}

function isUtf8(type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]?.toLowerCase()
  return charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset)
}

function decode(kind: BodyKind, bytes: Uint8Array): HttpResult<string> {
  try {
    // JSON keeps its byte order mark here, and its parser refuses it: RFC 8259 has none.
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: kind === 'json' }).decode(bytes) }
  } catch {
    return fail({ code: kind === 'json' ? 'invalid_json' : 'unreadable_body', detail: 'The body is not valid UTF-8.' })
  }
}

function parseJson(text: string): HttpResult<Body> {
  try {
    return { ok: true, value: { kind: 'json', value: JSON.parse(text) } }
  } catch {
    return fail({ code: 'invalid_json', detail: jsonErrorDetail(text) })
  }
}

/** The parser's own message would show a piece of the body. */
function jsonErrorDetail(text: string): string {
  if (text.startsWith('\uFEFF')) return 'The body begins with a byte order mark; send UTF-8 without one.'
  return text.trim() === '' ? 'The body is empty; send a JSON object.' : 'The body is not valid JSON.'
}

/** No route has so many. Parsers of forms take longer for each further one. */
const FORM_FIELDS_MAX = 1_000

/** What URLSearchParams makes of bytes that are no UTF-8 differs between runtimes: what was not sent is refused. */
function parseForm(text: string): HttpResult<Body> {
  if (text.split('&', FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX)
    return fail({ code: 'unreadable_body', detail: `The form has more than ${FORM_FIELDS_MAX} fields.` })
  if (isEncodedUtf8(text)) return { ok: true, value: { kind: 'form', form: new URLSearchParams(text) } }
  return fail({ code: 'unreadable_body', detail: 'The form is not valid UTF-8 after percent-decoding.' })
}

/** Whether each run of percent-encoded bytes is UTF-8. A percent sign that encodes nothing stands for itself. */
export function isEncodedUtf8(text: string): boolean {
  try {
    for (const [run] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}
