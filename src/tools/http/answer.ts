/**
 * What a model is shown of the answer to a plain HTTP tool: the chosen part of JSON, a text as it is, and of anything else its type and size.
 * Whatever is too long is cut so that it can still be read.
 */
import { isTooDeep, parseWellFormedJson } from '../../core/mode/json-text.ts'
import type { HttpCall } from '../../core/terms/tools/client-tools.ts'
import type { SecretFiller } from '../../shell/secrets/filler.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { cut } from '../../core/terms/text.ts'
import { nameList } from '../../core/terms/values/known-names.ts'
import { mediaType, type GuardedAnswer } from '../../shell/network/guarded-fetch.ts'
import { retryAfterMs } from '../../shell/network/retry-after.ts'
import type { ToolResult } from '../../shell/tool-ports.ts'
import { memberNames, partAt, selectFields } from './select.ts'
import { shortenJson } from './shorten-json.ts'
import { ANSWER_WORDS } from './texts.ts'

type Answered = Extract<GuardedAnswer, { kind: 'answered' }>
interface Showing {
  call: Pick<HttpCall, 'method' | 'answer'>
  /** The fields that the model wants to see. Empty: all. */
  fields: readonly string[]
  locale: Locale
  /** The most characters of the whole text. */
  limit: number
  now_ms: number
  /** Takes secrets out of a text. */
  redact: SecretFiller['redact']
  redactAll: SecretFiller['redactAll']
}

export function answerResult(answer: Answered, showing: Showing): ToolResult {
  const { status } = answer
  const ok = status >= 200 && status < 300
  const text = ok ? answerText(answer, showing, showing.limit) : failureText(answer, showing)
  return { ok, code: ok ? 'http_ok' : 'http_error', text: cut(text, showing.limit) }
}

/** The body of an error often says what to do, so the model sees it. */
function failureText(answer: Answered, showing: Showing): string {
  const words = ANSWER_WORDS[showing.locale]
  const wait_ms = retryAfterMs(answer.headers, showing.now_ms)
  const what = words.failed(answer.status) + (wait_ms === null ? '' : words.retry(Math.ceil(wait_ms / 1_000)))
  const body = bodyIn(answer)
  if (body.kind === 'none' || body.kind === 'binary') return what
  const start = words.body(what)
  return (
    start +
    bodyText(body, { ...showing, fields: [], call: { ...showing.call, answer: null } }, showing.limit - start.length)
  )
}

function answerText(answer: Answered, showing: Showing, room: number): string {
  const words = ANSWER_WORDS[showing.locale]
  if (showing.call.method === 'HEAD') return words.headers(answer.status, headerLines(answer.headers, showing.redact))
  const body = bodyIn(answer)
  if (body.kind === 'none') return words.no_content
  if (body.kind === 'binary') return showing.redact(words.binary(mediaType(answer.headers), answer.body.byteLength))
  return bodyText(body, showing, room)
}

/** What HEAD is asked for. */
const TOLD_HEADERS = ['content-type', 'content-length', 'last-modified', 'etag']
const headerLines = (headers: Headers, redact: Showing['redact']): string =>
  TOLD_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${redact(value)}`]
  }).join('; ')

type Body =
  | { kind: 'none' }
  | { kind: 'binary' }
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; text: string; is_html: boolean }

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/
/** Types of texts that do not begin with `text/`. */
const TEXT_TYPE =
  /^application\/(?:[\w.-]+\+)?(?:xml|yaml|x-yaml|javascript|x-ndjson|x-www-form-urlencoded|graphql|sql|toml)$/

function bodyIn({ headers, body }: Answered): Body {
  if (body.byteLength === 0) return { kind: 'none' }
  const type = mediaType(headers)
  const isText = type.startsWith('text/') || JSON_TYPE.test(type) || TEXT_TYPE.test(type)
  // Without a type, or with the one that says nothing, the bytes decide.
  const isUnknown = type === '' || type === 'application/octet-stream'
  const text = isText ? decoded(body, headers) : isUnknown ? plainText(body) : null
  if (text === null) return { kind: 'binary' }
  const isJson = JSON_TYPE.test(type) || isUnknown
  const value = isJson && !isTooDeep(text) ? parseWellFormedJson(text) : undefined
  return value === undefined ? { kind: 'text', text, is_html: /html/.test(type) } : { kind: 'json', value }
}

/** In the character set that the answer names, else in UTF-8. Bytes that are none of it become U+FFFD. */
function decoded(body: Uint8Array, headers: Headers): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec((headers.get('content-type') ?? '').slice(0, 200))?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

/** null: it is no text in UTF-8. */
function plainText(body: Uint8Array): string | null {
  if (body.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
  } catch {
    return null
  }
}

function bodyText(body: Extract<Body, { kind: 'json' | 'text' }>, showing: Showing, room: number): string {
  if (body.kind === 'json') return jsonText(body.value, showing, room)
  const words = ANSWER_WORDS[showing.locale]
  const text = showing.redact(body.text)
  const start = body.is_html ? words.html(text.length) : text.length > room ? words.cut(text.length) : ''
  return start + cut(text, Math.max(0, room - start.length))
}

/**
 * A path or fields that are not there hide nothing: the model is told, and sees all of it. Secrets are taken out of what is shown before it is
 * cut, because a cut may go through the middle of one.
 */
function jsonText(value: unknown, { call, fields, locale, redact, redactAll }: Showing, room: number): string {
  const words = ANSWER_WORDS[locale]
  const names = (one: unknown) => cut(redact(nameList(memberNames(one))), 400)
  const show = (one: unknown, start = '') => start + shortenJson(redactAll(one), Math.max(3, room - start.length))
  const part = call.answer === null ? value : partAt(value, call.answer)
  if (part === undefined) return show(value, words.no_part(call.answer ?? '', names(value)))
  if (fields.length === 0) return show(part)
  const chosen = selectFields(part, fields)
  return chosen === undefined ? show(part, words.no_fields(names(part))) : show(chosen)
}
