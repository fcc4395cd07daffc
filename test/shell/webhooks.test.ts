/** The callback of a task over its whole life: tried again by the schedule, in order, given up on record, sent again on request. */
import { describe, expect, it } from 'vitest'
import type { RequestKey } from '../../src/core/protocol/advance.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { act, ALL, ask, CALLER, closed, done, planned, say } from '../support/scripted.ts'
import { deliverJob, dueAt, letTimePass, recorded, SECRET, toldBench, type Told } from '../support/told.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const SCRIPT = { plan: [planned('A')], thought: [act(), done('a')], replan: [closed()] }
const ASKING = { plan: [planned('A')], thought: [ask(), done('a')], replan: [closed()] }
const HOURS = 3_600_000
const FAILING = Array.from({ length: 10 }, () => 503)

const redeliver = ({ bench }: Told, id: string, key: RequestKey | null = null, tenant = CALLER.tenant) =>
  bench.service.redeliver({ ...CALLER, tenant, key }, id)
function taken<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}
/** A task whose only notice was given up, and the id of that. */
async function givenUp(told: Told): Promise<{ task: string; id: string }> {
  const { id: task } = await told.create()
  told.script(...FAILING)
  await letTimePass(told.bench, task)
  return { task, id: (await recorded(told.bench))[0]?.id ?? '' }
}

describe('F38 a receiver that is down', () => {
  it('is tried by the schedule, with the same webhook-id and body, until it takes the message', async () => {
    const told = toldBench(SCRIPT)
    const { id } = await told.create()
    const begun = told.bench.clock.now
    told.script(500, new Error('down'), 302, 404)
    expect(await letTimePass(told.bench, id)).toBe(5)
    expect(told.got.map(({ at }) => at - begun)).toEqual([0, 5_000, 305_000, 2_105_000, 2_105_000 + 2 * HOURS])
    expect(new Set(told.got.map((got) => got.id)).size).toBe(1)
    expect(new Set(told.got.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(told.got[0]).toMatchObject({ type: 'task.completed', data: { id, status: 'completed' } })
    expect(told.got[0]?.data).not.toHaveProperty('slice')
    expect(await recorded(told.bench)).toEqual([])
  })

  it('learns that a task failed, and later how the same task ended after it went on', async () => {
    const told = toldBench({ ...SCRIPT, plan: ['bad', 'bad', 'bad', planned('A')] })
    const { id } = await told.create()
    await letTimePass(told.bench, id)
    await say(told.bench, id, 'continue', ALL)
    await letTimePass(told.bench, id)
    expect(told.got.map(({ type }) => type)).toEqual(['task.failed', 'task.completed'])
    expect(new Set(told.got.map((got) => got.id)).size).toBe(2)
  })

  it('U35 learns whether the goal was reached, and what was not', async () => {
    const told = toldBench({ ...SCRIPT, plan: [planned('A', 'B')] })
    const { id } = await told.create()
    await letTimePass(told.bench, id)
    const unmet = [{ item: 'B', reason: 'not worked on' }]
    expect(told.got[0]).toMatchObject({ type: 'task.completed', data: { result: { outcome: 'partial', unmet } } })
  })

  it('F42 gets the same links to the files on all tries, and fresh links when a delivery is repeated much later', async () => {
    const told = toldBench(SCRIPT)
    const { bench } = told
    const { id } = await told.create()
    taken(
      await bench.ports.files.write(
        { tenant: CALLER.tenant, task: id },
        { name: 'report.md', seq: 9, content: '# one' },
      ),
    )
    told.script(...FAILING)
    await letTimePass(bench, id)
    const urls = () => told.got.map(({ data }) => data.result?.artifacts.map(({ name, url }) => [name, url]))
    expect(urls()[0]).toEqual([['report.md', expect.stringMatching(/^\/tasks\/task_\w+\/files\/report\.md\?token=/)]])
    expect(new Set(urls().map((one) => JSON.stringify(one))).size).toBe(1)
    bench.clock.now += 300 * HOURS
    taken(await redeliver(told, told.got[0]?.id ?? ''))
    await letTimePass(bench, id)
    expect(urls().at(-1)).not.toEqual(urls()[0])
  })

  it('is given up after ten tries in 75.6 hours, on record', async () => {
    const told = toldBench(SCRIPT)
    const begun = told.bench.clock.now
    const { task, id } = await givenUp(told)
    expect([told.got.length, ((told.bench.clock.now - begun) / HOURS).toFixed(1)]).toEqual([10, '75.6'])
    expect(await recorded(told.bench)).toEqual([
      {
        id: told.got[0]?.id,
        task_id: task,
        type: 'task.completed',
        status: 'failed',
        attempts: 10,
        detail: 'HTTP 503',
        created_at: new Date(begun).toISOString(),
        updated_at: new Date(told.bench.clock.now).toISOString(),
      },
    ])
    expect(id).toBe(told.got[0]?.id)
    expect(await recorded(told.bench, 'another tenant')).toEqual([])
  })

  it('F41 is tried when it asks for it', async () => {
    const told = toldBench(SCRIPT)
    const { id } = await told.create()
    const begun = told.bench.clock.now
    told.script([429, { 'retry-after': '60' }], [503, { 'retry-after': '1' }])
    await letTimePass(told.bench, id)
    expect(told.got.map(({ at }) => at - begun)).toEqual([0, 60_000, 61_000])
  })
})

describe('the order of one task', () => {
  it('what comes later waits for what is tried again, and follows in the same job', async () => {
    const told = toldBench(ASKING)
    const { id } = await told.create()
    told.script(500, 500)
    await deliverJob(told.bench, id)
    await say(told.bench, id, 'tomorrow', ALL)
    await deliverJob(told.bench, id)
    expect(told.got.map(({ type }) => type)).toEqual(['task.input_required'])
    const jobs = await letTimePass(told.bench, id)
    const [first, later] = ['task.input_required', 'task.completed']
    expect([jobs, told.got.map(({ type }) => type)]).toEqual([2, [first, first, first, later]])
    expect(told.got.map(({ data }) => data.status)).toEqual([
      'input_required',
      'input_required',
      'input_required',
      'completed',
    ])
  })

  it('never more than one try is under way, however often the job is asked for', async () => {
    const told = toldBench(ASKING)
    const { id } = await told.create()
    told.script('silent')
    void deliverJob(told.bench, id)
    await say(told.bench, id, 'tomorrow', ALL)
    for (let jobs = 0; jobs < 5; jobs++) await deliverJob(told.bench, id)
    expect(told.got).toHaveLength(1)
    expect(dueAt(told.bench, id)).toBe(told.bench.clock.now + 30_000)
  })

  it('F42 a try that is lost is made again, with the same webhook-id: at least once, and told by that', async () => {
    const told = toldBench(SCRIPT)
    const { id } = await told.create()
    told.script('silent')
    void deliverJob(told.bench, id)
    for (let turn = 0; turn < 50 && told.got.length === 0; turn++) await new Promise((resolve) => setImmediate(resolve))
    await letTimePass(told.bench, id)
    expect(told.got).toHaveLength(2)
    expect(told.got[1]?.id).toBe(told.got[0]?.id)
    expect(dueAt(told.bench, id)).toBeNull()
  })
})

describe('F41 a receiver that wants no more', () => {
  it('gets no further delivery, and all are on record', async () => {
    const told = toldBench(ASKING)
    const { id } = await told.create()
    told.script(410)
    await letTimePass(told.bench, id)
    await say(told.bench, id, 'tomorrow', ALL)
    await letTimePass(told.bench, id)
    expect(told.got).toHaveLength(1)
    expect(await recorded(told.bench)).toMatchObject([
      { type: 'task.completed', status: 'gone', detail: 'not sent: the receiver answered HTTP 410 before' },
      { type: 'task.input_required', status: 'gone', attempts: 1, detail: 'HTTP 410' },
    ])
  })

  it('gets what is sent again', async () => {
    const told = toldBench(ASKING)
    const { id } = await told.create()
    told.script(410)
    await letTimePass(told.bench, id)
    await say(told.bench, id, 'tomorrow', ALL)
    await letTimePass(told.bench, id)
    const [later] = await recorded(told.bench)
    await redeliver(told, later?.id ?? '')
    await letTimePass(told.bench, id)
    expect(told.got.map(({ type }) => type)).toEqual(['task.input_required', 'task.completed'])
    expect((await recorded(told.bench)).map(({ status }) => status)).toEqual(['delivered', 'gone'])
  })
})

describe('what was given up', () => {
  it('is sent again from the beginning with the same webhook-id, and its record says what became of it', async () => {
    const told = toldBench(SCRIPT)
    const { task, id } = await givenUp(told)
    const again = await redeliver(told, id)
    expect(again).toMatchObject({
      value: { replayed: false, delivery: { id, task_id: task, status: 'pending', attempts: 0 } },
    })
    expect(await recorded(told.bench)).toMatchObject([{ status: 'pending', attempts: 0 }])
    told.script(500)
    await deliverJob(told.bench, task)
    expect(await recorded(told.bench)).toMatchObject([{ status: 'pending', attempts: 1, detail: 'HTTP 500' }])
    expect(dueAt(told.bench, task)).toBe(told.bench.clock.now + 5_000)
    await letTimePass(told.bench, task)
    expect(await recorded(told.bench)).toMatchObject([{ status: 'delivered', attempts: 2, detail: null }])
    expect([told.got.length, new Set(told.got.map((got) => got.id))]).toEqual([12, new Set([id])])
  })

  it('goes on as it is while it is being sent again', async () => {
    const told = toldBench(SCRIPT)
    const { task, id } = await givenUp(told)
    await redeliver(told, id)
    told.script(500)
    await deliverJob(told.bench, task)
    const due = dueAt(told.bench, task)
    expect(await redeliver(told, id)).toMatchObject({ value: { delivery: { status: 'pending', attempts: 1 } } })
    expect(dueAt(told.bench, task)).toBe(due)
    expect(await recorded(told.bench)).toMatchObject([{ status: 'pending', attempts: 1 }])
  })

  it('may be given up again, and sent again after it arrived', async () => {
    const told = toldBench(SCRIPT)
    const { task, id } = await givenUp(told)
    await redeliver(told, id)
    told.script(...FAILING)
    await letTimePass(told.bench, task)
    expect(await recorded(told.bench)).toMatchObject([{ id, status: 'failed', attempts: 10 }])
    for (let times = 0; times < 2; times++) {
      await redeliver(told, id)
      await letTimePass(told.bench, task)
      expect(await recorded(told.bench)).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
    }
    expect(told.got).toHaveLength(22)
  })

  it('U6 is sent again once per key', async () => {
    const told = toldBench(SCRIPT)
    const { task, id } = await givenUp(told)
    const key = { scope: `POST /webhooks/deliveries/${id}/redeliver`, key: 'k', digest: 'd' }
    const first = await redeliver(told, id, key)
    await letTimePass(told.bench, task)
    const second = await redeliver(told, id, key)
    expect(second).toEqual(first.ok ? { ok: true, value: { ...first.value, replayed: true } } : null)
    expect([told.got.length, dueAt(told.bench, task)]).toEqual([11, null])
    expect(await redeliver(told, id, { ...key, digest: 'e' })).toMatchObject({
      refusal: { code: 'idempotency_key_reused' },
    })
  })

  it("API1 is its own tenant's alone", async () => {
    const told = toldBench(SCRIPT)
    const { id } = await givenUp(told)
    const unknown = { ok: false, refusal: { code: 'delivery_not_found' } }
    expect(await redeliver(told, id, null, 'another tenant')).toEqual(unknown)
    expect(await redeliver(told, `${id}0`)).toEqual(unknown)
  })

  it('F55 leaves with its task', async () => {
    const told = toldBench(SCRIPT)
    const { task, id } = await givenUp(told)
    await told.bench.service.deleteTask(CALLER, task)
    expect(await recorded(told.bench)).toEqual([])
    expect(await redeliver(told, id)).toMatchObject({ refusal: { code: 'delivery_not_found' } })
  })

  it('F55 leaves also where the task is deleted during its last try', async () => {
    const told = toldBench(SCRIPT, ({ store }) => ({
      store: {
        ...store,
        workspace: (tenant) =>
          workspaceWith(store.workspace(tenant), {
            note_delivery: async (command) => {
              await told.bench.service.deleteTask(CALLER, command.record.task)
              return store.workspace(tenant).tell(command)
            },
          }),
      },
    }))
    const { id } = await told.create()
    told.script(410)
    await deliverJob(told.bench, id)
    expect([told.got.length, await recorded(told.bench)]).toEqual([1, []])
  })

  it('F38 is on record before it is settled, so a crash in between loses nothing', async () => {
    let dies = true
    const told = toldBench(SCRIPT, ({ store }) => ({
      store: {
        ...store,
        of: (tenant, id) => ({
          ...store.of(tenant, id),
          upkeep: async (call) => {
            if (dies && call.kind === 'settle_delivery') throw new Error('the worker died')
            return store.of(tenant, id).upkeep(call)
          },
        }),
      },
    }))
    const { id } = await told.create()
    told.script(410, 200)
    await expect(deliverJob(told.bench, id)).rejects.toThrow('the worker died')
    expect(await recorded(told.bench)).toMatchObject([{ status: 'gone' }])
    dies = false
    await letTimePass(told.bench, id)
    // The try was lost, so it was made again, and went well.
    expect([told.got.length, await recorded(told.bench)]).toMatchObject([2, [{ status: 'delivered', attempts: 2 }]])
  })
})

it('F66 the secret stands in no answer, no journal and no record, for any answer of the receiver', async () => {
  const told = toldBench(ASKING)
  const { id } = await told.create()
  told.script(new Error(`refused ${SECRET}`), [500, { 'x-echo': SECRET }], 410)
  await letTimePass(told.bench, id)
  await say(told.bench, id, 'tomorrow', ALL)
  await letTimePass(told.bench, id)
  const { service } = told.bench
  const page = { after: 0, limit: 100 }
  const shown = await Promise.all([
    service.getTask(CALLER, id),
    service.listEvents(CALLER, id, page),
    service.listJournal(CALLER, id, page),
    service.exportTask(CALLER, id, page),
    service.listDeliveries(CALLER, null, page),
  ])
  expect(shown.every(({ ok }) => ok)).toBe(true)
  const [, bare = ''] = SECRET.split('_')
  for (const text of [JSON.stringify(shown), JSON.stringify(told.got)]) expect(text).not.toContain(bare.slice(0, 16))
})
