/** Schedules in a real workspace: their rows, their alarm, and a workspace of an earlier release. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RUNS_MAX, type NewRun, type SchedulePlan } from '../../src/core/workspace/schedules/schedule.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import BEFORE_SCHEDULES from '../fixtures/workspaces/v5.json'
import { NO_TOTAL } from '../support/scripted.ts'
import { workspaceAt } from '../support/workspace-at.ts'

/** Far enough ahead that no alarm of the real clock goes off by itself. */
const NOW = Date.parse('2090-03-18T10:00:00Z')
const MINUTE = 60_000
const at = (minutes: number) => NOW + minutes * MINUTE
const UNBOUNDED = { tokens: null, cost: null }
const PLAN: SchedulePlan = {
  timing: { every_s: 600, timezone: 'UTC', anchor_ms: NOW },
  overlap: 'skip',
  missed: 'skip',
  daily: UNBOUNDED,
  template: { goal: 'g' },
  origin: '',
}
const put = (name: string, next_at: number | null, plan: Partial<SchedulePlan> = {}, schedules_max = 9) => ({
  kind: 'put_schedule' as const,
  name,
  id: `id-${name}`,
  plan: { ...PLAN, ...plan },
  paused: null,
  next_at,
  schedules_max,
})
const runAt = (tick: number, more: Partial<NewRun> = {}): NewRun => ({
  tick,
  trigger: 'tick',
  outcome: 'making',
  reason: null,
  task: `task_${tick}`,
  key: `k ${tick}`,
  day: '2090-03-18',
  count: 1,
  first_tick: tick,
  caps: UNBOUNDED,
  ...more,
})
const decided = (name: string, revision: number, next_at: number | null, runs: NewRun[], queue: number[] = []) => ({
  kind: 'decide_ticks' as const,
  name,
  revision,
  decision: { next_at, queue, runs },
  ended: [],
})

afterEach(() => vi.useRealTimers())

function workspace() {
  const made = workspaceAt(NOW, () => ({}))
  const { within } = made
  return {
    ...made,
    alarmIn: () =>
      within(async (_object, { storage }) => {
        const time = await storage.getAlarm()
        return time === null ? null : (time - NOW) / MINUTE
      }),
  }
}

describe('U57 the alarm of schedules', () => {
  it('U57 is set to the earliest tick, asks for a job then, and asks again until nothing is due', async () => {
    const { tenant, within, alarmIn, ring, asked } = workspace()
    await within((object) => void object.tell(put('late', at(30))))
    expect(await alarmIn()).toBe(30)
    await within((object) => void object.tell(put('soon', at(10))))
    expect(await alarmIn()).toBe(10)
    vi.setSystemTime(at(10))
    await ring()
    expect(asked).toEqual([{ kind: 'schedules', tenant, due_ms: expect.any(Number) }])
    expect(await alarmIn()).toBe(10.25)
    vi.setSystemTime(at(10.25))
    await ring()
    expect(asked).toHaveLength(2)
    await within((object) => void object.tell(decided('soon', 1, at(20), [])))
    vi.setSystemTime(at(10.5))
    await ring()
    expect(asked).toHaveLength(2)
    expect(await alarmIn()).toBe(20)
  })

  it('U57 a process that is gone has left its alarm, and the tenant is known without a caller', async () => {
    const { stub, tenant, within, ring, asked } = workspace()
    await within((object) => void object.tell(put('a', at(10))))
    await evictDurableObject(stub)
    vi.setSystemTime(at(11))
    await ring()
    expect(asked).toEqual([{ kind: 'schedules', tenant, due_ms: expect.any(Number) }])
  })

  it('U57 a tick far away is looked at every hour, and so is a clock that was set back', async () => {
    const { within, alarmIn, ring, asked } = workspace()
    await within((object) => void object.tell(put('a', at(100_000))))
    expect(await alarmIn()).toBe(60)
    vi.setSystemTime(at(59))
    await ring()
    await within((object) => void object.tell(put('b', at(90_000))))
    expect(await alarmIn()).toBe(119)
    expect(asked).toEqual([])
    vi.setSystemTime(at(-1_000))
    await ring()
    expect(asked).toHaveLength(1)
  })

  it('U57 a task that is to be made is due at once, and is no longer when it is settled', async () => {
    const { within } = workspace()
    await within((object) => {
      object.tell(put('a', at(10)))
      vi.setSystemTime(at(10))
      object.tell(decided('a', 1, at(20), [runAt(at(10))]))
      const due = () => object.ask({ kind: 'due_schedules', limit: 9 })
      expect(due()).toMatchObject([{ schedule: { name: 'a' }, open: [{ outcome: 'making' }] }])
      const created = { outcome: 'created', reason: null, task: 'task_x' } as const
      object.tell({ kind: 'settle_run', id: 'id-a', seq: 1, result: created })
      expect(due()).toEqual([])
      // It is settled once.
      object.tell({ kind: 'settle_run', id: 'id-a', seq: 1, result: { ...created, task: 'task_y' } })
      expect(object.ask({ kind: 'open_runs', id: 'id-a' })).toMatchObject([{ task: 'task_x' }])
    })
  })

  it('U57 the end of a task, or its removal, wakes the ticks that wait for it', async () => {
    const { within, alarmIn } = workspace()
    await within((object) => {
      const entry = { id: 'task_w', mode: 'm', status: 'queued' as const, metadata: {}, goal: '', slice: 's' }
      object.tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
      object.tell(put('a', at(10), { overlap: 'queue' }))
      object.tell(decided('a', 1, at(100), [runAt(at(1), { outcome: 'created', task: 'task_w' })], [at(2)]))
      const due = () => object.ask({ kind: 'due_schedules', limit: 9 }).length
      expect(due()).toBe(0)
      object.tell({ kind: 'set_status', id: 'task_w', status: 'paused', version: 2, spend: null })
      expect(due()).toBe(0)
      object.tell({ kind: 'set_status', id: 'task_w', status: 'completed', version: 3, spend: null })
      expect(due()).toBe(1)
      object.tell(decided('a', 2, at(100), [], [at(2)]))
      expect(due()).toBe(0)
      object.tell({ kind: 'drop', id: 'task_w', admitted: ['s'] })
    })
    expect(await alarmIn()).toBe(0)
  })
})

it('U57 the end of a run is noted at once where it counts against a day', async () => {
  const { within } = workspace()
  await within((object) => {
    const entry = { id: 'task_w', mode: 'm', status: 'queued' as const, metadata: {}, goal: '', slice: 's' }
    object.tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
    for (const [name, daily] of [['a', UNBOUNDED] as const, ['b', { tokens: 9, cost: null }] as const]) {
      object.tell(put(name, at(10), { daily }))
      object.tell(decided(name, 1, at(100), [runAt(at(1), { outcome: 'created', task: 'task_w' })]))
    }
    object.tell({ kind: 'set_status', id: 'task_w', status: 'completed', version: 3, spend: null })
    const due = object.ask({ kind: 'due_schedules', limit: 9 })
    expect(due.map(({ schedule }) => schedule.name)).toEqual(['b'])
  })
})

describe('U57 the rows of schedules', () => {
  it('U57 a decision about an earlier state is not taken, and a tick has one run', async () => {
    const { within } = workspace()
    await within((object) => {
      object.tell(put('a', at(10)))
      expect(object.tell(decided('a', 1, at(20), [runAt(at(10))]))).toBe(true)
      expect(object.tell(decided('a', 1, at(30), [runAt(at(20))]))).toBe(false)
      expect(object.tell(decided('a', 2, at(30), [runAt(at(10)), runAt(at(20))]))).toBe(true)
      const runs = object.ask({ kind: 'schedule_runs', id: 'id-a', before: 0, limit: 9 })
      expect(runs.map(({ tick }) => tick)).toEqual([at(20), at(10)])
      expect(object.ask({ kind: 'schedule_runs', id: 'id-a', before: 2, limit: 9 })).toHaveLength(1)
    })
  })

  it('U57 who deletes a task is told of the run that does not say yet that it was made', async () => {
    const { within } = workspace()
    await within((object) => {
      const remove = (id: string) => object.tell({ kind: 'begin_removal', id })
      for (const id of ['task_a', 'task_b']) {
        const entry = { id, mode: 'm', status: 'queued' as const, metadata: {}, goal: '', slice: 's' }
        object.tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
      }
      expect(remove('task_a')).toMatchObject({ unsettled: null })
      object.tell(put('other', at(10)))
      object.tell(put('a', at(10)))
      object.tell(decided('a', 1, at(20), [runAt(at(9), { outcome: 'skipped' }), runAt(at(10), { task: 'task_a' })]))
      expect(remove('task_a')).toMatchObject({ unsettled: { id: 'id-a', seq: 2 } })
      expect(remove('task_b')).toMatchObject({ unsettled: null })
      expect(remove('task_c')).toBe(null)
      const result = { outcome: 'created', reason: null, task: 'task_a' } as const
      object.tell({ kind: 'settle_run', id: 'id-a', seq: 2, result })
      expect(remove('task_a')).toMatchObject({ unsettled: null })
    })
  })

  it('U57 only the newest runs are kept, and those that are open', async () => {
    const { within } = workspace()
    await within((object) => {
      object.tell(put('a', at(10)))
      object.tell(decided('a', 1, at(20), [runAt(at(0))]))
      const skipped = Array.from({ length: RUNS_MAX + 5 }, (_, index) =>
        runAt(at(index + 1), { outcome: 'skipped', reason: 'overlap', task: null }),
      )
      object.tell(decided('a', 2, at(20), skipped))
      const runs = object.ask({ kind: 'schedule_runs', id: 'id-a', before: 0, limit: 999 })
      expect(runs).toHaveLength(RUNS_MAX + 1)
      expect(runs.at(-1)).toMatchObject({ seq: 1, outcome: 'making' })
    })
  })

  it('U57 what ended runs have used is summed by day', async () => {
    const { within } = workspace()
    await within((object) => {
      object.tell(put('a', at(10)))
      const created = [1, 2].map((minute) => runAt(at(minute), { outcome: 'created' }))
      object.tell(decided('a', 1, at(20), created))
      const ended = [1, 2, 2].map((seq) => ({ seq, spent: { tokens: 5 * seq, cost: seq } }))
      object.tell({ ...decided('a', 2, at(20), []), ended })
      object.tell({ ...decided('a', 3, at(20), []), ended })
      expect(object.ask({ kind: 'schedule', name: 'a' })?.schedule.totals).toEqual({
        '2090-03-18': { tokens: 15, cost: 3 },
      })
    })
  })

  it('U57 a schedule that is put again keeps its id, its runs and its next tick while the timing is the same', async () => {
    const { within } = workspace()
    await within((object) => {
      object.tell(put('a', at(10)))
      object.tell(decided('a', 1, at(20), [runAt(at(10))]))
      const again = object.tell({ ...put('a', at(99)), id: 'other', paused: null })
      expect(again).toMatchObject({ ok: true, value: { created: false, schedule: { id: 'id-a', next_at: at(20) } } })
      const other = object.tell(put('a', at(99), { timing: { every_s: 60, timezone: 'UTC', anchor_ms: NOW } }))
      expect(other).toMatchObject({ value: { schedule: { id: 'id-a', next_at: at(99) } } })
      const paused = object.tell({ kind: 'pause_schedule', name: 'a', paused: true, next_at: at(50) })
      expect(paused).toMatchObject({ paused: true, next_at: null })
      // Putting it does not resume it.
      expect(object.tell(put('a', at(99)))).toMatchObject({ value: { schedule: { paused: true, next_at: null } } })
      expect(object.tell({ ...put('a', at(99)), paused: false })).toMatchObject({
        value: { schedule: { next_at: at(99) } },
      })
    })
  })

  it('U57 there are at most so many, one that is deleted takes its runs along, and they count as bytes', async () => {
    const { within } = workspace()
    await within((object) => {
      expect(object.ask({ kind: 'schedules', after: '', limit: 9 })).toEqual([])
      expect(object.tell({ kind: 'drop_schedule', name: 'a' })).toBe(false)
      object.tell(put('a', at(10), {}, 2))
      object.tell(put('b', at(10), {}, 2))
      const refused = { ok: false, refusal: { code: 'too_many_schedules', max: 2 } }
      expect(object.tell(put('c', at(10), {}, 2))).toEqual(refused)
      object.tell(decided('a', 1, at(20), [runAt(at(10))]))
      expect(object.tell({ kind: 'drop_schedule', name: 'a' })).toBe(true)
      expect(object.ask({ kind: 'schedule_runs', id: 'id-a', before: 0, limit: 9 })).toEqual([])
      expect(object.tell(put('c', at(10), {}, 2))).toMatchObject({ ok: true, value: { created: true } })
      expect(object.ask({ kind: 'schedule_names' })).toEqual(['b', 'c'])
      const before = object.ask({ kind: 'used_bytes' })
      object.tell(put('b', at(10), { template: { goal: 'x'.repeat(60_000) } }, 2))
      expect(object.ask({ kind: 'used_bytes' })).toBeGreaterThan(before + 50_000)
    })
  })

  it('U57 D6 a workspace of an earlier release takes schedules, and keeps what it has', async () => {
    const tenant = crypto.randomUUID()
    const stub = env.WORKSPACES.getByName(JSON.stringify([tenant]))
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      for (const statement of BEFORE_SCHEDULES) sql.exec(statement)
    })
    const kept = durableStore(env.TASKS, env.WORKSPACES).workspace(tenant)
    expect(await kept.ask({ kind: 'schedule_names' })).toEqual([])
    expect(await kept.tell(put('a', at(10)))).toMatchObject({ ok: true })
    expect(await kept.ask({ kind: 'schedule_names' })).toEqual(['a'])
    expect(await kept.ask({ kind: 'secret_names' })).toEqual(['orders'])
    const filter = { status: null, mode: null, metadata: {}, q: null, outcome: null }
    const { entries } = await kept.ask({ kind: 'list', filter, before: 0, limit: 9 })
    expect(entries.map(({ id }) => id)).toEqual(['task_3', 'task_2', 'task_1'])
  })
})
