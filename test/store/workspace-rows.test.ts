/**
 * What a workspace writes, in rows as they are billed: one for each thing it is told, one more for each index that has it, and one for
 * the number of open tasks where that changes.
 */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { NO_TOTAL } from '../support/scripted.ts'

const entryOf = (id: string) => ({
  id,
  mode: 'plan_execute',
  status: 'running' as const,
  metadata: {},
  goal: '',
  slice: 's',
})
const spendOf = (steps: number) => ({ steps, tokens: 10, cost_usd: '0.000001', seconds: 1, items: 1 })
const zones = { reader: 'person' as const, locale: 'en' as const, timezone: 'UTC', caller_timezone: 'UTC' }
const windows = { schedule_window_days: 31, conflict_preview_days: 31, wall_ms: Date.UTC(2026, 10, 21, 12, 0) }
const commandOf = (command: string) => ({ command, key: null, request: null, ...zones, ...windows })
const KEYED = { scope: 'POST /commands', key: 'k', digest: 'd' }

type Call = (desk: WorkspaceObject) => unknown
/** Finished tasks `from` to `to`, each admitted before. */
const finish = (desk: WorkspaceObject, from: number, to: number) => {
  for (let n = from; n <= to; n++) {
    desk.tell({ kind: 'admit', entry: entryOf(`task_${n}`), open_max: 1_000, daily: NO_TOTAL })
    desk.tell({ kind: 'set_status', id: `task_${n}`, status: 'completed', version: 9, spend: spendOf(n) })
  }
}

/** Of a new workspace; `before` is not counted. */
const inWorkspace = <T>(before: Call, body: (desk: WorkspaceObject, written: (call: Call) => number) => T) =>
  runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), (object: WorkspaceObject, { storage: { sql } }) => {
    before(object)
    const exec = sql.exec.bind(sql)
    const asked: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
    sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
      const cursor = exec(query, ...values)
      asked.push(cursor)
      return cursor
    }) as SqlStorage['exec'] // whoever asks says himself what the rows are
    return body(object, (call) => {
      asked.length = 0
      call(object)
      return asked.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
    })
  })

const TODOS: Call = (desk) =>
  ['milk', 'tea'].map((what) => desk.tell({ kind: 'run_command', ...commandOf(`/todo add ${what}`) }))

/** A repeated entry has the same time. */
const DISPATCHED_AT = Date.now()
const delegationOf = (seq: number) => ({
  id: delegationId('task_0', seq),
  task: 'task_0',
  type: 'new' as const,
  at: DISPATCHED_AT,
  deadline: DISPATCHED_AT + 600_000,
})
const taken = (seq: number) => {
  const settled = [{ id: `${delegationOf(seq).id}_pending`, at: 0, delivered: true }]
  return { settled, max: 0, timezone: 'UTC' }
}
/** Three of an open task: one that is pending, one that was reported, one that is claimed. */
const COMMANDS: Call = (desk) => {
  desk.tell({ kind: 'admit', entry: entryOf('task_0'), open_max: 9, daily: NO_TOTAL })
  for (const seq of [1, 2, 3]) desk.tell({ kind: 'enter_delegation', entry: delegationOf(seq) })
  desk.tell({ kind: 'settle_delegation', id: delegationOf(2).id, status: 'reported' })
  desk.tell({ kind: 'claim_delegation', id: delegationOf(3).id, worker: 'w1', lease_ms: 600_000 })
  // Tables of reminders are no matter of these.
  desk.tell({ kind: 'remind', settled: [], max: 0, timezone: 'UTC' })
}

describe('rows written by a workspace', () => {
  it.each<[string, number, Call, Call]>([
    [
      'a task is admitted',
      5,
      () => {},
      (desk) => desk.tell({ kind: 'admit', entry: entryOf('task_0'), open_max: 9, daily: NO_TOTAL }),
    ],
    [
      'it is admitted again',
      0,
      (desk) => finish(desk, 1, 1),
      (desk) => desk.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL }),
    ],
    [
      'its status changes',
      2,
      (desk) => desk.tell({ kind: 'admit', entry: entryOf('task_0'), open_max: 9, daily: NO_TOTAL }),
      (desk) => desk.tell({ kind: 'set_status', id: 'task_0', status: 'paused', version: 4, spend: null }),
    ],
    [
      'it is finished',
      3,
      (desk) => desk.tell({ kind: 'admit', entry: entryOf('task_0'), open_max: 9, daily: NO_TOTAL }),
      (desk) => desk.tell({ kind: 'set_status', id: 'task_0', status: 'completed', version: 4, spend: spendOf(1) }),
    ],
    [
      'its end is told again',
      0,
      (desk) => finish(desk, 1, 1),
      (desk) => desk.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 9, spend: spendOf(1) }),
    ],
    [
      'it goes on with its next run',
      3,
      (desk) => finish(desk, 1, 1),
      (desk) => desk.tell({ kind: 'reopen', id: 'task_1', open_max: 9, daily: NO_TOTAL }),
    ],
    [
      'that has ended, too',
      3,
      (desk) => [finish(desk, 1, 1), desk.tell({ kind: 'reopen', id: 'task_1', open_max: 9, daily: NO_TOTAL })],
      (desk) => desk.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 12, spend: spendOf(2) }),
    ],
    [
      'what a list shows of it is told',
      1,
      (desk) => desk.tell({ kind: 'admit', entry: entryOf('task_0'), open_max: 9, daily: NO_TOTAL }),
      (desk) =>
        desk.tell({
          kind: 'set_status',
          id: 'task_0',
          status: 'running',
          version: 4,
          spend: null,
          listed: { as_of: 1, text: 'x' },
        }),
    ],
    [
      'it is deleted',
      2,
      (desk) => finish(desk, 1, 1),
      (desk) => desk.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] }),
    ],
    ['a todo is added', 1, TODOS, (desk) => desk.tell({ kind: 'run_command', ...commandOf('/todo add jam') })],
    [
      'a todo is added for an effect',
      2,
      TODOS,
      (desk) => desk.tell({ kind: 'run_command', ...commandOf('/todo add jam'), key: 'task_1:4' }),
    ],
    ['a todo is done', 1, TODOS, (desk) => desk.tell({ kind: 'run_command', ...commandOf('/todo done 1') })],
    ['a todo is removed', 1, TODOS, (desk) => desk.tell({ kind: 'run_command', ...commandOf('/todo delete 1') })],
    [
      'the newest todo is removed',
      1,
      TODOS,
      (desk) => desk.tell({ kind: 'run_command', ...commandOf('/todo delete 2') }),
    ],
    [
      'a todo is added after that',
      1,
      (desk) => [TODOS(desk), desk.tell({ kind: 'run_command', ...commandOf('/todo delete 2') })],
      (desk) => desk.tell({ kind: 'run_command', ...commandOf('/todo add jam') }),
    ],
    [
      'an event is added',
      1,
      () => {},
      (desk) => desk.tell({ kind: 'run_command', ...commandOf('/schedule add 2026-11-22 10:00 breakfast') }),
    ],
    ['an answer is kept', 2, () => {}, (desk) => desk.tell({ kind: 'keep', request: KEYED, answer: 'answer' })],
    [
      'a chunk is reserved',
      1,
      () => {},
      (desk) => desk.tell({ kind: 'reserve', want: { tokens: 10, cost: 10 }, daily: { tokens: 1_000, cost: null } }),
    ],
    ['a command is entered', 3, COMMANDS, (desk) => desk.tell({ kind: 'enter_delegation', entry: delegationOf(9) })],
    ['it is entered again', 0, COMMANDS, (desk) => desk.tell({ kind: 'enter_delegation', entry: delegationOf(1) })],
    [
      'it is claimed',
      1,
      COMMANDS,
      (desk) => desk.tell({ kind: 'claim_delegation', id: delegationOf(1).id, worker: 'w1', lease_ms: 1_000 }),
    ],
    [
      'it is claimed by another',
      0,
      COMMANDS,
      (desk) => desk.tell({ kind: 'claim_delegation', id: delegationOf(3).id, worker: 'w2', lease_ms: 1_000 }),
    ],
    [
      'it is reported',
      1,
      COMMANDS,
      (desk) => desk.tell({ kind: 'settle_delegation', id: delegationOf(1).id, status: 'reported' }),
    ],
    [
      'that is said again',
      0,
      COMMANDS,
      (desk) => desk.tell({ kind: 'settle_delegation', id: delegationOf(2).id, status: 'reported' }),
    ],
    [
      'its tenant is told of two for the first time, which makes the index of notices',
      7,
      COMMANDS,
      (desk) => desk.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' }),
    ],
    ['that one was taken is noted', 1, COMMANDS, (desk) => desk.tell({ kind: 'remind', ...taken(1) })],
    [
      'two are canceled with their task',
      4,
      COMMANDS,
      (desk) => desk.tell({ kind: 'set_status', id: 'task_0', status: 'canceled', version: 9, spend: null }),
    ],
    [
      'it is given back',
      1,
      () => {},
      (desk) => desk.tell({ kind: 'give_back', refund: { day: '2026-11-21', tokens: 10, cost: 10 } }),
    ],
  ])('U5 %s: %i', async (_what, rows, before, call) => {
    const made: Call = (desk) => [desk.ask({ kind: 'finished', limit: 1 }), before(desk)]
    expect(await inWorkspace(made, (_desk, written) => written(call))).toBe(rows)
  })

  it('two hundred finished tasks are remembered, and a further one takes the row of the oldest', async () => {
    await inWorkspace(
      (desk) => finish(desk, 1, 199),
      (desk, written) => {
        for (const n of [200, 201, 202]) {
          desk.tell({ kind: 'admit', entry: entryOf(`task_${n}`), open_max: 9, daily: NO_TOTAL })
          expect(
            written(() =>
              desk.tell({ kind: 'set_status', id: `task_${n}`, status: 'completed', version: 9, spend: spendOf(n) }),
            ),
          ).toBe(3)
        }
        // A task that is among them already takes its own row, wherever that is.
        expect(
          written(() =>
            desk.tell({ kind: 'set_status', id: 'task_100', status: 'completed', version: 12, spend: spendOf(203) }),
          ),
        ).toBe(2)
        const steps = desk.ask({ kind: 'finished', limit: 1_000 }).map((cost) => cost.steps)
        const known = Array.from({ length: 200 }, (_, index) => 202 - index)
        expect(steps).toEqual([203, ...known.filter((n) => n !== 100)])
      },
    )
  })
})
