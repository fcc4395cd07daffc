/**
 * The Durable Object of one task. Every method is synchronous from first read to last write, in one transaction
 * (docs/protocol.md 15); it decides through the core and never calls a model or a tool.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Allowance, Grant } from '../core/axes.ts'
import type { SentReport } from '../core/delegation-methods.ts'
import { dueOf, TaskJob, type Job } from '../core/due.ts'
import type { Event } from '../core/effect.ts'
import type { FileWrite } from '../core/files.ts'
import { newestEvent, newsOf, type News } from '../core/news.ts'
import type { PlanEdit } from '../core/plan-edit.ts'
import type { Sent } from '../core/outbox.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import type { Here, Ticket } from '../core/advance.ts'
import type { QuestionRef } from '../core/seen.ts'
import { configOf } from '../config.ts'
import { ask } from './ask.ts'
import { bootId } from './boot.ts'
import { knownRows } from './known-rows.ts'
import { freshEvents } from './pages.ts'
import { guarded, leftOf, taskMethods, type Rows } from './rows.ts'
import { hasJournal, sqlRows } from './sql-rows.ts'
import { admitWatcher, dismissWatchers, tellWatchers } from './watchers.ts'
import { unreadable } from '../core/unreadable.ts'
import type { Fork, ForkWish } from '../core/fork.ts'
import type { Outcome } from '../core/fork-edit.ts'
import type { NewTaskRow, Removed, TaskMethods } from '../core/task-methods.ts'

/** An alarm that could not find out what is due looks again: a later release may be able to. */
const AFTER_FAILURE_MS = 600_000

/** The jobs that are due are asked for again as long as nothing comes of them. */
const AGAIN_MS = 15_000

export interface TaskEnv {
  /** Who does the jobs; without it the object does them itself, when its alarm goes off. */
  JOBS?: Queue<Job>
}

export abstract class TaskObject<E extends TaskEnv = TaskEnv> extends DurableObject<E> implements TaskMethods {
  /** What is stored, and what of it is known, as of the last transaction; null after one that was rolled back. */
  #rows: Rows | null = null
  /** The alarm as far as it is known; what it finds due when it goes off is decided then, so it may be too early, never too late. */
  #alarm: number | null = null
  /** Its next slice waits for its turn until then; forgotten, it only asks too early. */
  #not_before = 0

  /** Does a job: by calling methods of this very object, as anyone else would. */
  protected abstract work(job: TaskJob): Promise<void>

  create(task: NewTaskRow, ticket: Ticket) {
    return this.#change((methods) => methods.create(task, ticket))
  }
  begin(ticket: Ticket) {
    return this.#change((methods) => methods.begin(ticket))
  }
  commit(seq: number, event: Event, ticket: Ticket) {
    return this.#change((methods) => methods.commit(seq, event, ticket))
  }
  input(text: string, request_id: string | null, ticket: Ticket) {
    return this.#change((methods) => methods.input(text, request_id, ticket))
  }
  question(ref: QuestionRef) {
    return this.#transact((methods) => methods.question(ref))
  }
  answer(ref: QuestionRef, text: string, ticket: Ticket) {
    return this.#change((methods) => methods.answer(ref, text, ticket))
  }
  delegation(seq: number, chars?: number) {
    return this.#transact((methods) => methods.delegation(seq, chars))
  }
  report(seq: number, sent: SentReport, ticket: Ticket) {
    return this.#change((methods) => methods.report(seq, sent, ticket))
  }
  topUp(add: Grant, ticket: Ticket) {
    return this.#change((methods) => methods.topUp(add, ticket))
  }
  editPlan(edit: PlanEdit, ticket: Ticket) {
    return this.#change((methods) => methods.editPlan(edit, ticket))
  }
  fund(allowance: Allowance | null, ticket: Ticket) {
    return this.#change((methods) => methods.fund(allowance, ticket))
  }
  pause(ticket: Ticket) {
    return this.#change((methods) => methods.pause(ticket))
  }
  resume(ticket: Ticket) {
    return this.#change((methods) => methods.resume(ticket))
  }
  tend(ticket: Ticket) {
    return this.#change((methods) => methods.tend(ticket))
  }
  cancel(ticket: Ticket) {
    return this.#change((methods) => methods.cancel(ticket))
  }
  answered(ticket: Ticket) {
    return this.#transact((methods) => methods.answered(ticket))
  }
  deliver() {
    return this.#change((methods) => methods.deliver())
  }
  delivered(seq: number, attempt: number, sent: Sent) {
    return this.#change((methods) => methods.delivered(seq, attempt, sent))
  }
  redeliver(seq: number) {
    return this.#change((methods) => methods.redeliver(seq))
  }
  read() {
    return this.#transact((methods) => methods.read())
  }
  events(after: number, limit: number) {
    return this.#transact((methods) => methods.events(after, limit))
  }
  journal(after: number, limit: number) {
    return this.#transact((methods) => methods.journal(after, limit))
  }
  stored(after: number, limit: number) {
    return this.#transact((methods) => methods.stored(after, limit))
  }
  forkable(wish: ForkWish) {
    return this.#transact((methods) => methods.forkable(wish))
  }
  past(after: number, limit: number) {
    return this.#transact((methods) => methods.past(after, limit))
  }
  fork(wish: Fork, ticket: Ticket) {
    return this.#change((methods) => methods.fork(wish, ticket))
  }
  replay(after: number, limit: number) {
    return this.#transact((methods) => methods.replay(after, limit))
  }
  readFile(name: string) {
    return this.#transact((methods) => methods.readFile(name))
  }
  writeFile(file: FileWrite) {
    return this.#transact((methods) => methods.writeFile(file))
  }
  listFiles() {
    return this.#transact((methods) => methods.listFiles())
  }
  mayWrite(name: string, seq: number | null) {
    return this.#transact((methods) => methods.mayWrite(name, seq))
  }
  removeFile(name: string) {
    return this.#transact((methods) => methods.removeFile(name))
  }
  forkedFiles(at: number, outcome: Outcome | null) {
    return this.#transact((methods) => methods.forkedFiles(at, outcome))
  }
  later(ms: number): void {
    this.#alarm = null
    this.#not_before = Date.now() + ms
    this.#wake(this.#jobs() ?? [])
  }
  /** Removes everything stored for the task, readable or not; a running slice finds nothing to commit to (docs/protocol.md 12). */
  async remove(): Promise<Result<Removed>> {
    const { sql } = this.ctx.storage
    if (!hasJournal(sql)) return refuse({ code: 'task_not_found' })
    const left = leftOf(sqlRows(sql))
    try {
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
    } finally {
      this.#rows = null
      this.#alarm = null
    }
    dismissWatchers(this.ctx)
    return ok(left)
  }

  /** Asked for by watchers only. */
  override fetch(): Response {
    return admitWatcher(this.ctx, this.#news())
  }
  /** They only listen, and one that has left is not missed. */
  override webSocketMessage(): void {}
  override webSocketClose(watcher: WebSocket): void {
    watcher.close()
  }
  override webSocketError(): void {}

  /** One alarm for all that is due by time (ruling 5): the truth that survives what a queue forgets. */
  override async alarm(): Promise<void> {
    this.#alarm = null
    const now = Date.now()
    try {
      const jobs = this.#jobs()
      if (jobs === null) throw unreadable('what is due cannot be told')
      const due = jobs.filter(({ at }) => at <= now)
      if (due.length > 0) this.#wakeAt(now + AGAIN_MS)
      else this.#wake(jobs)
      await Promise.all(due.map(({ job }) => ask(this.env.JOBS, this.ctx, (one) => this.work(one), job)))
    } catch (error) {
      // Thrown away it would be tried six times and never again (failure 36).
      this.#wakeAt(now + AFTER_FAILURE_MS)
      console.error(JSON.stringify({ event: 'alarm_failed', reason: error instanceof Error ? error.name : 'error' }))
    }
  }

  async retire(): Promise<Result<Removed>> {
    const now = Date.now()
    const isRetired = (this.#jobs() ?? []).some(({ at, job }) => job.kind === 'retire' && at <= now)
    return isRetired ? this.remove() : refuse({ code: 'task_not_found' })
  }

  /** What is to be done for the task, and when: nothing for one that is not there; null for one that cannot be read. */
  #jobs(): { at: number; job: TaskJob }[] | null {
    const rows = this.#known()
    const owed = guarded(() => {
      const head = rows.last()?.head
      if (head === undefined) return ok([])
      const due = dueOf(rows, rows.deliveries(), this.#here())
      return ok(
        TaskJob.shape.kind.options.flatMap((kind) => {
          const at = kind === 'tend' && due.tend !== null ? Math.max(due.tend, this.#not_before) : due[kind]
          return at === null ? [] : [{ at, job: { kind, tenant: head.tenant, task: head.id } }]
        }),
      )
    })
    return owed.ok ? owed.value : null
  }

  #wake(jobs: { at: number }[]): void {
    if (jobs.length > 0) this.#wakeAt(Math.min(...jobs.map(({ at }) => at)))
  }

  #wakeAt(time: number): void {
    if (this.#alarm !== null && this.#alarm <= time) return
    this.#alarm = time
    void this.ctx.storage.setAlarm(time)
  }

  /** A transaction after which something else may be due, and which may have caused events. */
  #change<T>(decide: (methods: TaskMethods) => Result<T>): Result<T> {
    const before = this.#newestEvent()
    const decided = this.#transact(decide)
    if (!decided.ok) return decided
    this.#wake(this.#jobs() ?? [])
    if (this.#newestEvent() > before) tellWatchers(this.ctx, () => this.#news(before))
    return decided
  }

  #newestEvent(): number {
    const newest = guarded(() => ok(newestEvent(this.#known())))
    return newest.ok ? newest.value : 0
  }

  /** With the events after `seen`, where they are few. */
  #news(seen: number | null = null): Result<News> {
    return guarded(() => {
      const rows = this.#known()
      const news = newsOf(rows, seen === null ? undefined : freshEvents(rows, seen))
      return news === null ? refuse({ code: 'task_not_found' }) : ok(news)
    })
  }

  #transact<T>(decide: (methods: TaskMethods) => Result<T>): Result<T> {
    const rows = this.#known()
    this.#rows = null
    return guarded(() => {
      const decided = this.ctx.storage.transactionSync(() => decide(taskMethods(rows, () => this.#here())))
      this.#rows = rows
      return decided
    })
  }

  #known(): Rows {
    return (this.#rows ??= knownRows(sqlRows(this.ctx.storage.sql)))
  }

  #here(): Here {
    const { prices, daily } = configOf(this.env)
    const bounded = { tokens: daily.tokens !== null, cost: daily.cost !== null }
    return { now_ms: Date.now(), boot: bootId(), prices, daily: bounded }
  }
}
