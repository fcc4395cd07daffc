/** Requests that wait for their tenant's total of the day, and what others do to the task meanwhile (P13, P14; U16). */
import { describe, expect, it } from 'vitest'
import type { Ticket } from '../../src/core/protocol/advance.ts'
import {
  ask,
  benchOf,
  CALLER,
  createTask,
  done,
  journalOf,
  ONE,
  planned,
  replanned,
  type Bench,
  type Script,
} from '../support/scripted.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const HOUR = 3_600_000
const DAY = { tokens: 10_000_000, cost: null }
const CHUNK = { tokens: 1_000_000, cost: 0, day: '2026-11-21' }

/** A task at its question: it has given back what it had of the total, so its answer has to wait for more. */
async function asking(script: Script = { thought: [ask()] }) {
  const bench = benchOf({ plan: [planned('A')], ...script }, { daily: DAY })
  const { id } = await createTask(bench, {}, ONE)
  const key = { scope: `POST /tasks/${id}/input`, key: 'k', digest: 'd' }
  return { bench, id, key }
}

/** Something happens between the rows of a request and its share of the total. Answers with what goes back to it. */
function meanwhile(bench: Bench, happen: () => Promise<unknown>): { taken: number[]; back: number[] } {
  const seen: { taken: number[]; back: number[] } = { taken: [], back: [] }
  const { workspace } = bench.store
  bench.store.workspace = (tenant) =>
    workspaceWith(workspace(tenant), {
      reserve: async (command) => {
        const chunk = await workspace(tenant).tell(command)
        await happen()
        seen.taken.push(chunk?.tokens ?? 0)
        return chunk
      },
      give_back: async (command) => {
        seen.back.push(command.refund.tokens)
        await workspace(tenant).tell(command)
      },
    })
  return seen
}

const ticketOf = (slice: string, key: Ticket['key']): Ticket => ({
  slice,
  key,
  boot: 'boot',
  more: 'new_round',
  rounds: 1,
  wall_ms: 0,
})

describe('a request that waits for its share of the daily total', () => {
  it('P14 is over when its task is canceled meanwhile: the same answer again, and the share goes back', async () => {
    const { bench, id, key } = await asking()
    const seen = meanwhile(bench, () => bench.service.tellTask(CALLER, id, { kind: 'cancel' }))
    const input = () => bench.service.inputTask({ ...CALLER, key }, id, 'blue', null, ONE)
    const first = await input()
    expect(first).toMatchObject({ ok: true, value: { task: { status: 'canceled' } } })
    expect(seen.back).toEqual(seen.taken)
    bench.clock.now += 60_000
    expect(await input()).toEqual({ ok: true, value: { ...(first.ok ? first.value : null), replayed: true } })
  })

  it('P14 is over when it died on the way and its task is paused by then: the same answer, though it goes on later', async () => {
    const { bench, id, key } = await asking()
    const task = bench.store.of(CALLER.tenant, id)
    expect(await task.tell({ kind: 'input', text: 'blue', request_id: null }, ticketOf('dead', key))).toMatchObject({
      ok: true,
      value: { assignment: null },
    })
    bench.clock.now += 60_000
    expect(await task.tell({ kind: 'fund', allowance: null }, ticketOf('other', null))).toMatchObject({
      value: { status: 'paused' },
    })
    const input = () => bench.service.inputTask({ ...CALLER, key }, id, 'blue', null, ONE)
    const first = await input()
    expect(first).toMatchObject({ ok: true, value: { task: { status: 'paused' } } })
    await bench.service.inputTask(CALLER, id, 'continue', null, { rounds: 0, max_ms: 25_000 })
    expect(await input()).toEqual({ ok: true, value: { ...(first.ok ? first.value : null), replayed: true } })
  })

  it.each([1, 2])(
    'P14 U6 counts the round that another worker of it began and lost meanwhile, keeps its bound of %i, and is answered the same again',
    async (rounds) => {
      const { bench, id, key } = await asking({ thought: [ask(), done()], replan: [replanned('A')] })
      const task = bench.store.of(CALLER.tenant, id)
      const other = { ...ticketOf('other', key), rounds }
      meanwhile(bench, async () => {
        bench.clock.now += 60_000
        await task.tell({ kind: 'input', text: 'blue', request_id: null }, other)
        expect(await task.tell({ kind: 'fund', allowance: CHUNK }, other)).toMatchObject({
          value: { assignment: { opens_round: true } },
        })
        bench.clock.now += HOUR
      })
      const input = () => bench.service.inputTask({ ...CALLER, key }, id, 'blue', null, { rounds, max_ms: 2 * HOUR })
      const first = await input()
      expect(first).toMatchObject({ ok: true, value: { task: { slice: { rounds } } } })
      expect(await input()).toEqual({ ok: true, value: { ...(first.ok ? first.value : null), replayed: true } })
    },
  )

  it('P6 does not take over a live effect of another request: under its key it is busy', async () => {
    const { bench, id, key } = await asking()
    const task = bench.store.of(CALLER.tenant, id)
    // Its worker dies on the way to the workspace.
    expect(await task.tell({ kind: 'input', text: 'blue', request_id: null }, ticketOf('dead', key))).toMatchObject({
      ok: true,
      value: { assignment: null },
    })
    bench.clock.now += 60_000
    expect(await task.tell({ kind: 'fund', allowance: CHUNK }, ticketOf('other', null))).toMatchObject({
      value: { assignment: { opens_round: true } },
    })
    const again = await task.tell({ kind: 'input', text: 'blue', request_id: null }, ticketOf('again', key))
    expect(again).toMatchObject({ ok: false, refusal: { code: 'task_busy' } })
    expect((await journalOf(bench, id)).filter((row) => row.outcome === 'orphaned')).toEqual([])
  })
})
