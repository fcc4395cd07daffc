/** The reader of Server-Sent Events in the TypeScript client: the same messages, however the bytes are cut. */
import { describe, expect, it } from 'vitest'
import { LINE_CHARS_MAX, sseReader, type SseMessage } from '../../clients/typescript/src/sse.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function read(...chunks: Uint8Array[]): SseMessage[] {
  const reader = sseReader()
  return chunks.flatMap((chunk) => reader(chunk))
}
const message = (data: string, id: string | null = null, event = 'message') => ({ id, event, data })

/** A return and a line feed are one end of a line, also where a cut comes between them. */
const STREAM = [
  '\uFEFF: hello\r\n\r\n',
  'id: 1\revent:a\rdata: 买牛奶 🥛\rdata:\rdata:  two\r\r\n',
  'id:2\r\ndata: {"x":1}\r\nretry: 5\r\ndata: 2\r\n\r\n',
  'event: end\ndata\n\n',
].join('')
const MESSAGES = [message('买牛奶 🥛\n\n two', '1', 'a'), message('{"x":1}\n2', '2'), message('', null, 'end')]

describe('U59 the reader of events', () => {
  it('U59 takes every end of a line, comments, fields without a colon and texts of several lines', () => {
    expect(read(bytes(STREAM))).toEqual(MESSAGES)
  })

  it('U59 gives the same when the stream is cut at any byte, and when each byte comes alone', () => {
    const whole = bytes(STREAM)
    for (let at = 0; at <= whole.length; at += 1)
      expect([at, read(whole.slice(0, at), whole.slice(at))]).toEqual([at, MESSAGES])
    expect(read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(MESSAGES)
  })

  it('U59 never gives a message whose blank line did not come', () => {
    const whole = bytes('id: 1\ndata: a\n\nid: 2\ndata: b\n\n')
    const second = bytes('id: 1\ndata: a\n\n').length
    for (let at = second; at < whole.length; at += 1) expect(read(whole.slice(0, at))).toEqual([message('a', '1')])
  })

  it('U59 an id with NUL is none, and an id does not pass to the next message', () => {
    expect(read(bytes('id: a\0b\ndata: x\n\nid: 7\ndata: y\n\ndata: z\n\n'))).toEqual([
      message('x'),
      message('y', '7'),
      message('z'),
    ])
  })

  it('U59 a line of 1 MiB is read, and a longer one is refused before it ends', () => {
    const longest = 'x'.repeat(LINE_CHARS_MAX - 'data: '.length)
    expect(read(bytes(`data: ${longest}\n\n`))).toEqual([message(longest)])
    expect(() => read(bytes(`data: ${longest}x`))).toThrow(RangeError)
    const reader = sseReader()
    const piece = new Uint8Array(1 << 16).fill(120)
    expect(() => Array.from({ length: 17 }, () => reader(piece))).toThrow('a line of the stream has more than 1048576')
  })

  it('U59 the data of one message is bounded, also when its lines are empty', () => {
    const reader = sseReader()
    const lines = bytes('data:\n'.repeat(1 << 16))
    expect(() => Array.from({ length: 65 }, () => reader(lines))).toThrow('a message of the stream has more than')
  })
})
