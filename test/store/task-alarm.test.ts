/** The alarm of a task's object: set for what is due and for nothing else, harmless when it comes twice, late or after a delete. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { Settings } from '../../src/core/terms/settings.ts'
import { bootId } from '../../src/store/boot.ts'
import { MANUAL } from '../support/scripted.ts'

const ticket = (more: 'nothing' | 'new_round' = 'nothing') => ({
  slice: crypto.randomUUID(),
  boot: bootId(),
  more,
  wall_ms: 0,
  rounds: 9,
  key: null,
})
const fixed = { goal: 'buy milk', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {} }
const brief = { ...fixed, settings: Settings.parse({}), ...MANUAL }

function newTask(more: Partial<typeof brief | { drive: 'background' }> = {}) {
  const [tenant, id] = [crypto.randomUUID(), `task_${crypto.randomUUID().replaceAll('-', '')}`]
  const stub = env.TASKS.getByName(JSON.stringify([tenant, id]))
  return { stub, row: { id, tenant, brief: { ...brief, ...more } } }
}
/** Nothing here waits for time; a loaded machine may be slow all the same. */
const PATIENCE = { timeout: 20_000, interval: 20 }
const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_object, state) => state.storage.getAlarm())

describe('the alarm of a task', () => {
  it('OTEL-06 U5 a manual task has none until it ends; then it looks after the export of its rows, and is that of its retention', async () => {
    const { stub, row } = newTask({ idle_ttl_s: 3_600 })
    await stub.create(row, ticket('new_round'))
    expect(await alarmOf(stub)).toBeNull()
    const before = Date.now()
    await stub.tell({ kind: 'cancel' }, ticket())
    expect(((await alarmOf(stub)) ?? 0) - before).toBeLessThan(61_000)
    const cursor = { seq: 100, run: 0, attempts: 0, due: 0 }
    await stub.upkeep({ kind: 'settle_export', progress: { usage: 100, service: cursor, tenant: cursor } })
    const at = (await alarmOf(stub)) ?? 0
    expect(at - before).toBeGreaterThanOrEqual(3_600_000)
    expect(at - before).toBeLessThan(3_660_000)
  })

  it('U20 a task that the service drives is worked off by it, from its create on', async () => {
    const { stub, row } = newTask({ drive: 'background' })
    await stub.create(row, ticket())
    await vi.waitFor(
      async () => expect(await stub.ask({ kind: 'view' })).toMatchObject({ value: { status: 'completed' } }),
      PATIENCE,
    )
  })

  it('F35 F62 comes twice and changes nothing more; after a delete it is gone and finds nothing', async () => {
    const { stub, row } = newTask()
    await stub.create(row, ticket('new_round'))
    await stub.tell({ kind: 'cancel' }, ticket())
    const before = JSON.stringify(await stub.ask({ kind: 'view' }))
    await runDurableObjectAlarm(stub)
    await runDurableObjectAlarm(stub)
    expect(JSON.stringify(await stub.ask({ kind: 'view' }))).toBe(before)
    await stub.remove()
    expect(await alarmOf(stub)).toBeNull()
    await runInDurableObject(stub, (_object, state) => state.storage.setAlarm(Date.now() + 60_000))
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect(await stub.ask({ kind: 'view' })).toMatchObject({ ok: false })
    expect(await alarmOf(stub)).toBeNull()
  })

  it('F18 is kept when the object is evicted, and is not put off by a slice that waits for a run slot', async () => {
    const { stub, row } = newTask()
    await stub.create(row, ticket('new_round'))
    await stub.tell({ kind: 'cancel' }, ticket())
    const at = await alarmOf(stub)
    await evictDurableObject(stub)
    expect(await alarmOf(stub)).toBe(at)
    await stub.driveLater(1_000, Date.now())
    expect(await alarmOf(stub)).toBe(at)
  })

  it('D4 a task that is made again under its key has an alarm of its own', async () => {
    const { stub, row } = newTask({ drive: 'background' })
    await stub.create(row, ticket())
    await stub.remove()
    await stub.create(row, ticket())
    await vi.waitFor(
      async () => expect(await stub.ask({ kind: 'view' })).toMatchObject({ value: { status: 'completed' } }),
      PATIENCE,
    )
  })
})
