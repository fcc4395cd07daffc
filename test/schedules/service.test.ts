/** What a schedule does over a service with a scripted model: runs, budgets, overlaps, refusals. */
import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { SchedulePlan } from '../../src/core/workspace/schedules/schedule.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import type { PrepareTask } from '../../src/shell/scheduled-tasks.ts'
import { registryOf } from '../support/memory/memory-registry.ts'
import { benchOf, CALLER, MANUAL } from '../support/scripted.ts'

const BEGIN = Date.UTC(2026, 10, 24, 12)
const MINUTE = 60_000
const NO_BOUND = { tokens: null, cost: null }

function schedulesAt(overrides: Partial<Ports> = {}) {
  const clock = { now: BEGIN }
  const wanted: Parameters<PrepareTask>[1][] = []
  const prepare_task: PrepareTask = async (_caller, one) => {
    wanted.push(one)
    const settings = Settings.parse({ max_tokens: one.caps.tokens })
    const fixed = { locale: 'en' as const, timezone: 'UTC', metadata: one.body['metadata'] as Record<string, string> }
    return {
      ok: true,
      task: {
        ...MANUAL,
        goal: String(one.body['goal']),
        mode: 'plan_execute',
        settings,
        ...fixed,
        drive: 'background',
      },
    }
  }
  const bench = benchOf(
    {},
    { prepare_task, clock: { now_ms: () => clock.now, wall_ms: () => clock.now }, ...overrides },
  )
  // The objects of the bench have its clock.
  bench.clock.now = BEGIN
  const { service, ports } = bench
  const put = async (plan: Partial<SchedulePlan> = {}, name = 'n') => {
    const fixed = {
      overlap: 'skip',
      missed: 'skip',
      daily: NO_BOUND,
      template: { goal: 'on {{scheduled_date}}' },
    } as const
    const timing = { every_s: 600, timezone: 'UTC' }
    const made = await service.putSchedule(CALLER, { name, ...fixed, origin: '', timing, paused: null, ...plan })
    expect(made).toMatchObject({ ok: true })
  }
  /** The job of the alarm, so many minutes after the beginning. */
  const tick = async (minutes: number) => {
    clock.now = BEGIN + minutes * MINUTE
    bench.clock.now = clock.now
    await runJob(ports, { kind: 'schedules', tenant: CALLER.tenant })
  }
  const runs = async (name = 'n') => {
    const page = await service.listScheduleRuns(CALLER, name, { limit: 50, after: 0 })
    if (!page.ok) throw new Error('no runs')
    return page.value.data.toReversed()
  }
  const outcomes = async () => (await runs()).map(({ outcome, reason }) => [outcome, reason].filter(Boolean).join(': '))
  const cancel = async (index: number) =>
    service.tellTask(CALLER, (await runs())[index]?.task_id ?? '', { kind: 'cancel' })
  const statusOf = async (index: number) => {
    const task = await service.getTask(CALLER, (await runs())[index]?.task_id ?? '')
    return task.ok ? task.value.task.status : task.refusal.code
  }
  return { ...bench, wanted, put, tick, runs, outcomes, cancel, statusOf }
}

describe('OPS-22 a schedule of a disabled tenant', () => {
  it('OPS-22 makes no task, says why at each tick, and makes them again when the tenant is enabled', async () => {
    const tenants = { [CALLER.tenant]: { is_disabled: true } }
    const one = schedulesAt({ registry: registryOf({ tenants }) })
    await one.put({ overlap: 'skip', missed: 'skip' })
    await one.tick(10)
    await one.tick(20)
    expect(await one.outcomes()).toEqual(['refused: tenant_disabled', 'refused: tenant_disabled'])
    const every = { status: null, mode: null, metadata: {}, q: null, outcome: null }
    expect(await one.service.listTasks(CALLER, every, { limit: 5, after: 0 })).toMatchObject({ value: { data: [] } })
    expect(one.wanted).toEqual([])
    tenants[CALLER.tenant] = { is_disabled: false }
    await one.tick(25)
    expect(one.wanted).toEqual([])
    await one.tick(30)
    expect((await one.outcomes()).at(-1)).toBe('created')
    expect([one.wanted.length, await one.statusOf(2)]).toEqual([1, 'queued'])
  })

  it('OPS-22 keeps a tick for later while nobody can say whether the tenant is disabled', async () => {
    const known = registryOf()
    let is_away = true
    const findTenant = async (name: string) => {
      if (is_away) throw new Error('the registry is away')
      return known.findTenant(name)
    }
    const one = schedulesAt({ registry: { ...known, findTenant } })
    await one.put()
    await expect(one.tick(10)).rejects.toThrow('the registry is away')
    expect(one.wanted).toEqual([])
    is_away = false
    await one.tick(11)
    expect([await one.outcomes(), one.wanted.length]).toEqual([['created'], 1])
  })
})

describe('U57 a schedule', () => {
  it('U57 makes one task at each tick, whose template is filled in and whose labels name it', async () => {
    const { put, tick, runs, wanted, service, cancel, outcomes } = schedulesAt()
    await put({
      template: { goal: 'on {{scheduled_date}} at {{scheduled_time}} for {{x}}', metadata: { a: '{{schedule}}' } },
    })
    await tick(9)
    expect(await runs()).toEqual([])
    await tick(10)
    await tick(10.2)
    expect(await outcomes()).toEqual(['created'])
    const [run] = await runs()
    const task = await service.getTask(CALLER, run?.task_id ?? '')
    expect(task).toMatchObject({ value: { task: { status: 'queued', goal: 'on 2026-11-24 at 12:10 for {{x}}' } } })
    const labels = { a: 'n', schedule: 'n', scheduled_at: '2026-11-24T12:10:00.000Z' }
    expect(wanted.map(({ body }) => body['metadata'])).toEqual([labels])
    await cancel(0)
    await tick(20)
    expect(await outcomes()).toEqual(['created', 'created'])
  })

  it('U57 skips, queues or replaces while an earlier run is open', async () => {
    const skipping = schedulesAt()
    await skipping.put({ overlap: 'skip' })
    const queueing = schedulesAt()
    await queueing.put({ overlap: 'queue' })
    const replacing = schedulesAt()
    await replacing.put({ overlap: 'replace' })
    for (const one of [skipping, queueing, replacing]) {
      await one.tick(10)
      await one.tick(20)
    }
    expect(await skipping.outcomes()).toEqual(['created', 'skipped: overlap'])
    expect(await queueing.outcomes()).toEqual(['created'])
    expect(await replacing.outcomes()).toEqual(['created', 'created'])
    expect([await replacing.statusOf(0), await replacing.statusOf(1)]).toEqual(['canceled', 'queued'])
    await queueing.cancel(0)
    await queueing.tick(21.5)
    expect((await queueing.runs()).map(({ at }) => at)).toEqual([
      '2026-11-24T12:10:00.000Z',
      '2026-11-24T12:20:00.000Z',
    ])
  })

  it('U57 a run gets what is left of the day, and a tick beyond it is skipped until the next day of its zone', async () => {
    const bench = schedulesAt()
    const { put, tick, outcomes, wanted, cancel, store, service } = bench
    await put({ daily: { tokens: 100, cost: null }, timing: { cron: '0 * * * *', timezone: 'Europe/Berlin' } })
    await tick(60)
    expect(wanted.at(-1)?.caps).toEqual({ tokens: 100, cost: null })
    // The task has used up all of it.
    const real = store.of.bind(store)
    store.of = (tenant, id) => ({
      ...real(tenant, id),
      ask: async (query) => {
        const answer = await real(tenant, id).ask(query)
        const spent = answer as { ok: boolean; value?: { budget?: { tokens: { used: number } } } }
        if (query.kind === 'view' && spent.ok && spent.value?.budget !== undefined) spent.value.budget.tokens.used = 100
        return answer
      },
    })
    await cancel(0)
    await tick(120)
    expect(await outcomes()).toEqual(['created', 'skipped: budget'])
    expect(await service.runSchedule(CALLER, 'n')).toEqual({
      ok: false,
      refusal: { code: 'schedule_budget_exceeded', name: 'n' },
    })
    // 23:00 in UTC is midnight in Berlin.
    await tick(11 * 60)
    expect((await outcomes()).at(-1)).toBe('created')
  })

  it('U57 notes a task that is refused with the code of the problem, and goes on', async () => {
    const bench = schedulesAt({ max_open_tasks: 1 })
    const { put, tick, outcomes, service, ports, runs } = bench
    await put({ overlap: 'replace' })
    await service.createTask(CALLER, taskOf(), { rounds: 0, max_ms: 1_000 })
    await tick(10)
    expect(await outcomes()).toEqual(['refused: quota_exceeded'])
    ports.prepare_task = async () => ({ ok: false, refusal: { code: 'llm_not_configured' } })
    await tick(20)
    expect((await runs()).map(({ task_id }) => task_id)).toEqual([null, null])
    expect((await outcomes()).at(-1)).toBe('refused: llm_not_configured')
  })

  it('U57 one that fails delays no other, and is asked for again', async () => {
    const { put, tick, runs, ports } = schedulesAt()
    await put({ template: { goal: 'bad' } }, 'a')
    await put({}, 'b')
    const prepare = ports.prepare_task
    ports.prepare_task = async (caller, one) => {
      if (one.body['goal'] === 'bad') throw new Error('lost')
      return prepare(caller, one)
    }
    await expect(tick(10)).rejects.toThrow('lost')
    expect((await runs('a')).map(({ outcome }) => outcome)).toEqual(['pending'])
    expect((await runs('b')).map(({ outcome }) => outcome)).toEqual(['created'])
    ports.prepare_task = prepare
    await tick(10.25)
    expect((await runs('a')).map(({ outcome, at }) => [outcome, at])).toEqual([['created', '2026-11-24T12:10:00.000Z']])
  })

  it('U57 a tick that has come is not lost when its schedule is paused or put before a job has looked', async () => {
    const { put, tick, runs, clock, ports, service } = schedulesAt()
    await put()
    await put({}, 'other')
    const later = (minutes: number) => {
      clock.now = BEGIN + minutes * MINUTE
      ports.clock = { now_ms: () => clock.now, wall_ms: () => clock.now }
    }
    later(12)
    await service.pauseSchedule(CALLER, 'n', true)
    await put({ timing: { cron: '0 * * * *', timezone: 'UTC' } }, 'other')
    const TICK = '2026-11-24T12:10:00.000Z'
    for (const name of ['n', 'other'])
      expect((await runs(name)).map(({ at, outcome }) => [at, outcome])).toEqual([[TICK, 'pending']])
    await tick(13)
    for (const name of ['n', 'other'])
      expect((await runs(name)).map(({ at, outcome }) => [at, outcome])).toEqual([[TICK, 'created']])
  })

  it('U57 ticks that wait are decided by the rule that takes the place of waiting', async () => {
    const { put, tick, outcomes } = schedulesAt()
    await put({ overlap: 'queue' })
    await tick(10)
    await tick(20)
    await put({ overlap: 'skip' })
    await tick(21)
    expect(await outcomes()).toEqual(['created', 'skipped: overlap'])
  })

  it('U57 a task that is deleted before its run is noted is not made again', async () => {
    const { put, tick, runs, ports, service, store } = schedulesAt()
    await put()
    const workspaceOf = (tenant: string): ReturnType<typeof store.workspace> => {
      const kept = store.workspace(tenant)
      const tell: typeof kept.tell = (command) => {
        if (command.kind === 'settle_run') throw new Error('lost')
        return kept.tell(command)
      }
      return { ...kept, tell }
    }
    ports.store = { ...store, workspace: workspaceOf }
    await expect(tick(10)).rejects.toThrow('lost')
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(['pending'])
    ports.store = store
    const task = String(JSON.parse([...store.rows.keys()].join())[1])
    expect(await service.deleteTask(CALLER, task)).toMatchObject({ ok: true })
    await tick(10.25)
    expect((await runs()).map(({ outcome, task_id }) => [outcome, task_id])).toEqual([['created', task]])
    expect(await service.getTask(CALLER, task)).toMatchObject({ refusal: { code: 'task_not_found' } })
    await tick(20)
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(['created', 'created'])
  })

  it('U57 runs at once when asked, also while it is paused or busy, once for each key', async () => {
    const { put, service, outcomes, tick, runs } = schedulesAt()
    await put()
    await service.pauseSchedule(CALLER, 'n', true)
    const keyed = { ...CALLER, key: { scope: 's', key: 'k', digest: 'd' } }
    const first = await service.runSchedule(keyed, 'n')
    expect(first).toMatchObject({
      ok: true,
      value: { replayed: false, run: { trigger: 'request', outcome: 'created' } },
    })
    const again = await service.runSchedule(keyed, 'n')
    expect(again).toMatchObject({ ok: true, value: { replayed: true, run: first.ok ? first.value.run : null } })
    await service.runSchedule(CALLER, 'n')
    expect(await outcomes()).toEqual(['created', 'created'])
    await tick(60)
    expect(await runs()).toHaveLength(2)
    await service.pauseSchedule(CALLER, 'n', false)
    const shown = await service.getSchedule(CALLER, 'n')
    expect(shown).toMatchObject({ value: { paused: false, next: { 0: '2026-11-24T13:10:00.000Z', length: 5 } } })
  })

  it('U57 a run that is asked for and refused leaves no run', async () => {
    const { put, service, ports, runs } = schedulesAt()
    await put()
    ports.prepare_task = async () => refuse({ code: 'quota_exceeded', open: 1, max: 1 })
    expect(await service.runSchedule(CALLER, 'n')).toMatchObject({ ok: false, refusal: { code: 'quota_exceeded' } })
    expect(await runs()).toEqual([])
  })

  it('U57 a cron expression is refused with its field, and an unknown name with the nearest one', async () => {
    const { service, put } = schedulesAt()
    await put({}, 'morning')
    const sent = {
      name: 'x',
      overlap: 'skip',
      missed: 'skip',
      daily: NO_BOUND,
      template: {},
      origin: '',
      paused: null,
    } as const
    const timing = { cron: '0 25 * * *', timezone: 'UTC' }
    expect(await service.putSchedule(CALLER, { ...sent, timing })).toMatchObject({
      refusal: {
        code: 'validation_failed',
        errors: [{ pointer: '/cron', message: expect.stringContaining('the hour') }],
      },
    })
    const hint = '; did you mean "morning"?'
    const missing = { ok: false, refusal: { code: 'schedule_not_found', hint } }
    expect(await service.getSchedule(CALLER, 'mornign')).toEqual(missing)
    expect(await service.pauseSchedule(CALLER, 'mornign', true)).toEqual(missing)
    expect(await service.runSchedule(CALLER, 'mornign')).toEqual(missing)
    expect(await service.deleteSchedule(CALLER, 'mornign')).toEqual(missing)
    expect(await service.deleteSchedule(CALLER, 'morning')).toEqual(ok(null))
    expect(await service.listSchedules(CALLER, { limit: 9, after: '' })).toMatchObject({ value: { data: [] } })
  })
})

/** A task that no schedule has made. */
const taskOf = () => ({
  goal: 'g',
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
  mode: 'plan_execute' as const,
  settings: Settings.parse({}),
  drive: 'background' as const,
})

it('LIM-11 the tasks of a schedule count for the key that has put it, and not for the service', async () => {
  const registry = registryOf({ keys: { key_a: { open_tasks: 1 } } })
  const { service, tick, outcomes, runs, cancel, put } = schedulesAt({ registry })
  const timing = { every_s: 600, timezone: 'UTC' }
  const fixed = { overlap: 'queue', missed: 'skip', daily: NO_BOUND, template: { goal: 'g' } } as const
  const sent = { name: 'n', ...fixed, origin: '', timing, paused: null }
  expect(await service.putSchedule({ ...CALLER, key_name: 'key_a' }, sent)).toMatchObject({ ok: true })
  await put({}, 'other')
  // Another task of the key is open, so the key may open none for its schedule.
  await service.putSchedule({ ...CALLER, key_name: 'key_a' }, { ...sent, name: 'first' })
  expect(await service.runSchedule({ ...CALLER, key_name: 'key_b' }, 'first')).toMatchObject({ ok: true })
  await tick(10)
  expect(await outcomes()).toEqual(['refused: quota_exceeded'])
  expect((await runs('other')).map(({ outcome }) => outcome)).toEqual(['created'])
  const [first] = await runs('first')
  await service.tellTask(CALLER, first?.task_id ?? '', { kind: 'cancel' })
  await tick(20)
  expect((await outcomes()).at(-1)).toBe('created')
  await cancel(1)
})
