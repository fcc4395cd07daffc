/**
 * The page of an answer link: HTML that works without scripts and loads nothing. A model or a stranger wrote its texts, so all of them
 * are escaped, and its policy allows only its own style and its own form.
 */
import { parseAccept } from 'hono/utils/accept'
import type { AskedQuestion } from '../../../core/protocol/question.ts'
import type { Locale } from '../../../core/terms/locale.ts'
import { PAGE_WORDS, type PageWords } from '../../text/answer-words.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import { preferredLocale } from '../../gate/language.ts'
import { INPUT_MAX } from '../../shapes/requests.ts'

const STYLE = `body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
.said{white-space:pre-wrap;overflow-wrap:anywhere}textarea{box-sizing:border-box;width:100%;font:inherit}
fieldset{border:1px solid #767676}fieldset label{display:block;padding:.3rem 0}button{font:inherit;padding:.5rem 1rem;margin-top:1rem}
.error{border-left:.3rem solid #b00020;padding-left:.6rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#111}}`
/** The SHA-256 of the style. The browser applies no other style. */
const STYLE_HASH = 'sha256-6E+ZWlbuj3b7M7YXQZx0C3hNpuUxb3Q9I/WtpN7PjQ4='
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

/** Whether the request prefers a page over JSON, as browsers do. A request that accepts anything gets JSON. */
export function prefersPage(request: Request): boolean {
  const accepted = parseAccept(request.headers.get('accept') ?? '').filter(({ q }) => q > 0)
  const best = accepted.find(({ type }) => ['text/html', 'application/json', 'application/problem+json'].includes(type))
  const any = accepted.find(({ type }) => type === '*/*')
  return best?.type === 'text/html' && best.q >= (any?.q ?? 0)
}

/** What the page tells besides the question. */
export type PageNotice = 'blank' | 'misfit' | 'late' | 'recorded' | null

export function questionPage(
  question: AskedQuestion,
  status: 200 | 409 | 410 | 422,
  notice: PageNotice,
  given = '',
): Response {
  const words = PAGE_WORDS[question.locale]
  if (question.state === 'expired') return page(question.locale, words.expired, paragraph(words.ask_again), 410)
  const prompt = paragraph(question.prompt, 'said')
  if (question.state === 'open')
    return page(question.locale, words.question, prompt + form(question, words, notice, given), status)
  const late = notice === 'late' ? paragraph(words.late, 'error') : ''
  const answer = question.answer === null ? '' : paragraph(words.given) + paragraph(question.answer, 'said')
  return page(question.locale, headline(question, words, notice), late + prompt + answer, status)
}

function headline({ answer }: AskedQuestion, words: PageWords, notice: PageNotice): string {
  if (notice === 'recorded') return words.recorded
  return answer === null ? words.closed : words.settled
}

/** A refusal as a page for a browser. `problem` is the same refusal for programs. */
export function refusalPage({ code }: HttpRefusal, problem: Response, request: Request): Response {
  const locale = preferredLocale(request) ?? 'en'
  const words = PAGE_WORDS[locale]
  const headers = Object.fromEntries([...problem.headers].filter(([name]) => name !== 'content-type'))
  const [title, text] = wordsFor(code, problem.status, words)
  return page(locale, title, paragraph(text), problem.status, headers)
}

function wordsFor(code: HttpRefusal['code'], status: number, words: PageWords): [string, string] {
  if (code === 'link_not_found' || code === 'not_found') return [words.unknown, words.cut]
  if (code === 'expired') return [words.expired, words.ask_again]
  return status === 429 || status >= 500 ? [words.later, words.wait] : [words.refused, words.misfit]
}

function form(
  { choices, response_schema }: AskedQuestion,
  words: PageWords,
  notice: PageNotice,
  given: string,
): string {
  const error =
    notice === 'blank' || notice === 'misfit'
      ? `<p id="flaw" class="error" role="alert">${escape(words[notice])}</p>`
      : ''
  const described = error === '' ? '' : ' aria-describedby="flaw" aria-invalid="true"'
  const shape =
    response_schema === null
      ? ''
      : `${paragraph(words.shape)}<pre class="said">${escape(JSON.stringify(response_schema, null, 2))}</pre>`
  const field = choices === null ? area(words, described, given) : radios(choices, words, described)
  return `${error}<form method="post">${shape}${field}<button type="submit">${escape(words.send)}</button></form>`
}

/** Browsers drop a line feed right after the tag. This one is dropped, so that the text keeps its own. */
const area = (words: PageWords, described: string, given: string) =>
  `<p><label for="input">${escape(words.answer)}</label></p>` +
  `<textarea id="input" name="input" rows="5" maxlength="${INPUT_MAX}" required${described}>\n${escape(given)}</textarea>`

function radios(choices: string[], words: PageWords, described: string): string {
  const labels = choices.map(
    (choice) => `<label><input type="radio" name="input" value="${escape(choice)}" required> ${escape(choice)}</label>`,
  )
  return `<fieldset${described}><legend>${escape(words.choose)}</legend>${labels.join('')}</fieldset>`
}

const paragraph = (text: string, kind: 'said' | 'error' | null = null) =>
  `<p${kind === null ? '' : ` class="${kind}"`} dir="auto">${escape(text)}</p>`

function page(
  locale: Locale,
  title: string,
  body: string,
  status: number,
  headers: Record<string, string> = {},
): Response {
  const html =
    `<!doctype html>\n<html lang="${locale}">\n<head><meta charset="utf-8"><title>${escape(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>\n` +
    `<body><main><h1>${escape(title)}</h1>${body}</main></body>\n</html>\n`
  return new Response(html, { status, headers: { ...headers, ...HEADERS } })
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
