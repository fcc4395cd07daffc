/** Workers that are lost in mode dynamic: what an attempt costs, what is asked again, and whose time passes (D2, D4, S3-14). */
import { expect, it } from 'vitest'
import { benchOf, CALLER, journalOf, NONE, step as advance, type Bench } from '../../support/scripted.ts'
import { action, complete, dynamicTask, goOn, stateOf, steps, told } from './support.ts'

/** A worker begins what is next and is never heard of again; a day later somebody comes. */
async function lose(bench: Bench, id: string): Promise<void> {
  const slice = bench.ports.random_id()
  const ticket = { slice, boot: 'boot', more: 'new_round' as const, wall_ms: bench.clock.now, rounds: 9, key: null }
  await bench.store.of(CALLER.tenant, id).begin(ticket)
  bench.clock.now += 86_400_000
}

it('S3-14 a call whose worker was lost costs its step the deadline of the call, not the time until the take-over', async () => {
  const bench = benchOf(told([steps('A')], [[goOn(), action()], [complete()]]))
  const { id } = await dynamicTask(bench, {}, NONE)
  await lose(bench, id)
  const task = await advance(bench, id)
  expect(task).toMatchObject({ status: 'running', step_count: 1 })
  expect(stateOf(bench, id).step.worked_ms).toBe(60_000)
  expect((await journalOf(bench, id)).map(({ phase, outcome }) => [phase, outcome]).slice(2)).toEqual([
    ['think', 'orphaned'],
    ['think', 'ok'],
    ['step_decision', 'ok'],
    ['action', 'ok'],
    ['act', 'ok'],
  ])
})

it('D4 S3-14 an action whose worker was lost is run once more under its key, counted once, and costs its step no day', async () => {
  const bench = benchOf(told([steps('A')], [[goOn(), action()], [complete()]]))
  const { id } = await dynamicTask(bench, {}, NONE)
  const store = bench.store.of(CALLER.tenant, id)
  const slice = { slice: 'lost', boot: 'boot', more: 'new_round' as const, wall_ms: 0, rounds: 9, key: null }
  const reply = (text: object) =>
    ({
      kind: 'model_replied',
      text: JSON.stringify(text),
      usage: null,
      model: 'scripted',
      form: 'text',
    }) as const
  const begun = await store.begin(slice)
  let seq = begun.ok ? (begun.value.assignment?.seq ?? 0) : 0
  for (const text of [{ thought: 'hm' }, goOn(), action()]) {
    const next = await store.commit(seq, reply(text), slice)
    seq = next.ok ? (next.value.assignment?.seq ?? 0) : 0
  }
  bench.clock.now += 86_400_000
  const task = await advance(bench, id, { rounds: 0, max_ms: 25_000 })
  expect([task.step_count, bench.calls.map(({ key }) => key)]).toEqual([1, [`${id}:${seq}`]])
  expect(stateOf(bench, id).step).toMatchObject({ actions: 1, worked_ms: 30_000 })
})
