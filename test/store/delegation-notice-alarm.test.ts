/** When the alarm of a real workspace is set for commands that its tenant is to be told of, and that it outlives the object. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { DelegationEntry } from '../../src/core/workspace/delegation-index.ts'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import type { TenantNotice } from '../../src/core/workspace/reminder-message.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { NO_TOTAL } from '../support/scripted.ts'

/** Far enough ahead that no alarm of the real clock goes off by itself. */
const NOW = Date.parse('2090-03-18T10:00:00Z')
const MINUTE = 60_000
const zones = { reader: 'person' as const, locale: 'en' as const, timezone: 'UTC', caller_timezone: 'UTC' }
const windows = { schedule_window_days: 31, conflict_preview_days: 31, wall_ms: NOW }
const commandOf = (command: string) => ({ command, key: null, request: null, ...zones, ...windows })

afterEach(() => vi.useRealTimers())

const idOf = (seq: number) => delegationId('task_1', seq)
const entryOf = (seq: number, more: Partial<DelegationEntry> = {}): DelegationEntry => ({
  id: idOf(seq),
  task: 'task_1',
  type: 'new',
  at: Date.now(),
  deadline: Date.now() + 10 * MINUTE,
  ...more,
})
const CALL = { settled: [], max: 9, timezone: 'UTC' }
const outcomeOf = (reminders: TenantNotice[], delivered: boolean) => ({
  ...CALL,
  settled: reminders.map(({ id, at }) => ({ id, at, delivered })),
  max: 0,
})

/** A workspace with one open task, at a time that stands still; `told`: whether its tenant has a WEBHOOK_URL. */
async function workspace(told = true) {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  const tenant = crypto.randomUUID()
  const stub = env.WORKSPACES.getByName(JSON.stringify([tenant]))
  const asked: Job[] = []
  const bound = (url: boolean) => ({
    ...env,
    WEBHOOK_URL: url ? `${tenant}:https://receiver.example.com/in` : '',
    JOBS: { send: async (job: Job) => void asked.push(job) },
  })
  const settings = { env: bound(told) }
  /** Runs in the object, whose environment is made to have a receiver and a queue that is seen. */
  const within = <T>(body: (object: WorkspaceObject, state: DurableObjectState) => T | Promise<T>) =>
    runInDurableObject(stub, (object: WorkspaceObject, state) => {
      Object.defineProperty(object, 'env', { value: settings.env, configurable: true })
      return body(object, state)
    })
  const task = { id: 'task_1', mode: 'orchestrator', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
  await within((object) => void object.tell({ kind: 'admit', entry: task, open_max: 9, daily: NO_TOTAL }))
  return {
    job: { kind: 'remind', tenant, due_ms: expect.any(Number) },
    stub,
    asked,
    within,
    tellFromNowOn: () => void (settings.env = bound(true)),
    enter: (...entries: DelegationEntry[]) =>
      within((object) => entries.forEach((entry) => void object.tell({ kind: 'enter_delegation', entry }))),
    /** In seconds from the start. */
    alarmIn: () =>
      within(async (_object, { storage }) => {
        const time = await storage.getAlarm()
        return time === null ? null : (time - NOW) / 1_000
      }),
    ring: () => within(() => undefined).then(() => runDurableObjectAlarm(stub)),
  }
}
const at = (seconds: number) => vi.setSystemTime(NOW + seconds * 1_000)

describe('U22 the alarm of a workspace with commands', () => {
  it('U22 is set at once where one is entered, but for an end, and asks for the job', async () => {
    const { enter, alarmIn, asked, ring, job } = await workspace()
    await enter(entryOf(2, { type: 'end' }))
    expect(await alarmIn()).toBeNull()
    await enter(entryOf(4))
    expect(await alarmIn()).toBe(0)
    await ring()
    expect([asked, await alarmIn()]).toEqual([[job], 15])
  })

  it('U22 a tenant without WEBHOOK_URL has no alarm and no table for one', async () => {
    const { enter, alarmIn, within } = await workspace(false)
    await enter(entryOf(4))
    expect(await alarmIn()).toBeNull()
    await within((_object, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('reminded', 'owner')")
      expect(tables.toArray()).toEqual([])
    })
  })

  it('2.5 asks for the earlier of a command and a reminder, whichever was there first', async () => {
    const { enter, alarmIn, within, ring } = await workspace()
    const remindAt = (moment: string) =>
      within((object) => {
        const call = commandOf(`/todo add milk --due 2090-03-18 12:00 --remind ${moment}`)
        expect(object.tell({ kind: 'run_command', ...call })).toMatchObject({ ok: true })
      })
    await remindAt('2090-03-18 10:20')
    expect(await alarmIn()).toBe(1_200)
    await enter(entryOf(4))
    expect(await alarmIn()).toBe(0)
    await within(
      (object) => void object.tell({ kind: 'remind', ...outcomeOf(object.tell({ kind: 'remind', ...CALL }), true) }),
    )
    await ring()
    expect(await alarmIn()).toBe(1_200)
    await enter(entryOf(5))
    await within(
      (object) => void object.tell({ kind: 'remind', ...outcomeOf(object.tell({ kind: 'remind', ...CALL }), false) }),
    )
    await ring()
    expect(await alarmIn()).toBe(30)
    await remindAt('2090-03-18 10:00')
    expect(await alarmIn()).toBe(0)
  })

  it('U22 a second one that is entered while the first is told is told at once', async () => {
    const { enter, alarmIn, asked, ring, within } = await workspace()
    await enter(entryOf(4))
    await ring()
    await within((object) => void expect(object.tell({ kind: 'remind', ...CALL })).toHaveLength(1))
    at(5)
    await enter(entryOf(5))
    expect(await alarmIn()).toBe(5)
    await ring()
    expect(asked).toHaveLength(2)
    expect(await within((object) => object.tell({ kind: 'remind', ...CALL }))).toMatchObject([
      { data: { id: idOf(5) } },
    ])
  })

  it('U22 goes on until the notice was accepted, and then stops', async () => {
    const { enter, alarmIn, asked, ring, within } = await workspace()
    await enter(entryOf(4))
    await ring()
    const first = await within((object) => object.tell({ kind: 'remind', ...CALL }))
    at(15)
    await ring()
    // Held by its try: it is looked at again when that must be over.
    expect([asked.length, await alarmIn()]).toEqual([1, 30])
    await within((object) => void object.tell({ kind: 'remind', ...outcomeOf(first, false) }))
    at(30)
    await ring()
    expect([asked.length, await alarmIn()]).toEqual([1, 45])
    at(45)
    await ring()
    expect([asked.length, await alarmIn()]).toEqual([2, 60])
    await within(
      (object) => void object.tell({ kind: 'remind', ...outcomeOf(object.tell({ kind: 'remind', ...CALL }), true) }),
    )
    at(60)
    await ring()
    expect([asked.length, await alarmIn()]).toEqual([2, null])
  })

  it.each<[string, (object: WorkspaceObject) => void]>([
    ['is settled', (object) => object.tell({ kind: 'settle_delegation', id: idOf(4), status: 'reported' })],
    ['is past its deadline', () => at(600)],
    ['has lost its task', (object) => object.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })],
  ])('U22 asks for nothing when the command %s, and is not set again', async (_what, happens) => {
    const { enter, alarmIn, asked, ring, within } = await workspace()
    await enter(entryOf(4))
    await within((object) => happens(object))
    expect(await ring()).toBe(true)
    expect([asked, await alarmIn()]).toEqual([[], null])
  })

  it('U22 is not set for a try that its deadline comes before', async () => {
    const { enter, alarmIn, ring, within } = await workspace()
    await enter(entryOf(4, { deadline: NOW + 30_000 }))
    await ring()
    await within(
      (object) => void object.tell({ kind: 'remind', ...outcomeOf(object.tell({ kind: 'remind', ...CALL }), false) }),
    )
    at(15)
    await ring()
    expect(await alarmIn()).toBeNull()
  })

  it('F37 outlives its object, as does what was told: of two commands the other is told', async () => {
    const { enter, alarmIn, asked, ring, within, stub, job } = await workspace()
    await enter(entryOf(4), entryOf(5))
    const [first, second] = await within((object) => object.tell({ kind: 'remind', ...CALL, max: 2 }))
    await within(
      (object) => void object.tell({ kind: 'remind', ...outcomeOf(first === undefined ? [] : [first], true) }),
    )
    await evictDurableObject(stub)
    expect(await alarmIn()).toBe(0)
    at(30)
    await ring()
    expect(asked).toEqual([job])
    expect(await within((object) => object.tell({ kind: 'remind', ...CALL }))).toEqual([second])
  })

  it('U22 what was entered before its tenant had a WEBHOOK_URL is told with the first one after the restart', async () => {
    const { enter, alarmIn, within, stub, tellFromNowOn } = await workspace(false)
    await enter(entryOf(4))
    await evictDurableObject(stub)
    tellFromNowOn()
    await within((object) => void object.tell({ kind: 'run_command', ...commandOf('/todo list') }))
    expect(await alarmIn()).toBe(0)
    expect(await within((object) => object.tell({ kind: 'remind', ...CALL }))).toMatchObject([
      { id: `${idOf(4)}_pending` },
    ])
  })

  it('F36 a book that cannot be read does not stop a command from being entered', async () => {
    const { enter, within } = await workspace()
    await within((_object, { storage }) => void storage.sql.exec("INSERT INTO todos (id, fields) VALUES (1, '{}')"))
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await enter(entryOf(4))
    expect(said).toHaveBeenCalledWith(expect.stringContaining('job_failed'))
    said.mockRestore()
    expect(
      await within((object) => object.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 9 })),
    ).toMatchObject({
      entries: [{ id: idOf(4) }],
    })
  })
})
