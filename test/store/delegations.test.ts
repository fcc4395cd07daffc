/** One suite for the commands of a tenant, in memory and in its real workspace: entered, leased to one worker, settled, listed. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { DelegationEntry } from '../../src/core/workspace/delegation-index.ts'
import type { DelegationStatus } from '../../src/core/terms/delegation.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { FREE, NO_TOTAL, UNBOUNDED } from '../support/scripted.ts'

const NOW = Date.parse('2026-03-18T10:00:00Z')
const MINUTE = 60_000
const durable = () => durableStore(env.TASKS, env.WORKSPACES)
const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', durable],
]

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())
const later = (ms: number) => vi.setSystemTime(Date.now() + ms)

const entryOf = (n: number, seq: number, more: Partial<DelegationEntry> = {}): DelegationEntry => ({
  id: delegationId(`task_${n}`, seq),
  task: `task_${n}`,
  type: 'new',
  at: Date.now(),
  deadline: Date.now() + 10 * MINUTE,
  ...more,
})
const idOf = (n: number, seq: number) => delegationId(`task_${n}`, seq)
const refused = (code: string) => ({ ok: false, refusal: { code } })

describe.each(stores)('delegations: %s', (_name, open) => {
  /** The workspace of a tenant with three open tasks. */
  async function desk() {
    const workspace = open().workspace(crypto.randomUUID())
    for (const n of [1, 2, 3]) {
      const task = {
        id: `task_${n}`,
        mode: 'orchestrator',
        status: 'running' as const,
        metadata: {},
        goal: '',
        slice: 's',
      }
      await workspace.tell({ kind: 'admit', entry: task, open_max: 9, daily: NO_TOTAL })
    }
    const list = async (status: DelegationStatus | null = null, before = 0, limit = 20) =>
      (await workspace.ask({ kind: 'delegations', status, before, limit })).entries.map((one) => [one.id, one.status])
    const claim = (id: string, worker = 'w1', lease_ms = MINUTE) =>
      workspace.tell({ kind: 'claim_delegation', id, worker, lease_ms })
    return { workspace, list, claim }
  }

  it('api.md a command that is entered is pending, and listed with its task', async () => {
    const { workspace } = await desk()
    expect(await workspace.ask({ kind: 'delegations', status: null, before: 0, limit: 9 })).toEqual({
      entries: [],
      has_more: false,
    })
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    expect(await workspace.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 9 })).toEqual({
      entries: [{ id: idOf(1, 4), task: 'task_1', position: NOW, status: 'pending', claim: null }],
      has_more: false,
    })
    expect(await workspace.ask({ kind: 'claim', id: idOf(1, 4) })).toBeNull()
  })

  it('a known delegation stays as it is, in any state', async () => {
    const { workspace, list, claim } = await desk()
    const [first, second] = [entryOf(1, 4), entryOf(2, 4)]
    for (const entry of [first, second]) await workspace.tell({ kind: 'enter_delegation', entry })
    await claim(first.id)
    await workspace.tell({ kind: 'settle_delegation', id: second.id, status: 'reported' })
    later(1_000)
    for (const entry of [first, second]) await workspace.tell({ kind: 'enter_delegation', entry })
    expect(await list()).toEqual([
      [second.id, 'reported'],
      [first.id, 'claimed'],
    ])
  })

  it('a delegation of an ended task is canceled unless it is an `end`, and for a deleted task nothing is entered', async () => {
    const { workspace, list } = await desk()
    await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'canceled', version: 5, spend: null })
    await workspace.tell({ kind: 'drop', id: 'task_2', admitted: ['life_s'] })
    for (const entry of [entryOf(1, 4), entryOf(1, 6, { type: 'end' }), entryOf(2, 4)])
      await workspace.tell({ kind: 'enter_delegation', entry })
    expect(await list()).toEqual([
      [idOf(1, 6), 'pending'],
      [idOf(1, 4), 'canceled'],
    ])
  })

  it('ten workers claim it at once, and one of them has it', async () => {
    const { workspace, claim } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    const workers = Array.from({ length: 10 }, (_, n) => `w${n}`)
    const claims = await Promise.all(workers.map((worker) => claim(idOf(1, 4), worker)))
    const won = claims.flatMap((one) => (one.ok ? [one.value] : []))
    expect(won).toMatchObject([{ until: NOW + MINUTE }])
    const worker = won[0]?.worker
    const until = NOW + MINUTE
    const lost = claims.flatMap((one) => (one.ok ? [] : [one.refusal]))
    expect(lost).toEqual(Array.from({ length: 9 }, () => ({ code: 'delegation_claimed', worker, until, now_ms: NOW })))
    expect(await workspace.ask({ kind: 'claim', id: idOf(1, 4) })).toEqual({ worker, until })
  })

  it('the worker who has it renews its lease, to a shorter one too; one that lasts beyond the deadline extends it, except that of an end', async () => {
    const { workspace, list, claim } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 5, { type: 'end' }) })
    await claim(idOf(1, 4))
    later(30_000)
    const until = (minutes: number) => ({ ok: true, value: { worker: 'w1', until: NOW + minutes * MINUTE } })
    expect(await claim(idOf(1, 4), 'w1', 2 * MINUTE)).toEqual(until(2.5))
    expect(await claim(idOf(1, 4), 'w1', MINUTE)).toEqual(until(1.5))
    expect(await claim(idOf(1, 4), 'w1', 60 * MINUTE)).toEqual(until(60.5))
    expect(await claim(idOf(1, 5), 'w1', 60 * MINUTE)).toEqual(until(10))
    later(40 * MINUTE)
    expect(await list()).toEqual([
      [idOf(1, 5), 'expired'],
      [idOf(1, 4), 'claimed'],
    ])
    later(35 * MINUTE)
    expect(await claim(idOf(1, 4), 'w1')).toEqual(refused('delegation_expired'))
  })

  it('a lease that has ended makes it pending again, by time alone', async () => {
    const { workspace, list, claim } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    await claim(idOf(1, 4))
    later(MINUTE - 1)
    expect([await list(), await list('pending')]).toEqual([[[idOf(1, 4), 'claimed']], []])
    later(1)
    expect(await list('pending')).toEqual([[idOf(1, 4), 'pending']])
    expect(await workspace.ask({ kind: 'claim', id: idOf(1, 4) })).toBeNull()
    expect(await claim(idOf(1, 4), 'w2')).toMatchObject({ ok: true, value: { worker: 'w2' } })
    expect(await claim(idOf(1, 4), 'w1')).toMatchObject(refused('delegation_claimed'))
  })

  it.each([
    ['reported', 'already_reported'],
    ['expired', 'delegation_expired'],
    ['canceled', 'delegation_canceled'],
  ] as const)('one that is %s is refused as %s, and has no worker any more', async (status, code) => {
    const { workspace, list, claim } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    await claim(idOf(1, 4))
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status })
    for (const worker of ['w1', 'w2']) expect(await claim(idOf(1, 4), worker)).toEqual(refused(code))
    expect([await list(), await list('claimed'), await list(status)]).toEqual([
      [[idOf(1, 4), status]],
      [],
      [[idOf(1, 4), status]],
    ])
    expect(await workspace.ask({ kind: 'claim', id: idOf(1, 4) })).toBeNull()
  })

  it('S2-18 past its deadline it is expired, whether or not its task has said so', async () => {
    const { workspace, list, claim } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(2, 4, { deadline: Date.now() + MINUTE }) })
    await claim(idOf(1, 4), 'w1', MINUTE)
    later(10 * MINUTE - 1)
    expect(await list('expired')).toEqual([[idOf(2, 4), 'expired']])
    later(1)
    const both = [
      [idOf(2, 4), 'expired'],
      [idOf(1, 4), 'expired'],
    ]
    expect([await list('expired'), await list('claimed')]).toEqual([both, []])
    expect(await claim(idOf(1, 4))).toEqual(refused('delegation_expired'))
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status: 'expired' })
    expect([await list('expired'), await list()]).toEqual([both, both])
  })

  it('S2-18 it stays expired where it stands once another one is entered, unless its task says otherwise', async () => {
    const { workspace, list, claim } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4, { deadline: Date.now() + MINUTE }) })
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(3, 4) })
    await workspace.tell({
      kind: 'enter_delegation',
      entry: entryOf(2, 4, { type: 'end', deadline: Date.now() + MINUTE }),
    })
    later(MINUTE)
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(3, 5) })
    const ids = (...status: string[]) =>
      [idOf(3, 5), idOf(2, 4), idOf(3, 4), idOf(1, 4)].map((id, n) => [id, status[n]])
    expect(await list()).toEqual(ids('pending', 'expired', 'pending', 'expired'))
    expect(await list('expired')).toEqual(ids('', 'expired', '', 'expired').filter(([, status]) => status !== ''))
    expect(await claim(idOf(1, 4))).toEqual(refused('delegation_expired'))
    // It was taken just before its deadline.
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status: 'reported' })
    expect(await list()).toEqual(ids('pending', 'expired', 'pending', 'reported'))
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4, { at: NOW, deadline: NOW + MINUTE }) })
    expect(await list()).toHaveLength(4)
  })

  it('an id that names nothing is not found, and nothing comes of settling it', async () => {
    const { workspace, list, claim } = await desk()
    for (const id of [idOf(1, 4), 'delegation', '']) {
      await workspace.tell({ kind: 'settle_delegation', id, status: 'reported' })
      expect(await claim(id)).toEqual(refused('delegation_not_found'))
      expect(await workspace.ask({ kind: 'claim', id })).toBeNull()
    }
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 5) })
    expect(await claim(idOf(1, 4))).toEqual(refused('delegation_not_found'))
    expect(await list()).toEqual([[idOf(1, 5), 'pending']])
  })

  it('what its task says of it stands, over what was taken for granted at its end', async () => {
    const { workspace, list } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 4) })
    await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 9, spend: null })
    expect(await list()).toEqual([[idOf(1, 4), 'canceled']])
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status: 'reported' })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status: 'reported' })
    expect(await list()).toEqual([[idOf(1, 4), 'reported']])
  })

  it('a list goes newest first, page by page, each status by itself', async () => {
    const { workspace, list } = await desk()
    // All of the same moment.
    for (const seq of [1, 2, 3, 4, 5, 6, 7, 8])
      await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, seq) })
    for (const seq of [7, 2, 5, 8])
      await workspace.tell({ kind: 'settle_delegation', id: idOf(1, seq), status: 'reported' })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 3), status: 'canceled' })
    const seqs = async (status: DelegationStatus | null) => {
      const found: string[] = []
      for (let before = 0; ;) {
        const { entries, has_more } = await workspace.ask({ kind: 'delegations', status, before, limit: 2 })
        found.push(...entries.map(({ id }) => id))
        before = entries.at(-1)?.position ?? 0
        if (!has_more) return found
        expect(entries).toHaveLength(2)
      }
    }
    const ids = (...wanted: number[]) => wanted.map((seq) => idOf(1, seq))
    expect(await seqs(null)).toEqual(ids(8, 7, 6, 5, 4, 3, 2, 1))
    expect(await seqs('pending')).toEqual(ids(6, 4, 1))
    expect(await seqs('reported')).toEqual(ids(8, 7, 5, 2))
    expect(await seqs('canceled')).toEqual(ids(3))
    expect(await list('claimed')).toEqual([])
  })

  it('a page goes on with what is older than it, though others were entered and settled since', async () => {
    const { workspace, list } = await desk()
    for (const seq of [1, 2, 3, 4]) await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, seq) })
    const { entries } = await workspace.ask({ kind: 'delegations', status: null, before: 0, limit: 2 })
    later(1_000)
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(2, 1) })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 2), status: 'reported' })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status: 'reported' })
    expect(await list(null, entries.at(-1)?.position ?? 0)).toEqual([
      [idOf(1, 2), 'reported'],
      [idOf(1, 1), 'pending'],
    ])
  })

  it.each(['completed', 'failed', 'canceled'] as const)(
    'the open commands of a task that is %s are canceled, but for an end, and those of no other task',
    async (status) => {
      const { workspace, list, claim } = await desk()
      const entries = [
        entryOf(1, 1),
        entryOf(1, 2, { type: 'continue' }),
        entryOf(1, 3, { type: 'end' }),
        entryOf(2, 1),
      ]
      for (const entry of [...entries, entryOf(1, 4)]) await workspace.tell({ kind: 'enter_delegation', entry })
      await claim(idOf(1, 2))
      await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 4), status: 'reported' })
      await workspace.tell({ kind: 'set_status', id: 'task_1', status, version: 9, spend: null })
      expect(await list()).toEqual([
        [idOf(1, 4), 'reported'],
        [idOf(2, 1), 'pending'],
        [idOf(1, 3), 'pending'],
        [idOf(1, 2), 'canceled'],
        [idOf(1, 1), 'canceled'],
      ])
    },
  )

  it('a status that does not end the task, or comes too late, cancels nothing', async () => {
    const { workspace, list } = await desk()
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 1) })
    await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'waiting_external', version: 9, spend: null })
    await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'canceled', version: 8, spend: null })
    expect(await list()).toEqual([[idOf(1, 1), 'pending']])
  })

  it('a task that is deleted takes all of its commands with it, and those of no other; made again it enters them anew', async () => {
    const { workspace, list } = await desk()
    for (const entry of [entryOf(1, 1), entryOf(1, 2), entryOf(1, 3, { type: 'end' }), entryOf(2, 1)])
      await workspace.tell({ kind: 'enter_delegation', entry })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 1), status: 'reported' })
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['another life'] })
    expect(await list()).toHaveLength(4)
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    expect(await list()).toEqual([[idOf(2, 1), 'pending']])
    const task = { id: 'task_1', mode: 'orchestrator', status: 'running' as const, metadata: {}, goal: '', slice: 't' }
    await workspace.tell({ kind: 'admit', entry: task, open_max: 9, daily: NO_TOTAL })
    await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, 1) })
    expect(await list('pending')).toEqual([
      [idOf(1, 1), 'pending'],
      [idOf(2, 1), 'pending'],
    ])
  })
})

describe('delegations in a real workspace', () => {
  const isMade = (tenant: string) =>
    runInDurableObject(env.WORKSPACES.getByName(JSON.stringify([tenant])), (_object, { storage: { sql } }) =>
      sql.exec("SELECT name FROM sqlite_master WHERE name = 'delegations'").toArray(),
    )

  it('U5 a tenant without delegations has no table for them, also after any query', async () => {
    const tenant = crypto.randomUUID()
    const workspace = durable().workspace(tenant)
    await workspace.tell({
      kind: 'admit',
      entry: { id: 'task_1', mode: 'session', status: 'running', metadata: {}, goal: '', slice: 's' },
      open_max: 9,
      daily: NO_TOTAL,
    })
    await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 9, spend: null })
    await workspace.tell({ kind: 'claim_delegation', id: idOf(1, 1), worker: 'w1', lease_ms: MINUTE })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 1), status: 'expired' })
    await workspace.ask({ kind: 'claim', id: idOf(1, 1) })
    await workspace.ask({ kind: 'delegations', status: null, before: 0, limit: 9 })
    await workspace.awaitDelegation(0)
    await workspace.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' })
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    expect(await isMade(tenant)).toEqual([])
  })

  /** How many rows of commands a call reads. */
  function counting({ sql }: DurableObjectStorage) {
    const exec = sql.exec.bind(sql)
    const asked: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
    sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
      const cursor = exec(query, ...values)
      if (query.includes('delegations')) asked.push(cursor)
      return cursor
    }) as SqlStorage['exec'] // whoever asks says himself what the rows are
    return async (call: () => unknown) => {
      asked.length = 0
      await call()
      return asked.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
    }
  }
  const admitted = (id: string) => ({
    id,
    mode: 'session',
    status: 'running' as const,
    metadata: {},
    goal: '',
    slice: 's',
  })

  it('U5 what is open is found without a look at what was settled: no call reads through it', async () => {
    await runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), async (object: WorkspaceObject, state) => {
      object.tell({ kind: 'admit', entry: admitted('task_1'), open_max: 9, daily: NO_TOTAL })
      for (let seq = 1; seq <= 200; seq++) {
        object.tell({ kind: 'enter_delegation', entry: entryOf(1, seq) })
        if (seq > 2) object.tell({ kind: 'settle_delegation', id: idOf(1, seq), status: 'reported' })
      }
      // Positions of one moment run ahead of it.
      later(1_000)
      object.tell({ kind: 'admit', entry: admitted('task_2'), open_max: 9, daily: NO_TOTAL })
      object.tell({ kind: 'enter_delegation', entry: entryOf(2, 1) })
      object.tell({ kind: 'settle_delegation', id: idOf(2, 1), status: 'expired' })
      // The first look for a notice makes its index.
      object.tell({ kind: 'remind', settled: [], max: 1, timezone: 'UTC' })
      const read = counting(state.storage)
      const unknown = [idOf(2, 9), idOf(3, 1), 'delegation']
      const calls = [
        () => object.awaitDelegation(1_000),
        () => object.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 20 }),
        () => object.tell({ kind: 'set_status', id: 'task_1', status: 'paused', version: 1, spend: null }),
        () => object.tell({ kind: 'claim_delegation', id: idOf(1, 2), worker: 'w1', lease_ms: 1_000 }),
        () => object.tell({ kind: 'claim_delegation', id: idOf(2, 1), worker: 'w1', lease_ms: 1_000 }),
        () => object.tell({ kind: 'settle_delegation', id: idOf(2, 1), status: 'reported' }),
        ...unknown.map((id) => () => object.tell({ kind: 'claim_delegation', id, worker: 'w1', lease_ms: 1_000 })),
        ...unknown.map((id) => () => object.ask({ kind: 'claim', id })),
        () => object.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' }),
        () => object.tell({ kind: 'enter_delegation', entry: entryOf(1, 201) }),
        () => object.tell({ kind: 'set_status', id: 'task_1', status: 'canceled', version: 2, spend: null }),
      ]
      // Of 200; where a search ends counts as read, too, and so does the look whether there is a table.
      for (const call of calls) expect(await read(call)).toBeLessThan(40)
      expect(object.ask({ kind: 'delegations', status: 'reported', before: 0, limit: 1 })).toMatchObject({
        entries: [{ id: idOf(2, 1) }],
      })
    })
  })

  it('U5 a delegation that was not settled by its deadline is settled when the next one is entered, and not read for ever', async () => {
    await runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), async (object: WorkspaceObject, state) => {
      object.tell({ kind: 'admit', entry: admitted('task_1'), open_max: 9, daily: NO_TOTAL })
      for (let seq = 1; seq <= 200; seq++)
        object.tell({ kind: 'enter_delegation', entry: entryOf(1, seq, { type: 'end' }) })
      later(10 * MINUTE)
      // The first look for a notice makes its index.
      object.tell({ kind: 'remind', settled: [], max: 1, timezone: 'UTC' })
      const read = counting(state.storage)
      const calls = [
        () => object.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 20 }),
        () => object.tell({ kind: 'claim_delegation', id: idOf(1, 201), worker: 'w1', lease_ms: 1_000 }),
        () => object.awaitDelegation(0),
        () => object.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' }),
        () => object.tell({ kind: 'enter_delegation', entry: entryOf(1, 202) }),
      ]
      expect(
        await read(() => object.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 20 })),
      ).toBeGreaterThan(199)
      object.tell({ kind: 'enter_delegation', entry: entryOf(1, 201) })
      for (const call of calls) expect(await read(call)).toBeLessThan(40)
    })
  })

  it('U5 with a thousand open commands no call reads them all, nor does the end of a task', async () => {
    await runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), async (object: WorkspaceObject, state) => {
      for (let n = 1; n <= 5; n++)
        object.tell({ kind: 'admit', entry: admitted(`task_${n}`), open_max: 9, daily: NO_TOTAL })
      for (let seq = 1; seq <= 1_000; seq++) object.tell({ kind: 'enter_delegation', entry: entryOf(1, seq) })
      for (const n of [2, 3]) object.tell({ kind: 'enter_delegation', entry: entryOf(n, 1) })
      const [notice] = object.tell({ kind: 'remind', settled: [], max: 1, timezone: 'UTC' })
      const settled = [{ id: notice?.id ?? '', at: NOW, delivered: true }]
      const read = counting(state.storage)
      const pages = [null, 'pending', 'expired', 'reported'] as const
      const claim = { kind: 'claim_delegation', id: idOf(2, 1), worker: 'w1', lease_ms: 1_000 } as const
      const calls = [
        ...pages.map((status) => () => object.ask({ kind: 'delegations', status, before: 0, limit: 20 })),
        () => object.awaitDelegation(1_000),
        () => object.tell({ kind: 'enter_delegation', entry: entryOf(4, 1) }),
        () => object.tell(claim),
        () => object.tell({ kind: 'remind', settled, max: 6, timezone: 'UTC' }),
        () => object.tell({ kind: 'set_status', id: 'task_3', status: 'canceled', version: 2, spend: null }),
      ]
      for (const call of calls) expect([call.toString(), (await read(call)) < 100]).toEqual([call.toString(), true])
    })
  })

  it('F18 an object that is evicted knows its commands and their leases', async () => {
    const tenant = crypto.randomUUID()
    const workspace = durable().workspace(tenant)
    await workspace.tell({
      kind: 'admit',
      entry: { id: 'task_1', mode: 'session', status: 'running', metadata: {}, goal: '', slice: 's' },
      open_max: 9,
      daily: NO_TOTAL,
    })
    for (const seq of [1, 2, 3]) await workspace.tell({ kind: 'enter_delegation', entry: entryOf(1, seq) })
    await workspace.tell({ kind: 'claim_delegation', id: idOf(1, 2), worker: 'w1', lease_ms: MINUTE })
    await workspace.tell({ kind: 'settle_delegation', id: idOf(1, 3), status: 'reported' })
    const before = await workspace.ask({ kind: 'delegations', status: null, before: 0, limit: 9 })
    expect(before.entries.map(({ status, claim }) => [status, claim?.worker])).toEqual([
      ['reported', undefined],
      ['claimed', 'w1'],
      ['pending', undefined],
    ])
    await evictDurableObject(env.WORKSPACES.getByName(JSON.stringify([tenant])))
    expect(await workspace.ask({ kind: 'delegations', status: null, before: 0, limit: 9 })).toEqual(before)
  })
})
