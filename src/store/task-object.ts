/**
 * The Durable Object of one task. Every method is synchronous from first read to last write, in one transaction
 * (docs/protocol.md 15); it decides through the core and never calls a model or a tool.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Allowance, Grant } from '../core/axes.ts'
import type { Event } from '../core/effect.ts'
import { heldAllowance } from '../core/funding.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import type { Ticket } from '../core/advance.ts'
import { configOf } from '../config.ts'
import { bootId } from './boot.ts'
import { knownRows } from './known-rows.ts'
import { guarded, taskMethods, type Rows } from './rows.ts'
import { hasJournal, sqlRows } from './sql-rows.ts'
import type { NewTaskRow, TaskMethods } from '../core/task-methods.ts'

export class TaskObject extends DurableObject<object> implements TaskMethods {
  /** What is stored, and what of it is known, as of the last transaction; null after one that was rolled back. */
  #rows: Rows | null = null

  create(task: NewTaskRow, ticket: Ticket) {
    return this.#transact((methods) => methods.create(task, ticket))
  }
  begin(ticket: Ticket) {
    return this.#transact((methods) => methods.begin(ticket))
  }
  commit(seq: number, event: Event, ticket: Ticket) {
    return this.#transact((methods) => methods.commit(seq, event, ticket))
  }
  input(text: string, request_id: string | null, ticket: Ticket) {
    return this.#transact((methods) => methods.input(text, request_id, ticket))
  }
  topUp(add: Grant, ticket: Ticket) {
    return this.#transact((methods) => methods.topUp(add, ticket))
  }
  fund(allowance: Allowance | null, ticket: Ticket) {
    return this.#transact((methods) => methods.fund(allowance, ticket))
  }
  cancel(ticket: Ticket) {
    return this.#transact((methods) => methods.cancel(ticket))
  }
  answered(ticket: Ticket) {
    return this.#transact((methods) => methods.answered(ticket))
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
  /** Removes everything stored for the task, readable or not; a running slice finds nothing to commit to (docs/protocol.md 12). */
  async remove(): Promise<Result<Allowance | null>> {
    const { sql } = this.ctx.storage
    if (!hasJournal(sql)) return refuse({ code: 'task_not_found' })
    const held = guarded(() => ok(heldAllowance(sqlRows(sql))))
    try {
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
    } finally {
      this.#rows = null
    }
    return ok(held.ok ? held.value : null)
  }

  #transact<T>(decide: (methods: TaskMethods) => Result<T>): Result<T> {
    const { storage } = this.ctx
    const { prices, daily } = configOf(this.env)
    const bounded = { tokens: daily.tokens !== null, cost: daily.cost !== null }
    const here = () => ({ now_ms: Date.now(), boot: bootId(), prices, daily: bounded })
    const rows = this.#rows ?? knownRows(sqlRows(storage.sql))
    this.#rows = null
    return guarded(() => {
      const decided = storage.transactionSync(() => decide(taskMethods(rows, here)))
      this.#rows = rows
      return decided
    })
  }
}
