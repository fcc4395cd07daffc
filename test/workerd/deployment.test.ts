/** GET /admin/deployment in the runtime: real bindings answer, and nothing is left of having asked them. */
import { env, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import type { Env } from '../../src/index.ts'
import { probeBindings, type ProbedBindings } from '../../src/store/probe-bindings.ts'
import { parseConfig } from '../../src/config.ts'
import { createHash } from 'node:crypto'

const wait = (ms: number) => scheduler.wait(ms)
const bound = env as unknown as Env & { INDEX_OF_TESTS: D1Database; INDEX_UNFED: D1Database }

it('OPS-15 real objects, bucket, queue and database answer, and the probe makes no table', async () => {
  const told = await probeBindings({ ...bound, INDEX: bound.INDEX_UNFED } as unknown as ProbedBindings, wait)
  const states = Object.fromEntries(told.bindings.map(({ name, state }) => [name, state]))
  expect(states).toMatchObject({
    TASKS: 'bound',
    WORKSPACES: 'bound',
    REGISTRY: 'bound',
    METRICS: 'bound',
    FILES: 'bound',
    INDEX: 'bound',
    JOBS: 'bound',
  })
  expect(told.index_fed).toBe(false)
  expect(told.queue).toMatchObject({ waiting: expect.any(Number) })
  const tablesOf = (stub: DurableObjectStub<undefined>) =>
    runInDurableObject(stub, (_object, state) =>
      state.storage.sql
        .exec(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'`)
        .toArray(),
    )
  const stubs = [bound.TASKS.getByName('["","probe"]'), bound.WORKSPACES.getByName('[""]')]
  for (const stub of stubs) expect(await tablesOf(stub as unknown as DurableObjectStub<undefined>)).toEqual([])
})

it('KEY-18 the runtime compares keys by their SHA-256, too', () => {
  const key = 'k'.repeat(40)
  const hashed = createHash('sha256').update(key).digest('hex')
  expect(parseConfig({ API_KEYS: `a:${key}`, ADMIN_KEY: `sha256:${hashed}` }).config_errors).toEqual(
    expect.arrayContaining([expect.stringContaining('ADMIN_KEY must not be a key of API_KEYS')]),
  )
})
