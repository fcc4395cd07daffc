/** The rate limit over several isolates: what each lets through by itself, and what it takes from the tenant's workspace. */
import { describe, expect, it } from 'vitest'
import { freePermits, chunkPermits } from '../../src/core/workspace/rate.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import { platformCounter, REQUESTS, requestCounter } from '../../src/shell/quotas/request-counter.ts'
import { memoryRates } from '../support/memory/memory-rates.ts'
import { benchOf, createTask, planned } from '../support/scripted.ts'

/** Isolates that share one workspace, on one clock. */
function isolates(count: number) {
  const clock = { now: 90_000 }
  const rates = new Map<string, ReturnType<typeof memoryRates>>()
  const calls = { made: 0 }
  const now_ms = () => clock.now
  const takePermits: NonNullable<Parameters<typeof requestCounter>[0]['takePermits']> = async (tenant, call) => {
    calls.made += 1
    await Promise.resolve()
    const known = rates.get(tenant) ?? memoryRates()
    rates.set(tenant, known)
    return known.take_permits({ kind: 'take_permits', ...call })
  }
  return { clock, calls, all: Array.from({ length: count }, () => requestCounter({ now_ms, takePermits })) }
}
const bucketOf = (per_minute: number, name = REQUESTS) => ({ tenant: 'acme', name, per_minute })

describe('the rate limit over isolates', () => {
  it.each([1, 3, 7, 60])('five isolates together let through exactly %i per minute', async (per_minute) => {
    const { all } = isolates(5)
    const tried = Array.from({ length: 40 }, () => all.map((count) => count(bucketOf(per_minute)))).flat()
    const passed = (await Promise.all(tried)).filter((limited) => limited === null)
    expect(passed).toHaveLength(per_minute)
  })

  it('one isolate alone lets through exactly the limit, in less than one call for fifty requests', async () => {
    const { all, calls } = isolates(1)
    let passed = 0
    for (let tried = 0; tried < 6_100; tried++) if ((await all[0]?.(bucketOf(6_000))) === null) passed += 1
    expect([passed, calls.made < 6_000 / 50]).toEqual([6_000, true])
  })

  it('isolates that never ask let through at most one percent of the limit each', async () => {
    const { all } = isolates(11)
    const [busy, ...quiet] = all
    const free = freePermits(1_000)
    const passing = async (count: (typeof all)[number] | undefined, tries: number) => {
      let passed = 0
      for (let tried = 0; tried < tries; tried++) if ((await count?.(bucketOf(1_000))) === null) passed += 1
      return passed
    }
    expect(await passing(busy, 2_000)).toBe(1_000)
    for (const count of quiet) expect(await passing(count, 2_000)).toBe(free)
    expect(free).toBe(10)
  })

  it('an isolate that is refused does not ask again before the next minute, which is a new one', async () => {
    const { all, calls, clock } = isolates(1)
    for (let tried = 0; tried < 3; tried++) await all[0]?.(bucketOf(2))
    const asked = calls.made
    expect(await all[0]?.(bucketOf(2))).toEqual({ per_minute: 2, retry_after_s: 30 })
    expect(calls.made).toBe(asked)
    clock.now = 120_000
    expect(await all[0]?.(bucketOf(2))).toBeNull()
  })

  it('buckets of other names and tenants are counted by themselves', async () => {
    const { all } = isolates(1)
    const [count] = all
    expect([await count?.(bucketOf(1)), await count?.(bucketOf(1, 'link a'))]).toEqual([null, null])
    expect(await count?.({ ...bucketOf(1), tenant: 'other' })).toBeNull()
    expect(await count?.(bucketOf(1, 'link a'))).not.toBeNull()
  })

  it('a workspace that cannot be reached limits no request', async () => {
    const count = requestCounter({ now_ms: () => 0, takePermits: () => Promise.reject(new Error('lost')) })
    for (let tried = 0; tried < 5; tried++) expect(await count(bucketOf(2))).toBeNull()
  })

  it('a process that is alone sends no query and is exact', async () => {
    const count = requestCounter({ now_ms: () => 0, takePermits: null })
    expect([await count(bucketOf(2)), await count(bucketOf(2))]).toEqual([null, null])
    expect(await count(bucketOf(2))).toEqual({ per_minute: 2, retry_after_s: 60 })
  })

  it('where the platform has a limiter it counts the tenant, and other buckets are counted as before', async () => {
    const asked: string[] = []
    const limiter = {
      limit: async ({ key }: { key: string }) => {
        asked.push(key)
        return { success: asked.length < 2 }
      },
    }
    const count = platformCounter(limiter, requestCounter({ now_ms: () => 0, takePermits: null }), {
      now_ms: () => 15_000,
      per_minute: 9,
    })
    expect([await count(bucketOf(9)), await count(bucketOf(1, 'link a'))]).toEqual([null, null])
    expect(await count(bucketOf(9))).toEqual({ per_minute: 9, retry_after_s: 45 })
    expect(asked).toEqual(['acme', 'acme'])
  })

  it('a chunk is a tenth of what is left, never nothing while something is', () => {
    expect([chunkPermits(6_000, 0), chunkPermits(6_000, 5_999), chunkPermits(6_000, 6_000)]).toEqual([600, 1, 0])
    expect(chunkPermits(10, 99)).toBe(0)
  })
})

it('a slice that the service drives counts as a request; beyond the limit it waits until the next minute and the task does not fail', async () => {
  const bench = benchOf({ plan: [planned('A')] }, { rate_limit_per_minute: 1 })
  const { id } = await createTask(bench)
  const waited: number[] = []
  const { of } = bench.store
  bench.ports.store = {
    ...bench.store,
    of: (tenant, task) => ({
      ...of(tenant, task),
      driveLater: async (ms) => void waited.push(ms),
      tend: async () => ({ ok: false, refusal: { code: 'task_not_found' } }),
    }),
  }
  const job = { kind: 'drive' as const, tenant: 'acme', task: id, version: 1, asked_ms: 0 }
  await runJob(bench.ports, job)
  expect(waited).toEqual([])
  await runJob(bench.ports, job)
  expect(waited).toEqual([60_000])
})
