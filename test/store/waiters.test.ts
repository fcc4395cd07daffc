/** Who waits for work: woken by it and by nothing else, not for ever, and none is left behind. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { StoredWorkspace, RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { OFFER_MS, WAIT_MS_MAX, WAITERS_MAX, waiters } from '../../src/store/workspace/delegations/waiters.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { FREE, NO_TOTAL, UNBOUNDED } from '../support/scripted.ts'

const NOW = Date.parse('2026-03-18T10:00:00Z')
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Whether it is over by now; and that it was not before. */
function watched(waiting: Promise<void>) {
  const seen = { over: false }
  void waiting.then(() => (seen.over = true))
  return seen
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('waiters', () => {
  /** `opens` may be moved. */
  function room(opens: number | null = null) {
    const at = { opens, asked: 0, id: 'work' }
    const { wait, look } = waiters(
      () => ((at.asked += 1), at.opens === null ? [] : [{ id: at.id, at: at.opens }]),
      () => Date.now(),
    )
    return { at, look, wait: (ms: number) => watched(wait(ms)), raw: wait }
  }

  it('who comes when it is there does not wait', async () => {
    const { wait } = room(NOW)
    const one = wait(5_000)
    await pass(0)
    expect([one.over, vi.getTimerCount()]).toEqual([true, 0])
  })

  it('SHARD-09 one is woken by it, the one that has waited longest, and none before', async () => {
    const { wait, look, at } = room()
    const all = [wait(5_000), wait(9_000), wait(9_000)]
    look()
    await pass(1_000)
    expect(all.map(({ over }) => over)).toEqual([false, false, false])
    at.opens = Date.now()
    look()
    look()
    await pass(0)
    expect(all.map(({ over }) => over)).toEqual([true, false, false])
    // Taken: nobody else is woken.
    at.opens = null
    look()
    await pass(2 * OFFER_MS)
    expect(all.map(({ over }) => over)).toEqual([true, false, false])
  })

  it('SHARD-09 what nobody takes within a second wakes the next one, and other work wakes another one at once', async () => {
    const { wait, look, at } = room()
    const all = [wait(20_000), wait(20_000), wait(20_000)]
    at.opens = Date.now()
    look()
    await pass(OFFER_MS - 1)
    expect(all.map(({ over }) => over)).toEqual([true, false, false])
    await pass(1)
    expect(all.map(({ over }) => over)).toEqual([true, true, false])
    at.id = 'other work'
    look()
    await pass(0)
    expect(all.map(({ over }) => over)).toEqual([true, true, true])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('each waits as long as it wants, and at most 30 s', async () => {
    const { wait } = room()
    const [short, long] = [wait(1_000), wait(3_600_000)]
    await pass(999)
    expect(short.over).toBe(false)
    await pass(1)
    expect([short.over, long.over]).toEqual([true, false])
    await pass(WAIT_MS_MAX - 1_000)
    expect([long.over, vi.getTimerCount()]).toEqual([true, 0])
  })

  it.each([0, -1])('who wants to wait %i ms does not, and nothing is asked for it', async (ms) => {
    const { wait, at } = room()
    const one = wait(ms)
    await pass(0)
    expect([one.over, at.asked]).toEqual([true, 0])
  })

  it('is looked for again at the time it is to be there; not there by then, it is waited for', async () => {
    const { wait, at } = room(NOW + 4_000)
    const one = wait(20_000)
    at.opens = NOW + 7_000
    await pass(4_000)
    expect(one.over).toBe(false)
    await pass(2_999)
    expect(one.over).toBe(false)
    await pass(1)
    expect([one.over, vi.getTimerCount()]).toEqual([true, 0])
  })

  it('what is to be there sooner than was known wakes at that time', async () => {
    const { wait, look, at } = room(NOW + 9_000)
    const one = wait(20_000)
    at.opens = NOW + 2_000
    look()
    await pass(2_000)
    expect(one.over).toBe(true)
  })

  it('nothing is asked, and no timer is left, when nobody waits', async () => {
    const { wait, look, at } = room(NOW + 9_000)
    look()
    expect(at.asked).toBe(0)
    wait(1_000)
    await pass(1_000)
    const { asked } = at
    await pass(60_000)
    look()
    expect([at.asked, vi.getTimerCount()]).toEqual([asked, 0])
  })

  it('at most a thousand callers wait', async () => {
    const { wait } = room()
    const all = Array.from({ length: WAITERS_MAX }, (_, n) => wait(n === 0 ? 1_000 : 5_000))
    const further = wait(5_000)
    await pass(0)
    expect([further.over, all.some(({ over }) => over)]).toEqual([true, false])
    await pass(1_000)
    const next = wait(5_000)
    await pass(0)
    expect(next.over).toBe(false)
    await pass(5_000)
    expect([next.over, all.every(({ over }) => over)]).toEqual([true, true])
    // On a slow machine the runner of the tests has timers of its own here, and none of the thousand is left.
    expect(vi.getTimerCount()).toBeLessThan(10)
  })
})

const task = { id: 'task_1', mode: 'orchestrator', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
const entryOf = (seq: number) => ({
  id: delegationId('task_1', seq),
  task: 'task_1',
  type: 'new' as const,
  at: Date.now(),
  deadline: Date.now() + 600_000,
})
/** Without a wire between, so that the clock of the test is the object's. */
type Desk = StoredWorkspace | RemoteWorkspace
const rooms: [string, (body: (desk: Desk) => Promise<void>) => Promise<void>][] = [
  [
    'memory',
    async (body) => {
      const store = memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))
      await store.workspace('alice').tell({ kind: 'admit', entry: task, open_max: 9, daily: NO_TOTAL })
      await body(store.workspace('alice'))
    },
  ],
  [
    'a durable object',
    (body) =>
      runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), async (object: WorkspaceObject) => {
        object.tell({ kind: 'admit', entry: task, open_max: 9, daily: NO_TOTAL })
        await body(object)
      }),
  ],
]

describe.each(rooms)('waiting for work: %s', (_name, within) => {
  it('api.md ends at once where something is pending', () =>
    within(async (desk) => {
      await desk.tell({ kind: 'enter_delegation', entry: entryOf(1) })
      const one = watched(desk.awaitDelegation(20_000))
      await pass(0)
      expect([one.over, vi.getTimerCount()]).toEqual([true, 0])
    }))

  it('SHARD-09 of ten who wait one is woken by one command and gets it, and two more by two further ones', () =>
    within(async (desk) => {
      const all = Array.from({ length: 10 }, () => watched(desk.awaitDelegation(20_000)))
      const woken = () => all.filter(({ over }) => over).length
      await pass(1_000)
      expect(woken()).toBe(0)
      await desk.tell({ kind: 'enter_delegation', entry: entryOf(1) })
      await pass(0)
      expect(woken()).toBe(1)
      await desk.tell({ kind: 'claim_delegation', id: entryOf(1).id, worker: 'w1', lease_ms: 15_000 })
      await pass(2 * OFFER_MS)
      expect(woken()).toBe(1)
      for (const seq of [2, 3]) await desk.tell({ kind: 'enter_delegation', entry: entryOf(seq) })
      await pass(0)
      expect(woken()).toBe(3)
      await pass(20_000)
      expect([woken(), vi.getTimerCount()]).toEqual([10, 0])
    }))

  it('a command that is entered again wakes no waiter', () =>
    within(async (desk) => {
      const entry = entryOf(1)
      await desk.tell({ kind: 'enter_delegation', entry: entry })
      await desk.tell({ kind: 'claim_delegation', id: entry.id, worker: 'w1', lease_ms: 100_000 })
      const one = watched(desk.awaitDelegation(20_000))
      await desk.tell({ kind: 'enter_delegation', entry: entry })
      await pass(19_999)
      expect(one.over).toBe(false)
      await pass(1)
      expect([one.over, vi.getTimerCount()]).toEqual([true, 0])
    }))

  it('the end of a lease wakes, at the time it was renewed to', () =>
    within(async (desk) => {
      await desk.tell({ kind: 'enter_delegation', entry: entryOf(1) })
      await desk.tell({ kind: 'claim_delegation', id: entryOf(1).id, worker: 'w1', lease_ms: 4_000 })
      const one = watched(desk.awaitDelegation(20_000))
      await pass(2_000)
      await desk.tell({ kind: 'claim_delegation', id: entryOf(1).id, worker: 'w1', lease_ms: 8_000 })
      await pass(7_999)
      expect(one.over).toBe(false)
      await pass(1)
      expect([one.over, vi.getTimerCount()]).toEqual([true, 0])
    }))

  it('a lease that is renewed to end sooner wakes then', () =>
    within(async (desk) => {
      await desk.tell({ kind: 'enter_delegation', entry: entryOf(1) })
      await desk.tell({ kind: 'claim_delegation', id: entryOf(1).id, worker: 'w1', lease_ms: 60_000 })
      const one = watched(desk.awaitDelegation(20_000))
      await desk.tell({ kind: 'claim_delegation', id: entryOf(1).id, worker: 'w1', lease_ms: 3_000 })
      await pass(2_999)
      expect(one.over).toBe(false)
      await pass(1)
      expect(one.over).toBe(true)
    }))

  it('a lease that ends with the deadline, or was settled, wakes no waiter', () =>
    within(async (desk) => {
      // Only the deadline of an `end` command is not extended by a claim.
      const entry = { ...entryOf(1), type: 'end' as const, deadline: Date.now() + 5_000 }
      for (const one of [entry, entryOf(2)]) {
        await desk.tell({ kind: 'enter_delegation', entry: one })
        await desk.tell({ kind: 'claim_delegation', id: one.id, worker: 'w1', lease_ms: 6_000 })
      }
      await desk.tell({ kind: 'settle_delegation', id: entryOf(2).id, status: 'reported' })
      const one = watched(desk.awaitDelegation(20_000))
      await pass(19_999)
      expect(one.over).toBe(false)
      await pass(1)
      expect([one.over, vi.getTimerCount()]).toEqual([true, 0])
    }))
})

it('a waiting call does not block other calls of the object, over the wire too', async () => {
  const desk = env.WORKSPACES.getByName(crypto.randomUUID())
  await desk.tell({ kind: 'admit', entry: task, open_max: 9, daily: NO_TOTAL })
  // Its own time never comes: only the entry can end it.
  const waiting = desk.awaitDelegation(20_000)
  expect(await desk.ask({ kind: 'delegations', status: 'pending', before: 0, limit: 9 })).toEqual({
    entries: [],
    has_more: false,
  })
  await desk.tell({ kind: 'enter_delegation', entry: entryOf(1) })
  expect(await waiting).toBeUndefined()
})
