/**
 * Tasks that wait for a report, behind the HTTP face: orchestrated ones, over a scripted model. They are told of what the workspace has not
 * heard; only what no task says by itself – that it cannot be read – is played.
 */
import type { TaskCommand } from '../../src/core/protocol/commands.ts'
import type { TaskQuery } from '../../src/core/replay/stored-task.ts'
import type { Ticket } from '../../src/core/protocol/advance.ts'
import type { SentReport, Delegation, Report } from '../../src/core/terms/delegation.ts'
import { delegationId, parseDelegationId } from '../../src/core/terms/delegation-id.ts'
import { refuse, type Refusal, type Result } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { linkBench, ORIGIN, type LinkBench } from './link-bench.ts'
import { ALL, CALLER, MANUAL, taken, type Script } from './scripted.ts'
import { workspaceWith } from './workspace-with.ts'

export const TENANTS = ['acme', 'other', 'third', 'fourth', 'fifth'] as const
export type Tenant = (typeof TENANTS)[number]
export const keyOf = (tenant: Tenant) => ({ authorization: `Bearer ${tenant}-key` })
export const HAND = { authorization: 'Bearer hand-key' }
const API_KEYS = [...TENANTS.map((tenant) => `${tenant}:${tenant}-key`), 'acme:hand-key:worker'].join(',')

export const UNSAID = { session_id: null, results: null, pitfalls: null, next_steps: null }
export const sentReport = (text = 'done', more: Partial<SentReport> = {}): SentReport => ({
  command_id: null,
  report: { status: 'SUCCESS', ...UNSAID, text },
  spent: null,
  ...more,
})

interface Dispatched {
  tenant?: Tenant
  command_budget?: Settings['command_budget']
  /** False if the workspace does not know of it. */
  entered?: boolean
}
export type Became = 'reported' | 'expired' | 'canceled'
export interface DelegationBench extends LinkBench {
  /** The reports that the tasks received, in order. */
  heard: SentReport[]
  /** The command of a new task; each is one minute later than the one before. */
  dispatch(more?: Dispatched): Promise<Delegation>
  /** The report reaches the task, or its deadline passes; the workspace is not told. */
  became(delegation: Delegation, status: Became, report?: Report): Promise<void>
  /** The answer that its task gives instead. */
  fails(delegation: Delegation, refusal: Refusal): void
  /** The state that the workspace has stored. */
  indexed(tenant?: Tenant): Promise<string[]>
}

const STEPS = { steps: [{ title: 'A', description: 'Build', constraints: 'No scripts', expected_output: 'A page' }] }
const AGAIN = { decision: 'retry', reason: 'not yet', adjusted_steps: [] }
const many = (line: object) => Array.from({ length: 40 }, () => line)
const SCRIPT: Script = { plan: many(STEPS), evaluate: many(AGAIN) }

export function delegationBench(env: Record<string, unknown> = {}): DelegationBench {
  const bench = linkBench(SCRIPT, { API_KEYS, ...env })
  const { heard, unentered, refusals, tellTask } = watched(bench)
  const tenants = new Map<string, Tenant>()
  let minutes = 10
  return {
    ...bench,
    heard,
    async dispatch({ tenant = 'acme', command_budget = null, entered = true } = {}) {
      const settings = Settings.parse({ command_budget, report_timeout_s: 60 * minutes++ })
      const about = { goal: 'a goal', mode: 'orchestrator' as const, timezone: 'UTC', metadata: {} }
      const task = { ...about, locale: 'en' as const, settings, ...MANUAL, origin: ORIGIN }
      unentered.all = !entered
      const { pending } = taken(await bench.service.createTask({ ...CALLER, tenant }, task, ALL))
      unentered.all = false
      const ref = pending?.kind === 'report' ? parseDelegationId(pending.delegation_id) : null
      const known =
        ref === null ? null : await bench.store.of(tenant, ref.task).ask({ kind: 'delegation', seq: ref.seq })
      if (known?.ok !== true) throw new Error(`it waits for ${pending?.kind}`)
      tenants.set(known.value.id, tenant)
      bench.clock.now += 1
      return known.value
    },
    async became(delegation, status, report = sentReport().report) {
      if (status === 'expired') bench.clock.now = delegation.deadline
      else await tellTask(tenants.get(delegation.id) ?? 'acme', delegation, status === 'reported' ? report : null)
    },
    fails: ({ id }, refusal) => void refusals.set(id, refusal),
    async indexed(tenant = 'acme') {
      const { entries } = await bench.store
        .workspace(tenant)
        .ask({ kind: 'delegations', status: null, before: 0, limit: 100 })
      return entries.map(({ status }) => status)
    },
  }
}

/** Observes the calls of the service to tasks, and plays the answers that tasks cannot give themselves. */
function watched({ store, ports, clock }: LinkBench) {
  const { of, workspace } = store
  const heard: SentReport[] = []
  const unentered = { all: false }
  const refusals = new Map<string, Refusal>()
  store.of = (tenant, id) => {
    const task = of(tenant, id)
    const refused = (seq: number): Result<never> | null => {
      const refusal = refusals.get(delegationId(id, seq))
      return refusal === undefined ? null : refuse(refusal)
    }
    return {
      ...task,
      async ask(query) {
        const asked = query as TaskQuery
        return (asked.kind === 'delegation' ? refused(asked.seq) : null) ?? task.ask(query)
      },
      async tell(command, ticket) {
        const given = command as TaskCommand
        if (given.kind !== 'report') return task.tell(command, ticket)
        const told = refused(given.seq) ?? (await task.tell<'report'>(given, ticket))
        if (told.ok && told.value.advanced?.earlier === null) heard.push(given.sent)
        return told as never // what a report answers
      },
    }
  }
  store.workspace = (tenant) => {
    const real = workspace(tenant)
    return unentered.all ? workspaceWith(real, { enter_delegation: () => Promise.resolve() }) : real
  }
  /** A report, or null if the delegation is canceled. */
  const tellTask = async (tenant: Tenant, { task, seq }: Delegation, report: Report | null): Promise<void> => {
    const slice = ports.random_id()
    const ticket: Ticket = { slice, boot: 'boot', more: 'nothing', rounds: 0, wall_ms: clock.now, key: null }
    const found = of(tenant, task)
    const told =
      report === null
        ? found.tell({ kind: 'cancel' }, ticket)
        : found.tell({ kind: 'report', seq, sent: { command_id: null, report, spent: null } }, ticket)
    if (!(await told).ok) throw new Error('the task did not hear it')
  }
  return { heard, unentered, refusals, tellTask }
}

/** The path of the link that accepts its report. */
export async function linkOf(bench: DelegationBench, { id }: Delegation, tenant: Tenant = 'acme'): Promise<string> {
  const found = await bench.service.getDelegation({ ...CALLER, tenant }, id)
  const url = found.ok ? found.value.delegation.report_url : null
  if (url === null || !url.startsWith(`${ORIGIN}/reports/`)) throw new Error('no link')
  return url.slice(ORIGIN.length)
}
