/**
 * Reads replies of a model. The one JSON object that the model meant is taken out of a fence, prose or a think block, and mended
 * within bounds (ruling 32). With `strict_replies` the whole text has to be one JSON object (O0-04, R26).
 */
import type * as z from 'zod'
import type { Settings } from '../terms/settings.ts'
import type { Usage } from '../terms/values/usage.ts'
import { isRecord } from '../terms/plain/is-record.ts'
import { cut } from '../terms/text.ts'
import { findObject } from './json-object.ts'
import { DEPTH_MAX, isTooDeep, parseWellFormedJson } from './json-text.ts'

export type ReplyResult<T> = { ok: true; value: T } | { ok: false; reason: string }

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

/** What a reply says to people beside its calls: its text without thinking, whose end or beginning may be missing. */
export function spokenText(text: string): string {
  const answer = answerIn(text)
  const open = answer.toLowerCase().indexOf('<think>')
  return (open === -1 || answer.toLowerCase().length !== answer.length ? answer : answer.slice(0, open)).trim()
}

const resultsByContract = new WeakMap<z.ZodType, WeakMap<object, ReplyResult<unknown>>>()

/** Turns the text of a reply into the value that is checked against its contract. */
type ReplyReader = (text: string) => ReplyResult<unknown>
/** How a task reads the replies of its model. */
export type ReaderOf = (settings: Pick<Settings, 'strict_replies'>) => ReplyReader

/** What of a reply says that it was cut, and why. */
interface ReplyEnd {
  text: string
  finish?: 'length' | undefined
  usage?: Usage | null
  tool_calls?: readonly unknown[] | undefined
}

/** What is told of a reply that was cut. It is never accepted, because nobody knows how it goes on. null: it was not cut. */
export function cutReason(reply: ReplyEnd): string | null {
  if (reply.finish !== 'length') return null
  const tokens = tokensThought(reply)
  return tokens === null
    ? 'the reply was cut off, because it was longer than allowed; give a shorter one'
    : `the reply was cut off before it said anything, because its reasoning used up the cap of ${tokens} tokens; think less, and give a short reply`
}

/** An endpoint may count a few tokens of a reply that says nothing. */
const TOKENS_OF_NOTHING = 16

/** The tokens of a reply that was cut while the model still thought. null: it has said something, or nobody knows what it has thought. */
export function tokensThought({ text, usage, tool_calls }: ReplyEnd): number | null {
  if (usage === null || usage === undefined || tool_calls !== undefined || spokenText(text) !== '') return null
  const { output_tokens, reasoning_tokens = text.trim() === '' ? 0 : output_tokens } = usage
  return output_tokens > 0 && reasoning_tokens >= output_tokens - TOKENS_OF_NOTHING ? output_tokens : null
}

/** The parsed reply of an event. It is parsed once while the event is in memory, because views and prompts use it often. */
export function replyOf<T>(contract: z.ZodType<T>, event: ReplyEnd, reader: ReplyReader): ReplyResult<T> {
  const byEvent = resultsByContract.get(contract) ?? new WeakMap<object, ReplyResult<unknown>>()
  resultsByContract.set(contract, byEvent)
  // The casts hold because every result in this map was read with this contract.
  const known = byEvent.get(event) as ReplyResult<T> | undefined
  const reason = cutReason(event)
  const result = known ?? (reason === null ? readReply(contract, event.text, reader) : { ok: false, reason })
  byEvent.set(event, result)
  return result
}

/** Parses a reply and validates it against its contract. The reason is written for the model, which has to try again. */
export function readReply<T>(contract: z.ZodType<T>, text: string, reader: ReplyReader): ReplyResult<T> {
  const result = reader(text)
  if (!result.ok) return result
  const checked = contract.safeParse(result.value)
  if (checked.success) return { ok: true, value: checked.data }
  const issues = checked.error.issues.slice(0, 3).map((issue) => issueText(issue, result.value))
  return { ok: false, reason: cut(issues.join('; '), REASON_CHARS) }
}
const REASON_CHARS = 500
const GIVEN_CHARS = 60

/** The member of a reply with what is allowed there, and what was given. */
function issueText({ path, message }: z.core.$ZodIssue, reply: unknown): string {
  const member = path.join('.')
  if (member === '') return `reply: ${message}`
  const given = member.split('.').reduce<unknown>((value, name) => memberOf(value, name), reply)
  const text = given === undefined ? 'nothing' : cut(JSON.stringify(given), GIVEN_CHARS)
  return `${member}: ${message} (given: ${text})`
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined

/** For contracts of one object. */
export const objectReader: ReaderOf = ({ strict_replies }) => (strict_replies ? readObject : readMeantObject)
/** For contracts in whose place a list may stand (R26). */
export const jsonReader: ReaderOf = ({ strict_replies }) => (strict_replies ? readFencedJson : readMeantJson)

function readMeantObject(text: string): ReplyResult<object> {
  const answer = answerIn(text)
  if (answer === '') return { ok: false, reason: 'the reply is empty' }
  const value = isTooDeep(answer) ? undefined : parseWellFormedJson(answer)
  // Some models write the object once more as a JSON text.
  const inner = typeof value === 'string' ? parseWellFormedJson(value) : value
  const result: ReplyResult<object> = isRecord(inner) ? { ok: true, value: inner } : findObject(answer)
  return result.ok ? { ok: true, value: withBareWords(result.value) } : result
}

/** The members of which a contract knows all words. Models end such a word like a sentence. */
const WORD_MEMBERS = ['status', 'decision']

function withBareWords(reply: object): object {
  const members = Object.entries(reply).map(([name, value]: [string, unknown]) => [
    name,
    WORD_MEMBERS.includes(name) && typeof value === 'string' ? value.trim().replace(/[.。!！]$/, '') : value,
  ])
  return Object.fromEntries(members)
}

function readMeantJson(text: string): ReplyResult<object> {
  const fenced = readFencedJson(answerIn(text))
  if (!fenced.ok) return readMeantObject(text)
  return Array.isArray(fenced.value) ? fenced : { ok: true, value: withBareWords(fenced.value) }
}

/** The text behind the thinking. Some endpoints leave out the tag that opens it. */
function answerIn(text: string): string {
  const answer = removeThinking(text)
  const end = answer.toLowerCase().lastIndexOf('</think>')
  const isSamePlace = answer.toLowerCase().length === answer.length
  return (end === -1 || !isSamePlace ? answer : answer.slice(end + '</think>'.length)).trim()
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
