/** The limits of tenants and keys over the service: what a task may spend, who may open one, which models are called. */
import { describe, expect, it } from 'vitest'
import type { KeyLimits, TenantLimits } from '../../src/core/registry/limits.ts'
import { driveTask } from '../../src/shell/jobs/drive.ts'
import { serviceCaller, type Caller } from '../../src/shell/caller.ts'
import type { Ports, Registry } from '../../src/shell/ports.ts'
import { registryOf } from '../support/memory/memory-registry.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  createTask,
  NONE,
  ONE,
  planned,
  step,
  taken,
  type Bench,
  type Script,
} from '../support/scripted.ts'

const KEY: Caller = { ...CALLER, key_name: 'key_a' }
const OTHER: Caller = { ...CALLER, key_name: 'key_b' }
const SETTINGS = { max_steps: 100, max_output_tokens: 64 }
const acting = (count: number): Script => ({
  plan: Array.from({ length: 9 }, () => planned('A')),
  thought: Array.from({ length: count }, (_, index) => act(`/todo add milk ${index}`)),
})
interface Said {
  tenant?: Partial<TenantLimits>
  keys?: Record<string, Partial<KeyLimits>>
}
const registered = ({ tenant, keys = {} }: Said) =>
  registryOf({ ...(tenant === undefined ? {} : { tenants: { acme: tenant } }), keys })
const limited = (said: Said, count = 30, more: Partial<Ports> = {}): Bench =>
  benchOf(acting(count), { ...more, registry: registered(said) })

/** The largest worst case of a call of these tasks is far below, so that totals of it have room for some calls. */
const SOME_CALLS = 40_000

async function stepUntilPaused(bench: Bench, id: string, caller = KEY): Promise<number> {
  for (let steps = 0; steps < 200; steps++) {
    const task = await step(bench, id, ONE, caller)
    if (task.status === 'running') continue
    expect(task.stop_reason).toBe('budget_exhausted:tenant')
    return steps
  }
  throw new Error('it never paused')
}
const spentBy = async (bench: Bench, id: string) => taken(await bench.service.getTask(CALLER, id)).budget.tokens.used

describe('LIM-05 a total that is used up', () => {
  it.each([
    ['the day of the tenant', { tenant: { tokens_per_day: SOME_CALLS } }, 'tenant', 'day'],
    ['the month of the tenant', { tenant: { tokens_per_month: SOME_CALLS } }, 'tenant', 'month'],
    ['the day of the key', { keys: { key_a: { tokens_per_day: SOME_CALLS } } }, 'key', 'day'],
    ['the month of the key', { keys: { key_a: { tokens_per_month: SOME_CALLS } } }, 'key', 'month'],
  ] satisfies [string, Said, string, string][])(
    'LIM-05 of %s pauses the task and refuses the next create',
    async (_name, said, holder, period) => {
      const bench = benchOf(
        {
          plan: Array.from({ length: 2 }, () => planned('A')),
          thought: Array.from({ length: 100 }, (_, index) => ({ ...act(`/todo add milk ${index}`) })),
        },
        { registry: registered(said), model: costly(4_000) },
      )
      const { id } = await createTask(bench, SETTINGS, NONE, { caller: KEY })
      await stepUntilPaused(bench, id)
      expect(await spentBy(bench, id)).toBeLessThanOrEqual(SOME_CALLS)
      await exhaust(bench, holder === 'key' ? KEY : CALLER)
      const refused = await bench.service.createTask(KEY, await briefOf(bench), NONE)
      expect(refused).toMatchObject({
        refusal: {
          code: 'tenant_budget_exceeded',
          spent: { holder, period, axis: 'tokens', limit: SOME_CALLS },
          resets_ms: period === 'day' ? Date.UTC(2026, 10, 22) : Date.UTC(2026, 11, 1),
        },
      })
      // Another key of the tenant is bounded by the tenant alone.
      const other = await bench.service.createTask(OTHER, await briefOf(bench), NONE)
      expect(other.ok).toBe(holder === 'key')
      // The next period has room again, and the task goes on.
      bench.clock.now = period === 'day' ? Date.UTC(2026, 10, 22) : Date.UTC(2026, 11, 1)
      expect(taken(await bench.service.tellTask(KEY, id, { kind: 'resume' })).status).toBe('running')
      expect((await step(bench, id, ONE, KEY)).status).toBe('running')
    },
  )

  it('LIM-04 the bound of a key counts within that of its tenant: other keys spend what is left', async () => {
    const said = { tenant: { tokens_per_day: 100_000 }, keys: { key_a: { tokens_per_day: 30_000 } } }
    const bench = benchOf({}, { registry: registered(said), model: costly(3_000) })
    const mine = await createTask(bench, SETTINGS, NONE, { caller: KEY })
    const others = await createTask(bench, SETTINGS, NONE, { caller: OTHER })
    await stepUntilPaused(bench, mine.id)
    await stepUntilPaused(bench, others.id, OTHER)
    const [own, other] = [await spentBy(bench, mine.id), await spentBy(bench, others.id)]
    expect(own).toBeLessThanOrEqual(30_000)
    expect(own).toBeGreaterThan(15_000)
    expect(own + other).toBeLessThanOrEqual(100_000)
    expect(own + other).toBeGreaterThan(80_000)
  })
})

/** A model whose calls cost so many tokens. */
const costly = (tokens: number): Ports['model'] => {
  let calls = 0
  return {
    complete: async ({ metadata: { phase }, form }) => ({
      kind: 'model_replied',
      text: JSON.stringify(phase === 'plan' ? planned('A') : act(`/todo add ${++calls}`)),
      usage: { input_tokens: tokens - 5, output_tokens: 5 },
      model: 'costly',
      form,
    }),
  }
}
const briefOf = async (bench: Bench) => {
  const made: Parameters<Bench['service']['createTask']>[1][] = []
  const recording = {
    ...bench,
    service: {
      ...bench.service,
      createTask: (_caller: unknown, task: (typeof made)[0]) => {
        made.push(task)
        throw new Error('only described')
      },
    },
  } as Bench // the bench with one method that only looks
  await createTask(recording, SETTINGS).catch(() => undefined)
  const [brief] = made
  if (brief === undefined) throw new Error('no task was described')
  return brief
}
/** Reserves what is left of the totals, as other tasks would. */
async function exhaust(bench: Bench, caller: typeof CALLER): Promise<void> {
  const workspace = bench.store.workspace('acme')
  const { spendLimitsOf } = await import('../../src/core/workspace/limits.ts')
  const { limitsOf } = await import('../../src/shell/quotas/limits-of.ts')
  const limits = spendLimitsOf(await limitsOf(bench.ports, 'acme', caller.key_name ?? 'key_a'))
  for (let tokens = 4_096; tokens >= 1; tokens = tokens / 2)
    while ((await workspace.tell({ kind: 'reserve', want: { tokens, cost: 0 }, ...limits })) !== null);
}

describe('LIM-11 a task counts for the key that made it', () => {
  const said: Said = { keys: { key_a: { tokens_per_day: SOME_CALLS } } }

  it('LIM-11 also where a key without limits, or none, makes its steps', async () => {
    for (const caller of [OTHER, CALLER]) {
      const bench = benchOf({}, { registry: registered(said), model: costly(4_000) })
      const { id } = await createTask(bench, SETTINGS, NONE, { caller: KEY })
      await stepUntilPaused(bench, id, caller)
      expect(await spentBy(bench, id)).toBeLessThanOrEqual(SOME_CALLS)
      const use = await bench.store.workspace('acme').ask({
        kind: 'limit_use',
        daily: { tokens: null, cost: null },
        key: { name: 'key_a', daily: { tokens: SOME_CALLS, cost: null }, monthly: { tokens: null, cost: null } },
      })
      // What was reserved and not spent went back to the key.
      expect(use.totals[0]?.spent.tokens).toBe(await spentBy(bench, id))
    }
  })

  it('LIM-11 a task of a key without limits is not bounded by those of the key that makes its steps', async () => {
    const bench = benchOf({}, { registry: registered(said), model: costly(4_000) })
    const { id } = await createTask(bench, SETTINGS, NONE, { caller: OTHER })
    for (let steps = 0; steps < 20; steps++) expect((await step(bench, id, ONE, KEY)).status).toBe('running')
    expect(await spentBy(bench, id)).toBeGreaterThan(SOME_CALLS)
  })

  it('LIM-11 also where the service drives it', async () => {
    const bench = benchOf({}, { registry: registered(said), model: costly(4_000) })
    const brief = { ...(await briefOf(bench)), drive: 'background' as const }
    const { id } = taken(await bench.service.createTask(KEY, brief, NONE))
    const caller = { ...serviceCaller('acme'), key_name: 'key_a' }
    for (let slices = 0; slices < 20; slices++) {
      const { version } = taken(await bench.service.getTask(CALLER, id))
      await driveTask(bench.ports, caller, {
        kind: 'drive',
        tenant: 'acme',
        task: id,
        version,
        asked_ms: bench.clock.now,
      })
    }
    expect(taken(await bench.service.getTask(CALLER, id)).stop_reason).toBe('budget_exhausted:tenant')
    expect(await spentBy(bench, id)).toBeLessThanOrEqual(SOME_CALLS)
  })
})

describe('LIM-06 open tasks', () => {
  it('LIM-06 of a key are bounded within those of its tenant, and the refusal says whose limit it is', async () => {
    const bench = limited({ tenant: { open_tasks: 3 }, keys: { key_a: { open_tasks: 1 } } })
    const create = async (caller: typeof CALLER) => bench.service.createTask(caller, await briefOf(bench), NONE)
    const first = taken(await create(KEY))
    expect(await create(KEY)).toEqual({
      ok: false,
      refusal: { code: 'quota_exceeded', open: 1, max: 1, holder: 'key' },
    })
    expect([(await create(OTHER)).ok, (await create(CALLER)).ok]).toEqual([true, true])
    expect(await create(OTHER)).toEqual({ ok: false, refusal: { code: 'quota_exceeded', open: 3, max: 3 } })
    await bench.service.tellTask(KEY, first.id, { kind: 'cancel' })
    expect((await create(KEY)).ok).toBe(true)
  })
})

describe('LIM-08 models', () => {
  it('LIM-08 a task whose model was taken away later pauses as model_not_allowed and calls nothing', async () => {
    for (const taken_from of ['tenant', 'key']) {
      let said: Said = { tenant: {} }
      const registry: Registry = {
        tenantOf: (tenant) => registered(said).tenantOf(tenant),
        findTenant: (tenant) => registered(said).findTenant(tenant),
        keyLimitsOf: (key) => registered(said).keyLimitsOf(key),
      }
      const bench = benchOf(acting(9), { registry })
      const { id } = await createTask(bench, { ...SETTINGS, model: 'gpt-5' }, NONE, { caller: KEY })
      expect((await step(bench, id, ONE, KEY)).status).toBe('running')
      const calls = bench.requests.length
      said = taken_from === 'tenant' ? { tenant: { models: ['mini'] } } : { keys: { key_a: { models: ['mini'] } } }
      const stopped = await step(bench, id, ONE, CALLER)
      expect([stopped.status, stopped.stop_reason]).toEqual(['paused', 'model_not_allowed'])
      expect(bench.requests).toHaveLength(calls)
      said = { tenant: { models: ['mini', 'gpt-5'] } }
      await bench.service.tellTask(KEY, id, { kind: 'resume' })
      expect((await step(bench, id, ONE, KEY)).status).toBe('running')
    }
  })

  it('LIM-08 a fork may not name a model that its key may not use', async () => {
    const bench = limited({ keys: { key_a: { models: ['mini'] } } })
    const { id } = await createTask(bench, { ...SETTINGS, model: 'gpt-5' }, NONE, { caller: OTHER })
    const wish = { at: 1, settings: {}, outcome: null }
    expect(await bench.service.forkTask(KEY, id, wish)).toMatchObject({ refusal: { code: 'validation_failed' } })
    expect(await bench.service.forkTask(KEY, id, { ...wish, settings: { model: 'mini' } })).toMatchObject({ ok: true })
  })
})

describe('LIM-02 limits that change', () => {
  it('LIM-02 hold for the next step of a task, in both directions', async () => {
    let said: Said = {}
    const registry: Registry = {
      tenantOf: (tenant) => registered(said).tenantOf(tenant),
      findTenant: (tenant) => registered(said).findTenant(tenant),
      keyLimitsOf: (key) => registered(said).keyLimitsOf(key),
    }
    const bench = benchOf({}, { registry, model: costly(4_000) })
    const { id } = await createTask(bench, SETTINGS, NONE, { caller: KEY })
    for (let steps = 0; steps < 5; steps++) await step(bench, id, ONE, KEY)
    // What was spent before there was a limit is not counted.
    said = { tenant: { tokens_per_day: SOME_CALLS } }
    await stepUntilPaused(bench, id)
    said = { tenant: { tokens_per_day: 10 * SOME_CALLS } }
    await bench.service.tellTask(KEY, id, { kind: 'resume' })
    expect((await step(bench, id, ONE, KEY)).status).toBe('running')
    said = {}
    for (let steps = 0; steps < 5; steps++) expect((await step(bench, id, ONE, KEY)).status).toBe('running')
  })

  it('LIM-02 a step asks the workspace for nothing where the registry says nothing, or bounds no total', async () => {
    for (const said of [{}, { tenant: { rate_per_minute: 5_000 }, keys: { key_a: { open_tasks: 5 } } }] as Said[]) {
      const bench = limited(said)
      const { id } = await createTask(bench, SETTINGS, NONE, { caller: KEY })
      const asked: string[] = []
      const { store } = bench.ports
      const workspace = store.workspace
      store.workspace = (tenant) => {
        const real = workspace(tenant)
        return {
          ...real,
          tell: (command) => {
            asked.push(command.kind)
            return real.tell(command)
          },
        }
      }
      await step(bench, id, ONE, KEY)
      await step(bench, id, ALL, KEY).catch(() => undefined)
      expect(asked.filter((kind) => kind === 'reserve' || kind === 'give_back')).toEqual([])
      store.workspace = workspace
    }
  })
})
