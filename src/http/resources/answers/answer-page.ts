/**
 * The page of an answer link: HTML that works without scripts and loads nothing. A model or a stranger wrote its texts, so all of them
 * are escaped, and its policy allows only its own style and its own form.
 */
import type { AskedQuestion } from '../../../core/protocol/question.ts'
import type { Locale } from '../../../core/terms/locale.ts'
import { wordTable } from '../../../core/terms/plain/word-table.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import { preferredLocale } from '../../gate/language.ts'
import { INPUT_MAX } from '../../shapes/requests.ts'

const PAGE_WORDS = wordTable({
  question: ['A question for you', '有一个问题请您回答'],
  answer: ['Your answer', '您的回答'],
  choose: ['Choose one answer', '请选择一个答案'],
  other: ['Or give another answer', '或填写其他回答'],
  send: ['Send the answer', '提交回答'],
  shape: ['The answer must fit this description (JSON Schema):', '回答须符合以下描述（JSON Schema）：'],
  blank: ['Please give an answer.', '请填写回答。'],
  misfit: ['This answer does not fit. Please change it and send it again.', '该回答不符合要求，请修改后重新提交。'],
  recorded: ['Thank you. Your answer is recorded.', '谢谢，您的回答已记录。'],
  settled: ['This question is answered.', '该问题已有回答。'],
  given: ['The answer that was recorded:', '已记录的回答：'],
  closed: ['This question is closed. No answer is needed any more.', '该问题已关闭，不再需要回答。'],
  late: ['It was answered before, so what you sent was not taken.', '此前已有回答，本次提交未被采纳。'],
  expired: ['This link has expired.', '该链接已过期。'],
  ask_again: ['Please ask whoever sent it for a new one.', '请向发送者索取新的链接。'],
  unknown: ['This link is not known.', '找不到该链接。'],
  cut: [
    'It may have been cut or changed on its way, or what it belonged to was deleted.',
    '链接可能在传送中被截断或改动，或其所属内容已被删除。',
  ],
  later: ['This did not work just now.', '暂时无法处理。'],
  wait: ['Please try again in a minute.', '请一分钟后再试。'],
  refused: ['This could not be taken.', '无法接受该请求。'],
})
type PageWords = (typeof PAGE_WORDS)['en']

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
  { choices, other_answers, response_schema }: AskedQuestion,
  words: PageWords,
  notice: PageNotice,
  given: string,
): string {
  const error =
    notice === 'blank' || notice === 'misfit'
      ? `<p id="answer-error" class="error" role="alert">${escape(words[notice])}</p>`
      : ''
  const described = error === '' ? '' : ' aria-describedby="answer-error" aria-invalid="true"'
  const shape =
    response_schema === null
      ? ''
      : `${paragraph(words.shape)}<pre class="said">${escape(JSON.stringify(response_schema, null, 2))}</pre>`
  const send = `<button type="submit">${escape(words.send)}</button>`
  const typed = (label: string) => `<form method="post">${shape}${area(label, described, given)}${send}</form>`
  if (choices === null) return error + typed(words.answer)
  const chosen = `<form method="post">${shape}${radios(choices, words, described)}${send}</form>`
  return error + chosen + (other_answers ? typed(words.other) : '')
}

/** Browsers drop a line feed right after the tag. This one is dropped, so that the text keeps its own. */
const area = (label: string, described: string, given: string) =>
  `<p><label for="input">${escape(label)}</label></p>` +
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
