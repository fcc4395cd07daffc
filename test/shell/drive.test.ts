/** Tasks that the service drives, under the run slots of their tenant: who gets one, who gives it back, and who is answered at once. */
import { describe, expect, it } from 'vitest'
import { DriveJob, dueOf } from '../../src/core/protocol/alarm-times.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import type { Model, Ports } from '../../src/shell/ports.ts'
import { registryOf } from '../support/memory/memory-registry.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  done,
  FREE,
  MANUAL,
  NONE,
  planned,
  taken,
  UNBOUNDED,
  type Script,
} from '../support/scripted.ts'

const SCRIPT: Script = { plan: [planned('A')], thought: [done('a')], replan: [closed()] }
const twice = ({ plan = [], thought = [], replan = [] }: Script): Script => ({
  plan: [...plan, ...plan],
  thought: [...thought, ...thought],
  replan: [...replan, ...replan],
})

/** A tenant with one run slot. */
function oneSlot(script: Script) {
  const store = memoryStore(() => here(), 1)
  const bench = benchOf(script, { store })
  const here = () => ({ now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED })
  const asked: string[] = []
  const postponed: string[] = []
  // The alarms of tasks are those of the test: they note what they are asked.
  const ports: Ports = {
    ...bench.ports,
    store: {
      workspace: (tenant) => store.workspace(tenant),
      pool: (tenant, pool) => store.pool(tenant, pool),
      of: (tenant, id) => ({
        ...store.of(tenant, id),
        driveLater: async () => void postponed.push(id),
        wake: async () => {
          const needs = await store.of(tenant, id).wake()
          if (needs) asked.push(id)
          return needs
        },
      }),
    },
  }
  const rowsOf = (id: string) => store.rows.get(JSON.stringify([CALLER.tenant, id]))
  return {
    ...bench,
    store,
    ports,
    asked,
    postponed,
    workspace: store.workspace(CALLER.tenant),
    create: async (more: Partial<Settings> = {}) => {
      const fixed = { goal: 'g', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
      const brief = {
        ...fixed,
        settings: Settings.parse(more),
        drive: 'background' as const,
        mode: 'plan_execute' as const,
      }
      return taken(await bench.service.createTask(CALLER, brief, ALL)).id
    },
    drive: (id: string) => {
      const asked_ms = bench.clock.now
      const version = rowsOf(id)?.last()?.seq ?? 0
      return runJob(ports, DriveJob.parse({ kind: 'drive', tenant: CALLER.tenant, task: id, version, asked_ms }))
    },
    tend: (id: string) => runJob(ports, { kind: 'tend', tenant: CALLER.tenant, task: id }),
    wake: async () => {
      await runJob(ports, { kind: 'wake', tenant: CALLER.tenant })
      return asked.splice(0)
    },
    statusOf: async (id: string) => taken(await bench.service.getTask(CALLER, id)).status,
    /** Whether another task could have one now. */
    isFree: async () => {
      const other = { task: 'task_other', version: 1 }
      const free = await store.workspace(CALLER.tenant).tell({ kind: 'acquire_slot', ...other })
      await store.workspace(CALLER.tenant).tell({ kind: 'release_slot', task: other.task, version: null })
      return free
    },
  }
}
type Tenant = ReturnType<typeof oneSlot>

/** Takes the only slot, and has the next task wait for it. */
async function crowd({ create, drive, workspace }: Tenant) {
  const [holder, next] = [await create(), await create()]
  await workspace.tell({ kind: 'acquire_slot', task: holder, version: 1 })
  await drive(next)
  return { holder, next }
}

describe('KEY-08 a task whose tenant may be disabled', () => {
  it('KEY-08 is not driven while the registry cannot say so, and goes on once it can', async () => {
    const tenant = oneSlot(SCRIPT)
    const id = await tenant.create()
    const { findTenant } = tenant.ports.registry
    tenant.ports.registry.findTenant = () => Promise.reject(new Error('the registry is away'))
    await tenant.drive(id)
    expect([tenant.postponed, tenant.requests.length, await tenant.isFree()]).toEqual([[id], 0, true])
    tenant.ports.registry.findTenant = findTenant
    await tenant.drive(id)
    expect(await tenant.statusOf(id)).toBe('completed')
  })
})

describe('OPS-21 a task of a disabled tenant', () => {
  it('OPS-21 holds where it is: no call, no row, no slot; and goes on when the tenant is enabled', async () => {
    const tenants = { [CALLER.tenant]: { is_disabled: true } }
    const tenant = oneSlot({ ...SCRIPT, thought: [act(), done('a')] })
    tenant.ports.registry = registryOf({ tenants })
    const id = await tenant.create()
    const rows = () => tenant.store.rows.get(JSON.stringify([CALLER.tenant, id]))?.last()?.seq
    const before = rows()
    for (let asked = 1; asked <= 3; asked++) {
      await tenant.drive(id)
      await tenant.tend(id)
      expect(tenant.postponed).toHaveLength(asked)
    }
    expect([await tenant.statusOf(id), rows(), tenant.requests.length]).toEqual(['queued', before, 0])
    expect(await tenant.isFree()).toBe(true)
    tenants[CALLER.tenant] = { is_disabled: false }
    await tenant.drive(id)
    expect(await tenant.statusOf(id)).toBe('completed')
    tenant.spent()
  })

  it('OPS-21 keeps the slot that it has, so that enabling the tenant gives no task more than its turn', async () => {
    const tenants = { [CALLER.tenant]: { is_disabled: false } }
    const tenant = oneSlot(twice(SCRIPT))
    tenant.ports.registry = registryOf({ tenants })
    const { holder, next } = await crowd(tenant)
    tenants[CALLER.tenant] = { is_disabled: true }
    await tenant.drive(holder)
    await tenant.drive(next)
    expect([await tenant.isFree(), tenant.requests.length]).toEqual([false, 0])
    tenants[CALLER.tenant] = { is_disabled: false }
    await tenant.drive(holder)
    expect([await tenant.statusOf(holder), await tenant.wake()]).toEqual(['completed', [next]])
    await tenant.drive(next)
    expect(await tenant.statusOf(next)).toBe('completed')
  })
})

describe('U42 a run slot', () => {
  it('is waited for without beginning anything; the end of its holder hands it over, and wakes the next one', async () => {
    const tenant = oneSlot(twice(SCRIPT))
    const { holder, next } = await crowd(tenant)
    expect([tenant.requests.length, tenant.postponed]).toEqual([0, [next]])
    await tenant.drive(holder)
    expect(await tenant.statusOf(holder)).toBe('completed')
    expect(await tenant.wake()).toEqual([next])
    await tenant.drive(next)
    expect(await tenant.statusOf(next)).toBe('completed')
    expect(await tenant.isFree()).toBe(true)
    tenant.spent()
  })

  it('belongs to the task: the slice of a successor goes on under it at once', async () => {
    const tenant = oneSlot({ ...SCRIPT, thought: [act(), done('a')] })
    const { holder } = await crowd(tenant)
    // A slice began the plan, and its process died.
    const ticket = { slice: 'dead', boot: 'dead', more: 'new_round' as const, rounds: 9, wall_ms: 0, key: null }
    await tenant.store.of(CALLER.tenant, holder).tell({ kind: 'tend' }, ticket)
    tenant.clock.now += 600_000
    await tenant.drive(holder)
    expect(tenant.postponed).not.toContain(holder)
    expect(tenant.requests.length).toBeGreaterThan(0)
  })

  it('is given back for a wait of more than a second for the provider, and kept for a shorter one', async () => {
    const failed = (retry_after_ms: number) => ({
      kind: 'model_failed' as const,
      reason: 'busy',
      status: 429,
      retry_after_ms,
    })
    for (const [ms, free] of [
      [1_000, false],
      [5_000, true],
    ] as const) {
      const tenant = oneSlot(SCRIPT)
      const id = await tenant.create()
      const { model } = tenant.ports
      const failing: Model = {
        complete: async (request, call) =>
          request.metadata.phase === 'plan' && model !== null ? model.complete(request, call) : failed(ms),
      }
      Object.assign(tenant.ports, { model: failing })
      await tenant.drive(id)
      const task = taken(await tenant.service.getTask(CALLER, id))
      expect([task.status, task.retry_after_ms, await tenant.isFree()]).toEqual(['running', ms, free])
    }
  })

  it('is found and freed if the index missed the end of its task, and the index is updated', async () => {
    const tenant = oneSlot(SCRIPT)
    const { holder, next } = await crowd(tenant)
    // Canceled by a request that died before it told the workspace.
    const ticket = { slice: 's', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
    await tenant.store.of(CALLER.tenant, holder).tell({ kind: 'cancel' }, ticket)
    expect(await tenant.wake()).toEqual([])
    tenant.clock.now += 35_000
    expect(await tenant.wake()).toEqual([next])
    const { entries } = await tenant.workspace.ask({
      kind: 'list',
      filter: { status: 'canceled', mode: null, metadata: {}, q: null, outcome: null },
      before: 0,
      limit: 9,
    })
    expect(entries.map(({ id }) => id)).toEqual([holder])
  })

  it('is freed in the same way if its task was deleted or cannot be read', async () => {
    for (const how of ['deleted', 'unreadable'] as const) {
      const tenant = oneSlot(SCRIPT)
      const { holder, next } = await crowd(tenant)
      const task = tenant.store.of(CALLER.tenant, holder)
      // As one whose DELETE died before it told the workspace.
      if (how === 'deleted') await task.remove()
      const rows = tenant.store.rows.get(JSON.stringify([CALLER.tenant, holder]))
      for (const record of rows?.records.values() ?? []) Object.assign(record, { head: '{' })
      tenant.clock.now += 35_000
      expect([how, await tenant.wake()]).toEqual([how, [next]])
    }
  })

  it('is not needed for what time brings about: a question expires though all of them are held', async () => {
    const tenant = oneSlot({ ...SCRIPT, thought: [ask()] })
    const id = await tenant.create({ question_ttl_s: 60, on_question_expired: 'fail' })
    await tenant.drive(id)
    expect(await tenant.statusOf(id)).toBe('input_required')
    await tenant.workspace.tell({ kind: 'acquire_slot', task: 'task_other', version: 1 })
    tenant.clock.now += 60_000
    await tenant.tend(id)
    expect([await tenant.statusOf(id), tenant.postponed]).toEqual(['failed', []])
  })

  it('a task that is paused or canceled while it waits is passed over; resumed, it waits at the end', async () => {
    const tenant = oneSlot(twice(twice(SCRIPT)))
    const { holder, next } = await crowd(tenant)
    const [paused, last] = [await tenant.create(), await tenant.create()]
    for (const id of [paused, last]) await tenant.drive(id)
    await tenant.service.tellTask(CALLER, next, { kind: 'cancel' })
    await tenant.service.tellTask(CALLER, paused, { kind: 'pause' })
    await tenant.service.tellTask(CALLER, paused, { kind: 'resume' })
    await tenant.drive(paused)
    await tenant.drive(holder)
    expect(await tenant.wake()).toEqual([last])
    await tenant.drive(last)
    expect(await tenant.wake()).toEqual([paused])
  })

  it('is neither asked for nor taken by a step that a client makes', async () => {
    const tenant = oneSlot(SCRIPT)
    const { next } = await crowd(tenant)
    const stepped = taken(await tenant.service.stepTask(CALLER, next, ALL))
    expect(stepped.status).toBe('completed')
    await tenant.service.tellTask(CALLER, (await crowd(tenant)).next, { kind: 'cancel' })
  })
})

describe('U40 a task that the service drives', () => {
  it('answers an input at once as it stands, and goes on by its alarm', async () => {
    const tenant = oneSlot({ ...SCRIPT, thought: [ask(), done('a')] })
    const id = await tenant.create()
    await tenant.drive(id)
    const calls = tenant.requests.length
    const said = taken(await tenant.service.inputTask(CALLER, id, 'at noon', null, ALL))
    expect([said.status, said.slice?.rounds, tenant.requests.length]).toEqual(['running', 0, calls])
    await tenant.drive(id)
    expect(await tenant.statusOf(id)).toBe('completed')
  })

  it('goes on by its alarm under a run slot after replies that broke their contract, and is not deleted meanwhile', async () => {
    const tenant = oneSlot({ ...twice(SCRIPT), plan: ['bad', 'bad', 'bad', planned('A'), planned('A')] })
    const id = await tenant.create()
    await tenant.drive(id)
    expect([await tenant.statusOf(id), await tenant.isFree()]).toEqual(['failed', true])
    const due = () => {
      const rows = tenant.store.rows.get(JSON.stringify([CALLER.tenant, id]))
      if (rows === undefined) throw new Error('it has no rows')
      return dueOf(rows, [], { now_ms: tenant.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED })
    }
    expect(due()).toMatchObject({ drive: null, retire: expect.any(Number) })
    const calls = tenant.requests.length
    const said = taken(await tenant.service.inputTask(CALLER, id, 'continue', null, ALL))
    expect([said.status, said.slice?.rounds, tenant.requests.length]).toEqual(['running', 0, calls])
    expect(due()).toMatchObject({ drive: tenant.clock.now, retire: null })
    const other = await tenant.create()
    await tenant.workspace.tell({ kind: 'acquire_slot', task: other, version: 1 })
    await tenant.drive(id)
    expect([await tenant.statusOf(id), tenant.postponed]).toEqual(['running', [id]])
    await tenant.drive(other)
    expect(await tenant.wake()).toEqual([id])
    await tenant.drive(id)
    expect([await tenant.statusOf(id), await tenant.isFree()]).toEqual(['completed', true])
  })

  it('has a lost tool call of a dead worker repeated by its alarm, not by the request that says something', async () => {
    const tenant = oneSlot({ plan: [planned('A')], thought: [act('/todo add milk'), done('a')], replan: [closed()] })
    const id = await tenant.create()
    const task = tenant.store.of(CALLER.tenant, id)
    const ticket = { slice: 'dead', boot: 'dead', more: 'new_round' as const, rounds: 9, wall_ms: 0, key: null }
    const reply = (text: object) => ({
      kind: 'model_replied' as const,
      text: JSON.stringify(text),
      usage: { input_tokens: 1, output_tokens: 1 },
      model: 'm',
      form: 'json_schema' as const,
    })
    await task.tell({ kind: 'tend' }, ticket)
    await task.commit(2, reply(planned('A')), ticket)
    await task.commit(3, reply(act('/todo add milk')), ticket)
    tenant.clock.now += 600_000
    await tenant.service.inputTask(CALLER, id, 'be quick', null, NONE)
    expect(tenant.calls).toEqual([])
    await tenant.drive(id)
    expect(tenant.calls).toMatchObject([{ tool: 'todo' }])
  })
})
