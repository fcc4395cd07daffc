/** What a request answers: its bounds, what it lost meanwhile, what it shows and what it tells the index (U3, U5, U16, U24). */
import { describe, expect, it } from 'vitest'
import { cut } from '../../src/core/terms/text.ts'
import type { Envelope } from '../../src/core/terms/view.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { sliceOf } from '../../src/shell/slice/slice.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  ONE,
  planned,
  step,
  type Bench,
} from '../support/scripted.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const MINUTE = 60_000
const REPLY = {
  kind: 'model_replied' as const,
  text: JSON.stringify(act()),
  usage: null,
  model: 'm',
  form: 'text' as const,
}
const keyed = (id: string) => ({ ...CALLER, key: { scope: `POST /tasks/${id}/step`, key: 'k', digest: 'd' } })
const ticket = (slice: string) => {
  return { slice, boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key: null }
}

/** A planned task; while its first thought is under way, something happens to it. */
async function during(happens: (bench: Bench, id: string) => Promise<unknown>) {
  const bench = benchOf({ plan: [planned('A')] })
  const { id } = await createTask(bench)
  bench.ports.model = {
    async complete() {
      await happens(bench, id)
      return REPLY
    },
  }
  return { bench, id, task: bench.store.of('acme', id) }
}
/** Its worker is taken for dead, and another begins the next attempt. */
const takeOver = async (bench: Bench, id: string) => {
  bench.clock.now += 10 * MINUTE
  await bench.store.of('acme', id).begin(ticket('other'))
}
const cancel = (bench: Bench, id: string) => bench.store.of('acme', id).tell({ kind: 'cancel' }, ticket('other'))

describe('U3 a request whose effect was taken away', () => {
  it('answers 200 with the canceled task and what it did itself, and the index hears of the end', async () => {
    const { bench, id } = await during(cancel)
    const answer = await bench.service.stepTask(CALLER, id, ONE)
    expect(answer).toMatchObject({ value: { task: { status: 'canceled', slice: { advanced: true, rounds: 1 } } } })
    const listed = await bench.store.workspace('acme').ask({
      kind: 'list',
      filter: { status: 'canceled', mode: null, metadata: {}, q: null, outcome: null },
      before: 0,
      limit: 9,
    })
    expect(listed.entries).toHaveLength(1)
  })

  it('finds no task when that was deleted', async () => {
    const { bench, id } = await during((one, name) => one.service.deleteTask(CALLER, name))
    expect(await bench.service.stepTask(CALLER, id, ONE)).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    const again = await during((one, name) => one.service.deleteTask(CALLER, name))
    expect(await again.bench.service.stepTask(keyed(again.id), again.id, ONE)).toEqual({
      ok: false,
      refusal: { code: 'task_not_found' },
    })
  })

  it('is lease_lost when another goes on with the task', async () => {
    const { bench, id } = await during(takeOver)
    expect(await bench.service.stepTask(CALLER, id, ONE)).toEqual({ ok: false, refusal: { code: 'lease_lost' } })
  })

  it('P14 with a key it gets the answer of the request that closed its row', async () => {
    const { bench, id } = await during(cancel)
    const answer = await bench.service.stepTask(keyed(id), id, ONE)
    expect(answer).toMatchObject({ value: { task: { status: 'canceled', slice: { advanced: true, rounds: 1 } } } })
    expect(answer.ok && answer.value).not.toHaveProperty('replayed')
    const again = await bench.service.stepTask(keyed(id), id, ONE)
    expect(again).toEqual({ ok: true, value: { ...(answer.ok ? answer.value : null), replayed: true } })
  })

  it('P14 with a key it is in progress while another worker goes on with it', async () => {
    const { bench, id } = await during(async (one, name) => {
      one.clock.now += 10 * MINUTE
      const { key } = keyed(name)
      await one.store.of('acme', name).begin({ ...ticket('other'), rounds: 2, key })
    })
    const answer = await bench.service.stepTask(keyed(id), id, ONE)
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'request_in_progress' } })
  })
})

describe('the bounds of a slice', () => {
  it.each([
    [24_999, 3],
    [25_000, 1],
  ])('a round that took %i ms of 25 s leaves room for %i in all', async (ms, rounds) => {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    let first = true
    bench.ports.model = {
      complete() {
        if (first) bench.clock.now += ms
        first = false
        return Promise.resolve(REPLY)
      },
    }
    const answer = await bench.service.stepTask(CALLER, id, { rounds: 3, max_ms: 25_000 })
    expect(answer).toMatchObject({ value: { task: { slice: { rounds } } } })
  })
})

describe('U16 a slice that fetches from the total', () => {
  it('shows the pause when the total of the day is used up', async () => {
    const bench = benchOf({ plan: [planned('A')] }, { daily: { tokens: 20_000, cost: null } })
    bench.ports.model = { complete: ({ metadata }) => Promise.resolve(metadata.phase === 'plan' ? PLAN : REPLY) }
    let task = await createTask(bench)
    for (let n = 0; n < 9 && task.status === 'running'; n++) task = await step(bench, task.id)
    expect(task).toMatchObject({ stop_reason: 'budget_exhausted:tenant', slice: { advanced: true, rounds: 0 } })
    expect(task.slice?.events.map((event) => event.type)).toEqual(['budget_exhausted', 'task_paused'])
  })

  it('finds no task when that was deleted meanwhile', async () => {
    const bench = benchOf({}, { daily: { tokens: 200_000, cost: null } })
    const { store } = bench.ports
    const taken: Ports['store'] = {
      ...store,
      workspace: (tenant) =>
        workspaceWith(store.workspace(tenant), {
          async reserve(command) {
            for (const name of bench.store.rows.keys()) await store.of('acme', JSON.parse(name)[1]).remove()
            return store.workspace(tenant).tell(command)
          },
        }),
    }
    bench.ports.store = taken
    await expect(createTask(bench)).rejects.toThrow('task_not_found')
  })

  const PLAN = { ...REPLY, text: JSON.stringify(planned('A')) }
})

describe('U5 the index', () => {
  it('is written when the status changes, and not by a step that changes none', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const told: string[] = []
    const { store } = bench.ports
    bench.ports.store = {
      ...store,
      workspace: (tenant) =>
        workspaceWith(store.workspace(tenant), {
          set_status(command) {
            told.push(command.status)
            return store.workspace(tenant).tell(command)
          },
        }),
    }
    const { id } = await createTask(bench)
    await step(bench, id)
    expect(told).toEqual([])
    await step(bench, id, ALL)
    expect(told).toEqual(['completed'])
  })
})

describe('U24 what an answer carries of its events', () => {
  const event = (payload: object): Envelope => {
    return { seq: 1, type: 'plan_created', at: '', task_id: 't', payload: { ...payload } }
  }
  it('is fifty of them, and says when there are more', () => {
    const many = (count: number) => Array.from({ length: count }, () => event({}))
    expect(sliceOf(true, 1, many(50))).toEqual({ advanced: true, rounds: 1, events: many(50) })
    expect(sliceOf(false, 2, many(51))).toEqual({
      advanced: false,
      rounds: 2,
      events: many(50),
      events_truncated: true,
    })
  })

  it('cuts every text in them to 220 characters, however deep, and nothing else', () => {
    const long = 'x'.repeat(300)
    const [shown] = sliceOf(true, 1, [event({ long, list: [long, 7], item: { long, no: null, yes: true } })]).events
    const short = cut(long, 220)
    expect(short.length).toBeLessThan(250)
    expect(shown?.payload).toEqual({ long: short, list: [short, 7], item: { long: short, no: null, yes: true } })
  })
})
