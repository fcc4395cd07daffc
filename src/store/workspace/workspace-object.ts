/** The Durable Object of one tenant: todos, schedule, applied effect keys, the index of tasks, and what they hand to workers. */
import { DurableObject } from 'cloudflare:workers'
import { configOf } from '../../config.ts'
import type { RequestKey } from '../../core/protocol/advance.ts'
import type { AllowanceChunk, AllowanceRefund, AllowanceRequest } from '../../core/terms/axes.ts'
import { calendarEntries } from '../../core/workspace/calendar.ts'
import type { DelegationStatus } from '../../core/terms/delegation.ts'
import type { Claim, DelegationEntry } from '../../core/workspace/delegation-index.ts'
import type { WorkspaceJob } from '../../core/protocol/alarm-times.ts'
import type { ListedText } from '../../core/protocol/view/list-entry.ts'
import { FIRST_ROOM, type RoomCall } from '../../core/workspace/stored-bytes.ts'
import type { PermitCall } from '../../core/workspace/rate.ts'
import type { TenantNotice } from '../../core/workspace/reminder-message.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import {
  ENDED_STATUSES,
  RUNNING_STATUSES,
  type DeliveryStatus,
  type Spend,
  type Status,
} from '../../core/terms/status.ts'
import type { SlotClaim } from '../../core/workspace/run-slots.ts'
import type { SettledBlobs } from '../../core/workspace/unfinished-blobs.ts'
import { entriesOf, takeReminders } from './reminders/due-reminders.ts'
import { requestJob } from '../request-job.ts'
import { reminderAlarm } from './reminders/reminder-alarm.ts'
import { requestName, findReply, runInBook } from './book/run-in-book.ts'
import {
  admissionOf,
  delegationsIn,
  checkRoom,
  forgetTask,
  reopenEntry,
  admitAgain,
  insertEntry,
  beginRemoval,
  indexedStatus,
} from './task-index/admissions.ts'
import { sqlBook } from './book/sql-book.ts'
import { sqlDelegations } from './delegations/sql-delegations.ts'
import { sqlDeliveries } from './sql-deliveries.ts'
import { effectKeys, requestKeys } from './book/sql-keys.ts'
import { sqlReminders } from './reminders/sql-reminders.ts'
import { tenantIn } from './owner.ts'
import { writeWithin, refuseWithoutRoom, refuseOverQuota, sqlBytes } from './quotas/sql-bytes.ts'
import { sqlRates } from './quotas/sql-rates.ts'
import { sqlSpend } from './quotas/sql-spend.ts'
import { sqlStored } from './blobs/sql-stored.ts'
import {
  type CommandCall,
  type DeliveryRecord,
  type IndexEntry,
  type IndexFilter,
  type RemindCall,
  type RestoredEntry,
  type WorkspaceMethods,
} from '../../core/protocol/workspace-methods.ts'
import { type DailyLimits } from '../../core/workspace/daily-totals.ts'
import { waiters } from './delegations/waiters.ts'
import { finishedCosts, recordFinishedCost, recordStatus } from './task-index/record-status.ts'
import { indexPage } from './task-index/index-page.ts'
import { LOOK, LOOK_FOR_ROOM, openTaskSweep } from './task-index/sweep.ts'
import { recount, restoreEntry } from './task-index/restore.ts'
import { makeTables } from './workspace-schema.ts'
import { sharedAlarm } from './shared-alarm.ts'
import { slotAlarm } from './run-slots/slot-alarm.ts'
import { sweepAlarm } from './blobs/sweep-alarm.ts'

interface WorkspaceEnv {
  /** The queue for jobs; without it the object does them itself, when its alarm goes off. */
  JOBS?: Queue<WorkspaceJob>
}

export abstract class WorkspaceObject<E extends WorkspaceEnv = WorkspaceEnv>
  extends DurableObject<E>
  implements WorkspaceMethods
{
  #made = false
  readonly #alarm = sharedAlarm(
    (time) => void this.ctx.storage.setAlarm(time),
    () => [this.#reminders.next(), this.#slots.next(), this.#unfinished.next()],
  )
  readonly #host = {
    env: () => this.env,
    name: () => this.ctx.id.name,
    transact: <T>(body: (sql: SqlStorage) => T) => this.#transact(body),
    wake: (time: number) => this.#alarm.wake(time),
    ask: (job: WorkspaceJob) => requestJob(this.env.JOBS, this.ctx, (one) => this.work(one), job),
  }
  readonly #reminders = reminderAlarm(this.#host)
  readonly #slots = slotAlarm(this.#host)
  readonly #unfinished = sweepAlarm(this.#host)

  readonly #sweep = openTaskSweep()
  readonly #waiters = waiters(
    () => this.#transact((sql) => delegationsIn(sql).pendingAt()),
    () => Date.now(),
  )

  /** Does a job by calling methods of this same object, as any other caller would. */
  protected abstract work(job: WorkspaceJob): Promise<void>

  command(call: CommandCall): ReturnType<WorkspaceMethods['command']> {
    const run = (sql: SqlStorage) =>
      runInBook(sqlBook(sql), call.request === null ? effectKeys(sql) : requestKeys(sql), call)
    const ran = refuseOverQuota(() => this.#transact((sql) => writeWithin(sql, this.#bytesMax(), () => run(sql))))
    if (ran.ok) this.#reminders.plan(ran.value.result)
    return ran
  }

  remind(call: RemindCall): TenantNotice[] {
    return this.#transact((sql) => {
      const sources = { book: sqlBook(sql), tried: sqlReminders(sql), commands: sqlDelegations(sql) }
      return takeReminders(sources, call, Date.now())
    })
  }

  entries() {
    return this.#transact((sql) => calendarEntries(entriesOf(sqlBook(sql))))
  }

  override async alarm(): Promise<void> {
    this.#alarm.rung()
    await Promise.all([this.#reminders.ring(), this.#slots.ring(), this.#unfinished.ring()])
  }

  admit(entry: IndexEntry, open_max: number, daily: DailyLimits): Result<null> {
    return this.#transact((sql) => {
      if (admitAgain(sql, entry)) {
        this.#slots.forgetVersions(sql, entry.id)
        return ok(null)
      }
      const room = checkRoom(sql, open_max, daily)
      const taken = room.ok ? sqlBytes(sql).take(FIRST_ROOM, this.#bytesMax()) : room
      if (taken.ok) insertEntry(sql, entry, Date.now())
      else if (taken.refusal.code === 'quota_exceeded') this.#lookAtOpen(sql, LOOK_FOR_ROOM)
      return taken
    })
  }

  reopen(id: string, open_max: number, daily: DailyLimits): Result<null> {
    return this.#transact((sql) => reopenEntry(sql, id, open_max, daily))
  }

  reserve(want: AllowanceRequest, daily: DailyLimits): AllowanceChunk | null {
    return this.#transact((sql) => sqlSpend(sql).reserve(want, daily, Date.now()))
  }

  mayComeBack(task: string): boolean {
    return this.#transact((sql) => sqlSpend(sql).mayComeBack(task, Date.now()))
  }
  giveBack(refund: AllowanceRefund): void {
    this.#transact((sql) => sqlSpend(sql).giveBack(refund))
  }
  recall(request: RequestKey): Result<string | null> {
    return this.#transact((sql) => refuseWithoutRoom(sql, findReply(requestKeys(sql), request), this.#bytesMax()))
  }
  keep(request: RequestKey, answer: string): void {
    this.#transact((sql) => requestKeys(sql).keep(requestName(request), request.digest, answer))
  }

  setStatus(id: string, status: Status, version: number, cost: Spend | null, shown?: ListedText): void {
    const wake_at = this.#transact((sql) => {
      const is_news = recordStatus(sql, { id, status, version, listed: shown }, Date.now())
      if (is_news && cost !== null) recordFinishedCost(sql, id, cost)
      if (is_news && ENDED_STATUSES.has(status)) delegationsIn(sql).cancel(id)
      return RUNNING_STATUSES.has(status) ? null : this.#slots.free(sql, id, version)
    })
    this.#slots.wake(wake_at)
  }
  finished(limit: number): Spend[] {
    return this.#transact((sql) => finishedCosts(sql, limit))
  }
  acquireSlot(claim: SlotClaim): boolean {
    return this.#slots.acquire(claim)
  }
  releaseSlot(task: string, version: number | null): void {
    this.#slots.release(task, version)
  }
  holdersToWake(): string[] {
    return this.#slots.holdersToWake()
  }
  admission(id: string) {
    return this.#transact((sql) => admissionOf(sql, id))
  }
  leaving(id: string) {
    return this.#transact((sql) => beginRemoval(sql, id))
  }

  drop(id: string, admitted: readonly string[]): void {
    const wake_at = this.#transact((sql) => {
      const known = admissionOf(sql, id)
      if (known !== null && !admitted.includes(known.admitted)) return null
      forgetTask(sql, id)
      return this.#slots.free(sql, id, Infinity)
    })
    this.#slots.wake(wake_at)
  }

  enterDelegation(entry: DelegationEntry): void {
    this.#transact((sql) => delegationsIn(sql).enter(entry, indexedStatus(sql, entry.task)))
    this.#reminders.plan('delegation_entered')
    this.#waiters.look()
  }
  claimDelegation(id: string, worker: string, lease_ms: number): Result<Claim> {
    const claim = this.#transact((sql) => delegationsIn(sql).claimDelegation(id, worker, lease_ms))
    // A renewed lease may end sooner.
    this.#waiters.look()
    return claim
  }
  settleDelegation(...[id, status]: Parameters<WorkspaceMethods['settleDelegation']>): void {
    this.#transact((sql) => delegationsIn(sql).settleDelegation(id, status))
  }
  claimOf(id: string): Claim | null {
    return this.#transact((sql) => delegationsIn(sql).claimOf(id))
  }
  listDelegations(status: DelegationStatus | null, before: number, limit: number) {
    return this.#transact((sql) => delegationsIn(sql).listDelegations(status, before, limit))
  }

  /** The only asynchronous method: it writes nothing, and each of its looks is a transaction that ends before it waits. */
  awaitDelegation(wait_ms: number): Promise<void> {
    return this.#waiters.wait(wait_ms)
  }

  holdRoom(call: RoomCall, max: number): Result<number> {
    return this.#transact((sql) => sqlBytes(sql).holdRoom(call, max))
  }
  usedBytes(): number {
    return this.#transact((sql) => sqlBytes(sql).usedBytes())
  }
  holdBytes(held: Parameters<WorkspaceMethods['holdBytes']>[0], max: number): Result<null> {
    const taken = this.#transact((sql) => sqlStored(sql).holdBytes(held, max))
    if (taken.ok && held.named !== true) this.#unfinished.begun()
    return taken
  }
  releaseBytes(task: string, blobs: readonly string[]): void {
    this.#transact((sql) => sqlStored(sql).releaseBytes(task, blobs))
  }
  renewHolds(task: string, blobs: readonly string[]): boolean {
    return this.#transact((sql) => sqlStored(sql).renewHolds(task, blobs))
  }
  settleBlobs(task: string, settled: SettledBlobs): void {
    this.#transact((sql) => sqlStored(sql).settleBlobs(task, settled))
  }
  takeOverdueBlobs() {
    return this.#transact((sql) => sqlStored(sql).takeOverdueBlobs())
  }
  takePermits(call: PermitCall): number {
    return this.#transact((sql) => sqlRates(sql).takePermits(call))
  }
  noteDelivery(record: DeliveryRecord): void {
    this.#transact((sql) => sqlDeliveries(sql).noteDelivery(record))
  }
  findDelivery(id: string): DeliveryRecord | null {
    return this.#transact((sql) => sqlDeliveries(sql).findDelivery(id))
  }
  listDeliveries(status: DeliveryStatus | null, before: number, limit: number) {
    return this.#transact((sql) => sqlDeliveries(sql).listDeliveries(status, before, limit))
  }
  restore(entry: RestoredEntry): void {
    this.#transact((sql) => restoreEntry(sql, entry))
  }
  recount(): number {
    return this.#transact(recount)
  }
  list(filter: IndexFilter, before: number, limit: number) {
    return this.#transact((sql) => {
      this.#lookAtOpen(sql, LOOK)
      return indexPage(sql, filter, before, limit)
    })
  }

  /** Runs beside the call and waits for none of the tasks. */
  #lookAtOpen(sql: SqlStorage, look: typeof LOOK): void {
    const tasks = this.#sweep(sql, Date.now(), look)
    const tenant = tenantIn(this.ctx.id.name)
    if (tasks.length === 0 || tenant === null) return
    const job: WorkspaceJob = { kind: 'mend', tenant, tasks }
    const asked = requestJob(this.env.JOBS, this.ctx, (one: WorkspaceJob) => this.work(one), job)
    // The next look takes other tasks and comes back to these.
    this.ctx.waitUntil(asked.catch(() => undefined))
  }

  #bytesMax = (): number => configOf(this.env).max_stored_bytes

  #transact<T>(body: (sql: SqlStorage) => T): T {
    const { storage } = this.ctx
    const answer = storage.transactionSync(() => {
      if (!this.#made) makeTables(storage.sql)
      return body(storage.sql)
    })
    // Set only now, because the tables of a transaction that was rolled back are not there.
    const is_first = !this.#made
    this.#made = true
    if (is_first) this.#unfinished.plan()
    return answer
  }
}
