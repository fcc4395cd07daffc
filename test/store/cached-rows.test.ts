/** What an object knows of its rows: no row is read twice, and what it holds is bounded. */
import { describe, expect, it } from 'vitest'
import type { Event, Recall } from '../../src/core/terms/effect.ts'
import { cachedRows } from '../../src/store/task/rows/cached-rows.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'

const replied = (chars: number): Event => ({
  kind: 'model_replied',
  text: 'x'.repeat(chars),
  usage: null,
  model: 'm',
  form: 'text',
})
const UNSAID = { session_id: null, results: null, pitfalls: null, next_steps: null }
const reported = (chars: number): Event => ({
  kind: 'report_arrived',
  delegation: 1,
  report: { status: 'SUCCESS', ...UNSAID, text: 'x'.repeat(chars) },
  charged: {},
})

/** Rows whose every row is an event of so many characters, a reply by default, and how often one was read. */
function counted(chars: number, make: (chars: number) => Event = replied) {
  const count = { reads: 0 }
  const event = make(chars)
  const recall: Recall = () => {
    count.reads += 1
    return { effect: null, event, at: 0 }
  }
  return { count, recall: cachedRows({ ...memoryRows(), recall }).recall }
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

  it('S2-13 reports are bounded too: at most two of a hundred with nearly a megabyte each are in memory', () => {
    const { count, recall } = counted(990_000, reported)
    ask(recall, 100)
    recall(99)
    expect(count.reads).toBe(100)
    recall(1)
    expect(count.reads).toBe(101)
  })

  it('a list of texts is counted whole', () => {
    const items = (chars: number): Event => ({
      kind: 'plan_edited',
      author: 'me',
      items: [{ id: null, title: 'A', description: 'x'.repeat(chars), expected_output: null }],
    })
    const { count, recall } = counted(100_000, items)
    ask(recall, 30)
    recall(1)
    expect(count.reads).toBe(31)
  })
})
