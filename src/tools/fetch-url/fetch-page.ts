/**
 * One call of `fetch_url`: asks robots.txt, requests the page, and has it read where datasets are read. What the page says is shown as data; the
 * program follows nothing in it but redirects.
 */
import { resultChars } from '../../core/mode/prompt-bytes.ts'
import { fieldsOf } from '../../core/terms/files/file-input.ts'
import { decodeText } from '../../pages/charset.ts'
import { lineOf } from '../../pages/page.ts'
import { freeLock, type ComputeLock } from '../../shell/compute-lock.ts'
import type { Reach } from '../../shell/network/address.ts'
import { bodyStream } from '../../shell/network/chunked-body.ts'
import { guardedFetch, mediaType, type GuardedAnswer } from '../../shell/network/guarded-fetch.ts'
import type { PageJob, PageReader } from '../../shell/ports.ts'
import type { ToolContext, ToolResult } from '../../shell/tool-ports.ts'
import { robotsVerdict } from './robots.ts'
import { FETCH_WORDS, type FetchWords } from './texts.ts'

export interface FetchUrlPorts {
  fetch: typeof globalThis.fetch
  reach: Reach
  /** The only hosts that addresses of a tenant may name. null: as `reach` says for all. */
  hosts_of: (tenant: string) => Promise<ReadonlySet<string> | null>
  pages: PageReader
  /** The HTML of a page after its scripts have run, or null where that failed. null: there is no browser. */
  render: ((address: string, timeout_ms: number) => Promise<string | null>) | null
  now_ms: () => number
  /** How this program names itself. */
  user_agent: string
  gate?: ComputeLock
}

type Answered = Extract<GuardedAnswer, { kind: 'answered' }>
type Unanswered = Extract<GuardedAnswer, { kind: 'unanswered' }>

/** The part of the time that requests may take. The rest is for reading what they brought. */
const REQUEST_PART = 0.5
const REDIRECTS_MAX = 5
const MIB = 1_048_576
const TEXT_BYTES_MAX = 2 * MIB
/** One byte more than is read, so that a larger PDF is known to be larger. */
const PDF_BYTES_MAX = 10 * MIB + 1
const ACCEPT =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/plain;q=0.8, application/pdf;q=0.7, */*;q=0.1'
const LANGUAGES = { en: 'en', zh: 'zh-CN, zh;q=0.9, en;q=0.5' }

const failure = (code: string, text: string): ToolResult => ({ ok: false, code, text })

export async function fetchPage(ports: FetchUrlPorts, input: string, call: ToolContext): Promise<ToolResult> {
  const words = FETCH_WORDS[call.locale]
  const wanted = readInput(input)
  if (wanted === null) return failure('usage_error', words.usage)
  const answer = await requestPage(ports, wanted.address, call)
  if (answer.kind === 'robots') return failure('robots_refused', words[answer.verdict](answer.host))
  if (answer.kind === 'unanswered') return unansweredResult(wanted.address, answer, words)
  const { status, headers, url } = answer
  if (status < 200 || status >= 300) return failure('http_error', words.status(url.href, status, titleOf(answer)))
  const type = mediaType(headers)
  if (!isReadable(type)) {
    const bytes = Number(headers.get('content-length') ?? Number.NaN)
    return {
      ok: true,
      code: 'page_described',
      text: words.described(url.href, type, Number.isSafeInteger(bytes) ? bytes : null),
    }
  }
  return await readAnswer(ports, answer, wanted.page, call)
}

function unansweredResult(address: string, { failure: kind, reason }: Unanswered, words: FetchWords): ToolResult {
  if (kind === 'address') return failure('address_refused', words.refused(address, reason))
  if (kind === 'redirect') return failure('redirect_refused', words.redirected(address, reason))
  return failure('no_answer', words.unanswered(address, reason))
}

/** The wanted address, as models write it. null: there is none, or the page is no page. */
function readInput(input: string): { address: string; page: number } | null {
  const fields = fieldsOf(input)
  const first = (...names: string[]) => names.map((name) => fields.get(name)).find((value) => value !== undefined)
  const given = first('url', 'address', 'link', 'href', 'uri', 'name')
  const page = Number(first('page', 'page_number') ?? 1)
  const address = typeof given === 'string' ? addressIn(given) : null
  return address !== null && Number.isSafeInteger(page) && page >= 1 ? { address, page } : null
}

/** Without the brackets of Markdown and the fragment, which is for readers. A bare host gets the scheme of the web. */
function addressIn(text: string): string | null {
  const bare =
    text
      .trim()
      .replace(/^<([^<>]*)>$/, '$1')
      .split('#', 1)[0] ?? ''
  if (bare === '') return null
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`
}

type Requested = GuardedAnswer | { kind: 'robots'; verdict: 'forbidden' | 'robotsUnknown'; host: string }

async function requestPage(ports: FetchUrlPorts, start: string, call: ToolContext): Promise<Requested> {
  const until_ms = ports.now_ms() + REQUEST_PART * call.timeout_ms
  const headers = { accept: ACCEPT, 'accept-language': LANGUAGES[call.locale], 'user-agent': ports.user_agent }
  const rest = () => until_ms - ports.now_ms()
  const asked = URL.parse(start)
  // An address with a password is refused by the rule of addresses, without a word to its host.
  const refused = asked === null || asked.username !== '' ? null : await judge(ports, asked, call)
  if (refused !== null) return refused
  const { fetch, reach } = ports
  const bounds = { reach, timeout_ms: rest(), bytes_max: bytesMax, cuts: true, redirects: REDIRECTS_MAX }
  const answer = await guardedFetch(fetch, start, { headers }, bounds)
  // Pages of the web answer by https too, and only that is allowed.
  if (answer.kind === 'unanswered' && answer.failure === 'address' && asked?.protocol === 'http:') {
    asked.protocol = 'https:'
    return await requestPage(ports, asked.href, call)
  }
  if (answer.kind !== 'answered' || asked === null || answer.url.origin === asked.origin) return answer
  return (await judge(ports, answer.url, call)) ?? answer
}

/** null: robots.txt allows it, or is not asked. */
async function judge(ports: FetchUrlPorts, address: URL, { settings }: ToolContext): Promise<Requested | null> {
  if (!settings.respect_robots) return null
  const verdict = await robotsVerdict(ports, address)
  if (verdict === 'allowed') return null
  return { kind: 'robots', verdict: verdict === 'forbidden' ? 'forbidden' : 'robotsUnknown', host: address.host }
}

const READABLE: ReadonlySet<string> = new Set(
  ' application/json application/xml application/xhtml+xml application/pdf application/octet-stream application/javascript application/yaml application/x-yaml application/toml application/unknown'.split(
    ' ',
  ),
)
const isReadable = (type: string) =>
  READABLE.has(type) || type.startsWith('text/') || type.endsWith('+json') || type.endsWith('+xml')

/** How much is read of an answer of this media type. */
function bytesMax(type: string): number {
  if (type === 'application/pdf' || type === 'application/octet-stream' || type === '') return PDF_BYTES_MAX
  return isReadable(type) ? TEXT_BYTES_MAX : 0
}

const TITLE_BYTES = 65_536
/** The title of an answer that is no page, found without reading it as one. */
function titleOf({ body, headers }: Answered): string | null {
  const text = decodeText(body.subarray(0, TITLE_BYTES), headers.get('content-type') ?? '', true)
  const lower = text.toLowerCase()
  const start = lower.indexOf('>', lower.indexOf('<title'))
  const end = lower.indexOf('</title', start)
  return lower.includes('<title') && start !== -1 && end !== -1 ? lineOf(text.slice(start + 1, end)) : null
}

async function readAnswer(
  ports: FetchUrlPorts,
  answer: Answered,
  page: number,
  call: ToolContext,
): Promise<ToolResult> {
  const words = FETCH_WORDS[call.locale]
  const until_ms = ports.now_ms() + (1 - REQUEST_PART) * call.timeout_ms
  const first = await reportOn(ports, answer, page, call, words)
  const { render } = ports
  if (first.code !== 'page_empty' || render === null || mediaType(answer.headers) === 'application/pdf') return first
  const html = await render(answer.url.href, until_ms - ports.now_ms())
  if (html === null) return first
  const body = new Uint8Array(new TextEncoder().encode(html.slice(0, TEXT_BYTES_MAX)))
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  const second = await reportOn(
    ports,
    { ...answer, body, headers, is_cut: html.length > TEXT_BYTES_MAX },
    page,
    call,
    words,
  )
  return second.ok ? second : first
}

async function reportOn(
  { pages, gate = freeLock }: FetchUrlPorts,
  { url, headers, body, is_cut }: Answered,
  page: number,
  call: ToolContext,
  words: FetchWords,
): Promise<ToolResult> {
  const busy = failure('busy', words.busy)
  const content_type = headers.get('content-type') ?? ''
  const entry = { name: 'page', seq: 1, at: 0, bytes: body.byteLength, content_type: '', source: 'tool' as const }
  const { tenant, locale, settings } = call
  const timeout_ms = (1 - REQUEST_PART) * call.timeout_ms
  return await gate<ToolResult>({ tenant, timeout_ms }, busy, async (pause, rest_ms) => {
    const source = { entry, body: bodyStream(body) }
    const job: PageJob = {
      tenant,
      locale,
      pause,
      source,
      content_type,
      is_cut,
      page,
      timeout_ms: rest_ms,
      address: url.href,
      chars_max: resultChars(settings, 1),
    }
    return await pages.report(job)
  })
}
