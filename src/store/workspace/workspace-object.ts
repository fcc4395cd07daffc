/** The Durable Object of one tenant: todos, schedule, applied effect keys, the index of tasks, and what they hand to workers. */
import { DurableObject } from 'cloudflare:workers'
import { configOf } from '../../config.ts'
import type { WorkspaceJob } from '../../core/protocol/alarm-times.ts'
import type {
  StoredWorkspace,
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'
import { firstPendingAt } from '../../core/workspace/claims.ts'
import { requestJob } from '../request-job.ts'
import { sweepAlarm } from './blobs/sweep-alarm.ts'
import { sqlDelegations } from './delegations/sql-delegations.ts'
import { waiters } from './delegations/waiters.ts'
import type { Afterwards, OpenTaskLook, WriteContext } from './handlers.ts'
import { tenantIn } from './owner.ts'
import { refuseOverQuota } from './quotas/sql-bytes.ts'
import { reminderAlarm } from './reminders/reminder-alarm.ts'
import { askWorkspace, tellWorkspace } from './requests.ts'
import { scheduleAlarm, withinHour } from './schedules/schedule-alarm.ts'
import { slotAlarm } from './run-slots/slot-alarm.ts'
import { sharedAlarm } from './shared-alarm.ts'
import { openTaskSweep } from './task-index/sweep.ts'
import { makeTables } from './workspace-schema.ts'

interface WorkspaceEnv {
  /** The queue for jobs; without it the object does them itself, when its alarm goes off. */
  JOBS?: Queue<WorkspaceJob>
}

export abstract class WorkspaceObject<E extends WorkspaceEnv = WorkspaceEnv>
  extends DurableObject<E>
  implements StoredWorkspace
{
  #made = false
  readonly #alarm = sharedAlarm(
    (time) => void this.ctx.storage.setAlarm(time),
    () => [this.#reminders.next(), this.#slots.next(), this.#unfinished.next(), this.#schedules.next()],
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
  readonly #schedules = scheduleAlarm(this.#host)

  readonly #sweep = openTaskSweep()
  readonly #waiters = waiters(
    () => this.#transact((sql) => firstPendingAt(sqlDelegations(sql).open(), Date.now())),
    () => Date.now(),
  )

  /** Does a job by calling methods of this same object, as any other caller would. */
  protected abstract work(job: WorkspaceJob): Promise<void>

  tell<K extends WorkspaceCommandKind>(command: WorkspaceCommand<K>): WorkspaceCommandAnswer<K> {
    const steps: (() => void)[] = []
    const answer = refuseOverQuota(() =>
      this.#transact((sql) => tellWorkspace(this.#context(sql, this.#afterwards(steps)), command)),
    )
    for (const step of steps) step()
    // Only a slash command writes within the quota, and a refusal is an answer to it.
    return answer as WorkspaceCommandAnswer<K>
  }

  ask<K extends WorkspaceQueryKind>(query: WorkspaceQuery<K>): WorkspaceQueryAnswer<K> {
    return this.#transact((sql) => askWorkspace(this.#context(sql, this.#afterwards([])), query))
  }

  /** The only asynchronous method: it writes nothing, and each of its looks is a transaction that ends before it waits. */
  awaitDelegation(wait_ms: number): Promise<void> {
    return this.#waiters.wait(wait_ms)
  }

  override async alarm(): Promise<void> {
    this.#alarm.rung()
    await Promise.all([this.#reminders.ring(), this.#slots.ring(), this.#unfinished.ring(), this.#schedules.ring()])
  }

  #context(sql: SqlStorage, after: Afterwards): WriteContext {
    const { max_stored_bytes, max_driven_tasks } = configOf(this.env)
    return {
      sql,
      now_ms: Date.now(),
      tenant: () => tenantIn(this.ctx.id.name),
      bytes_max: max_stored_bytes,
      slots_max: max_driven_tasks,
      lookAtOpen: (look) => this.#lookAtOpen(sql, look),
      after,
    }
  }

  #afterwards(steps: (() => void)[]): Afterwards {
    return {
      wakeHolder: (at) => void steps.push(() => at !== null && this.#alarm.wake(at)),
      planReminders: (change) => void steps.push(() => this.#reminders.plan(change)),
      lookForWaiters: () => void steps.push(() => this.#waiters.look()),
      lookAtSchedules: (at) => void steps.push(() => at !== null && this.#alarm.wake(withinHour(at, Date.now()))),
      holdHasBegun: () => void steps.push(() => this.#unfinished.begun()),
    }
  }

  /** Runs beside the call and waits for none of the tasks. */
  #lookAtOpen(sql: SqlStorage, look: OpenTaskLook): void {
    const tasks = this.#sweep(sql, Date.now(), look)
    const tenant = tenantIn(this.ctx.id.name)
    if (tasks.length === 0 || tenant === null) return
    const job: WorkspaceJob = { kind: 'mend', tenant, tasks }
    const asked = requestJob(this.env.JOBS, this.ctx, (one: WorkspaceJob) => this.work(one), job)
    // The next look takes other tasks and comes back to these.
    this.ctx.waitUntil(asked.catch(() => undefined))
  }

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
