/** The Durable Object of one tenant: todos, schedule, applied effect keys, the index of tasks, and what they hand to workers. */
import { DurableObject } from 'cloudflare:workers'
import type { RequestKey } from '../core/advance.ts'
import type { Allowance, Refund } from '../core/axes.ts'
import { chunkOf, dayOf, isExhausted, NOTHING_SPENT, type Spent, untilTomorrow } from '../core/daily.ts'
import { calendarEntries } from '../core/calendar.ts'
import type { DelegationStatus } from '../core/delegation.ts'
import type { Claim, DelegationEntry, DelegationPage } from '../core/delegation-methods.ts'
import type { RemindJob } from '../core/due.ts'
import type { Reminder } from '../core/reminder-message.ts'
import type { Entries } from '../core/reminders.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import { ENDED, Spend, type DeliveryStatus, type Status } from '../core/status.ts'
import { turnOf } from '../core/turns.ts'
import { entriesOf, remindFrom } from './remind.ts'
import { ask } from './ask.ts'
import { delegationsOver } from './delegations.ts'
import { reminderAlarm } from './reminder-alarm.ts'
import { nameOf, recalled, runInBook } from './run-in-book.ts'
import { admissionOf, admitAgain, admittedAt, enter } from './sql-admissions.ts'
import { sqlBook } from './sql-book.ts'
import { sqlDelegations } from './sql-delegations.ts'
import { sqlDeliveries } from './sql-deliveries.ts'
import { effectKeys, requestKeys } from './sql-keys.ts'
import { listed } from './sql-listing.ts'
import { sqlReminders } from './sql-reminders.ts'
import { sqlStored } from './sql-stored.ts'
import {
  ADMITTED_MS_MAX,
  type Admission,
  type CommandCall,
  type Daily,
  type DeliveryRecord,
  type IndexEntry,
  type IndexFilter,
  type IndexPage,
  type RemindCall,
  type WorkspaceMethods,
} from '../core/workspace-methods.ts'
import { waiters } from './waiters.ts'
import { makeTables } from './workspace-schema.ts'

/** Finished tasks whose cost is remembered for forecasts. */
const FINISHED_MAX = 200

type TurnRow = { id: string; slice: string; asked: number; held: number; until: number }

const OPEN = `status NOT IN (${[...ENDED].map((status) => `'${status}'`).join(', ')})`

export interface WorkspaceEnv {
  /** Who does the jobs; without it the object does them itself, when its alarm goes off. */
  JOBS?: Queue<RemindJob>
}

export abstract class WorkspaceObject<E extends WorkspaceEnv = WorkspaceEnv>
  extends DurableObject<E>
  implements WorkspaceMethods
{
  #made = false
  readonly #reminders = reminderAlarm({
    env: () => this.env,
    name: () => this.ctx.id.name,
    transact: (body) => this.#transact(body),
    setAlarm: (time) => void this.ctx.storage.setAlarm(time),
    ask: (job) => ask(this.env.JOBS, this.ctx, (one) => this.work(one), job),
  })

  readonly #waiters = waiters(
    () => this.#transact((sql) => delegationsIn(sql).pendingAt()),
    () => Date.now(),
  )

  /** Does a job: by calling methods of this very object, as anyone else would. */
  protected abstract work(job: RemindJob): Promise<void>

  command(call: CommandCall): ReturnType<WorkspaceMethods['command']> {
    const ran = this.#transact((sql) =>
      runInBook(sqlBook(sql), call.request === null ? effectKeys(sql) : requestKeys(sql), call),
    )
    if (ran.ok) this.#reminders.plan(ran.value.result)
    return ran
  }

  remind(call: RemindCall): Reminder[] {
    return this.#transact((sql) => {
      const told = { book: sqlBook(sql), tried: sqlReminders(sql), commands: sqlDelegations(sql) }
      return remindFrom(told, call, Date.now())
    })
  }

  entries(): Entries {
    return this.#transact((sql) => calendarEntries(entriesOf(sqlBook(sql))))
  }

  override alarm(): Promise<void> {
    return this.#reminders.ring()
  }

  admit(entry: IndexEntry, open_max: number, daily: Daily): Result<null> {
    return this.#transact((sql) => {
      if (admitAgain(sql, entry)) return ok(null)
      const room = roomIn(sql, open_max, daily)
      if (room.ok) enter(sql, entry, Date.now())
      return room
    })
  }

  reopen(id: string, open_max: number, daily: Daily): Result<null> {
    return this.#transact((sql) => {
      const query = `SELECT 1 FROM tasks WHERE id = ? AND NOT (${OPEN})`
      if (sql.exec(query, id).toArray().length === 0) return ok(null)
      const room = roomIn(sql, open_max, daily)
      if (room.ok) sql.exec("UPDATE tasks SET status = 'running', at = ? WHERE id = ?", Date.now(), id)
      return room
    })
  }

  reserve(want: { tokens: number; cost: number }, daily: Daily): Allowance | null {
    return this.#transact((sql) => {
      const day = dayOf(Date.now())
      const chunk = chunkOf(want, spentOn(sql, day), daily, day)
      if (chunk !== null) spend(sql, day, chunk.tokens, chunk.cost)
      return chunk
    })
  }

  giveBack({ day, tokens, cost }: Refund): void {
    this.#transact((sql) => spend(sql, day, -tokens, -cost))
  }

  recall(request: RequestKey): Result<string | null> {
    return this.#transact((sql) => recalled(requestKeys(sql), request))
  }

  keep(request: RequestKey, answer: string): void {
    this.#transact((sql) => requestKeys(sql).keep(nameOf(request), request.digest, answer))
  }

  setStatus(id: string, status: Status, version: number, cost: Spend | null): void {
    this.#transact((sql) => {
      // A time that is still to come is one before the clock was put back.
      const waits = 'version = ? AND status <> ? AND abs(at - ?) > ?'
      const query = `UPDATE tasks SET status = ?, version = ? WHERE id = ? AND (version < ? OR (${waits})) RETURNING 1`
      const since = [Date.now(), ADMITTED_MS_MAX]
      const told = sql.exec(query, status, version, id, version, version, status, ...since).toArray().length > 0
      if (told && cost !== null) remember(sql, id, cost)
      if (told && ENDED.has(status)) delegationsIn(sql).cancel(id)
    })
  }

  finished(limit: number): Spend[] {
    return this.#transact((sql) => {
      const rows = sql.exec<{ spend: string }>('SELECT spend FROM finished ORDER BY position DESC LIMIT ?', limit)
      return rows.toArray().map((row) => Spend.parse(JSON.parse(row.spend)))
    })
  }

  takeTurn(asked: { id: string; slice: string }, max: number): number {
    return this.#transact((sql) => {
      const turns = sql.exec<TurnRow>('SELECT id, slice, asked, held, until FROM turns').toArray()
      const all = turns.map((turn) => ({ ...turn, held: turn.held === 1 }))
      const { wait_ms, ...turn } = turnOf(all, asked, max, Date.now())
      const query = 'INSERT OR REPLACE INTO turns (id, slice, asked, held, until) VALUES (?, ?, ?, ?, ?)'
      sql.exec(query, turn.id, turn.slice, turn.asked, turn.held ? 1 : 0, turn.until)
      return wait_ms
    })
  }

  endTurn({ id, slice }: { id: string; slice: string }): void {
    this.#transact((sql) => {
      sql.exec('DELETE FROM turns WHERE (id = ? AND slice = ?) OR until < ?', id, slice, Date.now())
    })
  }

  admission(id: string): Admission | null {
    return this.#transact((sql) => admissionOf(sql, id))
  }

  drop(id: string, admitted: readonly string[]): void {
    this.#transact((sql) => {
      const known = admissionOf(sql, id)
      if (known !== null && !admitted.includes(known.admitted)) return
      sql.exec('DELETE FROM turns WHERE id = ?', id)
      sql.exec('DELETE FROM tasks WHERE id = ?', id)
      // Effect keys are `task:seq`; `;` is the character behind `:`.
      sql.exec('DELETE FROM applied WHERE key >= ? AND key < ?', `${id}:`, `${id};`)
      sqlDeliveries(sql).drop(id)
      sqlStored(sql).drop(id)
      sqlDelegations(sql).drop(id)
    })
  }

  enterDelegation(entry: DelegationEntry): void {
    this.#transact((sql) => delegationsIn(sql).enter(entry, statusOf(sql, entry.task)))
    this.#reminders.plan('delegation_entered')
    this.#waiters.look()
  }

  claimDelegation(id: string, worker: string, lease_ms: number): Result<Claim> {
    const claim = this.#transact((sql) => delegationsIn(sql).claimDelegation(id, worker, lease_ms))
    // A lease that was renewed may end sooner.
    this.#waiters.look()
    return claim
  }

  settleDelegation(...[id, status]: Parameters<WorkspaceMethods['settleDelegation']>): void {
    this.#transact((sql) => delegationsIn(sql).settleDelegation(id, status))
  }

  claimOf(id: string): Claim | null {
    return this.#transact((sql) => delegationsIn(sql).claimOf(id))
  }

  listDelegations(status: DelegationStatus | null, before: number, limit: number): DelegationPage {
    return this.#transact((sql) => delegationsIn(sql).listDelegations(status, before, limit))
  }

  /** Alone in being asynchronous: it writes nothing, and each look of it is a transaction that is over before it waits. */
  awaitDelegation(wait_ms: number): Promise<void> {
    return this.#waiters.wait(wait_ms)
  }

  holdBytes(held: Parameters<WorkspaceMethods['holdBytes']>[0], max: number): Result<null> {
    return this.#transact((sql) => sqlStored(sql).holdBytes(held, max))
  }

  releaseBytes(task: string, blobs: readonly string[]): void {
    this.#transact((sql) => sqlStored(sql).releaseBytes(task, blobs))
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

  list(filter: IndexFilter, before: number, limit: number): IndexPage {
    return this.#transact((sql) => listed(sql, filter, before, limit))
  }

  #transact<T>(body: (sql: SqlStorage) => T): T {
    const { storage } = this.ctx
    const answer = storage.transactionSync(() => {
      if (!this.#made) makeTables(storage.sql)
      return body(storage.sql)
    })
    // Not before: what a transaction made that was rolled back is not there.
    this.#made = true
    return answer
  }
}

const delegationsIn = (sql: SqlStorage) =>
  delegationsOver(sqlDelegations(sql), (task) => admittedAt(sql, task), Date.now())

const statusOf = (sql: SqlStorage, id: string): Status | null =>
  sql.exec<{ status: Status }>('SELECT status FROM tasks WHERE id = ?', id).toArray()[0]?.status ?? null

/** What it cost by an earlier run, or the oldest, makes room by becoming the newest: a row deleted and one inserted would be two. */
function remember(sql: SqlStorage, id: string, cost: Spend): void {
  const own = '(SELECT max(position) FROM finished WHERE id = ?)'
  const oldest = '(SELECT min(position) FROM finished HAVING count(*) >= ?)'
  const query = `UPDATE finished SET position = (SELECT max(position) FROM finished) + 1, id = ?, spend = ?
    WHERE position = coalesce(${own}, ${oldest}) RETURNING 1`
  const values = [id, JSON.stringify(cost)]
  const replaced = sql.exec(query, ...values, id, FINISHED_MAX).toArray().length > 0
  if (!replaced) sql.exec('INSERT INTO finished (id, spend) VALUES (?, ?)', ...values)
}

function spentOn(sql: SqlStorage, day: string): Spent {
  return (
    sql.exec<Spent & Record<string, number>>('SELECT tokens, cost FROM spend WHERE day = ?', day).toArray()[0] ??
    NOTHING_SPENT
  )
}

function roomIn(sql: SqlStorage, open_max: number, daily: Daily): Result<null> {
  const { open } = sql.exec<{ open: number }>(`SELECT count(*) AS open FROM tasks WHERE ${OPEN}`).one()
  if (open >= open_max) return refuse({ code: 'quota_exceeded', open, max: open_max })
  const now = Date.now()
  if (!isExhausted(spentOn(sql, dayOf(now)), daily)) return ok(null)
  return refuse({ code: 'tenant_budget_exceeded', reset_s: untilTomorrow(now) })
}

function spend(sql: SqlStorage, day: string, tokens: number, cost: number): void {
  const query = `INSERT INTO spend (day, tokens, cost) VALUES (?, ?, ?)
    ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`
  sql.exec(query, day, tokens, cost)
}
