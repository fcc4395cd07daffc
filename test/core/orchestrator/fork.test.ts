/** Forks and replays of orchestrated tasks: a fork that waits has a command of its own, which workers find (U26). */
import { expect, it } from 'vitest'
import { CALLER, taken } from '../../support/scripted.ts'
import { answered, judge, orchestrated, overdue, report, seen, send, steps, waitedFor, work } from './support.ts'

async function reported() {
  const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry'), judge('next')] })
  await work(bench, task.id)
  const first = await waitedFor(bench, task.id)
  await answered(bench, task.id, report('FAILED'))
  await overdue(bench, task.id)
  return { bench, id: task.id, first }
}

it('U26 a fork at a command waits for a report of its own, which is told to workers and not mixed up with its parent', async () => {
  const { bench, id, first } = await reported()
  bench.clock.now += 3_600_000
  const wish = { at: first.seq, settings: { report_timeout_s: 60 }, outcome: null }
  const fork = taken(await bench.service.forkTask(CALLER, id, wish))
  const own = await waitedFor(bench, fork.id)
  expect([fork.status, own.status, own.deadline]).toEqual(['waiting_external', 'pending', bench.clock.now + 60_000])
  expect([own.id === first.id, own.command_id === first.command_id, own.command]).toEqual([false, false, first.command])
  const listed = await bench.ports.store
    .workspace(CALLER.tenant)
    .ask({ kind: 'delegations', status: 'pending', before: 0, limit: 10 })
  expect(listed.entries.map((entry) => entry.id)).toEqual([own.id])
  await send(bench, fork.id, own.seq, { report: report() })
  expect([(await seen(bench, fork.id)).status, (await seen(bench, id)).status]).toEqual(['running', 'running'])
})

it('a replay makes of each report and time-out what is stored of it', async () => {
  const { bench, id } = await reported()
  await work(bench, id)
  await answered(bench, id, report())
  const replayed = await bench.service.replayTask(CALLER, id)
  expect(replayed).toMatchObject({ ok: true, value: { equal: true } })
})

it('R17 an `end` command is entered for workers when the task ends for any reason', async () => {
  const { bench, id } = await reported()
  await work(bench, id)
  taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' }))
  const { entries } = await bench.ports.store
    .workspace(CALLER.tenant)
    .ask({ kind: 'delegations', status: null, before: 0, limit: 10 })
  expect(entries.map(({ status }) => status)).toEqual(['pending', 'canceled', 'expired', 'expired'])
})
