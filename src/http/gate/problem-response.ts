/** Turns a refusal into a problem document (RFC 9457), in the form and the language that the request prefers. */
import { oneLine } from '../../core/shown/line-text.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { PROBLEMS } from '../shapes/problems.ts'
import type { PROBLEM_TEXTS_ZH } from './hints/problem-texts-zh.ts'

/** The line feed keeps the prompt of a terminal on its own line. */
export const jsonText = (value: unknown) => `${JSON.stringify(value)}\n`

/** How a problem is written. The codes, the pointers and the messages of fields are the same in each language. */
export interface ProblemForm {
  media: 'json' | 'text'
  /** The Chinese texts, which are loaded where they are wanted. null: the texts are English. */
  chinese: typeof PROBLEM_TEXTS_ZH | null
}
const USUAL: ProblemForm = { media: 'json', chinese: null }

/** `path` is the path of the request as sent. The texts are loaded by the first refusal, so that a start need not read them (U28). */
export async function problemResponse(
  refusal: HttpRefusal,
  path: string,
  { media, chinese }: ProblemForm = USUAL,
): Promise<Response> {
  const { problemContent } = await import('./problem-content.ts')
  const { code } = refusal
  const [status, english] = PROBLEMS[code]
  const { detail: said, headers, members } = problemContent(refusal)
  const [title, detail] = chinese === null ? [english, said] : chineseTexts(refusal, chinese)
  const type = `urn:loop-agent:problem:${code}`
  const problem = { type, title, status, detail, instance: path.slice(0, 200), code, ...members }
  const language: Record<string, string> = chinese === null ? {} : { 'content-language': 'zh' }
  return media === 'text'
    ? new Response(problemText(problem, members), {
        status,
        headers: { 'content-type': TEXT, ...language, ...headers },
      })
    : new Response(jsonText(problem), {
        status,
        headers: { 'content-type': 'application/problem+json', ...language, ...headers },
      })
}
const TEXT = 'text/plain; charset=utf-8'

function chineseTexts(refusal: HttpRefusal, texts: typeof PROBLEM_TEXTS_ZH): [string, string] {
  // The entry of a code takes exactly the refusals with this code.
  const [title, detail] = texts[refusal.code] as readonly [string, (refusal: HttpRefusal) => string]
  return [title, detail(refusal)]
}

interface ProblemHead {
  status: number
  title: string
  detail: string
  code: string
}

/** The status with its code, the detail, and a line for each error and for each further member. */
function problemText({ status, title, detail, code }: ProblemHead, members: Record<string, unknown> = {}): string {
  const lines = Object.entries(members).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map(
          ({ pointer, message }: { pointer: string; message: string }) =>
            `${lineOf(pointer || '/')}  ${lineOf(message)}`,
        )
      : [`${name}: ${lineOf(String(value))}`],
  )
  // Each line of a text is one fact, so no text of a caller begins another one.
  return [`${status} ${title} (${code})`, lineOf(detail), ...lines].map((line) => `${line}\n`).join('')
}
const lineOf = (text: string) => oneLine(text, Infinity)
