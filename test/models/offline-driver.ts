/** Plays the engine's part for the offline model: plan, thoughts, actions, answers and replans, by the rules of requirements 1.0. */
import { memoryBook } from '../../src/core/commands/memory-book.ts'
import { runCommand } from '../../src/core/commands/run.ts'
import type { Locale } from '../../src/core/effect.ts'
import { sameQuestion } from '../../src/core/guards.ts'
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
    messages: [
      { role: 'system', content: 'Reply with one JSON object.' },
      { role: 'user', content: JSON.stringify(context) },
    ],
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
  const context = { now: `${at}:00`, locale, schedule_window_days: 31, conflict_preview_days: 31 }
  return (tool, input) => {
    if (tool === 'internet_search') return { ok: true, text: `1. About ${input}\n   -\n   https://example.org/` }
    const { ok, text, kind } = runCommand(input, book, context)
    return { ok, text: kind === 'usage_error' || kind === 'unknown_command' ? `MALFORMED ${text}` : text }
  }
}

interface Item {
  id: string
  title: string
}

export async function play(options: Play): Promise<Played> {
  const at = options.at ?? NOW
  const locale = options.locale ?? localeOf(options.goal)
  const tool = options.tool ?? realTools(at, locale)
  const model = offlineModel()
  const answers = [...(options.answers ?? [])]
  const played: Played = { plan: [], commands: [], questions: [], result: null, calls: 0, replies: [], broken: [] }
  const clarifications: { question: string; answer: string }[] = []
  const observations: { item_id: string | null; tool: string; input: string; ok: boolean; result: string }[] = []
  const completed: string[] = []
  let items: Item[] = []
  let cursor = 0
  let nextId = 1
  let failures = 0

  const call = async (context: Record<string, unknown>): Promise<unknown> => {
    played.calls++
    const base = {
      goal: options.goal,
      locale,
      local_time: at,
      timezone: 'UTC',
      step_count: 0,
      max_steps: 20,
      clarifications,
    }
    const remarks = options.remark !== undefined && context['phase'] !== 'plan' ? [options.remark] : []
    const reply = await model.complete(requestOf({ ...base, remarks, ...context }), CALL)
    if (reply.kind === 'model_failed') throw new Error(reply.reason)
    played.replies.push(reply.text)
    return JSON.parse(reply.text)
  }
  const progress = () => ({
    completed,
    plan: items.map((item, index) => ({ ...item, status: index < cursor ? 'completed' : 'pending' })),
    cursor,
    observations: observations.slice(-100),
  })

  const planned = PlanReply.parse(await call({ phase: 'plan' }))
  played.plan = planned.plan
  if (planned.plan.length === 0) played.broken.push('empty plan')
  items = planned.plan.map((title) => ({ id: `step_${nextId++}`, title }))
  let replanning = false
  while (played.calls < CALLS_MAX) {
    if (replanning) {
      const reply = ReplanReply.parse(await call({ phase: 'replan', ...progress(), pending_answer: null, note: null }))
      failures = 0
      replanning = false
      if (reply.status === 'done') {
        played.result = reply.response
        break
      }
      const same =
        reply.plan.length === items.length && reply.plan.every((title, index) => title === items[index]?.title)
      if (same) continue
      const open = items.slice(cursor)
      items = reply.plan.map((title) => {
        const match = open.findIndex((item) => item.title === title)
        return match < 0 ? { id: `step_${nextId++}`, title } : (open.splice(match, 1)[0] ?? { id: '', title })
      })
      cursor = 0
      continue
    }
    const item = items[cursor]
    const mustNot = failures >= (options.failure_limit ?? 2)
    const thought = ThoughtReply.parse(
      await call({
        phase: 'thought',
        ...progress(),
        current_item: { id: item?.id ?? null, title: item?.title ?? '' },
        must_not_act: mustNot,
        note: null,
      }),
    )
    if (thought.status === 'done') {
      if (item) completed.push(item.title)
      cursor = Math.min(cursor + 1, items.length)
      failures = 0
      replanning = true
    } else if (thought.status === 'ask_user') {
      const question = thought.question ?? ''
      const last = clarifications.at(-1)
      const refused =
        clarifications.length >= (options.max_clarifications ?? 6) || (last && sameQuestion(last.question, question))
      if (refused) {
        const result = `refused: this question was asked before, or no more questions are allowed: ${question}`
        observations.push({ item_id: null, tool: 'thought', input: '', ok: false, result })
      } else {
        if (played.questions.includes(question)) played.broken.push(`asked twice: ${question}`)
        played.questions.push(question)
        clarifications.push({ question, answer: answers.shift() ?? options.unanswered ?? 'hm' })
        failures = 0
        replanning = true
      }
    } else if (thought.next_action) {
      if (mustNot) played.broken.push(`acted although it must not: ${thought.next_action.input}`)
      const { tool: name, input } = thought.next_action
      played.commands.push(`${name}: ${input}`)
      const outcome = tool(name, input)
      failures = outcome.ok ? 0 : failures + 1
      if (outcome.text.startsWith('MALFORMED')) played.broken.push(`${input}: ${outcome.text}`)
      observations.push({ item_id: item?.id ?? null, tool: name, input, ok: outcome.ok, result: outcome.text })
    }
  }
  return played
}
