/** How the rows of a journal are put together, which of them are drawn, and what is sent to fork. */
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/console/api/wire.ts'
import { afterOf, joinCsv } from '../../src/console/views/task/journal/export.ts'
import { traitsOf } from '../../src/console/api/mode-traits.ts'
import { forkBody, type ForkForm } from '../../src/console/views/task/journal/fork.ts'
import {
  endFor,
  mergeRows,
  readAfter,
  readFrom,
  ROWS_SHOWN_MAX,
  visibleRange,
} from '../../src/console/views/task/journal/rows.ts'
import { journalRow } from './journal-row.ts'

const closed = (seq: number) => journalRow({ seq })
const open = (seq: number) => journalRow({ seq, finished_at: null, outcome: null })
const seqs = (rows: readonly JournalEntry[]) => rows.map(({ seq }) => seq)

describe('reading starts again at the first row that was not closed', () => {
  it.each<[string, JournalEntry[], number]>([
    ['nothing yet', [], 0],
    ['all are closed', [closed(1), closed(2)], 2],
    ['the last one is under way', [closed(1), open(2)], 1],
    ['one that waits stands behind it', [closed(1), open(2), closed(3), open(4)], 1],
  ])('%s', (_, rows, after) => {
    expect(readAfter(rows)).toBe(after)
  })
  it('a pending row is replaced by its closed form, and the closed rows before it stay the same objects', () => {
    const first = closed(1)
    const rows = mergeRows([first, open(2)], 1, [closed(2), open(3)])
    expect(seqs(rows)).toEqual([1, 2, 3])
    expect(rows[0]).toBe(first)
    expect(rows[1]?.finished_at).not.toBeNull()
  })
  it('a page that overlaps known rows adds no row twice', () => {
    expect(seqs(mergeRows([closed(1), closed(2)], 2, [closed(2), closed(3)]))).toEqual([1, 2, 3])
  })
})

it.each([
  [1, 0],
  [1_000, 0],
  [10_000, 9_000],
])(
  'of %i rows only those after %i are read while the journal is hidden, and all while it is shown',
  (version, from) => {
    expect(readFrom(version, false)).toBe(from)
    expect(readFrom(version, true)).toBe(0)
  },
)

describe('at most 200 rows are drawn at once', () => {
  it.each([
    ['few: all of them', 7, null, { from: 0, to: 7 }],
    ['many: the newest', 500, null, { from: 300, to: 500 }],
    ['earlier ones', 500, 300, { from: 100, to: 300 }],
    ['the earliest, and never fewer than there is room for', 500, 100, { from: 0, to: 200 }],
    ['fewer rows than the window ended with', 10, 300, { from: 0, to: 10 }],
  ])('%s', (_, count, end, window) => {
    expect(visibleRange(count, end)).toEqual(window)
    expect(window.to - window.from).toBeLessThanOrEqual(ROWS_SHOWN_MAX)
  })
  it.each([0, 1, 99, 250, 299, 300, 499])('the row at %i is drawn when an address names it', (index) => {
    const { from, to } = visibleRange(500, endFor(500, index))
    expect(index).toBeGreaterThanOrEqual(from)
    expect(index).toBeLessThan(to)
  })
})

const FORM: ForkForm = {
  max_steps: '',
  max_iterations: '',
  max_tokens: '',
  max_cost_usd: '',
  model: '',
  temperature: '',
  edit: false,
  outcome: '{}',
}
describe('U26: a fork sends only what differs', () => {
  it('sends the row alone when nothing is filled in', () => {
    expect(forkBody(7, FORM)).toEqual({ at: 7 })
  })
  it('sends numbers as numbers, money and names as texts', () => {
    const form = { ...FORM, max_steps: ' 30 ', max_cost_usd: '0.50', model: '4', temperature: '0.2' }
    expect(forkBody(7, form)).toEqual({
      at: 7,
      settings: { max_steps: 30, max_cost_usd: '0.50', model: '4', temperature: 0.2 },
    })
  })
  it('sends a field that is not a number unchanged, so that the service can refuse it', () => {
    expect(forkBody(7, { ...FORM, max_tokens: 'many' })).toEqual({ at: 7, settings: { max_tokens: 'many' } })
  })
  it('names the last row that is copied when an outcome is edited', () => {
    expect(forkBody(7, { ...FORM, edit: true, outcome: '{"text":"no"}' })).toEqual({
      at: 7,
      edit: { seq: 7, outcome: { text: 'no' } },
    })
  })
  it('does not send an outcome that is not JSON', () => {
    expect(forkBody(7, { ...FORM, edit: true, outcome: '{' })).toBeNull()
    expect(forkBody(7, { ...FORM, edit: false, outcome: '{' })).toEqual({ at: 7 })
  })
  it('U52 asks the service to drive the fork only if the form says so', () => {
    expect(forkBody(7, { ...FORM, isDriven: true })).toEqual({ at: 7, drive: 'background' })
    expect(forkBody(7, { ...FORM, isDriven: false })).toEqual({ at: 7 })
  })
  it('limits iterations in modes that count them', () => {
    expect(
      (['plan_execute', 'dynamic', 'autonomous', 'session'] as const).map((mode) => traitsOf(mode).counts),
    ).toEqual(['max_steps', 'max_steps', 'max_iterations', 'max_iterations'])
  })
})

describe('the journal as one CSV file', () => {
  it('has its header line once', () => {
    expect(joinCsv(['seq,kind\n1,a\n', 'seq,kind\n2,"b\nc"\n', 'seq,kind\n3,d\n'])).toBe(
      'seq,kind\n1,a\n2,"b\nc"\n3,d\n',
    )
  })
  it('continues at the page that the header Link names', () => {
    expect(afterOf('</tasks/t/journal?limit=2&after=2>; rel="next"')).toBe(2)
    expect(afterOf('</tasks/t/events?after=2>; rel="monitor"')).toBeNull()
    expect(afterOf(null)).toBeNull()
  })
})
