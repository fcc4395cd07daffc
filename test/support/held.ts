/** One task over rows in memory, which a test drives call by call as Workers do: with tickets, a clock and events. */
import type { ClientTool, ToolSource } from '../../src/core/terms/tools/client-tools.ts'
import type { EventOf, ReplyForm, StoredEffect } from '../../src/core/terms/effect.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import type { StoredTaskView } from '../../src/core/protocol/view/stored-task-view.ts'
import type { StepResult, InputResult } from '../../src/core/protocol/task-answers.ts'
import type { TaskMethods } from '../../src/core/replay/stored-task.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import type { JournalRecord } from '../../src/store/task/rows/schema.ts'
import { MANUAL, act, planned, FREE, UNBOUNDED } from './scripted.ts'

export const MINUTE = 60_000

export const ticket = (slice: string, more: Ticket['more'] = 'new_round'): Ticket => ({
  slice,
  boot: 'boot',
  more,
  wall_ms: 0,
  rounds: 9,
  key: null,
})
export const replied = (reply: object | string, form: ReplyForm = 'json_schema'): EventOf<'model_replied'> => ({
  kind: 'model_replied',
  text: typeof reply === 'string' ? reply : JSON.stringify(reply),
  usage: null,
  model: 'm',
  form,
})
export const failed = (retry_after_ms: number | null = null): EventOf<'model_failed'> => ({
  kind: 'model_failed',
  reason: 'down',
  status: 503,
  retry_after_ms,
})
export const returned: EventOf<'tool_returned'> = { kind: 'tool_returned', ok: true, text: 'fine', code: 'ok' }

export function value(result: Result<InputResult>): StepResult {
  if (!result.ok || typeof result.value === 'string') throw new Error(JSON.stringify(result))
  return result.value
}
export const seqOf = (advanced: StepResult) => advanced.assignment?.seq ?? -1

export interface Held {
  rows: ReturnType<typeof memoryRows>
  task: TaskMethods
  here: ObjectContext
  /** The answer to the first call: the plan effect is pending, held by slice s1 at seq 2. */
  created: StepResult
}

export function held(settings: Partial<Settings> = {}, tools: ClientTool[] = [], sources: ToolSource[] = []): Held {
  const here: ObjectContext = { now_ms: 0, boot: 'boot', prices: FREE, daily: UNBOUNDED }
  const rows = memoryRows()
  const task = taskMethods(rows, () => here)
  const fixed = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
  const brief = { ...fixed, settings: Settings.parse(settings), tools, ...(sources.length === 0 ? {} : { sources }) }
  const created = value(task.create({ id: 'task_1', tenant: 't', brief }, ticket('s1')))
  return { rows, task, here, created }
}

/** The plan is stored; the first thought is pending, held by slice s1 at seq 3. */
export function thinking(settings: Partial<Settings> = {}): Held {
  const one = held(settings)
  value(one.task.commit(2, replied(planned('A')), ticket('s1')))
  return one
}

/** The first thought has chosen an action, which is pending, held by slice s1 at seq 4. */
export function acting(settings: Partial<Settings> = {}): Held {
  const one = thinking(settings)
  value(one.task.commit(3, replied(act()), ticket('s1')))
  return one
}

export function see({ task }: Held): StoredTaskView {
  const seen = task.ask({ kind: 'view' })
  if (!seen.ok) throw new Error(JSON.stringify(seen))
  return seen.value
}
export function head({ rows }: Held): Head {
  const last = rows.last()
  if (last === null) throw new Error('no row is closed')
  return last.head
}
export function journal({ task }: Held) {
  const page = task.ask({ kind: 'journal', after: 0, limit: 100 })
  if (!page.ok) throw new Error(JSON.stringify(page))
  return page.value.data
}
/** The result of each row: its outcome, or its kind if it is not an effect or is still pending. */
export const outcomes = (one: Held) => journal(one).map((row) => row.outcome ?? row.kind)
export const types = (advanced: StepResult) => advanced.events.map((event) => event.type)
/** Everything that is stored, for a comparison. */
export const stored = ({ rows }: Held) => JSON.stringify([...rows.records])

/** Changes the stored form of one row, as damage or another release would. */
export function damage({ rows }: Pick<Held, 'rows'>, seq: number, change: (record: JournalRecord) => object): void {
  const record = rows.records.get(seq)
  if (record === undefined) throw new Error(`no row ${seq}`)
  rows.records.set(seq, { ...record, ...change(record) })
}
export const withEffect =
  (change: Partial<Record<keyof StoredEffect | 'idempotent' | 'hash' | 'prompt', unknown>>) =>
  (record: JournalRecord) => ({ effect: JSON.stringify({ ...JSON.parse(record.effect ?? '{}'), ...change }) })
