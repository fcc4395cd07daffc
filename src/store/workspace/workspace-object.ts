/**
 * The Durable Object of one tenant: todos, schedule, applied effect keys, the index of tasks, and what they hand to workers. A named pool has an
 * object of this class too, which is asked for nothing but delegations and is no shard (POOL-02).
 */
import { DurableObject } from 'cloudflare:workers'
import { configOf } from '../../config.ts'
import type { WorkspaceJob } from '../../core/protocol/alarm-times.ts'
import type { ShardAnswer, ShardCall } from '../../core/protocol/shard-requests.ts'
import type {
  StoredWorkspace,
  WithinBytes,
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'
import { refuse } from '../../core/terms/refusal.ts'
import { pendingTimes } from '../../core/workspace/claims.ts'
import { FIRST_SHARD } from '../../core/workspace/shards/layout.ts'
import { errorFacts } from '../../telemetry/error-facts.ts'
import { isolateLog } from '../../telemetry/isolate.ts'
import type { WorkspaceGauges } from '../../telemetry/metrics/catalogue.ts'
import { hasTable } from '../has-table.ts'
import { requestJob } from '../request-job.ts'
import { sweepAlarm } from './blobs/sweep-alarm.ts'
import { hasDelegations, keptWithCommands, sqlDelegations } from './delegations/sql-delegations.ts'
import { waiters } from './delegations/waiters.ts'
import { changesGauges, gaugesIn } from './gauges.ts'
import { WHOLE_QUOTA, type Afterwards, type OpenTaskLook, type QuotaPart, type WriteContext } from './handlers.ts'
import { poolIn, shardIn, tenantIn } from './owner.ts'
import { refuseOverQuota } from './quotas/sql-bytes.ts'
import { reminderAlarm } from './reminders/reminder-alarm.ts'
import { askWorkspace, tellWorkspace } from './requests.ts'
import { scheduleAlarm, withinHour } from './schedules/schedule-alarm.ts'
import { slotAlarm } from './run-slots/slot-alarm.ts'
import { askAgain, quotaPart, runInShard } from './shards/shards.ts'
import { makeShardTables, sqlShardRows, wasSharded } from './shards/sql-shard-rows.ts'
import { sharedAlarm } from './shared-alarm.ts'
import { feedAlarm } from './task-index/feed-alarm.ts'
import { feedTurns } from './task-index/feed-turns.ts'
import { makeFeed } from './task-index/sql-feed.ts'
import { openTaskSweep } from './task-index/sweep.ts'
import { makeTables } from './workspace-schema.ts'

interface WorkspaceEnv {
  /** The queue for jobs; without it the object does them itself, when its alarm goes off. */
  JOBS?: Queue<WorkspaceJob>
  /** The index database, which the object feeds and never asks. */
  INDEX?: unknown
}

/** What makes new work, which a workspace with too few shards must not take. */
const NEW_WORK: ReadonlySet<WorkspaceCommandKind> = new Set(['admit', 'reopen'])
const TOO_FEW_SHARDS = refuse({
  code: 'not_configured',
  reasons: ['TENANT_SHARDS names fewer shards for this tenant than it has had, and their number may only grow'],
})

const withQuota = (context: WriteContext, quota: QuotaPart): WriteContext => ({
  ...context,
  quota,
  get bytes_max() {
    return quota.of('bytes', context.tenant_bytes_max)
  },
})

export abstract class WorkspaceObject<E extends WorkspaceEnv = WorkspaceEnv>
  extends DurableObject<E>
  implements StoredWorkspace
{
  #made = false
  #was_sharded = false
  #has_shard_tables = false
  readonly #mayAsk = askAgain(() => Date.now())
  readonly #alarm = sharedAlarm(
    (time) => void this.ctx.storage.setAlarm(time),
    () => [
      this.#reminders.next(),
      this.#slots.next(),
      this.#unfinished.next(),
      this.#schedules.next(),
      this.#feed.next(),
    ],
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
  readonly #feed = feedAlarm(this.#host, () => this.#isFed())
  readonly #feeding = feedTurns()

  readonly #sweep = openTaskSweep()
  readonly #waiters = waiters(
    (max) => this.#transact((sql) => pendingTimes(sqlDelegations(sql).longestPending(max, Date.now()), Date.now())),
    () => Date.now(),
  )

  /** Hands what the workspace `name` tells of itself to the metrics. */
  protected abstract tellGauges(name: string, gauges: WorkspaceGauges): void
  /** Does a job by calling methods of this same object, as any other caller would. */
  protected abstract work(job: WorkspaceJob): Promise<void>

  tell<K extends WorkspaceCommandKind>(command: WorkspaceCommand<K>): WorkspaceCommandAnswer<K> {
    return this.#change(command, (context) => {
      // Fewer shards than before would not find the tasks of the others.
      if (this.#was_sharded && !this.#isSharded() && NEW_WORK.has(command.kind)) return TOO_FEW_SHARDS as never
      return tellWorkspace(context, command)
    })
  }

  tellInShard<K extends WorkspaceCommandKind>(
    call: ShardCall<WorkspaceCommand<K>>,
  ): ShardAnswer<WorkspaceCommandAnswer<K>> {
    return this.#change(
      call.command,
      (context) =>
        runInShard(sqlShardRows(context.sql, context.has_shard_tables), context, call, (quota) =>
          tellWorkspace(withQuota(context, quota), call.command),
        ),
      true,
    )
  }

  #change<T>(
    within: WithinBytes & { kind: WorkspaceCommandKind },
    body: (context: WriteContext) => T,
    is_part = false,
  ): T {
    const steps: (() => void)[] = []
    const answer = refuseOverQuota(() =>
      this.#transact((sql) => body(this.#context(sql, this.#afterwards(steps), within, is_part))),
    )
    for (const step of steps) step()
    this.#emptyPool()
    if (changesGauges(within.kind)) this.#tellGauges()
    this.#feed.touched()
    // Only a slash command writes within the quota, and a refusal is an answer to it.
    return answer as T
  }

  /** A pool whose last task is gone leaves nothing. Who waits in it goes on waiting. */
  #emptyPool(): void {
    const { id, storage } = this.ctx
    if (!this.#made || poolIn(id.name) === null || hasDelegations(storage.sql)) return
    // Both take effect at once; what the runtime answers is that the disk has them.
    void storage.deleteAlarm()
    void storage.deleteAll()
    this.#made = false
    this.#alarm.forget()
    this.#reminders.forget()
  }

  ask<K extends WorkspaceQueryKind>(query: WorkspaceQuery<K>): WorkspaceQueryAnswer<K> {
    return this.#transact((sql) => askWorkspace(this.#context(sql, this.#afterwards([]), query), query))
  }

  /** Answers without making a table, so that whoever asks whether workspaces answer leaves nothing. */
  ping(): true {
    return true
  }

  /** The only asynchronous method: it writes nothing, and each of its looks is a transaction that ends before it waits. */
  awaitDelegation(wait_ms: number): Promise<void> {
    return this.#waiters.wait(wait_ms)
  }

  override async alarm(): Promise<void> {
    this.#alarm.rung()
    await Promise.all([
      this.#reminders.ring(),
      this.#slots.ring(),
      this.#unfinished.ring(),
      this.#schedules.ring(),
      this.#feed.ring(),
    ])
  }

  /** With `is_part` the caller says itself which part of the quotas counts. */
  #context(sql: SqlStorage, after: Afterwards, { bytes_max }: WithinBytes, is_part = false): WriteContext {
    const { max_stored_bytes, max_driven_tasks } = configOf(this.env)
    const context = {
      sql,
      now_ms: Date.now(),
      tenant: () => tenantIn(this.ctx.id.name),
      tenant_bytes_max: bytes_max ?? max_stored_bytes,
      bytes_max: bytes_max ?? max_stored_bytes,
      quota: WHOLE_QUOTA,
      has_shard_tables: this.#has_shard_tables,
      slots_max: max_driven_tasks,
      mayAsk: this.#mayAsk,
      callersWaiting: () => this.#waiters.count(),
      lookAtOpen: (look: OpenTaskLook) => this.#lookAtOpen(sql, look),
      feeding: this.#isFed() ? this.#feeding : null,
      after,
    }
    return !is_part && this.#isSharded()
      ? withQuota(context, quotaPart(sqlShardRows(sql, this.#has_shard_tables), shardIn(this.ctx.id.name), []))
      : context
  }

  #isSharded(): boolean {
    const { name } = this.ctx.id
    const tenant = tenantIn(name)
    return tenant !== null && poolIn(name) === null && configOf(this.env).shardsOf(tenant).count > 1
  }

  #afterwards(steps: (() => void)[]): Afterwards {
    return {
      wakeHolder: (at) => void steps.push(() => at !== null && this.#alarm.wake(at)),
      planReminders: (change) => void steps.push(() => this.#reminders.plan(change)),
      lookForWaiters: () => void steps.push(() => this.#waiters.look()),
      lookAtSchedules: (at) => void steps.push(() => at !== null && this.#alarm.wake(withinHour(at, Date.now()))),
      feedHasMoved: (outcome) => void steps.push(() => this.#feed.moved(outcome)),
      holdHasBegun: () => void steps.push(() => this.#unfinished.begun()),
    }
  }

  /** The command is done, so a failure here is logged and not thrown. */
  #tellGauges(): void {
    try {
      // The shards of a tenant share its run slots.
      const slots_max = shardIn(this.ctx.id.name) === FIRST_SHARD ? configOf(this.env).max_driven_tasks : 0
      const gauges = this.#transact((sql) => gaugesIn(sql, slots_max))
      this.tellGauges(this.ctx.id.name ?? String(this.ctx.id), gauges)
    } catch (error) {
      isolateLog.write({ event: 'metrics_delayed', ...errorFacts(error) })
    }
  }

  #isFed(): boolean {
    return this.env.INDEX !== undefined && poolIn(this.ctx.id.name) === null
  }

  /** Runs beside the call and waits for none of the tasks. */
  #lookAtOpen(sql: SqlStorage, look: OpenTaskLook): void {
    const tasks = this.#sweep(sql, Date.now(), look)
    const tenant = tenantIn(this.ctx.id.name)
    if (tasks.length === 0 || tenant === null) return
    const job: WorkspaceJob = {
      kind: 'mend',
      tenant,
      tasks,
      ...(this.#isSharded() ? { shard: shardIn(this.ctx.id.name) } : {}),
    }
    const asked = requestJob(this.env.JOBS, this.ctx, (one: WorkspaceJob) => this.work(one), job)
    // The next look takes other tasks and comes back to these.
    this.ctx.waitUntil(asked.catch(() => undefined))
  }

  #transact<T>(body: (sql: SqlStorage) => T): T {
    const { storage } = this.ctx
    const is_new = !this.#made && poolIn(this.ctx.id.name) !== null && !hasTable(storage.sql, 'tasks')
    // Anyone may ask for a pool by any name.
    return is_new ? keptWithCommands((one) => this.#transactKept(one), body) : this.#transactKept(body)
  }

  #transactKept<T>(body: (sql: SqlStorage) => T): T {
    const { storage } = this.ctx
    const is_sharded = !this.#made && this.#isSharded()
    const answer = storage.transactionSync(() => {
      if (!this.#made) {
        makeTables(storage.sql)
        this.#was_sharded = wasSharded(storage.sql)
        makeFeed(storage.sql, this.#isFed(), Date.now())
        if (is_sharded) makeShardTables(storage.sql)
      }
      return body(storage.sql)
    })
    // Set only now, because the tables of a transaction that was rolled back are not there.
    const is_first = !this.#made
    this.#made = true
    this.#has_shard_tables ||= is_sharded
    if (is_first) {
      this.#unfinished.plan()
      this.#feed.touched()
    }
    return answer
  }
}
