/** The delegations of a tenant over the rows of any store: how they are entered, leased, settled and listed. */
import {
  activeClaim,
  claimedDeadline,
  grantClaim,
  delegationStatusAt,
  type StoredDelegation,
  type SettledStatus,
} from '../../../core/workspace/claims.ts'
import type { EnterCall } from '../../../core/protocol/shard-requests.ts'
import type { DelegationStatus } from '../../../core/terms/delegation.ts'
import { parseDelegationId } from '../../../core/terms/delegation-id.ts'
import type { DelegationEntry } from '../../../core/workspace/delegation-index.ts'
import { ENDED_STATUSES, type Status } from '../../../core/terms/status.ts'
import type { Afterwards, CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'

export interface DelegationRows {
  /** Open delegations that have this status now (null: any), with a position below `before` (0: from the newest), newest first. */
  open(status: DelegationStatus | null, before: number, limit: number, now_ms: number): StoredDelegation[]
  /** The pending ones that have waited longest. Where there are fewer than `limit`, also the one whose lease ends next. */
  longestPending(limit: number, now_ms: number): StoredDelegation[]
  /** Open delegations whose notice is due, the one that is due longest first. */
  dueNotices(limit: number, now_ms: number): StoredDelegation[]
  /** When the first notice about an open delegation is due, in ms since the epoch. null: there is none. */
  firstNoticeAt(now_ms: number): number | null
  /** The open delegations of one task. */
  openOf(task: string): StoredDelegation[]
  /** Settled delegations with a position below `before` (0: from the newest), newest first. */
  settled(status: SettledStatus, before: number, limit: number): StoredDelegation[]
  findOpen(id: string): StoredDelegation | null
  /** Searches positions from `since` on. */
  findSettled(id: string, since: number): StoredDelegation | null
  /** The highest position; 0 without rows. */
  newest(): number
  insert(row: StoredDelegation): void
  /** Updates the claim, the deadline and the notice of a row. */
  update(row: StoredDelegation): void
  /** With `open` the row is open again. */
  settle(row: StoredDelegation, status: StoredDelegation['status']): void
  /** Open rows whose deadline has not passed, and how many of them have a lease that is not over. */
  countOpen(now_ms: number): { open: number; claimed: number }
  /** Gives the status expired to all open rows past their deadline. */
  expire(now_ms: number): void
  /** Drops the delegations of a task that were dispatched by `at`, in ms since the epoch, or all of them. */
  drop(task: string, at?: number): void
}

const SETTLED: readonly SettledStatus[] = ['reported', 'expired', 'canceled']

/** The delegations of a tenant or a pool, and what the index knows of their tasks. */
export interface DelegationStore {
  rows: DelegationRows
  /** null where the index does not know the task. */
  statusOf(task: string): Status | null
  /** A time before all delegations of a task; null for an unknown task, which has none. */
  admittedAt(task: string): number | null
  /** Keeps such a time for a task that the index of another object knows. */
  keepForeign(task: string, since: number): void
}

interface DelegationContext extends Pick<ReadContext, 'now_ms'> {
  after: Pick<Afterwards, 'planReminders' | 'lookForWaiters'>
}

/** The handlers over the rows of any store. */
export const delegationCommands = <C extends DelegationContext>(
  storeOf: (context: C) => DelegationStore,
): CommandHandlers<'enter_delegation' | 'claim_delegation' | 'settle_delegation', C> => ({
  enter_delegation(context, command) {
    enter(storeOf(context), command, context.now_ms)
    context.after.planReminders('delegation_entered')
    context.after.lookForWaiters()
  },
  claim_delegation(context, { id, worker, lease_ms }) {
    const store = storeOf(context)
    const row = find(store, id)
    const claim = grantClaim(row, { worker, lease_ms }, context.now_ms)
    if (row !== null && claim.ok)
      store.rows.update({
        ...row,
        claim: claim.value,
        deadline: claimedDeadline(row.deadline, row.at, claim.value.until),
      })
    // A renewed lease may end sooner.
    context.after.lookForWaiters()
    return claim
  },
  settle_delegation(context, { id, status }) {
    const store = storeOf(context)
    const row = find(store, id)
    if (row !== null && row.status !== status) store.rows.settle(row, status)
  },
})

export const delegationQueries = <C extends Pick<ReadContext, 'now_ms' | 'callersWaiting'>>(
  storeOf: (context: C) => DelegationStore,
): QueryHandlers<'claim' | 'delegations' | 'pool_counts', C> => ({
  claim(context, { id }) {
    const row = find(storeOf(context), id)
    return row === null ? null : activeClaim(row, context.now_ms)
  },
  delegations(context, { status, before, limit }) {
    const { now_ms } = context
    const { rows } = storeOf(context)
    const statuses = SETTLED.filter((one) => status === null || status === one)
    const settled = statuses.flatMap((one) => rows.settled(one, before, limit + 1))
    const open = rows.open(status, before, limit + 1, now_ms)
    const found = [...open, ...settled].toSorted((a, b) => b.position - a.position)
    return { entries: found.slice(0, limit).map((one) => entryView(one, now_ms)), has_more: found.length > limit }
  },
  pool_counts(context) {
    const { open, claimed } = storeOf(context).rows.countOpen(context.now_ms)
    return { pending: open - claimed, claimed, waiting: context.callersWaiting() }
  },
})

function enter(
  { rows, statusOf, keepForeign }: DelegationStore,
  { entry, standing, pending }: EnterCall,
  now_ms: number,
): void {
  const task = standing?.status ?? statusOf(entry.task)
  if (task === null) return
  const ends = entry.type === 'end'
  const is_over = ENDED_STATUSES.has(task) && !ends
  // A position is never before `at`, so a search for a known delegation starts at `at`.
  const known = rows.findOpen(entry.id) ?? rows.findSettled(entry.id, entry.at)
  // A repeated entry has the same time. An earlier one is that of a task which had the id before.
  if (known !== null && known.at < entry.at) {
    if (known.status === 'open') rows.settle(known, 'canceled')
  } else if (known !== null) {
    if (pending !== undefined && !is_over) openAgain(rows, known, entry, pending.claim)
    return
  }
  if (standing !== undefined) keepForeign(entry.task, Math.min(standing.since, entry.at))
  // No call settles an expired delegation that no one lists. Without this, every look at the open rows would read it for ever.
  rows.expire(now_ms)
  const position = Math.max(entry.at, now_ms, rows.newest() + 1)
  const status = is_over ? 'canceled' : 'open'
  rows.insert({ ...entry, position, status, claim: pending?.claim ?? null, tell_at: ends ? null : now_ms, tries: 0 })
}

/** The task is right: what it waits for is open until its deadline, and its claims may have extended that. */
function openAgain(
  rows: DelegationRows,
  known: StoredDelegation,
  { deadline }: DelegationEntry,
  claim: StoredDelegation['claim'],
): void {
  if (known.status !== 'open') rows.settle(known, 'open')
  if (known.deadline < deadline || (known.claim === null && claim !== null))
    rows.update({
      ...known,
      status: 'open',
      claim: known.claim ?? claim,
      deadline: Math.max(known.deadline, deadline),
    })
}

/** Cancels what the rows of an ended task up to `until` have dispatched, but not its `end` command. A Worker of the release before names no row. */
export function cancelOpen(rows: DelegationRows, task: string, until = Infinity): void {
  settleUntil(rows, task, until, (row) => row.type !== 'end')
}

/** Withdraws the `end` command of a task that has gone on after its row `until`. */
export function withdrawEnd(rows: DelegationRows, task: string, until = Infinity): void {
  settleUntil(rows, task, until, (row) => row.type === 'end')
}

/** The word of a change may come late, so it settles nothing that the task has dispatched since. */
function settleUntil(
  rows: DelegationRows,
  task: string,
  until: number,
  fits: (row: StoredDelegation) => boolean,
): void {
  for (const row of rows.openOf(task))
    if (fits(row) && (parseDelegationId(row.id)?.seq ?? 0) <= until) rows.settle(row, 'canceled')
}

const find = (store: DelegationStore, id: string): StoredDelegation | null =>
  store.rows.findOpen(id) ?? findSettled(store, id)

function findSettled({ rows, admittedAt }: DelegationStore, id: string): StoredDelegation | null {
  const ref = parseDelegationId(id)
  const since = ref === null ? null : admittedAt(ref.task)
  return since === null ? null : rows.findSettled(id, since)
}

const entryView = (row: StoredDelegation, now_ms: number) => ({
  id: row.id,
  task: row.task,
  position: row.position,
  status: delegationStatusAt(row, now_ms),
  claim: activeClaim(row, now_ms),
})
