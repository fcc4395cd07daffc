/** What a caller learns of the goal of a task that has ended: its outcome, what of it was not reached, and its finished items (U34, U35). */
import { describe, expect, it } from 'vitest'
import { goalOutcomeOfView } from '../../src/core/engine/outcome.ts'
import type { Verdict } from '../../src/core/mode/mode.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { FinishedItem, ItemStatus, TaskView } from '../../src/core/terms/view.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { ALL, benchOf, createTask, done, planned, replanned, step } from '../support/scripted.ts'
import { storedRows } from '../support/forks.ts'

const COMPLETED: Head['end'] = { status: 'completed', reason: 'done', row: 9 }
const bench = benchOf({ plan: [planned('A')] })
const { id } = await createTask(bench, {}, { rounds: 0, max_ms: 0 })
const rows = storedRows(bench, id)

/** A plan of items by their states, of which those with a result or `completed` have ended. */
function planOf(items: Record<string, [ItemStatus, string | null]>): TaskView['plan'] {
  const entries = Object.entries(items).map(([title, [status, result]], index) => ({
    id: `step_${index + 1}`,
    title,
    description: '',
    expected_output: null,
    status,
    result,
    progress: null,
  }))
  const finished = entries.flatMap(({ id: item_id, title, status, result }): FinishedItem[] =>
    (status === 'completed' || status === 'failed' || status === 'skipped') &&
    (status === 'completed' || result !== null)
      ? [{ id: item_id, title, status, result }]
      : [],
  )
  return { ...TASK_EXAMPLE.plan, items: entries, finished, finished_count: finished.length }
}

function outcome(
  items: Parameters<typeof planOf>[0],
  verdict: Verdict | null = null,
  { settled = [], end = COMPLETED }: { settled?: string[]; end?: Head['end'] } = {},
) {
  return goalOutcomeOfView({ end }, { plan: planOf(items), verdict, settled }, rows.recall)
}

describe('U35 the outcome of a task', () => {
  it('U35 is done when all items are completed, and nothing is unmet', () => {
    expect(outcome({ A: ['completed', 'a'], B: ['completed', null] })).toEqual({ outcome: 'done', unmet: [] })
  })

  it('U35 is done when there was nothing to do', () => {
    expect(outcome({})).toEqual({ outcome: 'done', unmet: [] })
  })

  it('U35 is partial when an item failed or was skipped: it is unmet, for the reason of its result', () => {
    expect(outcome({ A: ['completed', 'a'], B: ['failed', 'no such city'], C: ['skipped', 'not wanted'] })).toEqual({
      outcome: 'partial',
      unmet: [
        { item: 'B', reason: 'no such city' },
        { item: 'C', reason: 'not wanted' },
      ],
    })
  })

  it('U35 is partial when an item was left open: it was not worked on', () => {
    expect(outcome({ A: ['completed', 'a'], B: ['skipped', null] })).toEqual({
      outcome: 'partial',
      unmet: [{ item: 'B', reason: 'not worked on' }],
    })
  })

  it('U35 is not_done when nothing was completed and something is unmet', () => {
    expect(outcome({ A: ['failed', 'no'], B: ['skipped', null] })).toMatchObject({ outcome: 'not_done' })
  })

  it('U35 is what the model says when that is worse than its items, and then the goal is unmet for its reason', () => {
    const verdict: Verdict = { outcome: 'not_done', reason: 'no poem can be written here' }
    const unmet = [{ item: 'a goal', reason: 'no poem can be written here' }]
    expect(outcome({ A: ['completed', 'a'] }, verdict)).toEqual({ outcome: 'not_done', unmet })
  })

  it('U35 is never better than its items, whatever the model says', () => {
    const verdict: Verdict = { outcome: 'done', reason: 'all is well' }
    expect(outcome({ A: ['completed', 'a'], B: ['failed', 'no'] }, verdict)).toEqual({
      outcome: 'partial',
      unmet: [{ item: 'B', reason: 'no' }],
    })
  })

  it('U35 leaves out the open items that the answer has settled', () => {
    const items: Parameters<typeof planOf>[0] = { A: ['running', null], B: ['pending', null] }
    expect(outcome(items, null, { settled: ['step_1', 'step_2'] })).toEqual({ outcome: 'done', unmet: [] })
    expect(outcome(items, null, { settled: ['step_1'] })).toEqual({
      outcome: 'partial',
      unmet: [{ item: 'B', reason: 'not worked on' }],
    })
  })

  it('U35 is null as long as the task has not ended', () => {
    expect(outcome({ A: ['completed', 'a'] }, null, { end: null })).toEqual({ outcome: null, unmet: [] })
  })

  it('U35 stands in the result of the task and in its last event', async () => {
    const played = benchOf({
      plan: [planned('A', 'B')],
      thought: [done('found a')],
      replan: [{ status: 'done', plan: [], response: 'the answer' }],
    })
    const task = await createTask(played, {}, ALL)
    expect(task).toMatchObject({
      status: 'completed',
      result: { text: 'the answer', outcome: 'partial', unmet: [{ item: 'B', reason: 'not worked on' }] },
    })
    const last = task.slice?.events.at(-1)
    expect(last).toMatchObject({ type: 'task_completed', payload: { stop_reason: 'done', outcome: 'partial' } })
  })
})

describe('U34 finished items', () => {
  it('U34 stand in plan.finished with their results, also those that have left plan.items, in the order of their ends', async () => {
    const played = benchOf({
      plan: [planned('A', 'B', 'C')],
      thought: [done('found a'), done('found b')],
      replan: [replanned('B', 'C'), replanned('C')],
    })
    const task = await createTask(played, {}, { rounds: 3, max_ms: 25_000 })
    expect(task.plan.items.map(({ title, status }) => [title, status])).toEqual([
      ['B', 'completed'],
      ['C', 'pending'],
    ])
    const finished = [
      { id: 'step_1', title: 'A', status: 'completed', result: 'found a' },
      { id: 'step_2', title: 'B', status: 'completed', result: 'found b' },
    ]
    expect(task.plan).toMatchObject({ finished, finished_count: 2 })
    const later = await step(played, task.id)
    expect(later.plan.items.map(({ title }) => title)).toEqual(['C'])
    expect(later.plan).toMatchObject({ finished, finished_count: 2 })
  })
})
