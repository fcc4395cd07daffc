/**
 * Progress lines for people: what a slice did and the state of the task, in the language of the task (S0-66 to S0-72, O0-16,
 * D7). They are made from events and the task alone. A thought is named by its kind, and its text is never shown (S0-72).
 */
import type { EventType } from '../terms/plain/wire-names.ts'
import type { Locale } from '../terms/locale.ts'
import type { Envelope, TaskView } from '../terms/view.ts'
import { oneLine, stripControls } from './line-text.ts'
import { pendingLines } from './pending-lines.ts'
import { PROGRESS_WORDS, type ProgressWords } from './progress-words.ts'
import { ENDED_STATUSES, type Unit } from '../terms/status.ts'

type Payload = Envelope['payload']
interface Item {
  id: string
  title: string
  done: boolean
}
/** What the reader has seen so far. */
interface ProgressState {
  words: ProgressWords
  /** The plan from the events. null: no event has shown the whole plan yet. */
  plan: Item[] | null
  /** The last printed form of the plan, so that an unchanged plan is not printed twice. */
  shown: string
  /** The item whose line was printed last. */
  current: string | null
  /** The number of items in the plan, used while `plan` is null. */
  length: number
  /** The unit of the task's native counter. */
  unit: Unit
}

const textOf = (value: unknown) => (typeof value === 'string' ? oneLine(value) : '')
/** An amount of a budget. Money is a decimal string. */
const amountOf = (value: unknown) => (typeof value === 'number' ? value : textOf(value))
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The lines of a task's answer: what this request did, and then the state of the task. */
export function taskLines(task: TaskView): string[] {
  const events = task.slice?.events ?? []
  const words = PROGRESS_WORDS[task.locale]
  const progress = progressStateOf(task)
  const eventText = events.flatMap((event) => eventLines(event, progress))
  const more = task.slice?.events_truncated === true ? [words.truncated(task.id)] : []
  return [words.heading(task.id, task.status), ...eventText, ...more, ...statusLines(task, progress)]
}

/** Writes the lines while the events happen. Questions and finished items get lines, because the reader sees no answer. */
export function progressFollower(task: TaskView) {
  const words = PROGRESS_WORDS[task.locale]
  const progress = progressStateOf(task)
  return {
    heading: words.heading(task.id, task.status),
    lines: (event: Envelope): string[] => [
      ...eventLines(event, progress),
      ...(LIST_LINES[event.type]?.(event.payload, progress) ?? []),
    ],
    standing: (now: TaskView): string[] => statusLines(now, progress),
  }
}

const progressStateOf = ({ locale, plan, budget }: TaskView): ProgressState => ({
  words: PROGRESS_WORDS[locale],
  plan: null,
  shown: '',
  current: null,
  length: plan.items.length,
  unit: budget.unit,
})

/** One event as one line, for lists of events. */
export function eventLine(event: Envelope, locale: Locale): string {
  const words = PROGRESS_WORDS[locale]
  const progress: ProgressState = { words, plan: null, shown: '', current: null, length: 0, unit: 'steps' }
  const line = LIST_LINES[event.type] ?? EVENT_LINES[event.type]
  return (line?.(event.payload, progress) ?? [])[0] ?? event.type.replaceAll('_', ' ')
}

function eventLines(event: Envelope, progress: ProgressState): string[] {
  const before =
    event.type === 'thought_decided' || event.type === 'contract_failed' ? decisionLines(event, progress) : []
  return [...before, ...(EVENT_LINES[event.type]?.(event.payload, progress) ?? [])]
}

/** Whether a decision costs no step. A side turn is always free. */
const isFreeDecision = ({ phase, decision }: Payload, unit: Unit) =>
  FREE_PHASES.has(phase) || decision === 'answer' || (phase === 'result' && !COUNTS_CALLS.has(unit))
/** The units of which each call of the model may be one. */
const COUNTS_CALLS: ReadonlySet<Unit> = new Set(['steps', 'iterations'])

/** The lines before each decision: the progress, the plan if it has changed, and the item of the decision (O0-16). */
function decisionLines({ payload }: Envelope, progress: ProgressState): string[] {
  const total = progress.plan?.length ?? progress.length
  // The count in the event includes the decision itself, which may have cost a step.
  const used = Math.max(0, numberOf(payload['step_count']) - (isFreeDecision(payload, progress.unit) ? 0 : 1))
  // A step decision follows a thought, whose lines have shown the progress already.
  const follows = payload['phase'] === 'step_decision'
  return [
    ...(follows ? [] : [usageLine(progress, used, total === 0 ? null : Math.max(used, total))]),
    ...planLines(progress),
    ...currentLines(progress, textOf(payload['item_id'])),
  ]
}
/** Phases whose replies cost no step. */
const FREE_PHASES: ReadonlySet<unknown> = new Set(['plan', 'think', 'step_decision', 'action', 'evaluate', 'summary'])

/** Only steps are shown next to the length of the plan, because other units cannot be compared with it. */
const usageLine = ({ words, unit }: ProgressState, used: number, total: number | null) =>
  unit === 'steps' ? words.executed(used, total) : words.used(used, unit)

function currentLines(progress: ProgressState, id: string): string[] {
  const index = progress.plan?.findIndex((item) => item.id === id) ?? -1
  if (id === '' || id === progress.current || index < 0) return []
  return itemLine(progress, { item_id: id, index, title: progress.plan?.[index]?.title })
}

function itemLine(progress: ProgressState, payload: Payload): string[] {
  progress.current = textOf(payload['item_id'])
  const total = numberOf(payload['total']) || (progress.plan?.length ?? progress.length)
  return [progress.words.item(numberOf(payload['index']) + 1, total === 0 ? null : total, textOf(payload['title']))]
}

function planLines(progress: ProgressState): string[] {
  const lines = (progress.plan ?? []).map(
    (item, index) => `  ${item.done ? '[x]' : '[ ]'} ${index + 1}. ${oneLine(item.title)}`,
  )
  const form = lines.join('\n')
  if (form === progress.shown) return []
  progress.shown = form
  return lines
}

function takePlan(payload: Payload, progress: ProgressState): number {
  const items: unknown[] = Array.isArray(payload['items']) ? payload['items'] : []
  progress.plan = items.map((entry, index) => {
    const { id, title }: { id?: unknown; title?: unknown } = typeof entry === 'object' && entry !== null ? entry : {}
    return { id: textOf(id), title: textOf(title), done: index < numberOf(payload['cursor']) }
  })
  return items.length
}

/** Takes the task list that the model writes by itself, with what is completed now. */
function takeTasks(payload: Payload, progress: ProgressState): string[] {
  const tasks: unknown[] = Array.isArray(payload['tasks']) ? payload['tasks'] : []
  progress.plan = tasks.map((entry, index) => {
    const { name, status }: { name?: unknown; status?: unknown } =
      typeof entry === 'object' && entry !== null ? entry : {}
    return { id: String(index), title: textOf(name), done: status === 'completed' }
  })
  return planLines(progress)
}

function markCompleted(payload: Payload, progress: ProgressState): void {
  const id = textOf(payload['item_id'])
  progress.plan = progress.plan?.map((item) => (item.id === id ? { ...item, done: true } : item)) ?? null
}

/** In a conversation `done` means that the turn has answered. In other modes it means that an item is done. */
const decisionOf = ({ phase, decision }: Payload) =>
  phase === 'turn' && decision === 'done' ? 'answer' : textOf(decision)

const statusOf = (report: unknown) =>
  typeof report === 'object' && report !== null && 'status' in report ? textOf(report.status) : ''

type LineWriter = (payload: Payload, progress: ProgressState) => string[]
/** The lines of each event. null: the event has no news for a reader. */
const EVENT_LINES: Record<EventType, LineWriter | null> = {
  task_created: null,
  clarification_requested: null,
  file_requested: null,
  task_paused: null,
  report_generated: null,
  task_failed: null,
  task_canceled: null,
  agent_started: null,
  agent_completed: null,
  agent_error: null,
  plan_created: (payload, progress) => [progress.words.planned(takePlan(payload, progress)), ...planLines(progress)],
  plan_replanned: (payload, progress) => [
    progress.words.replanned(takePlan(payload, progress)),
    ...planLines(progress),
  ],
  plan_adjusted: (payload, progress) => [progress.words.adjusted(takePlan(payload, progress)), ...planLines(progress)],
  plan_edited: (payload, progress) => [progress.words.edited(takePlan(payload, progress)), ...planLines(progress)],
  item_started: (payload, progress) => itemLine(progress, payload),
  item_completed: (payload, progress) => {
    markCompleted(payload, progress)
    return []
  },
  item_failed: (payload, { words }) => [words.itemFailed(textOf(payload['title']))],
  thought_decided: (payload, { words }) => [words.decision(decisionOf(payload))],
  llm_thinking: (payload, { words }) => {
    const text = textOf(payload['thinking'])
    return text === '' ? [] : [words.thinking(text, payload['is_real'] === true)]
  },
  tasks_updated: (payload, progress) => takeTasks(payload, progress),
  action_started: (payload, { words }) => [words.action(textOf(payload['tool']), textOf(payload['input']))],
  action_finished: (payload, { words }) => {
    const text = textOf(payload['text'])
    return [words.result(payload['ok'] === true), ...(text === '' ? [] : [`  ${text}`])]
  },
  action_waiting: ({ tool, message }, { words }) => [words.toolWorks(textOf(tool), textOf(message))],
  tools_listed: ({ source, tools }, { words }) => [words.listed(textOf(source), listOf(tools).length)],
  tools_unavailable: ({ source, reason }, { words }) => [words.unlisted(textOf(source), textOf(reason))],
  command_dispatched: (payload, { words }) => [words.dispatched(textOf(payload['command_type']))],
  file_arrived: (payload, { words }) => [words.arrived(textOf(payload['name']))],
  report_received: ({ report }, { words }) => [words.reported(statusOf(report))],
  clarification_answered: (payload, { words }) => [words.answered(textOf(payload['answer']))],
  contract_failed: (payload, { words }) => [words.unusable(textOf(payload['reason']))],
  loop_guard: (payload, { words }) => [words.guard(textOf(payload['guard']), numberOf(payload['count']))],
  budget_exhausted: (payload, { words }) => [
    words.exhausted(textOf(payload['axis']), amountOf(payload['used']), amountOf(payload['max'])),
  ],
  budget_added: (payload, { words }) => [
    words.granted(textOf(payload['axis']), amountOf(payload['amount']), amountOf(payload['max'])),
  ],
  task_changed: ({ members }, { words }) => [words.changed(listOf(members).join(', '))],
  task_resumed: (_payload, { words }) => [words.resumed],
  task_completed: (_payload, { words }) => [words.decision('completed')],
}
/** Extra lines for lists of events. A task's answer shows the same at another place: the question at its end, the item in the plan. */
const LIST_LINES: { [T in EventType]?: LineWriter } = {
  item_completed: (payload, { words }) => [words.itemDone(textOf(payload['title']))],
  clarification_requested: (payload, { words }) => [words.asked(textOf(payload['question']))],
  file_requested: (payload, { words }) => [words.asked(textOf(payload['prompt']))],
}

/** The lines about the state of the task: plan, counters, budget, and what comes next or how it ended. */
function statusLines(task: TaskView, progress: ProgressState): string[] {
  const { words } = progress
  const length = task.plan.items.length
  progress.plan = task.plan.items.map(({ id, title, status }) => ({ id, title, done: status === 'completed' }))
  const planned = task.plan.revision > 0 || length > 0
  const plan = planLines(progress)
  return [
    ...plan,
    ...itemCountLines(task, words),
    // For another unit the line of the budget says the same.
    ...(progress.unit === 'steps'
      ? [words.executed(task.step_count, planned ? Math.max(task.step_count, length) : null)]
      : []),
    words.counters(task.counters),
    words.budget(task.budget),
    ...endingLines(task, words),
  ]
}

/** Finished items leave a plan, so their number tells more than the list. */
function itemCountLines({ status, plan: { items, finished_count } }: TaskView, words: ProgressWords): string[] {
  const open = items.filter((item) => item.status === 'pending' || item.status === 'running').length
  return finished_count === 0 ? [] : [words.items(finished_count, ENDED_STATUSES.has(status) ? null : open)]
}

/** The result, the URL of each file that the task has made, and what of the goal was not reached. */
function resultLines({ result }: TaskView, words: ProgressWords): string[] {
  if (result === null) return []
  const { text, data, artifacts, outcome, unmet } = result
  return [
    stripControls(text),
    ...(data === undefined || data === null ? [] : [JSON.stringify(data, null, 2)]),
    ...artifacts.map(({ name, url }) => `${name}  ${url}`),
    ...(outcome === null || outcome === 'done' ? [] : [words.outcome[outcome]]),
    ...unmet.map(({ item, reason }) => `  - ${words.unmet(oneLine(item), oneLine(reason))}`),
  ]
}

function endingLines(task: TaskView, words: ProgressWords): string[] {
  const handover = task.handover === null ? [] : [stripControls(task.handover.text)]
  switch (task.status) {
    case 'input_required':
      return pendingLines(task, words)
    case 'waiting_external':
      if (task.pending?.kind === 'tool') return [words.toolWorks(task.pending.tool, task.pending.message ?? '')]
      return task.pending?.kind === 'report' ? [words.awaits(task.pending.delegation_id, task.pending.deadline)] : []
    case 'completed':
      return [words.finished.completed, ...resultLines(task, words)]
    case 'failed':
      return [
        words.finished.failed(task.stop_reason ?? ''),
        ...(task.error === null ? [] : [stripControls(task.error.detail)]),
        ...handover,
      ]
    case 'canceled':
      return [words.finished.canceled, ...handover]
    case 'paused':
      return [
        words.finished.paused(task.stop_reason ?? ''),
        // A side turn answers questions while the task is paused, and its answer is the result.
        ...(task.result === null ? [] : [stripControls(task.result.text)]),
        ...handover,
        ...(task.pending?.kind === 'resume' ? [stripControls(task.pending.hint)] : []),
      ]
    default:
      return [
        task.retry_after_ms === null ? words.howToGoOn(task.id) : words.waits(Math.ceil(task.retry_after_ms / 1000)),
      ]
  }
}
