/** What an object knows of its rows: no row is read twice, and what it holds is bounded. */
import { describe, expect, it } from 'vitest'
import type { Recall } from '../../src/core/effect.ts'
import { knownRows } from '../../src/store/known-rows.ts'
import { memoryRows } from '../../src/store/memory-rows.ts'

/** Rows whose every row is a reply of so many characters, and how often one was read. */
function counted(chars: number) {
  const count = { reads: 0 }
  const text = 'x'.repeat(chars)
  const recall: Recall = () => {
    count.reads += 1
    const event = { kind: 'model_replied' as const, text, usage: null, model: 'm', form: 'text' as const }
    return { effect: null, event, at: 0 }
  }
  return { count, recall: knownRows({ ...memoryRows(), recall }).recall }
}
const ask = (recall: Recall, rows: number) => Array.from({ length: rows }, (_, seq) => recall(seq + 1))

describe('rows that are known', () => {
  it('a row is read once, however often it is looked at', () => {
    const { count, recall } = counted(30_000)
    for (let look = 0; look < 500; look++) recall(1)
    expect(count.reads).toBe(1)
  })

  it('all rows of the longest prompt are known at once', () => {
    const { count, recall } = counted(100)
    for (let prompt = 0; prompt < 10; prompt++) ask(recall, 3_000)
    expect(count.reads).toBe(3_000)
  })

  it('texts beyond the bound are forgotten and read again', () => {
    const { count, recall } = counted(100_000)
    ask(recall, 30)
    recall(1)
    expect(count.reads).toBe(31)
  })
})
