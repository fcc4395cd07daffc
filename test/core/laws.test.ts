/** Laws that hold for every run: fold = head, dense ids, bounded spend, terminal states stay. Runs are drawn by fast-check. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskView } from '../../src/core/terms/view.ts'
import { eventsOf, refold } from '../../src/core/replay/history.ts'
import type { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { EQUAL, expectFold, forkOf, replayOf } from '../support/forks.ts'
import {
  act,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  planned,
  replanned,
  say,
  step,
  type Bench,
  type Line,
  ONE,
  taken,
} from '../support/scripted.ts'

const HOSTILE: Line[] = [
  '',
  'prose',
  '```json\n{}\n```',
  '{"status":"continue"}',
  '[]',
  '{"status":"done"',
  'null',
  new Error('down'),
]
const line = (good: Line[]) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...good) }, fc.constantFrom(...HOSTILE))
const many = (good: Line[]) => fc.array(line(good), { minLength: 60, maxLength: 60 })
const MOVES = ['step', 'steps', 'say', 'continue', 'slash', 'hasty', 'cancel', 'lose', 'edit', 'yes', 'yes', 'no']
const Run = fc.record({
  plan: many([planned('A'), planned('A', 'B', 'C'), planned()]),
  thought: many([act(), act('x', 'rocket'), ask(), ask('Where?'), done(), done('so')]),
  replan: many([replanned('A'), replanned('B', 'C'), replanned('A', 'B', 'C'), closed()]),
  tools: fc.array(fc.record({ ok: fc.boolean() }), { minLength: 60, maxLength: 60 }),
  settings: fc.record({
    max_steps: fc.integer({ min: 1, max: 12 }),
    failure_limit: fc.integer({ min: 1, max: 4 }),
    plan_retries: fc.integer({ min: 0, max: 2 }),
    max_clarifications: fc.integer({ min: 0, max: 3 }),
    approve: fc.constantFrom('none', 'plan', 'actions'),
  }),
  moves: fc.array(fc.constantFrom(...MOVES), {
    minLength: 5,
    maxLength: 25,
  }),
})

/** Of calls that never reached the model; null is one still under way. */
const LOST = new Set<string | null>(['orphaned', 'abandoned', null])

/** A worker begins what is next and is never heard of again. */
async function lose(bench: Bench, id: string): Promise<void> {
  const ticket = {
    slice: bench.ports.random_id(),
    boot: 'boot',
    more: 'new_round' as const,
    wall_ms: bench.clock.now,
    rounds: 9,
    key: null,
  }
  await bench.store.of(CALLER.tenant, id).begin(ticket)
  bench.clock.now += 120_000
}

/** The last item first, another one behind it, whatever is done left out. */
async function editSome(bench: Bench, { id, plan }: TaskView): Promise<void> {
  const open = plan.items.slice(plan.cursor).map((item) => ({ id: item.id, title: item.title, description: 'by hand' }))
  await bench.service.editPlan(CALLER, id, [...open.toReversed(), { title: 'B' }].slice(0, 100), null)
}

type Rows = ReturnType<typeof memoryRows>
async function play(
  run: typeof Run extends fc.Arbitrary<infer R> ? R : never,
): Promise<{ bench: Bench; rows: Rows; id: string }> {
  const { settings: _settings, moves: _moves, ...script } = run
  const bench = benchOf(script)
  let task = await createTask(bench, run.settings)
  const granted = { steps: run.settings.max_steps }
  for (const move of run.moves) {
    if (move === 'lose') await lose(bench, task.id)
    if (move === 'cancel' && run.moves.length % 5 === 0)
      await bench.service.tellTask(CALLER, task.id, { kind: 'cancel' })
    if (move === 'hasty') await bench.service.stepTask(CALLER, task.id, ONE)
    if (move === 'step') await step(bench, task.id)
    if (move === 'steps') await step(bench, task.id, { rounds: 4, max_ms: 25_000 })
    if (move === 'slash') await say(bench, task.id, '/todo list')
    if (move === 'say') await bench.service.inputTask(CALLER, task.id, 'by the way', null, ONE)
    if (move === 'yes' || move === 'no') await bench.service.inputTask(CALLER, task.id, move, null, ONE)
    if (move === 'edit') await editSome(bench, task)
    if (move === 'continue') await bench.service.inputTask(CALLER, task.id, 'continue', null, ONE)
    task = taken(await bench.service.getTask(CALLER, task.id))
    // Only "continue" on a spent budget raises it, by the original amount.
    granted.steps = Math.max(granted.steps, move === 'continue' ? task.budget.max : 0)
    expect(granted.steps % run.settings.max_steps).toBe(0)
    expect(task.step_count).toBeLessThanOrEqual(granted.steps + 1)
    expect(task.budget.max).toBe(granted.steps)
    expect(task.plan.cursor).toBeLessThanOrEqual(task.plan.items.length)
  }
  const rows = bench.store.rows.get(JSON.stringify(['acme', task.id]))
  if (rows === undefined) throw new Error('the task has no rows')
  return { bench, rows, id: task.id }
}

const closedRows = (rows: Rows) => Array.from({ length: rows.last()?.seq ?? 0 }, (_, index) => rows.closed(index + 1))

describe('laws', () => {
  it('P2 folding the journal gives the head of every row; step_count is the number of counted rows', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { rows } = await play(run)
        let counted = 0
        closedRows(rows).forEach((row, index) => {
          if (row === null) throw new Error(`row ${index + 1} is missing`)
          const before = rows.closed(index)?.head ?? null
          const folded = refold(row, before, rows.recall)
          expect(folded.head).toEqual(row.head)
          if (folded.counted) counted += 1
          expect(row.head.budget.steps.used).toBe(counted)
        })
      }),
      { numRuns: 150 },
    )
  })

  it('S3-17 a replay of any run is equal at each row, and so is one of a fork at any of its rows', async () => {
    await fc.assert(
      fc.asyncProperty(Run, fc.nat(), async (run, at) => {
        const { rows, bench, id } = await play(run)
        const last = rows.last()?.seq ?? 0
        expect(await replayOf(bench, id)).toEqual(EQUAL(last))
        const row = 1 + (at % last)
        const fork = await forkOf(bench, id, { at: row })
        expectFold(bench, fork.id)
        expect(await replayOf(bench, fork.id)).toEqual(EQUAL(row))
      }),
      { numRuns: 100 },
    )
  })

  it('event ids are dense from 1 and are the same whenever they are read', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { rows, bench, id } = await play(run)
        const all = closedRows(rows).flatMap((row, index) =>
          row === null ? [] : eventsOf(row, rows.closed(index)?.head ?? null, rows.recall),
        )
        expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1))
        const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
        expect(page.ok && page.value.data).toEqual(all.slice(0, 100))
      }),
      { numRuns: 60 },
    )
  })

  it('every head stays within 16 KB and every prompt in the journal is rebuilt exactly', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { rows, bench, id } = await play(run)
        for (const record of rows.records.values()) expect((record.head ?? '').length).toBeLessThan(16_384)
        const page = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
        if (!page.ok) throw new Error('no journal')
        expect(page.value.data.filter((row) => row.request_exact === false)).toEqual([])
        const asked = page.value.data
          .filter((row) => row.kind === 'call_model' && !LOST.has(row.outcome))
          .map((row) => (row.request as { messages: unknown }).messages)
        expect(asked).toEqual(bench.requests.slice(0, asked.length).map((request) => request.messages))
      }),
      { numRuns: 60 },
    )
  })

  it('an ended task stays as it is: a step does nothing, a slash command runs beside it', async () => {
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { bench, id } = await play(run)
        await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
        const before = await bench.service.getTask(CALLER, id)
        const after = await step(bench, id, { rounds: 50, max_ms: 25_000 })
        expect(before.ok && before.value.task).toEqual({ ...after, slice: null })
        expect(after.slice).toEqual({ advanced: false, rounds: 0, events: [] })
      }),
      { numRuns: 40 },
    )
  })
})
