/** The bounded output of a program: its beginning and its end, because the end has the result. */
import { StringDecoder } from 'node:string_decoder'

export function boundedText({ head_chars, tail_chars }) {
  const decoder = new StringDecoder('utf8')
  let head = ''
  let tail = ''
  let left_out = 0
  const add = (text) => {
    const room = head_chars - head.length
    head += text.slice(0, room)
    tail += text.slice(room)
    // The text is cut rarely, because a program may print a thousand lines a second.
    if (tail.length > 2 * tail_chars) cut()
  }
  const cut = () => {
    const surplus = Math.max(0, tail.length - tail_chars)
    left_out += surplus
    tail = tail.slice(surplus)
  }
  return {
    add: (chunk) => add(decoder.write(chunk)),
    text: () => {
      add(decoder.end())
      if (left_out > 0 || tail.length > tail_chars) cut()
      return left_out === 0 ? head + tail : `${head}\n[… ${left_out} characters left out …]\n${tail}`
    },
  }
}
