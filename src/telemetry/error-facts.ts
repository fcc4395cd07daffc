/** What may be told of an error. Its message may quote a goal, a reply or a secret, so only known shapes of messages are told. */
import type { ErrorFacts } from './log.ts'

/** SQLite reports a full disk only by its message. */
export const NO_ROOM = /SQLITE_FULL|SQLITE_TOOBIG|database or disk is full|string or blob too big|ENOSPC|EFBIG|EDQUOT/

/** Messages of the engine about a mistake in our code. They name members of our objects, and no value. */
const ENGINE_MESSAGES = [
  /^Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '[\w$#]{1,60}'\)$/,
  /^[\w$#.]{1,80} is not (?:a function|iterable|defined|a constructor)$/,
  /^Maximum call stack size exceeded$/,
]
/** Marks of the platform, each an own property of the error. */
const MARKS = {
  overloaded: 'overloaded',
  durableObjectReset: 'object_reset',
  retryable: 'object_lost',
  blobs_away: 'storage_away',
}
const NAMES: Record<string, string> = { TimeoutError: 'timeout', AbortError: 'aborted' }

/** A class is named by an identifier. Anything else was set by whoever made the error. */
const CLASS = /^[A-Za-z_$][\w$]{0,59}$/

export function errorFacts(thrown: unknown): ErrorFacts {
  if (!(thrown instanceof Error)) return { error: 'unknown', reason: 'unexpected' }
  const error = CLASS.test(thrown.name) ? thrown.name : 'Error'
  return { error, reason: reasonOf(thrown) }
}

function reasonOf(thrown: Error): string {
  const { message, name } = thrown
  if (NO_ROOM.test(message)) return 'storage_full'
  const mark = Object.entries(MARKS).find(([own]) => Object.getOwnPropertyDescriptor(thrown, own)?.value === true)
  if (mark !== undefined) return mark[1]
  return ENGINE_MESSAGES.some((shape) => shape.test(message)) ? message : (NAMES[name] ?? 'unexpected')
}

/** A frame of a stack: `name (file:line:column)` or `file:line:column`. */
const FRAME = /^at [\w$.<>[\]/:@ -]{1,200}:\d{1,9}\)?$/
const FRAMES_MAX = 3

/** Where an error was thrown. The message in front of the frames is left out, because a line of it may look like a frame. */
export function framesOf({ name, message, stack = '' }: Error): string {
  const head = message === '' ? name : `${name}: ${message}`
  if (!stack.startsWith(head)) return ''
  const lines = stack.slice(head.length, head.length + 2_000).split('\n')
  const frames = lines.map((line) => line.trim().replace('(', '')).filter((line) => FRAME.test(line))
  return frames.slice(0, FRAMES_MAX).join(' < ')
}
