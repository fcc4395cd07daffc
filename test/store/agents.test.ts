/** Agents in both stores, and in a workspace of an earlier release (U58). */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { durableStore } from '../../src/store/durable-store.ts'
import BEFORE_AGENTS from '../fixtures/workspaces/v5.json'
import { memoryStore } from '../support/memory/memory-store.ts'
import { FREE, NO_TOTAL, UNBOUNDED } from '../support/scripted.ts'

const ALWAYS = { match: null, none_match: null }
const put = (name: string, goal: string, agents_max = 2) => ({
  kind: 'put_agent' as const,
  name,
  definition: { goal },
  condition: ALWAYS,
  agents_max,
})
const drop = (name: string, force = false) => ({
  kind: 'drop_agent' as const,
  name,
  condition: ALWAYS,
  force,
})
const entryOf = (id: string, agent: string) => ({
  id,
  mode: 'session',
  status: 'running' as const,
  metadata: {},
  goal: '',
  agent,
  slice: 's',
})
const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }

const HERE = () => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED })
const stores = [
  ['in memory', () => memoryStore(HERE).workspace('alice')],
  ['in SQL', () => durableStore(env.TASKS, env.WORKSPACES).workspace(crypto.randomUUID())],
] as const

describe.each(stores)('agents: %s', (_name, open) => {
  it('U58 versions count up, older ones stay, and a limit of names holds', async () => {
    const desk = open()
    expect(await desk.tell(put('a', 'x'))).toMatchObject({ value: { agent: { version: 1 }, change: 'first' } })
    expect(await desk.tell(put('a', 'y'))).toMatchObject({ value: { agent: { version: 2 }, change: 'next' } })
    expect(await desk.tell(put('a', 'y'))).toMatchObject({ value: { agent: { version: 2 }, change: 'none' } })
    await desk.tell(put('b', 'z'))
    expect(await desk.tell(put('c', 'z'))).toEqual({ ok: false, refusal: { code: 'too_many_agents', max: 2 } })
    expect(await desk.ask({ kind: 'agent', name: 'a', version: 1 })).toMatchObject({
      latest: 2,
      definition: { goal: 'x' },
    })
    expect(await desk.ask({ kind: 'agent', name: 'a', version: 3 })).toBeNull()
    const versions = await desk.ask({ kind: 'agent_versions', name: 'a', before: 2, limit: 9 })
    expect(versions.map(({ version }) => version)).toEqual([1])
    expect((await desk.ask({ kind: 'agents', after: 'a', limit: 9 })).map(({ name }) => name)).toEqual(['b'])
    expect(await desk.ask({ kind: 'agent_names' })).toEqual(['a', 'b'])
  })

  it('U58 open tasks of an agent keep it, and the newest are named', async () => {
    const desk = open()
    await desk.tell(put('a', 'x'))
    for (const id of ['t1', 't2', 't3', 't4'])
      await desk.tell({ kind: 'admit', entry: entryOf(id, id === 't1' ? 'b' : 'a'), open_max: 9, daily: NO_TOTAL })
    expect(await desk.tell(drop('a'))).toEqual({
      ok: false,
      refusal: { code: 'agent_in_use', name: 'a', tasks: 3, ids: ['t4', 't3', 't2'] },
    })
    const listed = await desk.ask({ kind: 'list', filter: { ...ANY, agent: 'a' }, before: 0, limit: 9 })
    expect(listed.entries.map(({ id }) => id)).toEqual(['t4', 't3', 't2'])
    for (const id of ['t2', 't3', 't4'])
      await desk.tell({ kind: 'set_status', id, status: 'completed', version: 2, spend: null })
    expect(await desk.tell(drop('a'))).toEqual({ ok: true, value: true })
    expect(await desk.tell(drop('a'))).toEqual({ ok: true, value: false })
    expect(await desk.tell(put('a', 'x'))).toMatchObject({ value: { agent: { version: 1 }, change: 'first' } })
  })
})

it('D6 U58 a workspace of an earlier release takes agents, and none of its tasks has one', async () => {
  const tenant = crypto.randomUUID()
  await runInDurableObject(env.WORKSPACES.getByName(JSON.stringify([tenant])), (_object, { storage: { sql } }) => {
    for (const statement of BEFORE_AGENTS) sql.exec(statement)
  })
  const desk = durableStore(env.TASKS, env.WORKSPACES).workspace(tenant)
  expect(await desk.ask({ kind: 'agent_names' })).toEqual([])
  expect(await desk.tell(drop('a'))).toEqual({ ok: true, value: false })
  expect(await desk.tell(put('a', 'x'))).toMatchObject({ ok: true })
  const entries = async (agent: string | null) =>
    (await desk.ask({ kind: 'list', filter: { ...ANY, agent }, before: 0, limit: 9 })).entries.length
  expect([await entries('a'), await entries(null)]).toEqual([0, 3])
  expect(await desk.tell(drop('a'))).toEqual({ ok: true, value: true })
})

it('U58 agents count as bytes of their tenant', async () => {
  const tenant = crypto.randomUUID()
  const desk = durableStore(env.TASKS, env.WORKSPACES).workspace(tenant)
  await desk.tell(put('a', 'x'.repeat(60_000)))
  const before = await desk.ask({ kind: 'used_bytes' })
  await desk.tell(put('a', 'y'.repeat(60_000)))
  expect((await desk.ask({ kind: 'used_bytes' })) - before).toBeGreaterThan(50_000)
})
