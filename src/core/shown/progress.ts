/**
 * Progress for people: what a slice did and how the task stands, line by line, in the task's language (S0-66…S0-72,
 * O0-16, D7). Built from events and the task alone: a thought is named by its kind, its wording is never shown (S0-72).
 */
import type { EventType } from '../terms/effect.ts'
import type { Locale } from '../terms/locale.ts'
import type { Envelope, TaskView } from '../terms/view.ts'
import { PROGRESS_WORDS, type Words } from './progress-words.ts'
import type { Unit } from '../terms/status.ts'

type Payload = Envelope['payload']
interface Item {
  id: string
  title: string
  done: boolean
}
/** What the reader has been told so far. */
interface Told {
  words: Words
  /** The plan as the events made it; null until one of them shows it whole. */
  plan: Item[] | null
  /** Its last printed form, so that an unchanged plan is not printed twice. */
  shown: string
  /** The item whose line was printed last. */
  current: string | null
  /** Items of the plan while `plan` is null. */
  length: number
  /** What the task counts. */
  unit: Unit
}

const RESULT_MAX = 220

/** Text for a terminal: no control characters, which could move the cursor or hide what follows. */
export const clean = (text: string) =>
  text.replaceAll(/[\p{Cc}]/gu, (char) => (char === '\n' || char === '\t' ? char : ' '))
/** The first characters of a text, on one line. */
export function oneLine(text: string, max = RESULT_MAX): string {
  const line = clean(text).replaceAll(/\s+/g, ' ').trim()
  return Array.from(line.slice(0, 2 * max))
    .slice(0, max)
    .join('')
}
const textOf = (value: unknown) => (typeof value === 'string' ? oneLine(value) : '')
/** Of a budget: money is a decimal string. */
const amountOf = (value: unknown) => (typeof value === 'number' ? value : textOf(value))
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

/** The lines of a task's answer: what this request did, then how the task stands. */
export function taskLines(task: TaskView): string[] {
  const events = task.slice?.events ?? []
  const words = PROGRESS_WORDS[task.locale]
  const told = toldOf(task)
  const happened = events.flatMap((event) => eventLines(event, told))
  const more = task.slice?.events_truncated === true ? [words.truncated(task.id)] : []
  return [words.heading(task.id, task.status), ...happened, ...more, ...standing(task, told)]
}

/** The same, told while it happens to someone who has no answer beside it: questions and finished items have lines of their own. */
export function followedProgress(task: TaskView) {
  const words = PROGRESS_WORDS[task.locale]
  const told = toldOf(task)
  return {
    heading: words.heading(task.id, task.status),
    lines: (event: Envelope): string[] => [
      ...eventLines(event, told),
      ...(LISTED[event.type]?.(event.payload, told) ?? []),
    ],
    standing: (now: TaskView): string[] => standing(now, told),
  }
}

const toldOf = ({ locale, plan, budget }: TaskView): Told => ({
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
  const told: Told = { words, plan: null, shown: '', current: null, length: 0, unit: 'steps' }
  const line = LISTED[event.type] ?? LINES[event.type]
  return (line?.(event.payload, told) ?? [])[0] ?? event.type.replaceAll('_', ' ')
}

function eventLines(event: Envelope, told: Told): string[] {
  const before = event.type === 'thought_decided' || event.type === 'contract_failed' ? decisionLines(event, told) : []
  return [...before, ...(LINES[event.type]?.(event.payload, told) ?? [])]
}

/** Nothing of it is counted by its mode; an answer beside the work by none. */
const isFree = ({ phase, decision }: Payload) => FREE.has(phase) || decision === 'answer'

/** Before each decision: how far, the plan if it changed, and the item it is about (O0-16). */
function decisionLines({ payload }: Envelope, told: Told): string[] {
  const total = told.plan?.length ?? told.length
  // The count is the one after the decision, which itself may have cost one.
  const used = Math.max(0, numberOf(payload['step_count']) - (isFree(payload) ? 0 : 1))
  // It follows on a thought that was told how far it is.
  const follows = payload['phase'] === 'step_decision'
  return [
    ...(follows ? [] : [farLine(told, used, total === 0 ? null : Math.max(used, total))]),
    ...planLines(told),
    ...currentLines(told, textOf(payload['item_id'])),
  ]
}
/** Phases whose replies cost no step. */
const FREE: ReadonlySet<unknown> = new Set(['plan', 'think', 'step_decision', 'action', 'evaluate', 'summary'])

/** Steps are as many as the plan has items or more; of other units that says nothing. */
const farLine = ({ words, unit }: Told, used: number, of: number | null) =>
  unit === 'steps' ? words.executed(used, of) : words.used(used, unit)

function currentLines(told: Told, id: string): string[] {
  const index = told.plan?.findIndex((item) => item.id === id) ?? -1
  if (id === '' || id === told.current || index < 0) return []
  return itemLine(told, { item_id: id, index, title: told.plan?.[index]?.title })
}

function itemLine(told: Told, payload: Payload): string[] {
  told.current = textOf(payload['item_id'])
  const total = numberOf(payload['total']) || (told.plan?.length ?? told.length)
  return [told.words.item(numberOf(payload['index']) + 1, total === 0 ? null : total, textOf(payload['title']))]
}

function planLines(told: Told): string[] {
  const lines = (told.plan ?? []).map(
    (item, index) => `  ${item.done ? '[x]' : '[ ]'} ${index + 1}. ${oneLine(item.title)}`,
  )
  const form = lines.join('\n')
  if (form === told.shown) return []
  told.shown = form
  return lines
}

function adopt(payload: Payload, told: Told): number {
  const items: unknown[] = Array.isArray(payload['items']) ? payload['items'] : []
  told.plan = items.map((entry, index) => {
    const { id, title }: { id?: unknown; title?: unknown } = typeof entry === 'object' && entry !== null ? entry : {}
    return { id: textOf(id), title: textOf(title), done: index < numberOf(payload['cursor']) }
  })
  return items.length
}

/** The tasks a model keeps by itself, as they are ticked now. */
function ticked(payload: Payload, told: Told): string[] {
  const tasks: unknown[] = Array.isArray(payload['tasks']) ? payload['tasks'] : []
  told.plan = tasks.map((entry, index) => {
    const { name, status }: { name?: unknown; status?: unknown } =
      typeof entry === 'object' && entry !== null ? entry : {}
    return { id: String(index), title: textOf(name), done: status === 'completed' }
  })
  return planLines(told)
}

function mark(payload: Payload, told: Told): void {
  const id = textOf(payload['item_id'])
  told.plan = told.plan?.map((item) => (item.id === id ? { ...item, done: true } : item)) ?? null
}

/** A turn of a conversation that is done has answered; elsewhere done is an item. */
const decisionOf = ({ phase, decision }: Payload) =>
  phase === 'turn' && decision === 'done' ? 'answer' : textOf(decision)

const statusOf = (report: unknown) =>
  typeof report === 'object' && report !== null && 'status' in report ? textOf(report.status) : ''

type Line = (payload: Payload, told: Told) => string[]
/** The wording of each event; those without a line say nothing a reader would miss. */
const LINES: { [T in EventType]?: Line } = {
  plan_created: (payload, told) => [told.words.planned(adopt(payload, told)), ...planLines(told)],
  plan_replanned: (payload, told) => [told.words.replanned(adopt(payload, told)), ...planLines(told)],
  plan_adjusted: (payload, told) => [told.words.adjusted(adopt(payload, told)), ...planLines(told)],
  plan_edited: (payload, told) => [told.words.edited(adopt(payload, told)), ...planLines(told)],
  item_started: (payload, told) => itemLine(told, payload),
  item_completed: (payload, told) => {
    mark(payload, told)
    return []
  },
  item_failed: (payload, { words }) => [words.itemFailed(textOf(payload['title']))],
  thought_decided: (payload, { words }) => [words.decision(decisionOf(payload))],
  llm_thinking: (payload, { words }) => {
    const text = textOf(payload['thinking'])
    return text === '' ? [] : [words.thinking(text, payload['is_real'] === true)]
  },
  tasks_updated: (payload, told) => ticked(payload, told),
  action_started: (payload, { words }) => [words.action(textOf(payload['tool']), textOf(payload['input']))],
  action_finished: (payload, { words }) => {
    const text = textOf(payload['text'])
    return [words.result(payload['ok'] === true), ...(text === '' ? [] : [`  ${text}`])]
  },
  command_dispatched: (payload, { words }) => [words.dispatched(textOf(payload['command_type']))],
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
  task_resumed: (_payload, { words }) => [words.resumed],
  task_completed: (_payload, { words }) => [words.decision('completed')],
}
/** In a list of events some say what a task's answer says elsewhere: the open question at its end, the item in the plan. */
const LISTED: { [T in EventType]?: Line } = {
  item_completed: (payload, { words }) => [words.itemDone(textOf(payload['title']))],
  clarification_requested: (payload, { words }) => [words.asked(textOf(payload['question']))],
}

/** How the task stands: plan, counters, budget, and what comes next or how it ended. */
function standing(task: TaskView, told: Told): string[] {
  const { words } = told
  const length = task.plan.items.length
  told.plan = task.plan.items.map(({ id, title, status }) => ({ id, title, done: status === 'completed' }))
  const planned = task.plan.revision > 0 || length > 0
  const plan = planLines(told)
  return [
    ...plan,
    // Of another unit the budget says the same.
    ...(told.unit === 'steps'
      ? [words.executed(task.step_count, planned ? Math.max(task.step_count, length) : null)]
      : []),
    words.counters(task.counters),
    words.budget(task.budget),
    ...ending(task, words),
  ]
}

/** Choices stand below the question, one a line. */
const asking = ({ prompt, choices }: Extract<TaskView['pending'], { kind: 'question' }>, how: string): string[] => [
  clean(prompt),
  ...(choices ?? []).map((choice) => `- ${clean(choice)}`),
  how,
]

function awaiting({ id, pending }: TaskView, words: Words): string[] {
  if (pending?.kind === 'question') return asking(pending, words.howToAnswer(id))
  if (pending?.kind !== 'approval') return []
  const { action } = pending
  const shown = action === null ? null : { tool: oneLine(action.tool), input: clean(action.input) }
  return [words.approves(shown), words.howToApprove(id)]
}

/** What it says, and where each file it has made can be fetched. */
const resultLines = ({ result }: TaskView): string[] =>
  result === null ? [] : [clean(result.text), ...result.artifacts.map(({ name, url }) => `${name}  ${url}`)]

function ending(task: TaskView, words: Words): string[] {
  const handover = task.handover === null ? [] : [clean(task.handover.text)]
  switch (task.status) {
    case 'input_required':
      return awaiting(task, words)
    case 'waiting_external':
      return task.pending?.kind === 'report' ? [words.awaits(task.pending.delegation_id, task.pending.deadline)] : []
    case 'completed':
      return [words.finished.completed, ...resultLines(task)]
    case 'failed':
      return [
        words.finished.failed(task.stop_reason ?? ''),
        ...(task.error === null ? [] : [clean(task.error.detail)]),
        ...handover,
      ]
    case 'canceled':
      return [words.finished.canceled, ...handover]
    case 'paused':
      return [
        words.finished.paused(task.stop_reason ?? ''),
        // What was asked beside the work is answered while it rests.
        ...(task.result === null ? [] : [clean(task.result.text)]),
        ...handover,
        ...(task.pending?.kind === 'resume' ? [clean(task.pending.hint)] : []),
      ]
    default:
      return [
        task.retry_after_ms === null ? words.howToGoOn(task.id) : words.waits(Math.ceil(task.retry_after_ms / 1000)),
      ]
  }
}
