/** Writes a JSON value within a number of characters, so that what is left is still JSON and says what was left out. */
import { isRecord } from '../../core/terms/plain/is-record.ts'

/** Room for `["… 999999 more"]`, or for the same in an object. */
const NOTE_CHARS = 26
/** What stands in place of a value for which there is no room. */
const NOTHING = '"…"'
const noteText = (count: number) => `… ${count} more`

/**
 * A value that fits is written whole. Of a list the first elements are written, and then how many more there are. The members of an object
 * share the room: short ones are written whole, and the long ones are cut. `room` is at least 3.
 */
export function shortenJson(value: unknown, room: number): string {
  return write(value, room, lengthsOf(value))
}

type Lengths = ReadonlyMap<object, number>

/** The lengths of all lists and objects, each read once. */
function lengthsOf(value: unknown): Lengths {
  const lengths = new Map<object, number>()
  const visit = (one: unknown): number => {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one).length
    const parts = Array.isArray(one)
      ? one.map(visit)
      : Object.entries(one).map(([key, member]) => JSON.stringify(key).length + 1 + visit(member))
    const length = 2 + parts.reduce((sum, part) => sum + part, 0) + Math.max(0, parts.length - 1)
    lengths.set(one, length)
    return length
  }
  visit(value)
  return lengths
}

const lengthOf = (value: unknown, lengths: Lengths): number =>
  typeof value === 'object' && value !== null ? (lengths.get(value) ?? 0) : JSON.stringify(value).length

function write(value: unknown, room: number, lengths: Lengths): string {
  if (lengthOf(value, lengths) <= room) return JSON.stringify(value)
  if (typeof value === 'string') return cutText(value, room)
  if (room < NOTE_CHARS) return NOTHING
  if (Array.isArray(value)) return cutList(value, room, lengths)
  return isRecord(value) ? cutObject(value, room, lengths) : NOTHING
}

function cutText(text: string, room: number): string {
  let length = NOTHING.length
  let end = 0
  for (const letter of text) {
    length += JSON.stringify(letter).length - 2
    if (length > room) break
    end += letter.length
  }
  return JSON.stringify(`${text.slice(0, end)}…`)
}

function cutList(list: readonly unknown[], room: number, lengths: Lengths): string {
  const written: string[] = []
  let left = room - NOTE_CHARS
  for (const element of list) {
    const length = lengthOf(element, lengths) + 1
    if (length > left) break
    written.push(JSON.stringify(element))
    left -= length
  }
  // One element alone is cut, because a part of it says more than a number of them.
  if (written.length === 0 && left > NOTE_CHARS) written.push(write(list[0], left - 1, lengths))
  const more = list.length - written.length
  return `[${[...written, ...(more > 0 ? [JSON.stringify(noteText(more))] : [])].join(',')}]`
}

function cutObject(object: Record<string, unknown>, room: number, lengths: Lengths): string {
  let left = room - NOTE_CHARS
  const members: { key: string; value: unknown; length: number; share: number }[] = []
  for (const [name, value] of Object.entries(object)) {
    const key = JSON.stringify(name)
    left -= key.length + 2 + NOTHING.length
    if (left < 0) break
    members.push({ key, value, length: lengthOf(value, lengths), share: NOTHING.length })
  }
  left = Math.max(0, left + (members.length < Object.keys(object).length ? 0 : NOTE_CHARS - 2))
  share(members, left)
  const written = members.map(({ key, value, share: most }) => `${key}:${write(value, most, lengths)}`)
  const more = Object.keys(object).length - members.length
  return `{${[...written, ...(more > 0 ? [`"…":${JSON.stringify(noteText(more))}`] : [])].join(',')}}`
}

/** Gives each member what it needs, the shortest first, and an equal part of the rest to those that need more. */
function share(members: { length: number; share: number }[], room: number): void {
  let left = room
  const shortest_first = members.toSorted((one, other) => one.length - other.length)
  for (const [index, member] of shortest_first.entries()) {
    const most = Math.floor(left / (members.length - index))
    const more = Math.min(Math.max(0, member.length - member.share), most)
    member.share += more
    left -= more
  }
}
