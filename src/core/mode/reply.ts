/** Reads replies of a model strictly (O0-04, R26). Without its think blocks the whole text has to be one JSON object. */
import type * as z from 'zod'

export type ReplyResult<T> = { ok: true; value: T } | { ok: false; reason: string }

/**
 * No contract nests as deep as this. The depth is checked before the text is parsed. Otherwise the size of the stack would
 * decide which replies are accepted.
 */
const DEPTH_MAX = 32

/**
 * The text without `<think>…</think>`, in any case. A block that is not closed stays. The function makes one pass, so that a
 * hostile reply costs no more than its length.
 */
export function removeThinking(text: string): string {
  const lower = text.toLowerCase()
  // Lower case can have another length than the text. Then its positions do not fit, and the text itself is searched.
  const searched = lower.length === text.length ? lower : text
  let result = ''
  let from = 0
  for (;;) {
    const open = searched.indexOf('<think>', from)
    const end = open === -1 ? -1 : searched.indexOf('</think>', open)
    if (end === -1) return result + text.slice(from)
    result += text.slice(from, open)
    from = end + '</think>'.length
  }
}

/** Whether JSON nests deeper than DEPTH_MAX. Brackets in strings do not count. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (quoted) {
      if (char === '\\') i += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth > DEPTH_MAX) return true
  }
  return false
}

const resultsByContract = new WeakMap<z.ZodType, WeakMap<object, ReplyResult<unknown>>>()

/** Turns the text of a reply into the value that is checked against its contract. */
export type ReplyReader = (text: string) => ReplyResult<unknown>

/** The parsed reply of an event. It is parsed once while the event is in memory, because views and prompts use it often. */
export function replyOf<T>(
  contract: z.ZodType<T>,
  event: { text: string },
  reader: ReplyReader = readObject,
): ReplyResult<T> {
  const byEvent = resultsByContract.get(contract) ?? new WeakMap<object, ReplyResult<unknown>>()
  resultsByContract.set(contract, byEvent)
  // The cast holds because every result in this map was read with this contract.
  const result = (byEvent.get(event) as ReplyResult<T> | undefined) ?? readReply(contract, event.text, reader)
  byEvent.set(event, result)
  return result
}

/** Parses a reply and validates it against its contract. The reason is written for the model, which has to try again. */
export function readReply<T>(contract: z.ZodType<T>, text: string, reader: ReplyReader = readObject): ReplyResult<T> {
  const result = reader(text)
  if (!result.ok) return result
  const checked = contract.safeParse(result.value)
  if (checked.success) return { ok: true, value: checked.data }
  const issues = checked.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'reply'}: ${issue.message}`)
  return { ok: false, reason: issues.join('; ').slice(0, 500) }
}

/**
 * The value of a JSON text. undefined: the text is not JSON. A lone surrogate that JSON escapes is replaced, because it
 * cannot be encoded as UTF-8.
 */
export function parseWellFormedJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, part: unknown) =>
      typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part,
    )
  } catch {
    return undefined
  }
}

function readObject(text: string): ReplyResult<object> {
  const result = readJson(removeThinking(text), 'the reply is not one JSON object (no prose, no code fence around it)')
  if (!result.ok) return result
  const { value } = result
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'the reply is JSON, but not an object' }
  }
  return { ok: true, value }
}

/** Reads an object or a list from the first JSON fence, or else from the whole text (S2-09, O2-02, R26). */
export function readFencedJson(text: string): ReplyResult<object> {
  const answer = removeThinking(text)
  const results = [...jsonFences(answer), answer].map((part) =>
    readJson(part, 'the reply is not JSON, and no ```json block of it is'),
  )
  const result = results.find(({ ok }) => ok) ?? results[0] ?? readJson('', '')
  if (!result.ok) return result
  const { value } = result
  if (typeof value === 'object' && value !== null) return { ok: true, value }
  return { ok: false, reason: 'the reply is JSON, but no object and no list' }
}

const FENCE = '```'

/**
 * The possible contents of the first JSON block. It ends at the next fence, or at the last one if a string in the JSON
 * contains fences too.
 */
function jsonFences(text: string): string[] {
  const open = endOfOpening(text)
  if (open === -1) return []
  const inner = text.slice(open)
  const ends = new Set([inner.indexOf(FENCE), inner.lastIndexOf(FENCE)])
  return [...ends].map((end) => (end === -1 ? inner : inner.slice(0, end)))
}

const LANGUAGE = /json\b/iy

/** Where the first opening fence that names JSON ends. -1: there is none. Each run of backticks is read once. */
function endOfOpening(text: string): number {
  for (const fence of text.matchAll(/`{3,}[ \t]*/g)) {
    LANGUAGE.lastIndex = fence.index + fence[0].length
    if (LANGUAGE.test(text)) return LANGUAGE.lastIndex
  }
  return -1
}

/** Reads a text as JSON. `reason` is returned if the text is not JSON. */
function readJson(text: string, reason: string): ReplyResult<unknown> {
  const json = text.trim()
  if (json === '') return { ok: false, reason: 'the reply is empty' }
  if (isTooDeep(json)) return { ok: false, reason: `the reply nests deeper than ${DEPTH_MAX}` }
  const value = parseWellFormedJson(json)
  return value === undefined ? { ok: false, reason } : { ok: true, value }
}
