/** Turns a refusal into a problem document (RFC 9457). */
import type { HttpRefusal } from '../shapes/http-refusal.ts'
import { PROBLEMS } from '../shapes/problems.ts'
import { problemContent } from './problem-content.ts'

/** The line feed keeps the prompt of a terminal on its own line. */
export const jsonText = (value: unknown) => `${JSON.stringify(value)}\n`

/** `path` is the path of the request as sent. */
export function problemResponse(refusal: HttpRefusal, path: string): Response {
  const { code } = refusal
  const [status, title] = PROBLEMS[code]
  const { detail, headers, members } = problemContent(refusal)
  const type = `urn:loop-agent:problem:${code}`
  const problem = { type, title, status, detail, instance: path.slice(0, 200), code, ...members }
  return new Response(jsonText(problem), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}
