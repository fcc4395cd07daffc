/** Forks and replays of scripted tasks, as a caller asks for them. */
import { expect } from 'vitest'
import type { ForkRequest } from '../../src/core/replay/fork.ts'
import { refold } from '../../src/core/replay/history.ts'
import type { Refusal } from '../../src/core/terms/refusal.ts'
import type { Replay } from '../../src/core/shown/replay-view.ts'
import type { StoredRow, TaskView } from '../../src/core/terms/view.ts'
import type { Caller } from '../../src/shell/caller.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import {
  act,
  benchOf,
  CALLER,
  createTask,
  ONE,
  planned,
  say,
  step,
  taken,
  type Bench,
  type Script,
} from './scripted.ts'

type Wish = Partial<ForkRequest> & { at: number }
const wishOf = ({ settings = {}, outcome = null, ...wish }: Wish): ForkRequest => ({ ...wish, settings, outcome })

export async function forkOf(bench: Bench, id: string, wish: Wish, caller: Caller = CALLER): Promise<TaskView> {
  return taken(await bench.service.forkTask(caller, id, wishOf(wish)))
}
export async function refusedFork(bench: Bench, id: string, wish: Wish, caller: Caller = CALLER): Promise<Refusal> {
  const forked = await bench.service.forkTask(caller, id, wishOf(wish))
  if (forked.ok) throw new Error('it was not refused')
  return forked.refusal
}
/** The only error of a 422. */
export async function complaint(bench: Bench, id: string, wish: Wish): Promise<string> {
  const refusal = await refusedFork(bench, id, wish)
  if (refusal.code !== 'validation_failed') throw new Error(JSON.stringify(refusal))
  return refusal.errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
}
export async function replayOf(bench: Bench, id: string): Promise<Replay> {
  const replayed = await bench.service.replayTask(CALLER, id)
  if (!replayed.ok) throw new Error(JSON.stringify(replayed.refusal))
  return replayed.value
}
export const EQUAL = (events: number): Replay => ({ equal: true, events, first_difference: null })

export const storedRows = (bench: Bench, id: string) => {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) throw new Error(`${id} has no rows`)
  return rows
}
/** All rows in their stored form. */
export const recordsOf = (bench: Bench, id: string): StoredRow[] => [...storedRows(bench, id).records.values()]

/** Stores the rows of a journal under this task id; they are read again, as by an object without memory. */
export function place(bench: Bench, id: string, records: readonly StoredRow[]): void {
  const rows = memoryRows()
  for (const record of records) rows.records.set(record.seq, record)
  bench.store.rows.set(JSON.stringify([CALLER.tenant, id]), rows)
}

/** Fails unless folding the journal gives the head of every row. */
export function expectFold(bench: Bench, id: string): void {
  const rows = storedRows(bench, id)
  const last = rows.last()?.seq ?? 0
  expect(last).toBeGreaterThan(0)
  for (let seq = 1; seq <= last; seq++) {
    const row = rows.closed(seq)
    if (row === null) throw new Error(`row ${seq} is missing`)
    expect(refold(row, rows.closed(seq - 1)?.head ?? null, rows.recall).head).toEqual(row.head)
  }
}

/** A running task of more than `rounds` rounds: actions that succeed and fail, remarks, pauses, top-ups. */
export async function longRun(rounds: number): Promise<{ bench: Bench; id: string }> {
  const thought = Array.from({ length: rounds }, (_, n) => act(`/todo add n${n}`))
  const tools = thought.map((_, n) => ({ ok: n % 7 !== 3, text: `n${n}` }))
  const replan = Array.from({ length: 3 }, () => ({ status: 'replanned', plan: ['B'], response: null }))
  const bench = benchOf({ plan: [planned('A', 'B')], thought, tools, replan })
  const settings = { max_steps: rounds, observation_history_limit: 2 }
  const { id } = await createTask(bench, settings)
  for (let n = 0; n < rounds; n++) {
    bench.clock.now += 1_000
    if (n % 40 === 20) await say(bench, id, 'mind the milk')
    if (n % 40 === 30) await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    if (n % 40 === 30) await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    const task = await step(bench, id)
    if (task.status === 'paused') await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { steps: rounds } })
  }
  return { bench, id }
}

/** A planned task with one successful action: rows 1 to 4; `more` are the replies after it. */
export async function acted(more: Script = {}): Promise<{ bench: Bench; id: string }> {
  const bench = benchOf({
    plan: [planned('A')],
    ...more,
    thought: [act(), ...(more.thought ?? [])],
    tools: [{ ok: true, text: 'bought' }],
  })
  const { id } = await createTask(bench, {}, ONE)
  return { bench, id }
}
/** The slice of a worker that begins the next effect and then disappears. */
export const LOST_TICKET = {
  slice: 'other',
  boot: 'boot',
  more: 'new_round' as const,
  rounds: 9,
  wall_ms: 0,
  key: null,
}
