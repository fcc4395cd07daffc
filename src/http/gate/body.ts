/**
 * Reads the body of a request: its bytes up to a limit, and its text by content type. No header is trusted. A wrong length, a foreign
 * charset, an encoding and JSON sent as a form are each refused with a hint.
 */
import { readWhole } from '../../shell/network/read-whole.ts'
import type { BodyKind } from '../route.ts'
import { refuse, type HttpResult } from '../shapes/http-refusal.ts'
import { describeJsonError } from './hints/json-error.ts'

const BODY_BYTES_MAX = 1_048_576

/** A body as its content type says. `empty`: no body was sent. */
export type Body =
  | { kind: 'empty' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; form: URLSearchParams }
  | { kind: 'text'; text: string }

const TYPES: Record<BodyKind, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  markdown: 'text/markdown',
}
export const FORM_WITH_FILES = 'multipart/form-data'
const HINT = "send it as JSON: -H 'content-type: application/json'"
const FILE_HINT = "send the file as it is: -H 'content-type: text/markdown' --data-binary @report.md"

/** What a route takes. */
interface AcceptedBody {
  kinds: readonly BodyKind[]
  /** Whether the route also takes no body. White space alone then counts as no body, whatever its type. */
  empty: boolean
  /** Whether an error may repeat nothing of the body. */
  secret?: boolean
  /** Whether the route also takes a form of several parts, which is read elsewhere. */
  files?: true | undefined
  /** The field that a caller most probably wants to send. */
  field: string | null
}

/** The body in `bytes`, or why it cannot be used: 400 or 415. */
export function parseBody(bytes: Uint8Array, headers: Headers, accepted: AcceptedBody): HttpResult<Body> {
  const type = headers.get('content-type') ?? ''
  if (isEmpty(bytes, type, accepted)) return { ok: true, value: { kind: 'empty' } }
  const kind = kindOf(type)
  const types = [...accepted.kinds.map((name) => TYPES[name]), ...(accepted.files === true ? [FORM_WITH_FILES] : [])]
  const unsupported = (detail: string) => refuse({ code: 'unsupported_media_type', detail, accepted: types })
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return unsupported('The body must not be compressed.')
  if (!isUtf8(type)) return unsupported('The body must be UTF-8.')
  if (kind === null || !accepted.kinds.includes(kind))
    return unsupported(`The body must be ${types.join(' or ')}; ${hintFor(accepted)}${exampleOf(accepted)}.`)
  const text = decode(kind, bytes)
  if (!text.ok) return text
  if (kind === 'text' || kind === 'markdown') return { ok: true, value: { kind: 'text', text: text.value } }
  if (kind === 'json') return jsonBody(text.value, accepted.secret === true, accepted.field)
  // `curl -d '{…}'` without a header sends JSON as a form.
  if (text.value.trimStart().startsWith('{'))
    return unsupported(`The body looks like JSON but was sent as a form; ${HINT}.`)
  return parseForm(text.value)
}

const exampleOf = ({ field, kinds }: AcceptedBody) =>
  field === null || kinds.includes('markdown') ? '' : ` -d '{"${field}": "…"}'`
const hintFor = ({ kinds }: AcceptedBody) => (kinds.includes('markdown') ? FILE_HINT : HINT)

const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** If a body is required, an empty one without a type goes to the schema, which names the missing field. */
function isEmpty(bytes: Uint8Array, type: string, accepted: AcceptedBody): boolean {
  return accepted.empty ? bytes.every((byte) => WHITE_SPACE.has(byte)) : bytes.byteLength === 0 && type.trim() === ''
}

/** The bytes of the body, or a refusal: 413 if it is too long, 400 if it ends early. */
export async function readBytes(request: Request): Promise<HttpResult<Uint8Array<ArrayBuffer>>> {
  const tooLarge = refuse({ code: 'payload_too_large', max_bytes: BODY_BYTES_MAX })
  if (Number(request.headers.get('content-length')) > BODY_BYTES_MAX) return tooLarge
  try {
    const bytes = await readWhole(request, BODY_BYTES_MAX)
    return bytes === null ? tooLarge : { ok: true, value: bytes }
  } catch {
    return refuse({ code: 'unreadable_body', detail: 'The body ended before it was complete.' })
  }
}

/** A content type without its parameters. */
export const mediaTypeOf = (type: string) => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

function kindOf(type: string): BodyKind | null {
  const media = mediaTypeOf(type)
  // `+json` types are not taken, because a merge patch or a problem document means something else.
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
    // JSON keeps its byte order mark here, so that its parser refuses it (RFC 8259).
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: kind === 'json' }).decode(bytes) }
  } catch {
    return refuse({
      code: kind === 'json' ? 'invalid_json' : 'unreadable_body',
      detail: 'The body is not valid UTF-8.',
    })
  }
}

export function jsonBody(text: string, secret: boolean, field: string | null): HttpResult<Body> {
  try {
    return { ok: true, value: { kind: 'json', value: JSON.parse(text) } }
  } catch {
    if (text.trim() !== '') return refuse({ code: 'invalid_json', detail: jsonErrorDetail(text, secret) })
    const example = field === null ? '' : ` such as {"${field}": "…"}`
    return refuse({ code: 'invalid_json', detail: `The body is empty; send a JSON object${example}.` })
  }
}

/** The parser's own message is not used, because it may show a secret. */
function jsonErrorDetail(text: string, secret: boolean): string {
  if (text.startsWith('\uFEFF')) return 'The body begins with a byte order mark; send UTF-8 without one.'
  return describeJsonError(text, secret)
}

/** No route has so many fields. The time to parse a form grows with each field. */
const FORM_FIELDS_MAX = 1_000

/** Runtimes read invalid UTF-8 in a form in different ways, so it is refused. */
function parseForm(text: string): HttpResult<Body> {
  if (text.split('&', FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX)
    return refuse({ code: 'unreadable_body', detail: `The form has more than ${FORM_FIELDS_MAX} fields.` })
  if (percentDecodesToUtf8(text)) return { ok: true, value: { kind: 'form', form: new URLSearchParams(text) } }
  return refuse({ code: 'unreadable_body', detail: 'The form is not valid UTF-8 after percent-decoding.' })
}

/** Whether each run of percent-encoded bytes is UTF-8. A percent sign that encodes nothing is an ordinary character. */
export function percentDecodesToUtf8(text: string): boolean {
  try {
    for (const [run] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}
