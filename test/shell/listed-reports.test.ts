/** Reports in lists: each task cuts its own, so that a hundred long ones never meet in one place. */
import { expect, it } from 'vitest'
import type { Delegation } from '../../src/core/terms/delegation.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { CALLER, type Bench } from '../support/scripted.ts'
import { judge, orchestrated, report, send, steps, waitedFor, work } from '../core/orchestrator/support.ts'

const LONG = 'x'.repeat(3_000)
const CUT = `${'x'.repeat(1_997)}...`
const PARTS = { results: LONG, pitfalls: LONG, next_steps: LONG, text: LONG }

async function reported() {
  const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
  await work(bench, task.id)
  const { id, seq } = await waitedFor(bench, task.id)
  await send(bench, task.id, seq, { report: report('SUCCESS', PARTS) })
  return { bench, id }
}
/** What tasks say of their commands, as it comes to whoever asks. */
function answersOf({ store }: Bench): Result<Delegation>[] {
  const answers: Result<Delegation>[] = []
  const { of } = store
  store.of = (tenant, id) => {
    const task = of(tenant, id)
    const ask: typeof task.ask = async (query) => {
      const said = await task.ask(query)
      if (query.kind === 'delegation') answers.push(said as Result<Delegation>) // what that question is answered
      return said
    }
    return { ...task, ask }
  }
  return answers
}

it('api.md a list cuts text and sections of a report to 2,000 characters, in the object of its task; read by itself it is whole', async () => {
  const { bench, id } = await reported()
  const answers = answersOf(bench)
  const listed = await bench.service.listDelegations(CALLER, { status: null, pool: null }, { after: 0, limit: 100 }, 0)
  const cut = { status: 'SUCCESS', session_id: 'session-1', results: CUT, pitfalls: CUT, next_steps: CUT, text: CUT }
  expect(listed).toMatchObject({ ok: true, value: { data: [{ id, report: cut }] } })
  expect(answers.map((answer) => JSON.stringify(answer).length < 10_000)).toEqual([true])
  const read = await bench.service.getDelegation(CALLER, id)
  expect(read).toMatchObject({ ok: true, value: { delegation: { report: PARTS } } })
})
