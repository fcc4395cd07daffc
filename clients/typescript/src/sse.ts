/** Reads Server-Sent Events. Each byte is looked at once, and what is kept is bounded, however the bytes are cut. */

export const LINE_CHARS_MAX = 1 << 20
const DATA_CHARS_MAX = 4 << 20

export interface SseMessage {
  /** The id that this message names; null: none. */
  id: string | null
  /** `message` when the stream names no type. */
  event: string
  data: string
}

/** Takes the next bytes and gives the messages that they complete. A message without its blank line is never given. */
export type SseReader = (bytes: Uint8Array) => SseMessage[]

/** Throws a RangeError when a line or the data of a message is too long. */
export function sseReader(): SseReader {
  const decoder = new TextDecoder()
  const lineEnd = /[\r\n]/g
  let parts: string[] = []
  let length = 0
  /** The last character was a carriage return: a line feed that follows belongs to it. */
  let afterReturn = false
  const message = messageBuilder()

  const addPart = (part: string) => {
    length += part.length
    if (length > LINE_CHARS_MAX) throw new RangeError(`a line of the stream has more than ${LINE_CHARS_MAX} characters`)
    if (part !== '') parts.push(part)
  }
  const endLine = (): SseMessage | null => {
    const line = parts.join('')
    parts = []
    length = 0
    return message(line)
  }

  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true })
    const messages: SseMessage[] = []
    let from = afterReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') afterReturn = false
    for (;;) {
      lineEnd.lastIndex = from
      const found = lineEnd.exec(text)
      addPart(text.slice(from, found?.index))
      if (found === null) return messages
      const complete = endLine()
      if (complete !== null) messages.push(complete)
      from = found.index + 1
      if (found[0] !== '\r') continue
      if (from === text.length) afterReturn = true
      else if (text[from] === '\n') from += 1
    }
  }
}

/** Takes the lines of a stream one by one, and gives a message at the blank line behind it. */
function messageBuilder(): (line: string) => SseMessage | null {
  let id: string | null = null
  let event = ''
  let data: string[] = []
  let length = 0

  const take = (field: string, value: string) => {
    if (field === 'event') event = value
    if (field === 'id' && !value.includes('\0')) id = value
    if (field !== 'data') return
    length += value.length + 1
    if (length > DATA_CHARS_MAX)
      throw new RangeError(`a message of the stream has more than ${DATA_CHARS_MAX} characters`)
    data.push(value)
  }

  return (line) => {
    if (line !== '') {
      const colon = line.indexOf(':')
      // A line that begins with a colon is a comment, and has the field "".
      if (colon === -1) take(line, '')
      else take(line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1))
      return null
    }
    const complete = data.length === 0 ? null : { id, event: event === '' ? 'message' : event, data: data.join('\n') }
    id = null
    event = ''
    data = []
    length = 0
    return complete
  }
}
