/** What is in the tables of the real objects: written together or not at all, and found again as it was meant (P5, P7, P14, P15). */
import { env } from 'cloudflare:workers'
import type { RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskMethods } from '../../src/core/replay/stored-task.ts'
import { bootId } from '../../src/store/boot.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { sqlRows } from '../../src/store/task/rows/sql-rows.ts'
import { MANUAL, act, FREE, planned, UNBOUNDED } from '../support/scripted.ts'

const settings = Settings.parse({})
const brief = {
  goal: 'g',
  mode: 'plan_execute',
  settings,
  reader: 'person' as const,
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
}
const newTask = { id: 'task_1', tenant: 't', brief }
const ticket = (slice: string, key: Ticket['key'] = null): Ticket => ({
  slice,
  boot: bootId(),
  more: 'new_round',
  wall_ms: 0,
  rounds: 9,
  key,
})
const replied = (reply: object): Event => ({
  kind: 'model_replied',
  text: JSON.stringify(reply),
  usage: null,
  model: 'm',
  form: 'text',
})
const DID: Event = { kind: 'tool_returned', ok: true, text: 'done', code: 'x' }
const taskStub = () => env.TASKS.getByName(crypto.randomUUID())
const workspaceStub = () => env.WORKSPACES.getByName(crypto.randomUUID())

/** A disk that takes no more rows of a table. */
const FULL = (table: string, when: string) =>
  `CREATE TRIGGER full BEFORE INSERT ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'full'); END`

/** The methods of a task over the SQL of an object, on a clock of their own. */
function withTask(play: (task: TaskMethods, here: ObjectContext) => void) {
  return runInDurableObject(taskStub(), (_object, state) => {
    const here: ObjectContext = { now_ms: 1_000, boot: bootId(), prices: FREE, daily: UNBOUNDED }
    play(
      taskMethods(sqlRows(state.storage.sql), () => here),
      here,
    )
  })
}

describe('what a task writes', () => {
  it('P15 is written together: when the next row cannot be, the one before it is not closed either', async () => {
    const stub = taskStub()
    await stub.create(newTask, ticket('s1'))
    await stub.commit(2, replied(planned('A')), ticket('s1'))
    await runInDurableObject(stub, (object, state) => {
      state.storage.sql.exec(FULL('journal', 'NEW.seq = 4'))
      expect(() => object.commit(3, replied(act()), ticket('s1'))).toThrow('full')
      const rows = state.storage.sql.exec('SELECT seq, head IS NULL AS open FROM journal ORDER BY seq').toArray()
      expect(rows.map(({ seq, open }) => [seq, open])).toEqual([
        [1, 0],
        [2, 0],
        [3, 1],
      ])
    })
  })

  it('P5 eviction of an idle object ends no lease: another slice is busy', async () => {
    const stub = taskStub()
    await stub.create(newTask, ticket('s1'))
    await evictDurableObject(stub)
    expect(await stub.begin(ticket('s2'))).toMatchObject({ ok: false, refusal: { code: 'task_busy' } })
  })

  it('P7 a tool that is leased again belongs to its new holder alone', () =>
    withTask((task, here) => {
      task.create(newTask, ticket('s1'))
      task.commit(2, replied(planned('A')), ticket('s1'))
      task.commit(3, replied(act()), ticket('s1'))
      here.now_ms += 3_600_000
      expect(task.begin(ticket('s2'))).toMatchObject({ ok: true, value: { assignment: { seq: 4 } } })
      expect(task.commit(4, DID, ticket('s1'))).toMatchObject({ ok: false, refusal: { code: 'lease_lost' } })
      expect(task.commit(4, DID, ticket('s2'))).toMatchObject({ ok: true })
    }))

  it('P14 a request that was only queued is known again by its key, and queued once', () =>
    withTask((task) => {
      const key = { scope: 'POST /tasks/task_1/input', key: 'k1', digest: 'd' }
      task.create(newTask, ticket('s1'))
      const said = [
        task.tell({ kind: 'input', text: 'a remark', request_id: null }, ticket('s2', key)),
        task.tell({ kind: 'input', text: 'a remark', request_id: null }, ticket('s3', key)),
      ]
      for (const answer of said) expect(answer).toMatchObject({ ok: true, value: { advanced: false } })
      expect(said[1]).toMatchObject({ value: { earlier: { advanced: false } } })
      task.commit(2, replied(planned('A')), { ...ticket('s1'), more: 'nothing' })
      expect(task.ask({ kind: 'journal', after: 0, limit: 10 })).toMatchObject({
        value: { data: [{ seq: 1 }, { seq: 2 }, { seq: 3, kind: 'user_remarked' }] },
      })
    }))
})

describe('what a workspace writes', () => {
  const command = (text: string, key: string | null) => ({
    command: text,
    key,
    request: null,
    reader: 'person' as const,
    locale: 'en' as const,
    wall_ms: 0,
    timezone: 'UTC',
    caller_timezone: 'UTC',
    schedule_window_days: 31,
    conflict_preview_days: 31,
  })

  it('D4 a change and the key of its effect are written together: without the one there is not the other', async () => {
    const stub = workspaceStub()
    await stub.tell({ kind: 'run_command', ...command('/todo add milk', 'task_1:3') })
    await runInDurableObject(stub, (object, state) => {
      state.storage.sql.exec(FULL('applied', '1'))
      expect(() => object.tell({ kind: 'run_command', ...command('/todo add bread', 'task_1:5') })).toThrow('full')
      const listed = object.tell({ kind: 'run_command', ...command('/todo list', null) })
      expect(listed).toMatchObject({ ok: true, value: { result: { rows: [{ content: 'milk' }] } } })
    })
  })

  it('U16 what a task has reserved is taken from the day, until it is given back', async () => {
    // A stub widens the answers of its kinds to one type.
    const stub = workspaceStub() as unknown as RemoteWorkspace
    const daily = { tokens: 100, cost: null }
    const want = { tokens: 60, cost: 0 }
    const chunk = await stub.tell({ kind: 'reserve', want, daily })
    expect(chunk).toMatchObject({ tokens: 60 })
    expect(await stub.tell({ kind: 'reserve', want, daily })).toBeNull()
    if (chunk !== null) await stub.tell({ kind: 'give_back', refund: { ...chunk, tokens: 60 } })
    expect(await stub.tell({ kind: 'reserve', want, daily })).toMatchObject({ tokens: 60 })
  })
})
