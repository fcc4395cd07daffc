/**
 * The Durable Object of one task. Every method is synchronous from first read to last write, in one transaction
 * (P15); it decides through the core and never calls a model or a tool.
 */
import { DurableObject } from 'cloudflare:workers'
import { dueOf, needsRunSlot, TimeJob, type Job, type TaskJob } from '../../core/protocol/alarm-times.ts'
import type { Event } from '../../core/terms/effect.ts'
import {
  isCallOpen,
  newestEvent,
  newsOf,
  type CallStanding,
  type News,
  type ThoughtDelta,
} from '../../core/protocol/view/news.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { ObjectContext, Ticket } from '../../core/protocol/advance.ts'
import { briefOf } from '../../core/mode/mode.ts'
import { limitedKey } from '../../core/terms/values/limited-key.ts'
import { configOf } from '../../config.ts'
import { draining } from '../../lifecycle/process.ts'
import { requestJob } from '../request-job.ts'
import { bootId } from '../boot.ts'
import { cachedRows } from './rows/cached-rows.ts'
import { exportTeller } from './export-teller.ts'
import { indexTeller } from './index-teller.ts'
import { freshEvents } from './pages.ts'
import { taskMethods } from './task-methods.ts'
import { owedPage } from './export-queries.ts'
import { remainsOf, restorableOf } from './task-facts.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { type Rows } from './rows/rows.ts'
import type { Restorable } from '../../shell/listing/restore.ts'
import { hasJournal, sqlRows } from './rows/sql-rows.ts'
import { taskAlarm, type DueJob } from './task-alarm.ts'
import { admitWatcher, dismissWatchers, tellWatchers } from './watchers.ts'
import { exportDueAt, hasFailed, isAhead, owedIn, type ExportState } from '../../core/replay/export/export-page.ts'
import type { Tail } from '../../core/protocol/journal.ts'
import type { Fork } from '../../core/replay/fork.ts'
import type { NewTaskRow } from '../../core/protocol/task-answers.ts'
import type {
  EmptiedTask,
  QueryKind,
  TaskMethods,
  TaskQuery,
  TaskUpkeep,
  UpkeepAnswer,
  UpkeepKind,
} from '../../core/replay/stored-task.ts'
import type { CommandKind, TaskCommand } from '../../core/protocol/commands.ts'

interface TaskEnv {
  /** Who does the jobs; without it the object does them itself, when its alarm goes off. */
  JOBS?: Queue<Job>
}

/** Upkeep after which something else may be due, or events are there. */
const CHANGES: Record<UpkeepKind, boolean> = {
  stall: true,
  begin_delivery: true,
  settle_delivery: true,
  redeliver: true,
  settle_export: false,
  give_room: false,
  end_links: false,
  write_file: true,
  remove_file: false,
  refuse_blobs: false,
}

export abstract class TaskObject<E extends TaskEnv = TaskEnv> extends DurableObject<E> implements TaskMethods {
  /** What is stored, and what of it is known, as of the last transaction; null after one that was rolled back. */
  #rows: Rows | null = null
  readonly #alarm = taskAlarm({
    now: () => Date.now(),
    jobs: () => this.#jobs(),
    needsRunSlot: () => {
      const needs = refuseUnreadable(() => ok(needsRunSlot(this.#loadRows(), this.#context())))
      return needs.ok && needs.value
    },
    setAlarm: (time) => void this.ctx.storage.setAlarm(time),
    ask: (job) => requestJob(this.env.JOBS, this.ctx, (one) => this.work(one), job),
    isEnding: () => draining.hasBegun(),
  })
  readonly #teller = indexTeller(async () => {
    const view = this.ask({ kind: 'view' })
    if (view.ok) await this.tellIndex(restorableOf(this.#loadRows(), view.value))
  })

  readonly #exporter = exportTeller(
    (is_patient) =>
      this.#ofExport(null, (rows, last) =>
        owedIn(rows.exported(), last, { now_ms: Date.now(), is_under_way: rows.pending() !== null, is_patient }),
      ),
    async () => {
      const head = this.#loadRows().last()?.head
      if (head === undefined) return
      const job: TaskJob = { kind: 'export', tenant: head.tenant, task: head.id }
      await requestJob(this.env.JOBS, this.ctx, (one: TaskJob) => this.work(one), job)
    },
  )

  /** Does a job: by calling methods of this very object, as anyone else would. */
  protected abstract work(job: TaskJob): Promise<void>
  /** Tells the index of the tenant what the task shows, or makes its entry there again. */
  protected abstract tellIndex(task: Restorable): Promise<void>
  protected abstract restoreEntry(task: Restorable): Promise<void>

  create(task: NewTaskRow, ticket: Ticket) {
    return this.#change((methods) => methods.create(task, ticket))
  }
  begin(ticket: Ticket) {
    return this.#change((methods) => methods.begin(ticket))
  }
  commit(seq: number, event: Event, ticket: Ticket) {
    return this.#change((methods) => methods.commit(seq, event, ticket))
  }
  tell<K extends CommandKind>(command: TaskCommand<K>, ticket: Ticket) {
    return this.#change((methods) => methods.tell(command, ticket))
  }
  ask<K extends QueryKind>(query: TaskQuery<K>) {
    return this.#transact((methods) => methods.ask(query))
  }
  fork(wish: Fork, ticket: Ticket) {
    return this.#change((methods) => methods.fork(wish, ticket))
  }
  upkeep<K extends UpkeepKind>(call: TaskUpkeep<K>): UpkeepAnswer<K> {
    const { kind }: { kind: UpkeepKind } = call
    // What a task that is gone was given is not stored: that would make a table for it.
    if (kind === 'give_room' && !hasJournal(this.ctx.storage.sql)) return refuse({ code: 'task_not_found' })
    if (kind === 'remove_file') this.#teller.changed()
    const before = kind === 'settle_export' ? this.#loadRows().exported() : null
    const decided = CHANGES[kind]
      ? this.#change((methods) => methods.upkeep(call))
      : this.#transact((methods) => methods.upkeep(call))
    // Watchers who have come by a link are not known from others: all are sent away, and those with a right come again.
    if (kind === 'end_links' && decided.ok) dismissWatchers(this.ctx, 'the links of the task were ended')
    if (before !== null) this.#exportSettled(before)
    return decided
  }
  relay(words: ThoughtDelta, slice: string): CallStanding {
    const open = refuseUnreadable(() => ok(isCallOpen(this.#loadRows(), words.journal_seq, slice)))
    const counts = open.ok && open.value
    if (counts && words.text !== '') tellWatchers(this.ctx, () => this.#news({ said: words }))
    return { open: counts, watched: this.ctx.getWebSockets().length > 0 }
  }
  driveLater(ms: number, asked_ms: number): void {
    this.#alarm.driveLater(ms, asked_ms)
  }
  wake(): boolean {
    return this.#alarm.wake()
  }
  /** Removes everything stored for the task, readable or not; a running slice finds nothing to commit to (P12). */
  async remove(): Promise<Result<EmptiedTask>> {
    const { sql } = this.ctx.storage
    const found = refuseUnreadable(() => ok(hasJournal(sql)))
    if (found.ok && !found.value) return refuse({ code: 'task_not_found' })
    const remains = remainsOf(sqlRows(sql))
    // Rows that were closed since the export before the deletion are read here, because nobody can read them afterwards.
    const owed = this.#ofExport({}, (rows) => owedPage(rows, Date.now()))
    try {
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
    } finally {
      this.#rows = null
      this.#alarm.forget()
    }
    dismissWatchers(this.ctx, 'the task was deleted')
    return ok({ ...remains, ...owed })
  }

  /** For an index that was lost: called by whoever knows this object by its id alone (scripts/reindex.mjs). */
  async reindex(): Promise<Result<{ tenant: string; id: string }>> {
    const view = this.ask({ kind: 'view' })
    if (!view.ok) return view
    const task = restorableOf(this.#loadRows(), view.value)
    await this.restoreEntry(task)
    return ok({ tenant: task.tenant, id: view.value.id })
  }
  /** Asked for by watchers only. */
  override fetch(request: Request): Response {
    const link = new URL(request.url).searchParams.get('link')
    const news = this.#transact((methods) =>
      methods.ask({ kind: 'events', after: 0, limit: 0, link: link === null ? undefined : Number(link) }),
    )
    return admitWatcher(this.ctx, news.ok ? this.#news() : news)
  }
  /** They only listen, and one that has left is not missed. */
  override webSocketMessage(): void {}
  override webSocketClose(watcher: WebSocket): void {
    watcher.close()
  }
  override webSocketError(): void {}

  override alarm(): Promise<void> {
    this.#teller.touched()
    this.#exporter.touched()
    return this.#alarm.ring()
  }

  async retire(): Promise<Result<EmptiedTask>> {
    const now = Date.now()
    const isRetired = (this.#jobs() ?? []).some(({ at, job }) => job.kind === 'retire' && at <= now)
    return isRetired ? this.remove() : refuse({ code: 'task_not_found' })
  }

  /** What is to be done for the task, and when: nothing for one that is not there; null for one that cannot be read. */
  #jobs(): DueJob[] | null {
    const rows = this.#loadRows()
    const owed = refuseUnreadable(() => {
      const head = rows.last()?.head
      if (head === undefined) return ok([])
      const exports = this.#ofExport(null, (found, last) => exportDueAt(found.exported(), last, found))
      const due = dueOf(rows, rows.deliveries(), this.#context(), exports)
      const of = { tenant: head.tenant, task: head.id }
      const timed = TimeJob.shape.kind.options.map((kind) => ({ at: due[kind], job: { kind, ...of } }))
      const key_name = limitedKey(briefOf(rows.recall).maker?.key_name)
      const by = key_name === null ? {} : { key_name }
      const asked = { version: rows.last()?.seq ?? 0, asked_ms: Date.now(), ...by }
      const jobs = [...timed, { at: due.drive, job: { kind: 'drive' as const, ...of, ...asked } }]
      return ok(jobs.flatMap(({ at, job }) => (at === null ? [] : [{ at, job }])))
    })
    return owed.ok ? owed.value : null
  }

  /** A transaction after which something else may be due, and which may have caused events. */
  #change<T>(decide: (methods: TaskMethods) => Result<T>): Result<T> {
    const before = this.#newestEvent()
    const decided = this.#transact(decide)
    if (!decided.ok) return decided
    this.#teller.changed()
    this.#exporter.changed()
    this.#alarm.plan()
    if (this.#newestEvent() > before)
      tellWatchers(this.ctx, () => this.#news({ fresh: freshEvents(this.#loadRows(), before) }))
    return decided
  }

  /** What the rows owe to traces and usage, as `read` tells it. `none` where nothing leaves tasks, or where the task cannot be read. */
  #ofExport<T>(none: T, read: (rows: Rows, last: NonNullable<Tail['last']>) => T): T {
    if (!configOf(this.env).exports_rows) return none
    const told = refuseUnreadable(() => {
      const rows = this.#loadRows()
      const last = rows.last()
      return ok(last === null ? none : read(rows, last))
    })
    return told.ok ? told.value : none
  }

  #exportSettled(before: ExportState): void {
    const now = this.#ofExport(before, (rows) => rows.exported())
    this.#exporter.settled(isAhead(now, before))
    this.#alarm.replan(hasFailed(now))
  }

  #newestEvent(): number {
    const newest = refuseUnreadable(() => ok(newestEvent(this.#loadRows())))
    return newest.ok ? newest.value : 0
  }

  #news(more?: Pick<News, 'fresh' | 'said'>): Result<News> {
    return refuseUnreadable(() => {
      const news = newsOf(this.#loadRows(), more)
      return news === null ? refuse({ code: 'task_not_found' }) : ok(news)
    })
  }

  #transact<T>(decide: (methods: TaskMethods) => Result<T>): Result<T> {
    const rows = this.#loadRows()
    this.#rows = null
    return refuseUnreadable(() => {
      const decided = this.ctx.storage.transactionSync(() => decide(taskMethods(rows, () => this.#context())))
      this.#rows = rows
      this.#teller.touched()
      this.#exporter.touched()
      return decided
    })
  }

  #loadRows(): Rows {
    return (this.#rows ??= cachedRows(sqlRows(this.ctx.storage.sql)))
  }

  #context(): ObjectContext {
    const { prices, daily, model_rules } = configOf(this.env)
    const bounded = { tokens: daily.tokens !== null, cost: daily.cost !== null }
    return { now_ms: Date.now(), boot: bootId(), prices, daily: bounded, model_rules }
  }
}
