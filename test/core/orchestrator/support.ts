/** An orchestrated task over a scripted model, and a worker that reports as it is told. */
import { parseDelegationId } from '../../../src/core/terms/delegation-id.ts'
import type { SentReport, Report } from '../../../src/core/terms/delegation.ts'
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import type { Ports } from '../../../src/shell/ports.ts'
import { openSlice, runSlice, ticketOf } from '../../../src/shell/slice/slice.ts'
import {
  benchOf,
  CALLER,
  createTask,
  NONE,
  ONE,
  step as advance,
  taken,
  type Bench,
  type Script,
} from '../../support/scripted.ts'

export const steps = (...titles: string[]) => ({
  steps: titles.map((title) => ({
    title,
    description: `Do ${title}`,
    constraints: `keep to ${title}`,
    expected_output: `${title} is there`,
  })),
})
type Decision = 'next' | 'retry' | 'replan' | 'ask' | 'abort'
export const judge = (decision: Decision, reason = `${decision} it is`, ...adjusted: string[]) => ({
  decision,
  reason,
  adjusted_steps: steps(...adjusted).steps,
})

export const report = (status: Report['status'] = 'SUCCESS', more: Partial<Report> = {}): Report => ({
  status,
  session_id: 'session-1',
  results: null,
  pitfalls: null,
  next_steps: null,
  text: `it is ${status}`,
  ...more,
})

export async function orchestrated(
  script: Script,
  settings: Partial<Settings> = {},
  more: { locale?: 'en' | 'zh'; goal?: string; overrides?: Partial<Ports> } = {},
) {
  const bench = benchOf({ summary: ['All is done.'], ...script }, more.overrides)
  const { locale = 'en', goal = 'Reproduce the project' } = more
  const task = await createTask(bench, settings, NONE, { mode: 'orchestrator', locale, goal })
  return { bench, task }
}

/** Rounds until it waits, asks, is paused or has ended. */
export async function work(bench: Bench, id: string): Promise<TaskView> {
  for (;;) {
    const task = await advance(bench, id, ONE)
    if (task.status !== 'running') return task
  }
}

export const taskOf = (bench: Bench, id: string) => bench.ports.store.of(CALLER.tenant, id)
export async function seen(bench: Bench, id: string): Promise<TaskView> {
  return taken(await bench.service.getTask(CALLER, id))
}

/** Which row dispatched the command that the task waits for. */
export async function waitedFor(bench: Bench, id: string) {
  const { pending } = await seen(bench, id)
  if (pending?.kind !== 'report') throw new Error(`it waits for no report: ${JSON.stringify(pending)}`)
  const ref = parseDelegationId(pending.delegation_id)
  if (ref === null) throw new Error('no such delegation')
  const known = await taskOf(bench, id).ask({ kind: 'delegation', seq: ref.seq })
  if (!known.ok) throw new Error(known.refusal.code)
  return known.value
}

/** As the service does it: recorded, and nothing begun. */
export async function send(bench: Bench, id: string, seq: number, sent: Partial<SentReport> & { report: Report }) {
  const run = await openSlice(bench.ports, CALLER, id, { rounds: 0, max_ms: 0 })
  const whole: SentReport = { command_id: null, spent: null, ...sent }
  const told = await taskOf(bench, id).tell(
    { kind: 'report', seq, sent: whole },
    { ...ticketOf(run, 0), more: 'nothing' },
  )
  if (!told.ok) return { refused: told.refusal.code }
  const { advanced } = told.value
  const task = advanced === null ? null : taken(await runSlice(run, { ok: true, value: advanced }))
  return { delegation: told.value.delegation, task }
}

/** The command that is out, and the task after its report and all that follows from it. */
export async function answered(bench: Bench, id: string, said: Report, more: Partial<SentReport> = {}) {
  const delegation = await waitedFor(bench, id)
  await send(bench, id, delegation.seq, { report: said, ...more })
  return { delegation, task: await work(bench, id) }
}

/** Nobody reports until the deadline. */
export async function overdue(bench: Bench, id: string): Promise<TaskView> {
  const { deadline } = await waitedFor(bench, id)
  bench.clock.now = deadline
  const run = await openSlice(bench.ports, CALLER, id, { rounds: 0, max_ms: 0 })
  return taken(await runSlice(run, await taskOf(bench, id).tell({ kind: 'tend' }, ticketOf(run, 0))))
}

export async function eventsOf(bench: Bench, id: string) {
  const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 500 })
  if (!page.ok) throw new Error('no events')
  return page.value.data
}
