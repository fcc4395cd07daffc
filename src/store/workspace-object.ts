/** The Durable Object of one tenant: todos, schedule, applied effect keys and the index of tasks. */
import { DurableObject } from 'cloudflare:workers'
import type { RequestKey } from '../core/advance.ts'
import type { Allowance, Refund } from '../core/axes.ts'
import { chunkOf, dayOf, isExhausted, NOTHING_SPENT, type Spent, untilTomorrow } from '../core/daily.ts'
import { calendarEntries } from '../core/calendar.ts'
import type { RemindJob } from '../core/due.ts'
import type { Reminder } from '../core/reminder-message.ts'
import type { Entries } from '../core/reminders.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import { ENDED, Spend, type DeliveryStatus, type Status } from '../core/status.ts'
import { turnOf } from '../core/turns.ts'
import { entriesOf, remindFrom } from './remind.ts'
import { ask } from './ask.ts'
import { reminderAlarm } from './reminder-alarm.ts'
import { nameOf, recalled, runInBook } from './run-in-book.ts'
import { admissionOf, admitAgain, enter } from './sql-admissions.ts'
import { sqlBook } from './sql-book.ts'
import { sqlDeliveries } from './sql-deliveries.ts'
import { effectKeys, requestKeys } from './sql-keys.ts'
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
import { makeTables } from './workspace-schema.ts'

/** Finished tasks whose cost is remembered for forecasts. */
const FINISHED_MAX = 200

type TurnRow = { id: string; slice: string; asked: number; held: number; until: number }
type Entry = { id: string; position: number; status: Status; admitted_at: number }

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
    return this.#transact((sql) => remindFrom(sqlBook(sql), sqlReminders(sql), call, Date.now()))
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
    })
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
    return this.#transact((sql) => {
      const { where, values } = conditionsOf(filter, before)
      const query = `SELECT id, position, status, at AS admitted_at FROM tasks WHERE ${where} ORDER BY position DESC LIMIT ?`
      const found = sql.exec<Entry>(query, ...values, limit + 1).toArray()
      return { entries: found.slice(0, limit), has_more: found.length > limit }
    })
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

function conditionsOf(filter: IndexFilter, before: number): { where: string; values: (string | number)[] } {
  const terms: [string, ...(string | number)[]][] = [['1 = 1']]
  if (before > 0) terms.push(['position < ?', before])
  if (filter.status !== null) terms.push(['status = ?', filter.status])
  if (filter.mode !== null) terms.push(['mode = ?', filter.mode])
  for (const [key, value] of Object.entries(filter.metadata)) {
    // Keys are letters, digits and ._- only, but the path is bound as a value all the same.
    terms.push(['json_extract(metadata, ?) = ?', `$."${key}"`, value])
  }
  return {
    where: terms.map(([condition]) => condition).join(' AND '),
    values: terms.flatMap(([, ...bound]) => bound),
  }
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
