/**
 * One run: the simulated world of test/sim, whose tasks and workspace are Durable Objects. What the checkers of the
 * simulation look at is read again from SQLite after every call and every abort.
 */
import type { JournalRecord } from '../../../src/store/task/rows/schema.ts'
import { parsedRows } from '../../sim/cached-rows.ts'
import { checkTenant } from '../../sim/check-tenant.ts'
import { checkRows, watch, type Watched } from '../../sim/check-rows.ts'
import type { Coverage } from '../../sim/coverage.ts'
import { same } from '../../sim/same.ts'
import { demand } from '../../sim/violation.ts'
import type { World } from '../../sim/world.ts'
import {
  abort,
  deskIn,
  deskOf,
  journalIn,
  lostCall,
  send,
  storedDesk,
  taskOf,
  type Call,
  type Desk,
  type Outcome,
  type Target,
} from './objects.ts'

/**
 * What befalls the object of a call: nothing; an abort before it, of which its caller hears nothing, or an error (stale);
 * in its own turn, so that what it wrote is lost; while its answer is on the way, so that either may be; when it is
 * stored, so that only its answer is lost (unheard); or after its answer.
 */
export const MANNERS = ['plain', 'before', 'stale', 'within', 'behind', 'unheard', 'after'] as const
export type Manner = (typeof MANNERS)[number]

export interface Bench {
  world: World
  /** Names the objects of this run. */
  tenant: string
  /** What befalls the object of the next call. */
  manner: Manner
  /** Ids of tasks that ever had a row. */
  ids: Set<string>
  tally: { aborts: number; commands: number }
  seen: Coverage
  trace: string[]
}

export const taskIn = (bench: Bench, id: string) => taskOf(bench.tenant, id)
export const deskOfRun = (bench: Bench) => deskOf(bench.tenant)

/** A call on a stored object, with what befalls it on the way. */
export async function reach(bench: Bench, target: Target, call: Call): Promise<Outcome> {
  const { manner } = bench
  const stub = target.stub()
  switch (manner) {
    case 'plain':
      return send(stub, call)
    case 'before':
      await strike(bench, target)
      return send(target.stub(), call)
    case 'stale':
      await strike(bench, target, stub)
      return send(stub, call)
    case 'within':
      bench.tally.aborts += 1
      return abort(stub, lostCall(call))
    case 'behind': {
      bench.tally.aborts += 1
      const [outcome] = await Promise.all([send(stub, call), abort(stub)])
      return outcome
    }
    case 'unheard':
    case 'after': {
      const outcome = await send(stub, call)
      if (target.name !== 'workspace') await look(bench, target.name)
      await strike(bench, target, stub)
      // A call on the stub of an object that is gone fails as the one under way would have.
      return manner === 'after' ? outcome : send(stub, call)
    }
  }
}

/** Aborts an object between two calls; what it had stored is what it has afterwards. */
export async function strike(bench: Bench, target: Target, stub = target.stub()): Promise<Desk | null> {
  bench.tally.aborts += 1
  if (target.name !== 'workspace') {
    await abort(stub)
    const stored = await journalIn(target.stub())
    const known = [...(bench.world.tasks.get(target.name)?.rows.records.values() ?? [])]
    demand(
      same(stored, known),
      'an abort loses nothing',
      () => `${target.name}: ${stored.length} rows of ${known.length}`,
    )
    return null
  }
  let before: Desk | null = null
  await abort(stub, (_object, state) => void (before = storedDesk(state)))
  const desk = await deskIn(target.stub())
  demand(same(desk, before), 'an abort loses nothing', () => 'the workspace')
  return desk
}

/** Reads a task again and checks what is new; what was closed and what was answered must still be there. */
export async function look(bench: Bench, id: string): Promise<Watched> {
  const { world } = bench
  const watched = world.tasks.get(id) ?? watch(id, parsedRows())
  sync(watched, await journalIn(taskIn(bench, id).stub()))
  const { rows } = watched
  if (rows.records.size === 0) return watched
  world.tasks.set(id, watched)
  bench.ids.add(id)
  for (const row of checkRows(watched)) checkTenant(world.tenant, row, rows.closed(row.seq - 1))
  return watched
}

/** A record that reads as before stays the one it was, so that a closed one that was written again is seen. */
function sync({ rows }: Watched, stored: JournalRecord[]): void {
  const { records } = rows
  const seqs = new Set(stored.map(({ seq }) => seq))
  for (const seq of records.keys()) if (!seqs.has(seq)) records.delete(seq)
  for (const record of stored) if (!same(records.get(record.seq), record)) records.set(record.seq, record)
  rows.apply([])
}
