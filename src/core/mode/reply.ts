/**
 * Reads replies of a model. The one JSON object that the model meant is taken out of a fence, prose or a think block, and mended
 * within bounds (ruling 32). With `strict_replies` the whole text has to be one JSON object (O0-04, R26).
 */
import type * as z from 'zod'
import type { Settings } from '../terms/settings.ts'
import type { Usage } from '../terms/values/usage.ts'
import { isRecord } from '../terms/plain/is-record.ts'
import { cut } from '../terms/text.ts'
import { findObjectAsBefore } from './json/earlier-reading.ts'
import { findObject, isTooLong } from './json/json-object.ts'
import { bareWord } from './json/yes-no.ts'
import { DEPTH_MAX, isTooDeep, parseBoundedJson, parseWellFormedJson } from './json-text.ts'

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

/** Turns the text of a reply into the value that is checked against its contract. */
type ReplyReader = (text: string) => ReplyResult<unknown>
/** How a task reads the replies of its model. `earlier`: as earlier releases did, for rows that they have accepted. */
export type ReaderOf = (settings: Pick<Settings, 'strict_replies'>, release?: 'earlier') => ReplyReader

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

/**
 * The parsed reply of an event. It is read once while the event is in memory, because views and prompts use it often, and some of them
 * with another contract.
 */
export function replyOf<T>(contract: z.ZodType<T>, event: ReplyEnd, reader: ReplyReader): ReplyResult<T> {
  const { values, results } = cached(cacheByReader, reader, newCache)
  const byEvent = cached(results, contract, newResults)
  // The cast holds because every result in this map was checked by this contract.
  return cached(byEvent, event, () => {
    const reason = cutReason(event)
    if (reason !== null) return { ok: false, reason }
    return checkReply(
      contract,
      cached(values, event, () => reader(event.text)),
    )
  }) as ReplyResult<T>
}

type ResultsByEvent = WeakMap<object, ReplyResult<unknown>>
interface ReaderCache {
  values: ResultsByEvent
  results: WeakMap<z.ZodType, ResultsByEvent>
}
const cacheByReader = new WeakMap<ReplyReader, ReaderCache>()
const newResults = (): ResultsByEvent => new WeakMap()
const newCache = (): ReaderCache => ({ values: newResults(), results: new WeakMap() })

function cached<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}

/** The reply of a row that was accepted. What an earlier release has accepted stays readable, also if it would be refused today. */
export function acceptedReplyOf<T>(
  contract: z.ZodType<T>,
  event: ReplyEnd,
  readerOf: ReaderOf,
  settings: Pick<Settings, 'strict_replies'>,
): ReplyResult<T> {
  const reply = replyOf(contract, event, readerOf(settings))
  if (reply.ok) return reply
  const earlier = replyOf(contract, event, readerOf(settings, 'earlier'))
  return earlier.ok ? earlier : reply
}

/** Parses a reply and validates it against its contract. The reason is written for the model, which has to try again. */
export function readReply<T>(contract: z.ZodType<T>, text: string, reader: ReplyReader): ReplyResult<T> {
  return checkReply(contract, reader(text))
}

function checkReply<T>(contract: z.ZodType<T>, result: ReplyResult<unknown>): ReplyResult<T> {
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
export const objectReader: ReaderOf = ({ strict_replies }, release) =>
  strict_replies ? readObject : release === 'earlier' ? readObjectAsBefore : readMeantObject
/** For contracts in whose place a list may stand (R26). */
export const jsonReader: ReaderOf = ({ strict_replies }, release) =>
  strict_replies ? readFencedJson : release === 'earlier' ? readJsonAsBefore : readMeantJson

/** For data in the shape of a client, whose words stay as they are written. */
export const dataReader: ReaderOf = ({ strict_replies }) => (strict_replies ? readObject : readWrittenObject)

const readMeantObject: ReplyReader = (text) => withBareWords(readWrittenObject(text))
const readWrittenObject = (text: string): ReplyResult<Record<string, unknown>> =>
  wholeObject(text) ?? objectIn(answerIn(text))

/** A text that is one object as a whole is not searched for thinking, because a text within it may speak of the tags. */
function wholeObject(text: string): ReplyResult<Record<string, unknown>> | null {
  const speaksOfTags = text.trimStart().startsWith('{') && /<\/?think>/i.test(text)
  const value = speaksOfTags ? parseBoundedJson(text.trim()) : undefined
  return isRecord(value) ? { ok: true, value } : null
}

/** A list in a fence is read. An object has to be the only one of the reply. */
const readMeantJson: ReplyReader = (text) => {
  const whole = wholeObject(text)
  if (whole !== null) return withBareWords(whole)
  const answer = answerIn(text)
  const list = listIn(answer)
  return list === null ? withBareWords(objectIn(answer)) : { ok: true, value: list }
}

function listIn(answer: string): unknown[] | null {
  const fenced = isTooLong(answer) ? readJson(answer, '') : readFencedJson(answer)
  return fenced.ok && Array.isArray(fenced.value) ? fenced.value : null
}

function objectIn(answer: string): ReplyResult<Record<string, unknown>> {
  if (answer === '') return { ok: false, reason: 'the reply is empty' }
  // Some models write the object once more as a JSON text.
  const inner = answer.startsWith('"') ? parseBoundedJson(answer) : undefined
  return findObject(typeof inner === 'string' ? inner.trim() : answer)
}

/** The members of which a contract knows all words. Models end such a word like a sentence. */
const WORD_MEMBERS = ['status', 'decision']

function withBareWords(result: ReplyResult<Record<string, unknown>>): ReplyResult<Record<string, unknown>> {
  if (!result.ok) return result
  const { value: reply } = result
  const changed = WORD_MEMBERS.flatMap((name) => {
    const value = reply[name]
    const word = bareWord(value)
    return word === value ? [] : [[name, word] as const]
  })
  return changed.length === 0 ? result : { ok: true, value: { ...reply, ...Object.fromEntries(changed) } }
}

function readObjectAsBefore(text: string): ReplyResult<object> {
  const answer = answerIn(text)
  const value = parseBoundedJson(answer)
  const inner = typeof value === 'string' ? parseWellFormedJson(value) : value
  const found = isRecord(inner) ? inner : findObjectAsBefore(answer)
  return found === undefined
    ? { ok: false, reason: 'the reply has no JSON object' }
    : withBareWords({ ok: true, value: found })
}

function readJsonAsBefore(text: string): ReplyResult<object> {
  const fenced = readFencedJson(answerIn(text))
  if (!fenced.ok) return readObjectAsBefore(text)
  const { value } = fenced
  return isRecord(value) ? withBareWords({ ok: true, value }) : fenced
}

/** The text behind the thinking. Some endpoints leave out the tag that opens it. */
function answerIn(text: string): string {
  const answer = removeThinking(text)
  const lower = answer.toLowerCase()
  const end = lower.length === answer.length ? lower.lastIndexOf('</think>') : -1
  return (end === -1 ? answer : answer.slice(end + '</think>'.length)).trim()
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
