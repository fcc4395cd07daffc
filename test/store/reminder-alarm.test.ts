/** When the alarm of a real workspace is set, what it asks for, and what it writes. */
import { evictDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import { HORIZON_MS } from '../../src/core/workspace/reminders.ts'
import { reminderAlarm } from '../../src/store/workspace/reminders/reminder-alarm.ts'
import { workspaceAt } from '../support/workspace-at.ts'

/** Far enough ahead that no alarm of the real clock goes off by itself. */
const NOW = Date.parse('2090-03-18T10:00:00Z')
const MINUTE = 60_000
const zones = { reader: 'person' as const, locale: 'en' as const, timezone: 'UTC', caller_timezone: 'UTC' }
const windows = { schedule_window_days: 31, conflict_preview_days: 31, wall_ms: NOW }
const commandOf = (command: string) => ({ command, key: null, request: null, ...zones, ...windows })
const todoAt = (moment: string) => commandOf(`/todo add milk --due 2090-03-18 12:00 --remind ${moment}`)

afterEach(() => vi.useRealTimers())

/** A workspace of a tenant of its own, at a time that stands still; `told`: whether it has a WEBHOOK_URL. */
function workspace(told = true) {
  const made = workspaceAt(NOW, (tenant) => ({
    WEBHOOK_URL: told ? `${tenant}:https://receiver.example.com/in` : '',
  }))
  const { within } = made
  return {
    ...made,
    run: (...calls: ReturnType<typeof commandOf>[]) =>
      within(
        (object) =>
          void calls.map((call) => expect(object.tell({ kind: 'run_command', ...call })).toMatchObject({ ok: true })),
      ),
    alarmIn: () => within(async (_object, { storage }) => minutesFrom(await storage.getAlarm())),
  }
}
const minutesFrom = (time: number | null) => (time === null ? null : (time - NOW) / MINUTE)

describe('2.5 the alarm of a workspace', () => {
  it('2.5 is set to the earliest reminder, also when others are added', async () => {
    const { run, alarmIn } = workspace()
    await run(commandOf('/todo list'), commandOf('/todo add bread'))
    expect(await alarmIn()).toBeNull()
    await run(todoAt('2090-03-18 11:00'))
    expect(await alarmIn()).toBe(60)
    await run(todoAt('2090-03-18 10:30'), todoAt('2090-03-18 11:30'))
    expect(await alarmIn()).toBe(30)
    await run(commandOf('/schedule add 2090-03-01 09:00 walk --interval 1440 --duration 30 --remind 2090-03-01 10:20'))
    expect(await alarmIn()).toBe(20)
    await run(commandOf('/todo update 2 milk --remind 2090-03-18 10:05'))
    expect(await alarmIn()).toBe(5)
  })

  it('2.5 is at once for one that was missed by less than five minutes, and none for an older one', async () => {
    const { run, alarmIn } = workspace()
    await run(todoAt('2090-03-18 09:55'))
    expect(await alarmIn()).toBeNull()
    await run(todoAt('2090-03-18 09:56'))
    expect(await alarmIn()).toBe(0)
  })

  it('2.5 never goes farther than the horizon', async () => {
    const { run, alarmIn } = workspace()
    await run(todoAt('9999-12-31 23:59'))
    expect(await alarmIn()).toBe(HORIZON_MS / MINUTE)
  })

  it('U22 a tenant without WEBHOOK_URL has no alarm and no table for one', async () => {
    const { run, alarmIn, within } = workspace(false)
    await run(todoAt('2090-03-18 10:30'))
    expect(await alarmIn()).toBeNull()
    await within((_object, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('reminded', 'owner')")
      expect(tables.toArray()).toEqual([])
    })
  })

  it('2.5 a command that plans a reminder earlier than all others writes its time and the alarm, and the first one whose it is', async () => {
    const { run, within } = workspace()
    await run(commandOf('/todo add bread'))
    const written = (call: ReturnType<typeof commandOf>) =>
      within((object, { storage: { sql } }) => {
        const exec = sql.exec.bind(sql)
        const asked: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
        sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
          const cursor = exec(query, ...values)
          asked.push(cursor)
          return cursor
        }) as SqlStorage['exec'] // whoever asks says himself what the rows are
        object.tell({ kind: 'run_command', ...call })
        sql.exec = exec
        return asked.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
      })
    expect(await written(todoAt('2090-03-18 10:30'))).toBe(3)
    expect(await written(todoAt('2090-03-18 10:20'))).toBe(2)
    expect(await written(commandOf('/todo add jam'))).toBe(1)
  })

  it('2.5 gone off too early it asks for nothing and is set anew', async () => {
    const { run, alarmIn, asked, ring } = workspace()
    await run(todoAt('2090-03-18 10:30'), todoAt('2090-03-18 10:40'), commandOf('/todo delete 1'))
    expect(await alarmIn()).toBe(30)
    vi.setSystemTime(NOW + 30 * MINUTE)
    expect(await ring()).toBe(true)
    expect(asked).toEqual([])
    expect(await alarmIn()).toBe(40)
  })

  it('2.5 gone off in time it asks for the job, and again until nothing is due any more', async () => {
    const { run, alarmIn, asked, ring, within, tenant } = workspace()
    await run(todoAt('2090-03-18 10:30'), todoAt('2090-03-18 11:00'))
    vi.setSystemTime(NOW + 30 * MINUTE)
    await ring()
    expect(asked).toEqual([{ kind: 'remind', tenant, due_ms: expect.any(Number) }])
    expect(await alarmIn()).toBe(30.25)
    const [reminder] = await within((object) => object.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' }))
    expect(reminder).toMatchObject({ type: 'todo.reminder', data: { id: 1 } })
    vi.setSystemTime(NOW + 30.25 * MINUTE)
    await ring()
    // Held by its try: it is looked at again when that must be over.
    expect(asked).toHaveLength(1)
    expect(await alarmIn()).toBe(30.5)
    const settled = [{ id: reminder?.id ?? '', at: reminder?.at ?? 0, delivered: true }]
    expect(await within((object) => object.tell({ kind: 'remind', settled, max: 9, timezone: 'UTC' }))).toEqual([])
    vi.setSystemTime(NOW + 30.5 * MINUTE)
    await ring()
    expect(asked).toHaveLength(1)
    expect(await alarmIn()).toBe(60)
  })

  it('2.5 what was delivered stays delivered when the object is evicted, and the alarm goes on', async () => {
    const { run, within, stub, asked, ring, alarmIn } = workspace()
    await run(todoAt('2090-03-18 10:00'), todoAt('2090-03-18 10:01'))
    const [{ id, at } = { id: '', at: 0 }] = await within((object) =>
      object.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' }),
    )
    await within((object) =>
      object.tell({ kind: 'remind', settled: [{ id, at, delivered: true }], max: 0, timezone: 'UTC' }),
    )
    await evictDurableObject(stub)
    await ring()
    expect(asked).toEqual([])
    expect(await alarmIn()).toBe(1)
    expect(await within((object) => object.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' }))).toEqual([])
  })

  it('2.5 a slower try that failed does not undo a delivery', async () => {
    const { run, within } = workspace()
    await run(todoAt('2090-03-18 10:00'))
    const call = { settled: [], max: 9, timezone: 'UTC' }
    const [{ id, at } = { id: '', at: 0 }] = await within((object) => object.tell({ kind: 'remind', ...call }))
    for (const delivered of [true, false])
      await within((object) => object.tell({ kind: 'remind', ...call, settled: [{ id, at, delivered }], max: 0 }))
    vi.setSystemTime(NOW + 2 * MINUTE)
    expect(await within((object) => object.tell({ kind: 'remind', ...call }))).toEqual([])
  })

  it('2.5 the first command after a restart looks at all there is: settings may have changed', async () => {
    const { run, within, stub, alarmIn } = workspace()
    await run(todoAt('2090-03-18 10:30'))
    await within(async (_object, { storage }) => storage.deleteAlarm())
    await run(commandOf('/todo list'))
    expect(await alarmIn()).toBeNull()
    await evictDurableObject(stub)
    await run(commandOf('/todo list'))
    expect(await alarmIn()).toBe(30)
  })

  it('F37 an alarm without a call before it knows its tenant', async () => {
    const { run, within, tenant } = workspace()
    await run(todoAt('2090-03-18 10:00'))
    const asked: Job[] = []
    await within(async (_object, { storage }) => {
      const bound = { WEBHOOK_URL: `${tenant}:https://receiver.example.com/in` }
      const host = { env: () => bound, name: () => undefined, wake: () => undefined }
      const transact = <T>(body: (sql: SqlStorage) => T) => storage.transactionSync(() => body(storage.sql))
      const ask = async (job: Job) => void asked.push(job)
      await reminderAlarm({ ...host, transact, ask }).ring()
    })
    expect(asked).toEqual([{ kind: 'remind', tenant, due_ms: expect.any(Number) }])
  })

  it('2.5 what came while the service was down is sent up to a day late; what is entered with a time that is past is not', async () => {
    const { run, within, stub, asked, ring } = workspace()
    await run(todoAt('2090-03-18 10:30'), todoAt('2090-03-18 11:00'))
    await evictDurableObject(stub)
    vi.setSystemTime(NOW + 180 * MINUTE)
    await ring()
    expect(asked).toHaveLength(1)
    await run(todoAt('2090-03-18 11:30'))
    const call = { settled: [], max: 9, timezone: 'UTC' }
    const sent = await within((object) => object.tell({ kind: 'remind', ...call }))
    expect(sent.map(({ data }) => [data['id'], data['late_s']])).toEqual([
      [1, 9_000],
      [2, 7_200],
    ])
  })

  it('F35 an alarm that goes off twice asks twice, and what was handed out is not handed out again', async () => {
    const { run, within, asked, ring } = workspace()
    await run(todoAt('2090-03-18 10:00'))
    await ring()
    vi.setSystemTime(NOW + 15_000)
    await ring()
    expect(asked).toHaveLength(2)
    const call = { settled: [], max: 9, timezone: 'UTC' }
    expect(await within((object) => object.tell({ kind: 'remind', ...call }))).toHaveLength(1)
    expect(await within((object) => object.tell({ kind: 'remind', ...call }))).toEqual([])
  })

  it('F36 a book that cannot be read stops no command and no alarm', async () => {
    const { run, within, ring, alarmIn, asked } = workspace()
    await run(todoAt('2090-03-18 10:00'))
    await within((_object, { storage }) => void storage.sql.exec("UPDATE todos SET fields = '{}' WHERE id = 1"))
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await ring()
    expect(said).toHaveBeenCalledWith(expect.stringContaining('job_failed'))
    expect(asked).toEqual([])
    expect(await alarmIn()).toBe(1)
    await run(todoAt('2090-03-18 10:30'))
    said.mockRestore()
  })
})
