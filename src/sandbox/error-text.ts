/** An error in words for the model: as the language reports it, with the lines of the model's own code and what helps. */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import * as z from 'zod'
import type { Guest } from './guest.ts'
import type { RunWords } from './words.ts'

interface ErrorContext {
  code: string
  words: RunWords
  guest: Guest
  /** The service has stopped the code, because its fuel was used up. */
  stopped: boolean
  /** The memory of the interpreter has grown to the bound of the code. */
  full: boolean
}

const Failure = z.object({ said: z.string(), stack: z.string() })
const LINES_MAX = 3
const LINE_CHARS_MAX = 120
const CODE_LINE = /code\.js:(\d+)/g

export function errorText(thrown: QuickJSHandle, { code, words, guest, stopped, full }: ErrorContext): string {
  const { said, stack } = failureOf(guest.failure(thrown), full)
  const message = stopped ? stoppedText(guest, words) : withHelp(said, code, words)
  return [message, ...linesOf(stack, code, words)].join('\n')
}

/** From this many rows on, their number may be what takes too long. */
const MANY_ROWS = 300_000

/** The text for code whose fuel was used up. */
export const stoppedText = ({ rows }: Pick<Guest, 'rows'>, words: RunWords): string =>
  rows > MANY_ROWS ? `${words.fuel}\n${words.many_rows(rows)}` : words.fuel

/** Without memory left for an error, `null` is thrown, or the message cannot be read. */
function failureOf(json: string | null, full: boolean) {
  const read = json === null ? null : Failure.safeParse(JSON.parse(json))
  if (read?.success !== true || (full && read.data.said === 'thrown: null')) return { said: OUT_OF_MEMORY, stack: '' }
  return read.data
}
const OUT_OF_MEMORY = 'InternalError: out of memory'

function linesOf(stack: string, code: string, words: RunWords): string[] {
  const source = code.split('\n')
  const numbers = [...new Set([...stack.matchAll(CODE_LINE)].map(([, line]) => Number(line)))]
  return numbers.slice(0, LINES_MAX).flatMap((number) => {
    const line = source[number - 1]?.trim()
    return line === undefined ? [] : [words.line(number, line.slice(0, LINE_CHARS_MAX).toWellFormed())]
  })
}

const UNDEFINED = /^ReferenceError: '?(\w+)'? is not defined/
/** Names that other environments have and this one has not. */
const ELSEWHERE =
  /^(?:fetch|require|process|module|exports|setTimeout|setInterval|setImmediate|XMLHttpRequest|WebSocket|document|window|self|Deno|Bun|Buffer|fs|path|env|caches|crypto|performance|navigator|localStorage|importScripts|Intl|TextDecoder|TextEncoder|URL|structuredClone|queueMicrotask|Plot|echarts|vega|tf|_|pd|np|plt|aq|dfd|XLSX|Papa)$/

/** The syntax that TypeScript has beyond JavaScript: types after names, its own declarations, `as`. */
const TYPES =
  /\b(?:const|let|var)\s+[\w$]+\s*:|^[ \t]*(?:export\s+)?(?:interface\s+\w|enum\s+\w|type\s+\w+(?:<[^=\n]{0,200}>)?\s*=)|[(,]\s*[\w$]+\??\s*:\s*(?:number|string|boolean|any|unknown|object|Record|Array|Map|Set)\b|\)\s*:\s*[\w$<>[\]|,][\w$<>[\]|, ]*(?:=>|\{)|\sas\s+(?:const|any|unknown|never|number|string|boolean|[A-Z]\w*)/m

function withHelp(said: string, code: string, words: RunWords): string {
  if (said.startsWith(OUT_OF_MEMORY)) return words.memory
  if (said.endsWith(': stack overflow')) return `${said}\n${words.stack}`
  const imports = said.startsWith('SyntaxError') && /^[ \t]*import\b/m.test(code)
  if (imports || said.includes('could not load module')) return `${said}\n${words.no_import}`
  if (said.startsWith('SyntaxError') && TYPES.test(code)) return `${said}\n${words.no_types}`
  const [, name] = UNDEFINED.exec(said) ?? []
  if (name === undefined) return said
  return `${said}\n${ELSEWHERE.test(name) ? words.no_such(name) : words.afresh(name)}`
}
