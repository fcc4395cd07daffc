/** What each step and each item of a plan cost, from rows and events. */
import { describe, expect, it } from 'vitest'
import type { Envelope } from '../../src/console/api/wire.ts'
import {
  amountText,
  BARS_MAX,
  barsOf,
  costsOf,
  runningSums,
  durationText,
  itemCosts,
  itemsOfRows,
  toolsOf,
} from '../../src/console/views/task/journal/costs.ts'
import { journalRow } from './journal-row.ts'

const event = (type: Envelope['type'], journal_seq: number, payload: Record<string, unknown> = {}): Envelope => ({
  seq: 1,
  type,
  at: '2026-03-02T09:00:00.000Z',
  task_id: 't',
  payload: { ...payload, journal_seq },
})
const tool = (seq: number) =>
  journalRow({ seq, kind: 'run_tool', phase: 'act', tokens: null, charged_tokens: 0, cost_usd: '0.000000' })
const fact = (seq: number) =>
  journalRow({ seq, kind: 'user_remarked', counted: false, outcome: null, charged_tokens: null, duration_ms: null })

describe('the cost of each effect', () => {
  it('a row that is not an effect and costs nothing has no bar', () => {
    const costs = costsOf([fact(1), journalRow({ seq: 2, counted: false }), journalRow({ seq: 3 }), tool(4)])
    expect(costs.map(({ seq, tokens, cost, seconds }) => [seq, tokens, cost, seconds])).toEqual([
      [2, 15, 100, 1.5],
      [3, 15, 100, 1.5],
      [4, 0, 0, 1.5],
    ])
  })
  it('a pending row has no known cost', () => {
    expect(costsOf([journalRow({ seq: 1, finished_at: null, duration_ms: null, charged_tokens: null })])).toEqual([])
  })
  it('the spending of a worker is a cost of the row that reported it', () => {
    const report = journalRow({ seq: 9, kind: 'report_arrived', phase: null, counted: false, duration_ms: null })
    expect(costsOf([report])).toMatchObject([{ seq: 9, label: 'report_arrived', tokens: 15, seconds: 0 }])
  })
  it('money is added without rounding errors', () => {
    const rows = Array.from({ length: 10 }, (_, index) => journalRow({ seq: index + 1, cost_usd: '0.000123' }))
    expect(runningSums(costsOf(rows), 'cost').at(-1)).toBe(1230)
  })
})

describe('the bars of a chart', () => {
  it('are the single effects, each with the running total', () => {
    const costs = costsOf([journalRow({ seq: 1 }), tool(2), journalRow({ seq: 5, counted: false })])
    expect(barsOf(costs, 'tokens')).toEqual([
      { first: 1, last: 1, label: costs[0]?.label, counted: true, amount: 15, sum: 15 },
      { first: 2, last: 2, label: 'act', counted: true, amount: 0, sum: 15 },
      { first: 5, last: 5, label: costs[2]?.label, counted: false, amount: 15, sum: 30 },
    ])
  })
  it.each([BARS_MAX, BARS_MAX + 1, 10_000])('are at most 200 for %i effects, and their sum is complete', (count) => {
    const costs = costsOf(Array.from({ length: count }, (_, index) => journalRow({ seq: index + 1 })))
    const bars = barsOf(costs, 'tokens')
    expect(bars.length).toBeLessThanOrEqual(BARS_MAX)
    expect(bars.reduce((sum, { amount }) => sum + amount, 0)).toBe(15 * count)
    expect([bars[0]?.first, bars.at(-1)?.last, bars.at(-1)?.sum]).toEqual([1, count, 15 * count])
    expect(bars.every(({ first }, index) => index === 0 || first === (bars[index - 1]?.last ?? 0) + 1)).toBe(true)
  })
})

/** As `plan_execute` tells them: a replan begins the next item, a thought ends the one it was about. */
const EVENTS = [
  event('plan_created', 2, { items: [] }),
  event('item_started', 2, { item_id: 'step_1', title: 'Buy milk' }),
  event('thought_decided', 3, { item_id: 'step_1' }),
  event('action_started', 3, { item_id: 'step_1', tool: 'todo' }),
  event('action_finished', 4, { item_id: 'step_1', tool: 'todo' }),
  event('thought_decided', 6, { item_id: 'step_1' }),
  event('item_completed', 6, { item_id: 'step_1', title: 'Buy milk' }),
  event('plan_replanned', 7, { items: [] }),
  event('item_started', 7, { item_id: 'step_2', title: 'Call mum' }),
]

describe('the item of a row', () => {
  it.each([
    ['the plan is of no item, though it begins one', 2, null],
    ['a thought is of the item it names', 3, 'step_1'],
    ['a row whose events name none is of the item under way: a reply that broke its contract', 5, 'step_1'],
    ['the row that ends an item is still its own', 6, 'step_1'],
    ['a replan between items is of none', 7, null],
    ['what is under way is of the item that was begun', 8, 'step_2'],
  ])('%s', (_, seq, item) => {
    expect(itemsOfRows(EVENTS)(seq)).toBe(item)
  })
  it('a reply that starts an item is not a cost of it; a reply that ends one item and starts the next belongs to the first', () => {
    const turn = [
      event('item_started', 2, { item_id: 'a' }),
      event('action_started', 2, { item_id: 'a' }),
      event('item_completed', 4, { item_id: 'a' }),
      event('item_started', 4, { item_id: 'b' }),
      event('action_started', 4, { item_id: 'b' }),
    ]
    expect([2, 3, 4, 5].map(itemsOfRows(turn))).toEqual([null, 'a', 'a', 'b'])
  })
  it('sums the costs of each item; an item that left the plan keeps its title; other costs come last', () => {
    const rows = [journalRow({ seq: 2, counted: false }), journalRow({ seq: 3 }), tool(4), journalRow({ seq: 8 })]
    expect(itemCosts(costsOf(rows), EVENTS, [])).toEqual([
      { id: 'step_1', title: 'Buy milk', counted: 2, tokens: 15, cost: 100, seconds: 3 },
      { id: 'step_2', title: 'Call mum', counted: 1, tokens: 15, cost: 100, seconds: 1.5 },
      { id: null, title: '', counted: 0, tokens: 15, cost: 100, seconds: 1.5 },
    ])
  })
  it('without items there are no sums by item', () => {
    expect(itemCosts(costsOf([journalRow({ seq: 2 })]), [], [])).toEqual([])
  })
  it('the event that ends a row names its tool', () => {
    expect([...toolsOf(EVENTS)]).toEqual([[4, 'todo']])
  })
})

it('amounts are written in a form that people can read', () => {
  expect([durationText(7), durationText(1_500), durationText(61_000)]).toEqual(['7 ms', '1.50 s', '61.0 s'])
  expect([amountText('cost', 1_500), amountText('tokens', 12), amountText('seconds', 1.5)]).toEqual([
    '$0.001500',
    '12',
    '1.50 s',
  ])
})
