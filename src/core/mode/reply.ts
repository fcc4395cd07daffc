/** Model text → data, strictly (O0-04, R26): after removing think blocks the whole text is one JSON object. */
import type * as z from 'zod'

export type Read<T> = { ok: true; value: T } | { ok: false; reason: string }

/** Deeper than any contract; checked before parsing, so that what is accepted never depends on the stack. */
const DEPTH_MAX = 32

/** Without `<think>…</think>`, any case; one that is not closed stays. One pass: a hostile reply must cost no more than its length. */
export function withoutThinking(text: string): string {
  const lower = text.toLowerCase()
  // Lower-casing can change the length of a text; then it is read as it is.
  const names = lower.length === text.length ? lower : text
  let kept = ''
  let from = 0
  for (;;) {
    const open = names.indexOf('<think>', from)
    const end = open === -1 ? -1 : names.indexOf('</think>', open)
    if (end === -1) return kept + text.slice(from)
    kept += text.slice(from, open)
    from = end + '</think>'.length
  }
}

/** Whether JSON nests deeper than DEPTH_MAX; brackets in strings do not count. */
export function isDeep(json: string): boolean {
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

const known = new WeakMap<z.ZodType, WeakMap<object, Read<unknown>>>()

/** How the text of a reply becomes the value that its contract is applied to. */
export type Reader = (text: string) => Read<unknown>

/** The reply an event carries, read once for as long as the event is in memory: views and prompts look at it many times. */
export function replyOf<T>(contract: z.ZodType<T>, event: { text: string }, reader: Reader = readObject): Read<T> {
  const byEvent = known.get(contract) ?? new WeakMap<object, Read<unknown>>()
  known.set(contract, byEvent)
  // What is kept under a contract was read by it.
  const read = (byEvent.get(event) as Read<T> | undefined) ?? readReply(contract, event.text, reader)
  byEvent.set(event, read)
  return read
}

/** Parses and validates a reply against its contract; the reason is written for the model that has to do better. */
export function readReply<T>(contract: z.ZodType<T>, text: string, reader: Reader = readObject): Read<T> {
  const read = reader(text)
  if (!read.ok) return read
  const parsed = contract.safeParse(read.value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issues = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'reply'}: ${issue.message}`)
  return { ok: false, reason: issues.join('; ').slice(0, 500) }
}

/** What a text says as JSON, undefined: nothing. An escaped half of a pair is no character: nothing could send it on. */
export function plainJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, part: unknown) =>
      typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part,
    )
  } catch {
    return undefined
  }
}

function readObject(text: string): Read<object> {
  const read = readJson(withoutThinking(text), 'the reply is not one JSON object (no prose, no code fence around it)')
  if (!read.ok) return read
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'the reply is JSON, but not an object' }
  }
  return { ok: true, value }
}

/** A fence of JSON first, else the whole text; an object or a list (S2-09, O2-02, R26). */
export function readFenced(text: string): Read<object> {
  const bare = withoutThinking(text)
  const reads = [...fencedIn(bare), bare].map((part) =>
    readJson(part, 'the reply is not JSON, and no ```json block of it is'),
  )
  const read = reads.find(({ ok }) => ok) ?? reads[0] ?? readJson('', '')
  if (!read.ok) return read
  const { value } = read
  if (typeof value === 'object' && value !== null) return { ok: true, value }
  return { ok: false, reason: 'the reply is JSON, but no object and no list' }
}

const FENCE = '```'

/** What stands in the first block that says it is JSON: up to the next fence, or to the last one where a text of it has fences too. */
function fencedIn(text: string): string[] {
  const open = endOfOpening(text)
  if (open === -1) return []
  const inner = text.slice(open)
  const ends = new Set([inner.indexOf(FENCE), inner.lastIndexOf(FENCE)])
  return [...ends].map((end) => (end === -1 ? inner : inner.slice(0, end)))
}

const LANGUAGE = /json\b/iy

/** Where the first opening fence that names JSON ends; -1: there is none. Each run of backticks is read once. */
function endOfOpening(text: string): number {
  for (const fence of text.matchAll(/`{3,}[ \t]*/g)) {
    LANGUAGE.lastIndex = fence.index + fence[0].length
    if (LANGUAGE.test(text)) return LANGUAGE.lastIndex
  }
  return -1
}

function readJson(text: string, otherwise: string): Read<unknown> {
  const bare = text.trim()
  if (bare === '') return { ok: false, reason: 'the reply is empty' }
  if (isDeep(bare)) return { ok: false, reason: `the reply nests deeper than ${DEPTH_MAX}` }
  const value = plainJson(bare)
  return value === undefined ? { ok: false, reason: otherwise } : { ok: true, value }
}
