/** Plays the engine's part for the offline model: plan, thoughts, actions, answers and replans, by the rules of mode plan_execute (S0, O0). */
import { memoryBook } from '../support/memory/memory-book.ts'
import { runCommand } from '../../src/core/workspace/commands/run.ts'
import { localTime } from '../../src/core/workspace/zones.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import { isSameQuestion } from '../../src/core/terms/failure-streak.ts'
import { PlanReply, ReplanReply, ThoughtReply } from '../../src/core/modes/plan-execute/contract.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'

export const NOW = '2026-11-24 12:00'
export const localeOf = (text: string): Locale => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')

export interface Outcome {
  ok: boolean
  text: string
}
export interface Play {
  goal: string
  at?: string
  locale?: Locale
  /** Answers to the questions, in order; without one left, `unanswered` is said. */
  answers?: string[]
  unanswered?: string
  /** A remark, told before the first replan. */
  remark?: string
  tool?: (tool: string, input: string) => Outcome
  max_clarifications?: number
  failure_limit?: number
}
export interface Played {
  plan: string[]
  /** `tool: input`, in order. */
  commands: string[]
  questions: string[]
  result: string | null
  calls: number
  replies: string[]
  /** What broke a contract or a rule; must stay empty. */
  broken: string[]
}
export const CALLS_MAX = 400

export function requestOf(context: unknown, form: ModelRequest['form'] = 'json_schema'): ModelRequest {
  return {
    model: null,
    temperature: 0,
    reasoning_effort: null,
    messages: [
      { role: 'system', content: 'Reply with one JSON object.' },
      { role: 'user', content: JSON.stringify(context) },
    ],
    tools: [],
    contract: { name: 'reply', schema: {} },
    form,
    max_output_tokens: 4096,
    metadata: { task: 'task_1', mode: 'plan_execute', phase: 'plan', seq: 1 },
  }
}
export const CALL = { timeout_ms: 1000, traceparent: null }

/** The real slash commands on a book in memory, and a search that always finds one page. */
export function realTools(at: string, locale: Locale): (tool: string, input: string) => Outcome {
  const book = memoryBook()
  const context = {
    reader: 'model' as const,
    now: `${at}:00`,
    locale,
    schedule_window_days: 31,
    conflict_preview_days: 31,
    momentAt: (ms: number) => localTime(ms, 'UTC'),
  }
  return (tool, input) => {
    if (tool === 'internet_search') return { ok: true, text: `1. About ${input}\n   -\n   https://example.org/` }
    const { ok, text, kind } = runCommand(input, book, context)
    return { ok, text: kind === 'usage_error' || kind === 'unknown_command' ? `MALFORMED ${text}` : text }
  }
}

interface Run {
  options: Play
  at: string
  locale: Locale
  tool: (tool: string, input: string) => Outcome
  answers: string[]
  played: Played
  items: { id: string; title: string }[]
  cursor: number
  nextId: number
  /** Failed actions in a row. */
  failures: number
  replanning: boolean
  clarifications: { question: string; answer: string }[]
  observations: { item_id: string | null; tool: string; input: string; ok: boolean; result: string }[]
  completed: { title: string; status: string; result: string | null }[]
  /** The last thought, if its question was refused. */
  refused: object | null
}

function start(options: Play): Run {
  const at = options.at ?? NOW
  const locale = options.locale ?? localeOf(options.goal)
  return {
    options,
    at,
    locale,
    tool: options.tool ?? realTools(at, locale),
    answers: [...(options.answers ?? [])],
    played: { plan: [], commands: [], questions: [], result: null, calls: 0, replies: [], broken: [] },
    items: [],
    cursor: 0,
    nextId: 1,
    failures: 0,
    replanning: false,
    clarifications: [],
    observations: [],
    completed: [],
    refused: null,
  }
}

async function call(run: Run, context: Record<string, unknown>): Promise<unknown> {
  const { options, played } = run
  played.calls++
  const { goal, remark } = options
  const shared = { goal, locale: run.locale, local_time: run.at, timezone: 'UTC', step_count: 0, max_steps: 20 }
  const remarks = remark !== undefined && context['phase'] !== 'plan' ? [remark] : []
  const told = { ...shared, clarifications: run.clarifications, remarks, ...context }
  const reply = await offlineModel().complete(requestOf(told), CALL)
  if (reply.kind === 'model_failed') throw new Error(reply.reason)
  played.replies.push(reply.text)
  return JSON.parse(reply.text)
}

const progressOf = ({ completed, items, cursor, observations }: Run) => ({
  completed,
  plan: items.map((item, index) => ({ ...item, status: index < cursor ? 'completed' : 'pending' })),
  cursor,
  observations: observations.slice(-100),
})

async function replan(run: Run): Promise<void> {
  const reply = ReplanReply.parse(
    await call(run, { phase: 'replan', ...progressOf(run), pending_answer: null, note: null }),
  )
  run.failures = 0
  run.replanning = false
  if (reply.status === 'done') {
    run.played.result = reply.response
    return
  }
  const { items } = run
  if (reply.plan.length === items.length && reply.plan.every((title, index) => title === items[index]?.title)) return
  const open = items.slice(run.cursor)
  run.items = reply.plan.map((title) => {
    const match = open.findIndex((item) => item.title === title)
    const kept = match < 0 ? undefined : open.splice(match, 1)[0]
    return kept ?? { id: `step_${run.nextId++}`, title }
  })
  run.cursor = 0
}

async function think(run: Run): Promise<void> {
  const item = run.items[run.cursor]
  const must_not_act = run.failures >= (run.options.failure_limit ?? 2)
  const current_item = { id: item?.id ?? null, title: item?.title ?? '' }
  const { refused } = run
  const correction = refused === null ? {} : { correction: { your_reply: JSON.stringify(refused), problem: 'refused' } }
  run.refused = null
  const thought = ThoughtReply.parse(
    await call(run, { phase: 'thought', ...progressOf(run), current_item, must_not_act, note: null, ...correction }),
  )
  if (thought.next_action) {
    if (must_not_act) run.played.broken.push(`acted although it must not: ${thought.next_action.input}`)
    act(run, thought.next_action, current_item.id)
  } else if (thought.status === 'ask_user') ask(run, thought)
  else {
    const status = thought.achieved === false ? 'failed' : 'completed'
    if (item) run.completed.push({ title: item.title, status, result: thought.response })
    run.observations = []
    run.cursor = Math.min(run.cursor + 1, run.items.length)
    run.failures = 0
    run.replanning = true
  }
}

function act(run: Run, { tool, input }: { tool: string; input: string }, item_id: string | null): void {
  run.played.commands.push(`${tool}: ${input}`)
  const { ok, text } = run.tool(tool, input)
  run.failures = ok ? 0 : run.failures + 1
  if (text.startsWith('MALFORMED')) run.played.broken.push(`${input}: ${text}`)
  run.observations.push({ item_id, tool, input, ok, result: text })
}

/** Repeated questions and those above the limit are refused, as the engine does it. */
function ask(run: Run, thought: ThoughtReply): void {
  const question = thought.question ?? ''
  const last = run.clarifications.at(-1)
  const spent = run.clarifications.length >= (run.options.max_clarifications ?? 6)
  if (spent || (last && isSameQuestion(last.question, question))) {
    run.refused = thought
    return
  }
  if (run.played.questions.includes(question)) run.played.broken.push(`asked twice: ${question}`)
  run.played.questions.push(question)
  run.clarifications.push({ question, answer: run.answers.shift() ?? run.options.unanswered ?? 'hm' })
  run.failures = 0
  run.replanning = true
}

export async function play(options: Play): Promise<Played> {
  const run = start(options)
  const { plan } = PlanReply.parse(await call(run, { phase: 'plan' }))
  run.played.plan = plan
  if (plan.length === 0) run.played.broken.push('empty plan')
  run.items = plan.map((title) => ({ id: `step_${run.nextId++}`, title }))
  while (run.played.result === null && run.played.calls < CALLS_MAX) await (run.replanning ? replan(run) : think(run))
  return run.played
}
