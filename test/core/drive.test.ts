/** What time brings about: slices of driven tasks, expired questions, new tries, what a callback is told – by the due times alone. */
import { describe, expect, it } from 'vitest'
import { dueOf, Job } from '../../src/core/protocol/alarm-times.ts'
import type { Brief } from '../../src/core/terms/effect.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  FREE,
  journalOf,
  MANUAL,
  MANY,
  NONE,
  planned,
  replanned,
  say,
  step,
  taken,
  UNBOUNDED,
  type Bench,
} from '../support/scripted.ts'

const DAY_MS = 86_400_000
const SCRIPT = { plan: [planned('A')], thought: [act(), done('a')], replan: [closed()] }

const BACKGROUND = { ...MANUAL, drive: 'background' as const }
async function create(bench: Bench, more: Partial<Brief> = {}, settings: Partial<Settings> = {}) {
  const fixed = { goal: 'g', locale: 'en' as const, timezone: 'UTC', metadata: {} }
  const task = { ...fixed, settings: Settings.parse(settings), ...BACKGROUND, ...more, mode: 'plan_execute' as const }
  return taken(await bench.service.createTask(CALLER, task, ALL))
}
const seen = async (bench: Bench, id: string): Promise<TaskView> => taken(await bench.service.getTask(CALLER, id))

const rowsOf = ({ store }: Bench, id: string) => {
  const rows = store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) throw new Error('no such task')
  return rows
}
function dueIn(bench: Bench, id: string) {
  const rows = rowsOf(bench, id)
  return dueOf(rows, rows.deliveries(), { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED })
}

/** Does what is due, as the alarm of an object has it done, until nothing is; answers how often. */
async function settle(bench: Bench, id: string): Promise<number> {
  for (let jobs = 0; ; jobs++) {
    const { tend, drive } = dueIn(bench, id)
    const isDue = (at: number | null) => at !== null && at <= bench.clock.now
    if (!isDue(tend) && !isDue(drive)) return jobs
    const asked = { version: rowsOf(bench, id).last()?.seq, asked_ms: bench.clock.now }
    const job = isDue(tend) ? { kind: 'tend' } : { kind: 'drive', ...asked }
    await runJob(bench.ports, Job.parse({ ...job, tenant: CALLER.tenant, task: id }))
  }
}

describe('a task that the service drives', () => {
  it('U20 is queued until its first effect, without a call in its create', async () => {
    const bench = benchOf(SCRIPT)
    const task = await create(bench)
    expect([task.status, task.slice?.advanced, bench.requests.length]).toEqual(['queued', true, 0])
    expect(await settle(bench, task.id)).toBe(1)
    expect((await seen(bench, task.id)).status).toBe('completed')
    bench.spent()
  })

  it('U20 has the ledger of a manual one for the same replies', async () => {
    const [driven, manual] = [benchOf(MANY), benchOf(MANY)]
    const ids = [(await create(driven)).id, (await create(manual, MANUAL)).id] as const
    await settle(driven, ids[0])
    await say(driven, ids[0], 'tomorrow', NONE)
    await settle(driven, ids[0])
    await say(manual, ids[1], 'tomorrow', ALL)
    const ledgers = await Promise.all([journalOf(driven, ids[0]), journalOf(manual, ids[1])])
    expect(ledgers[0]).toEqual(ledgers[1])
  })

  it('U14 is paused before its next round, and resumed', async () => {
    const bench = benchOf(SCRIPT)
    const { id } = await create(bench)
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'pause' }))).toMatchObject({
      status: 'paused',
      stop_reason: 'paused_by_user',
    })
    expect(dueIn(bench, id)).toMatchObject({ tend: null, drive: null })
    const version = (await seen(bench, id)).version
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'pause' })).version).toBe(version)
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'resume' }))).toMatchObject({
      status: 'queued',
      stop_reason: null,
    })
    await settle(bench, id)
    expect((await seen(bench, id)).status).toBe('completed')
  })

  it('U2 U14 the last of several pauses and resumes during an effect counts', async () => {
    for (const [said, status] of [
      [['pause', 'pause', 'resume'], 'running'],
      [['pause', 'resume', 'pause'], 'paused'],
    ] as const) {
      const held = benchOf({ plan: [planned('A')], thought: [act()], replan: [] })
      const { id: open } = await createTask(held)
      const store = held.store.of(CALLER.tenant, open)
      const ticket = {
        slice: 's',
        boot: 'boot',
        more: 'new_round' as const,
        wall_ms: held.clock.now,
        rounds: 1,
        key: null,
      }
      const begun = await store.begin(ticket)
      for (const word of said)
        await (word === 'pause'
          ? held.service.tellTask(CALLER, open, { kind: 'pause' })
          : held.service.tellTask(CALLER, open, { kind: 'resume' }))
      const seq = begun.ok ? (begun.value.assignment?.seq ?? 0) : 0
      const event = { kind: 'model_failed' as const, reason: 'x', status: 500, retry_after_ms: null }
      await store.commit(seq, event, { ...ticket, more: 'nothing' })
      expect((await seen(held, open)).status).toBe(status)
    }
  })

  it('a pause that meets an ended task changes nothing', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done('a')], replan: [] })
    const { id } = await createTask(bench)
    await step(bench, id)
    const task = bench.store.of(CALLER.tenant, id)
    const ticket = {
      slice: 's',
      boot: 'boot',
      more: 'new_round' as const,
      wall_ms: bench.clock.now,
      rounds: 1,
      key: null,
    }
    const begun = await task.begin(ticket)
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    const seq = begun.ok ? (begun.value.assignment?.seq ?? 0) : 0
    const usage = { input_tokens: 1, output_tokens: 1 }
    const reply = {
      kind: 'model_replied' as const,
      text: JSON.stringify(closed()),
      usage,
      model: 'm',
      form: 'text' as const,
    }
    const ended = await task.commit(seq, reply, { ...ticket, more: 'nothing' })
    expect(ended).toMatchObject({ value: { status: 'completed', task: { stop_reason: 'done' } } })
    const types = ended.ok ? ended.value.events.map(({ type }) => type) : []
    expect(types.at(-1)).toBe('task_completed')
  })

  it('is held by request also while it would try again by itself', async () => {
    const bench = benchOf({ ...SCRIPT, plan: Array.from({ length: 3 }, () => new Error('down')) })
    const { id } = await create(bench)
    await settle(bench, id)
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'pause' })).stop_reason).toBe('paused_by_user')
    expect(dueIn(bench, id).drive).toBeNull()
  })

  it('U9 tries again by itself when its model was unavailable, later each time', async () => {
    const down = new Error('down')
    const bench = benchOf({ ...SCRIPT, plan: [down, down, down, down, down, down, ...SCRIPT.plan] })
    const { id } = await create(bench)
    await settle(bench, id)
    const waits = []
    for (let pause = 0; pause < 2; pause++) {
      expect((await seen(bench, id)).stop_reason).toBe('model_unavailable')
      const at = dueIn(bench, id).drive ?? 0
      waits.push(at - bench.clock.now)
      bench.clock.now = at
      await settle(bench, id)
    }
    expect(waits).toEqual([60_000, 120_000])
    expect((await seen(bench, id)).status).toBe('completed')
  })

  it('waits as long as the model asked for', async () => {
    const bench = benchOf({ ...SCRIPT, thought: [new Error('busy'), ...SCRIPT.thought] })
    const { id } = await create(bench)
    await settle(bench, id)
    expect(await seen(bench, id)).toMatchObject({ status: 'running', retry_after_ms: 1_000 })
    expect(dueIn(bench, id).drive).toBe(bench.clock.now + 1_000)
  })
})

describe('U14 an open question', () => {
  it.each([
    ['pause', { status: 'paused', stop_reason: 'question_expired' }],
    ['fail', { status: 'failed', stop_reason: 'question_expired' }],
  ] as const)('that nobody answers in time: on_question_expired %s', async (on_question_expired, expected) => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), done('a')], replan: [closed()] })
    const { id } = await create(bench, MANUAL, { question_ttl_s: 60, on_question_expired })
    const { pending } = await seen(bench, id)
    expect(pending).toMatchObject({ expires_at: new Date(bench.clock.now + 60_000).toISOString() })
    bench.clock.now += 59_999
    await settle(bench, id)
    expect((await seen(bench, id)).status).toBe('input_required')
    bench.clock.now += 1
    await settle(bench, id)
    expect(await seen(bench, id)).toMatchObject(expected)
  })

  it('is open anew after "continue", and is answered by any other text', async () => {
    const script = { plan: [planned('A')], thought: [ask()], replan: [closed()] }
    for (const [input, status] of [
      ['continue', 'input_required'],
      ['tomorrow', 'completed'],
    ] as const) {
      const bench = benchOf(script)
      const { id } = await create(bench, MANUAL, { question_ttl_s: 60 })
      bench.clock.now += 60_000
      await settle(bench, id)
      expect((await say(bench, id, input, ALL)).status).toBe(status)
      if (status === 'input_required') expect(dueIn(bench, id).tend).toBe(bench.clock.now + 60_000)
    }
  })
})

describe('P17 the callback of a task', () => {
  const told = { ...MANUAL, callback_url: 'https://example.com/hook' }

  it('is told of each change to a status that someone waits for, in order', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), ask(), done('a')], replan: [closed()] })
    const { id } = await create(bench, told)
    await say(bench, id, 'tomorrow', ALL)
    expect(rowsOf(bench, id).deliveries()).toMatchObject([
      { status: 'input_required', state: 'pending', attempts: 0 },
      { status: 'completed', state: 'pending', attempts: 0 },
    ])
  })

  it('has one try under way at a time; one that is lost is made again', async () => {
    const bench = benchOf(SCRIPT)
    const { id } = await create(bench, told)
    const task = bench.store.of(CALLER.tenant, id)
    const first = await task.upkeep({ kind: 'begin_delivery' })
    expect(first).toMatchObject({
      value: { url: told.callback_url, delivery: { attempts: 1 }, task: { status: 'completed' } },
    })
    expect(await task.upkeep({ kind: 'begin_delivery' })).toEqual({ ok: true, value: null })
    bench.clock.now += 30_000
    expect(await task.upkeep({ kind: 'begin_delivery' })).toMatchObject({ value: { delivery: { attempts: 2 } } })
    const seq = rowsOf(bench, id).deliveries()[0]?.seq ?? 0
    expect(await task.upkeep({ kind: 'settle_delivery', seq, attempt: 1, sent: { kind: 'delivered' } })).toEqual({
      ok: true,
      value: null,
    })
    expect(await task.upkeep({ kind: 'settle_delivery', seq, attempt: 2, sent: { kind: 'delivered' } })).toMatchObject({
      value: { state: 'delivered' },
    })
    expect(dueIn(bench, id).deliver).toBeNull()
  })

  it('is asked again when it said so, given up at the end, left alone once it is gone, and told again on demand', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), done('a')], replan: [closed()] })
    const { id } = await create(bench, told)
    const task = bench.store.of(CALLER.tenant, id)
    const seqOf = (index: number) => rowsOf(bench, id).deliveries()[index]?.seq ?? 0
    await task.upkeep({ kind: 'begin_delivery' })
    await task.upkeep({
      kind: 'settle_delivery',
      seq: seqOf(0),
      attempt: 1,
      sent: { kind: 'failed', after_ms: 5_000, detail: '503' },
    })
    expect(dueIn(bench, id).deliver).toBe(bench.clock.now + 5_000)
    bench.clock.now += 5_000
    await task.upkeep({ kind: 'begin_delivery' })
    await task.upkeep({
      kind: 'settle_delivery',
      seq: seqOf(0),
      attempt: 2,
      sent: { kind: 'failed', after_ms: null, detail: '503' },
    })
    expect(rowsOf(bench, id).deliveries()).toMatchObject([{ state: 'failed', detail: '503' }])
    expect(await task.upkeep({ kind: 'redeliver', seq: seqOf(0) })).toMatchObject({
      value: { state: 'pending', attempts: 0 },
    })
    await task.upkeep({ kind: 'begin_delivery' })
    await task.upkeep({ kind: 'settle_delivery', seq: seqOf(0), attempt: 1, sent: { kind: 'gone', detail: '410' } })
    await say(bench, id, 'tomorrow', ALL)
    expect(await task.upkeep({ kind: 'begin_delivery' })).toMatchObject({
      value: { gone: true, delivery: { seq: seqOf(1) } },
    })
    await task.upkeep({
      kind: 'settle_delivery',
      seq: seqOf(1),
      attempt: 1,
      sent: { kind: 'gone', detail: '410 before' },
    })
    expect(rowsOf(bench, id).deliveries()).toMatchObject([{ state: 'gone' }, { state: 'gone' }])
  })

  it('is reminded once of a question, when half its time is over, and again of the next', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask(), ask('Where?'), done('a')],
      replan: [replanned('A'), closed()],
    })
    const { id } = await create(bench, told, { question_ttl_s: 100 })
    const count = () => rowsOf(bench, id).deliveries().length
    bench.clock.now += 49_999
    await settle(bench, id)
    expect(count()).toBe(1)
    for (const more of [1, 49_000]) {
      bench.clock.now += more
      await settle(bench, id)
      expect(count()).toBe(2)
    }
    expect(await seen(bench, id)).toMatchObject({ status: 'input_required' })
    await say(bench, id, 'tomorrow', ALL)
    expect(count()).toBe(3)
    bench.clock.now += 50_000
    await settle(bench, id)
    expect(
      rowsOf(bench, id)
        .deliveries()
        .map(({ status }) => status),
    ).toEqual(Array.from({ length: 4 }, () => 'input_required'))
    expect(
      new Set(
        rowsOf(bench, id)
          .deliveries()
          .map(({ seq }) => seq),
      ).size,
    ).toBe(4)
  })

  it('is told of a task that pauses in its create', async () => {
    const bench = benchOf({})
    const { id, status } = await create(bench, told, { max_tokens: 10 })
    expect([
      status,
      rowsOf(bench, id)
        .deliveries()
        .map((one) => one.status),
    ]).toEqual(['paused', ['paused']])
  })

  it('is told nothing where there is none', async () => {
    const bench = benchOf(SCRIPT)
    const { id } = await create(bench, MANUAL)
    expect(rowsOf(bench, id).deliveries()).toEqual([])
  })
})

describe('retention', () => {
  it('a task is not deleted while its callback is still to be told', async () => {
    const bench = benchOf(SCRIPT)
    const { id } = await create(bench, { ...MANUAL, callback_url: 'https://example.com/hook', idle_ttl_s: 60 })
    expect(dueIn(bench, id).retire).toBeNull()
    const task = bench.store.of(CALLER.tenant, id)
    await task.upkeep({ kind: 'begin_delivery' })
    const delivery = rowsOf(bench, id).deliveries()[0]
    await task.upkeep({ kind: 'settle_delivery', seq: delivery?.seq ?? 0, attempt: 1, sent: { kind: 'delivered' } })
    expect(dueIn(bench, id).retire).toBe(bench.clock.now + 60_000)
  })

  it('a task is due to be deleted so long after its end, and never before it', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), done('a')], replan: [closed()] })
    const { id } = await create(bench, { ...MANUAL, idle_ttl_s: 60 })
    expect(dueIn(bench, id).retire).toBeNull()
    await say(bench, id, 'tomorrow', ALL)
    expect(dueIn(bench, id).retire).toBe(bench.clock.now + 60_000)
    const kept = benchOf(SCRIPT)
    expect(dueIn(kept, (await create(kept, MANUAL)).id).retire).toBe(kept.clock.now + 30 * DAY_MS)
  })
})
