/** Replan: what calls it, what it does to list and cursor, and that only it closes a task. */
import { describe, expect, it } from 'vitest'
import { ThoughtReply } from '../../../src/core/modes/plan-execute/contract.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { LENIENT } from '../../support/readers.ts'
import {
  act,
  ALL,
  benchOf,
  closed,
  context,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  playMany,
  replanned,
  rowsOf,
  say,
  step,
} from '../../support/scripted.ts'

describe('flow', () => {
  it('R5 the result of an item is never that of an action which was made for an item that a replan has replaced', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), done()],
      replan: [replanned('B'), closed()],
      tools: [{ ok: true, text: 'found for A' }],
    })
    const { id } = await createTask(bench, {}, ONE)
    await say(bench, id, 'Do B instead', NONE)
    const task = await step(bench, id, ALL)
    expect(task).toMatchObject({ status: 'completed', plan: { items: [{ title: 'B', result: null }] } })
  })

  it('S0-37 thought never rewrites the plan', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [{ ...act(), plan: ['X'] }] })
    const task = await createTask(bench, {}, ONE)
    expect(task.plan).toMatchObject({ revision: 1, cursor: 0 })
    expect(task.plan.items.map((item) => item.title)).toEqual(['A'])
  })

  it('S0-49 S0-54 S0-55 R3 only replan closes: after the last item replan decides, with the conclusion as context', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done('all is done')], replan: [closed('final')] })
    const last = await createTask(bench, {}, ONE)
    expect(last).toMatchObject({ status: 'running', result: null })
    expect(last.plan).toMatchObject({ cursor: 1 })
    const task = await step(bench, last.id)
    expect(context(bench.requests.at(-1)).completed).toMatchObject([{ title: 'A', result: 'all is done' }])
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: 'final' } })
    bench.spent()
  })

  it('S0-64 thought done moves the cursor, keeps its response for replan, and leaves the inner loop', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done('A is ready')], replan: [replanned('B')] })
    const task = await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    expect(context(bench.requests.at(-1))).toMatchObject({
      pending_answer: null,
      completed: [{ title: 'A', status: 'completed', result: 'A is ready' }],
      plan: [{ title: 'B', status: 'pending' }],
    })
    expect(JSON.stringify(context(bench.requests.at(-1))).split('A is ready')).toHaveLength(2)
    expect(task.plan.items.map((item) => [item.id, item.title])).toEqual([['step_2', 'B']])
    bench.spent()
  })

  it('S0-64 a conclusion that is no result in completed, or not the whole of it, is the pending answer', async () => {
    const idle = benchOf({ plan: [planned()], thought: [done('nothing is open')], replan: [closed()] })
    await createTask(idle, {}, ALL)
    expect(context(idle.requests.at(-1)).pending_answer).toBe('nothing is open')
    const text = 'long '.repeat(600).trim()
    const long = benchOf({ plan: [planned('A')], thought: [done(text)], replan: [closed()] })
    await createTask(long, {}, ALL)
    expect(context(long.requests.at(-1))).toMatchObject({ pending_answer: text, plan: [] })
  })

  it('S0-58 U18 replanned replaces the items and aligns the cursor atomically; ids of kept titles stay', async () => {
    const bench = benchOf({ plan: [planned('A', 'B', 'C')], thought: [done()], replan: [replanned('C', 'D', 'B')] })
    const task = await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    expect(task.plan).toMatchObject({ revision: 2, cursor: 0, source: 'replan' })
    expect(task.plan.items.map((item) => item.id)).toEqual(['step_3', 'step_4', 'step_2'])
    bench.spent()
  })

  it('R5 an identical list keeps cursor and revision', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done()], replan: [replanned(' A ', 'B')] })
    const task = await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    expect(task.plan).toMatchObject({ revision: 1, cursor: 1 })
    expect(task.plan.items.map((item) => item.status)).toEqual(['completed', 'running'])
    bench.spent()
  })

  it('S0-88 R9 F29 an empty plan leads to an explicit done or ask_user: the thought is given an empty item', async () => {
    const bench = benchOf({ plan: [planned()], thought: [done()], replan: [closed()] })
    await createTask(bench, {}, ALL)
    expect(context(bench.requests[1]).current_item).toEqual({ id: null, title: '' })
    bench.spent()
  })

  it('R11 U17 an identical list at its end offers the empty item; the second conclusion in a row warns replan', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [done(), done(), done()],
      replan: [replanned('A'), replanned('A'), closed()],
    })
    const task = await createTask(bench, {}, ALL)
    const notes = bench.requests.filter((r) => r.metadata.phase === 'replan').map((r) => context(r).note)
    expect(notes).toEqual([null, null, expect.stringContaining('no item was open')])
    expect(task).toMatchObject({ status: 'completed', step_count: 6 })
    bench.spent()
  })
})

describe('levels and states', () => {
  it('S0-57 R4 replan is called only after a finished item, an answer or its own broken reply', async () => {
    const { bench, task } = await playMany()
    const rows = rowsOf(bench, task.id)
    const causes = rows.flatMap((row, index) => {
      if (row.phase !== 'replan') return []
      const cause = rows[index - 1]
      const text = cause?.event.kind === 'model_replied' ? cause.event.text : ''
      const thought = cause?.phase === 'thought' ? readReply(ThoughtReply, text, LENIENT) : null
      return [thought?.ok === true ? thought.value.status : (cause?.phase ?? cause?.event.kind)]
    })
    expect(causes).toEqual(['done', 'replan', 'user_answered', 'done'])
  })

  it('S0-58 one row replaces the list or gives the answer, and clears needs_replan with it', async () => {
    const { bench, task } = await playMany()
    const rows = rowsOf(bench, task.id)
    const replans = rows.flatMap((row, index) => (row.phase === 'replan' ? [{ row, before: rows[index - 1] }] : []))
    expect(replans.map(({ before }) => before?.state.phase)).toEqual(Array(4).fill('replanning'))
    const [broken, changed, same, closing] = replans.map(({ row, before }) => [
      row.state.phase,
      row.state.plan.revision - (before?.state.plan.revision ?? 0),
      row.state.plan.cursor,
    ])
    expect([broken, changed, same]).toEqual([
      ['replanning', 0, 1],
      ['thinking', 1, 0],
      ['thinking', 0, 0],
    ])
    expect(closing?.[0]).toBe('ended')
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: 'the answer' } })
  })
})
