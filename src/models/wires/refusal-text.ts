/** What an endpoint says of a request that it refuses. Nothing of it is stored: it is only searched for the names of what was refused. */
import { parseJson } from '../../core/terms/values/parse-json.ts'

/**
 * The members with words of the endpoint. Others repeat what was sent, such as `input` and `failed_generation`, where any word may stand. The bodies
 * are `{error: {message, param, code}}`, `{error: "text"}`, `{detail: …}`, `{message: …}` and `{errors: […]}`. Gateways put the body of another endpoint
 * into `metadata.raw`.
 */
const SAID = ['error', 'errors', 'detail', 'message', 'msg', 'param', 'code', 'type', 'loc', 'metadata', 'raw'] as const

/** Whether the words of a refusal are about streaming: some models do not stream at all, some not for every account. */
export const namesStream = (said: string): boolean => STREAM.test(said)
const STREAM = /\bstream(ing|ed|_options)?\b/i

const CHARS_MAX = 8_000
const DEPTH_MAX = 8

/** The words of an error body, in any of its shapes. Of a body that has none of them, its beginning. */
export function refusalText(body: string): string {
  const said: string[] = []
  collect(parseJson(body), said, 0)
  return (said.length === 0 ? body : said.join('\n')).slice(0, CHARS_MAX)
}

/** Adds the texts of a value, each at most once as long as all of them may be. */
function collect(value: unknown, said: string[], depth: number): void {
  if (depth > DEPTH_MAX || said.length > LINES_MAX) return
  if (typeof value === 'string') said.push(value.slice(0, CHARS_MAX))
  else if (Array.isArray(value)) for (const part of value.slice(0, LINES_MAX)) collect(part, said, depth + 1)
  else if (typeof value === 'object' && value !== null) {
    const members = new Map<string, unknown>(Object.entries(value))
    for (const name of SAID) collect(members.get(name), said, depth + 1)
  }
}
const LINES_MAX = 200
