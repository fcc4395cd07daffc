/** Runs one bounded slice: effects are performed and committed under one slice id until the task waits, ends, or the bounds are reached. */
import type { Ticket, TicketLimits } from '../../core/protocol/advance.ts'
import { newCheckBudget } from '../../core/terms/schema/checks.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { AllowanceRefund, AllowanceRequest } from '../../core/terms/axes.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import type { StepResult } from '../../core/protocol/task-answers.ts'
import { cut } from '../../core/terms/text.ts'
import { ENDED_STATUSES, type Status } from '../../core/terms/status.ts'
import type { Envelope, Slice, TaskView } from '../../core/terms/view.ts'
import { spendLimitsOf, type LimitsInForce } from '../../core/workspace/limits.ts'
import { indexStatus } from '../listing/index-status.ts'
import { withDeadline } from '../network/bounded-fetch.ts'
import { performEffect } from './perform-effect.ts'
import { performLive } from './live-call.ts'
import { FUND_RETRY_MS, newDayTotal, reserveAllowance, type DayTotal } from './reserve-allowance.ts'
import { limitsOf, ticketLimits } from '../quotas/limits-of.ts'
import { taskWithLinks } from '../links/task-with-links.ts'
import { newTally, reportSlice, tallyEffect, tallyResult, type SliceTally } from './slice-report.ts'
import type { Ports } from '../ports.ts'
import type { TaskAnswer, Bounds, Caller } from '../caller.ts'

/** The most events that an answer carries (U24). The events page has all of them. */
const SLICE_EVENTS_MAX = 50
const SLICE_TEXT_CHARS = 220

export interface SliceRun {
  ports: Ports
  caller: Caller
  id: string
  bounds: Bounds
  slice: string
  begun_ms: number
  total: DayTotal
  /** The key whose limits bound the task: that of the caller, until the task names the one that made it. */
  key_name: string | null
  /** What tickets say of the limits. */
  limits: TicketLimits | undefined
  tally: SliceTally
}

export async function openSlice(ports: Ports, caller: Caller, id: string, bounds: Bounds): Promise<SliceRun> {
  const run = sliceRun(ports, caller, id, bounds)
  await readLimits(run)
  return run
}

function sliceRun(ports: Ports, caller: Caller, id: string, bounds: Bounds): SliceRun {
  const own = { slice: ports.random_id(), begun_ms: ports.clock.now_ms(), total: newDayTotal(), tally: newTally() }
  return { ports, caller, id, bounds, ...own, key_name: caller.key_name, limits: undefined }
}

/** Reads the limits again, because they may have changed since the slice began. */
async function readLimits(run: SliceRun): Promise<LimitsInForce> {
  const { ports, caller, key_name } = run
  const limits = await limitsOf(ports, caller.tenant, key_name)
  run.limits = ticketLimits(limits, ports.model_rules)
  return limits
}

/** The ticket that the object is shown before `rounds` rounds were begun. */
export function ticketOf(run: SliceRun, rounds: number): Ticket {
  const { ports, bounds, begun_ms, slice, caller, total, limits } = run
  const open = rounds < bounds.rounds && ports.clock.now_ms() - begun_ms < bounds.max_ms
  // A draining process ends after the call under way. An effect that began now might be cut off and charged all the same.
  const more = caller.gone() || ports.draining.hasBegun() ? 'nothing' : open ? 'new_round' : 'this_round'
  const ticket = { slice, boot: ports.boot(), more, rounds: bounds.rounds, wall_ms: ports.clock.wall_ms() } as const
  return {
    ...ticket,
    key: caller.key,
    ...(total.scarce ? { scarce: true } : {}),
    ...(limits === undefined ? {} : { limits }),
  }
}

/** Opens a slice that begins no effect. */
export function openIdleSlice(ports: Ports, caller: Caller, id: string): { run: SliceRun; ticket: Ticket } {
  const run = sliceRun(ports, caller, id, { rounds: 0, max_ms: 0 })
  return { run, ticket: { ...ticketOf(run, 0), more: 'nothing' } }
}

/** More than one funding is needed only when an event made the effect larger meanwhile. */
const FUNDINGS_MAX = 3

/** Continues from the answer of the first call until there is nothing more to do, and reports what was done. */
export async function runSlice(run: SliceRun, first: Result<StepResult>): Promise<Result<TaskAnswer>> {
  if (!first.ok) return first
  let answer: Result<TaskAnswer> | null = null
  try {
    answer = await advanceSlice(run, first)
    return answer
  } finally {
    reportSlice(run, answer)
  }
}

async function advanceSlice(run: SliceRun, first: { value: StepResult }): Promise<Result<TaskAnswer>> {
  const { earlier } = first.value
  const events: Envelope[] = []
  /** An answer may repeat all events of the request, when another worker of it has died. */
  const show = (more: readonly Envelope[]) => {
    const seen = events.at(-1)?.seq ?? 0
    const fresh = more.filter(({ seq }) => seq > seen)
    events.push(...fresh)
    run.caller.reader?.onEvents(fresh)
  }
  show(first.value.events)
  let latest = first.value
  await settle(run, latest)
  let rounds = earlier?.rounds ?? 0
  let waits = false
  let checks = newCheckBudget()
  let advanced = latest.advanced || earlier?.advanced === true
  for (;;) {
    for (let asked = 0; latest.wants !== null && asked < FUNDINGS_MAX; asked++) {
      const { funded, later } = await fund(run, latest.wants, rounds)
      if (!funded.ok) return answerAfterRace(run, funded, sliceOf(advanced, rounds, events))
      waits = later && funded.value.wants === null && funded.value.assignment === null
      latest = funded.value
      await settle(run, latest)
      const others = await answerOf(run, latest)
      if (others !== null) return ok(others)
      advanced ||= latest.advanced || latest.earlier?.advanced === true
      // Another worker of this request may have begun rounds meanwhile, and died. This answer shows them too.
      rounds = latest.earlier?.rounds ?? rounds
      show(latest.events)
    }
    const { assignment } = latest
    if (assignment === null) break
    if (assignment.opens_round) {
      rounds += 1
      run.tally.rounds += 1
    }
    if (assignment.work.kind === 'call_model') checks = newCheckBudget()
    const asked_ms = run.ports.clock.now_ms()
    const event = await performLive(run, assignment, (live) =>
      performEffect(run.ports, run.caller.tenant, assignment, run.caller.traceparent, { ...live, checks }),
    )
    tallyEffect(run.tally, run.ports, assignment, event, run.ports.clock.now_ms() - asked_ms)
    if (run.limits !== undefined) await readLimits(run)
    const committed = await run.ports.store
      .of(run.caller.tenant, run.id)
      .commit(assignment.seq, event, ticketOf(run, rounds))
    if (!committed.ok) return afterLoss(run, committed, sliceOf(advanced, rounds, events))
    latest = committed.value
    advanced = true
    show(latest.events)
    await settle(run, latest)
  }
  if (latest.task === null) throw new Error('a slice ended without a task')
  if (first.value.status_before !== latest.status) await indexStatus(run.ports, run.caller.tenant, latest.task)
  const view = waits && UNDER_WAY.has(latest.status) ? { ...latest.task, retry_after_ms: FUND_RETRY_MS } : latest.task
  const shown = await taskAnswer(run.ports, run.caller, view, sliceOf(advanced, rounds, events))
  return ok(earlier === null || earlier.version === null ? shown : { ...shown, replayed: true })
}

/**
 * Reserves what the next effect lacks of the totals, in a chunk ahead, and begins the effect; or pauses the task (U16). A task that another key
 * has made may only have asked for the limits of that key.
 */
async function fund(run: SliceRun, wants: AllowanceRequest, rounds: number) {
  const { ports, caller, id } = run
  const workspace = ports.store.workspace(caller.tenant)
  run.key_name = wants.key ?? null
  const { allowance, later } = await reserveAllowance(run, wants, spendLimitsOf(await readLimits(run)))
  const funded = await ports.store.of(caller.tenant, id).tell({ kind: 'fund', allowance, later }, ticketOf(run, rounds))
  if (!funded.ok && allowance !== null) await workspace.tell({ kind: 'give_back', refund: withKeyOf(wants, allowance) })
  return { funded, later }
}

const withKeyOf = ({ key }: AllowanceRequest, refund: AllowanceRefund): AllowanceRefund =>
  key === undefined ? refund : { ...refund, key }

const UNDER_WAY: ReadonlySet<Status> = new Set(['queued', 'running'])

/** A request without a key that lost a race after it had done something answers with that. One with a key is repeated by its client. */
async function answerAfterRace(run: SliceRun, lost: Result<StepResult>, slice: Slice): Promise<Result<TaskAnswer>> {
  if (lost.ok || run.caller.key !== null || !slice.advanced) return lost.ok ? refuse({ code: 'lease_lost' }) : lost
  const view = await run.ports.store.of(run.caller.tenant, run.id).ask({ kind: 'view' })
  if (!view.ok) return view
  await indexStatus(run.ports, run.caller.tenant, view.value)
  return ok(await taskAnswer(run.ports, run.caller, view.value, slice))
}

/** How long the server of a dropped call may take to hear of it. */
const ABANDON_MS = 3_000

/** Adds up what was charged, gives back what the task needs no more of its tenant's total, and tells the servers of dropped calls that nobody waits for them. */
async function settle(run: SliceRun, result: StepResult): Promise<void> {
  tallyResult(run.tally, result)
  const { ports, caller, id } = run
  const { returned, dropped } = result
  for (const refund of returned) await ports.store.workspace(caller.tenant).tell({ kind: 'give_back', refund })
  const call = { tenant: caller.tenant, task: id, timeout_ms: ABANDON_MS, traceparent: caller.traceparent }
  await Promise.all(
    dropped.map((one) =>
      withDeadline(ABANDON_MS, undefined, () => ports.client_tools.abandon(one, call)).catch(() => undefined),
    ),
  )
}

/** Answers a refused commit: the request of a canceled task gets 200 (U3), a deleted task is gone, any other was taken over. */
async function afterLoss(run: SliceRun, lost: Result<StepResult>, slice: Slice): Promise<Result<TaskAnswer>> {
  if (lost.ok || lost.refusal.code !== 'lease_lost') return lost.ok ? refuse({ code: 'lease_lost' }) : lost
  // With a key, the request that took over answers for both.
  if (run.caller.key !== null) return answerOfOther(run)
  const view = await run.ports.store.of(run.caller.tenant, run.id).ask({ kind: 'view' })
  if (!view.ok) return view
  if (!ENDED_STATUSES.has(view.value.status)) return lost
  // The worker that ended the task may have died before it told the index.
  await indexStatus(run.ports, run.caller.tenant, view.value)
  return ok(await taskAnswer(run.ports, run.caller, view.value, slice))
}

/** The first answer of this request, wherever it was computed. */
async function answerOfOther(run: SliceRun): Promise<Result<TaskAnswer>> {
  const found = await run.ports.store
    .of(run.caller.tenant, run.id)
    .ask({ kind: 'earlier_answer', ticket: ticketOf(run, 0) })
  if (!found.ok) return found
  const others = await answerOf(run, found.value)
  return others === null ? refuse({ code: 'lease_lost' }) : ok({ task: others.task, link_epoch: others.link_epoch })
}

/** The answer that the same request got elsewhere; null while that goes on. */
async function answerOf(
  { ports, caller }: SliceRun,
  { earlier, task, events }: StepResult,
): Promise<TaskAnswer | null> {
  if (earlier === null || earlier.version === null || task === null) return null
  const slice = sliceOf(earlier.advanced, earlier.rounds, events)
  return { ...(await taskAnswer(ports, caller, task, slice)), replayed: true }
}

export function sliceOf(advanced: boolean, rounds: number, events: Envelope[]): Slice {
  const shown = events.slice(0, SLICE_EVENTS_MAX).map(shorten)
  const slice = { advanced, rounds, events: shown }
  return events.length > SLICE_EVENTS_MAX ? { ...slice, events_truncated: true } : slice
}

function shorten(event: Envelope): Envelope {
  const texts = Object.entries(event.payload).map(([name, value]) => [name, shortenValue(value)])
  return { ...event, payload: Object.fromEntries(texts) }
}

function shortenValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, SLICE_TEXT_CHARS)
  if (Array.isArray(value)) return value.map(shortenValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortenValue(part)]))
}

/** The slice of a request that only looked at its task. */
export const IDLE_SLICE: Slice = { advanced: false, rounds: 0, events: [] }

/** The task as its client sees it, with what the request did. */
export async function taskAnswer(
  ports: Ports,
  { tenant, scopes }: Caller,
  view: StoredTaskView,
  slice: Slice | null,
): Promise<Pick<TaskAnswer, 'task' | 'link_epoch'>> {
  const { link_epoch } = view
  const task = await taskWithLinks(ports.links, tenant, view, ports.clock.now_ms())
  return { task: { ...(scopes.includes('tasks:write') ? task : withoutAnswerLink(task)), slice }, link_epoch }
}

/** The link answers the question for whoever has it, so a caller who may only read does not get it. */
const withoutAnswerLink = <T extends Pick<TaskView, 'pending'>>(task: T): T =>
  task.pending?.kind === 'question' ? { ...task, pending: { ...task.pending, answer_url: null } } : task
