/** Replies are read once for as long as their event is in memory: views and prompts look at them many times. */
import type { EventOf, Recall } from '../../terms/effect.ts'

type Reply = EventOf<'model_replied'>

export function readOnce<T>(read: (reply: Reply) => T): (reply: Reply) => T {
  const known = new WeakMap<Reply, { value: T }>()
  return (reply) => {
    const found = known.get(reply) ?? { value: read(reply) }
    known.set(reply, found)
    return found.value
  }
}

/** What the user said in a row; empty where it was nothing. */
export function wordsAt(recall: Recall, row: number): string {
  const { event } = recall(row)
  return 'text' in event ? (event.text ?? '') : ''
}
