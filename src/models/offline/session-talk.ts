/**
 * Reads the conversation of a session: the time, the shown plan, and what the current run was asked, answered, declared and did. It looks for the
 * texts of core/modes/session; a text that is not found counts as missing.
 */
import * as z from 'zod'
import type { Message } from '../../core/terms/effect.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { BUILT_IN_TOOLS, toolInputOf } from '../../core/mode/tools.ts'
import { asksUser, questionIn as readQuestion } from '../../core/mode/ask-user.ts'
import { isNextTurn, PROGRAM } from '../../core/mode/correction.ts'
import { jsonOrNull } from '../../core/terms/values/parse-json.ts'
import { momentNow } from './context.ts'
import type { Moment } from './time/clock.ts'

export interface Act {
  tool: string
  input: string
  ok: boolean
  result: string
}
export interface SessionTalk {
  locale: Locale
  local_time: string
  now: Moment
  /** The request of the run, then the remarks since. */
  texts: string[]
  clarifications: { question: string; answer: string }[]
  /** The program has refused a question of this run, so it is asked in the final answer. */
  asks_again: boolean
  /** The titles that the replies have declared, in order. */
  declared: string[]
  acts: Act[]
  /** The part of the shown plan that belongs to this run; its titles are cut. */
  plan: { title: string; done: boolean }[]
  /** The line of the steps that were completed in rounds that are left out; null: no rounds are left out. */
  left_out: { completed: string } | null
}

const TIME = /(Local time|本地时间)\s*[:：]\s*(?:\S+ )?(\d{4}-\d\d-\d\d \d\d:\d\d)/u
const LEFT_OUT = /^(?:\[Earlier parts of this conversation are left out|【较早的对话已省略)/u
const COMPLETED = /^(?:Steps completed: |已完成的步骤：).*$/mu
/** The progress that the program appends to a request to go on. */
const PROGRESS = /\n\n(?:Goal: |目标：)[^]*(?:Iterations used: |已用迭代：)[^]*$/u
const TASK = ['Current task: ', '当前任务: '] as const
const ASKED: Record<Locale, string> = { en: 'Please confirm: ', zh: '请确认：' }

/** null: it holds no time, so nothing can be planned. The program's message with the plan and the time stands last. */
export function readSessionTalk([, ...request]: readonly Message[]): SessionTalk | null {
  const last = request.at(-1)
  const system = last?.role === 'user' && isProgram(last.content) ? last.content : ''
  const messages = request.slice(0, -1).filter((message) => !isNextTurn(message))
  const [, label, local_time] = TIME.exec(system) ?? []
  if (local_time === undefined) return null
  const summary = messages.findIndex((message) => message.role === 'user' && LEFT_OUT.test(message.content))
  const left_out = messages[summary]?.content ?? null
  const task_index = lastIndex(messages, (message) => message.role === 'user' && isTask(system, message.content))
  const run =
    task_index === -1 ? messages.slice(summary + 1) : runOf(messages, task_index).filter((_, at) => at !== summary)
  const { texts, clarifications } = saidIn(run)
  const [own = taskIn(system), ...more] = task_index === -1 ? [taskIn(system), ...texts] : texts
  return {
    locale: label === 'Local time' ? 'en' : 'zh',
    local_time,
    now: momentNow(local_time),
    texts: [own, ...(task_index === 0 ? wordsIn(left_out) : []), ...more],
    clarifications: [...clarifications, ...answersIn(run)],
    asks_again: asksAgain(run),
    declared: [...new Set(run.flatMap(declaredIn))],
    acts: actsIn(run),
    plan: planIn(system),
    left_out: left_out === null ? null : { completed: COMPLETED.exec(left_out)?.[0] ?? '' },
  }
}

const isProgram = (text: string) => Object.values(PROGRAM).some((mark) => text.startsWith(mark))

/** The request of the run, when nothing else of it is left. */
const taskIn = (system: string): string =>
  /(?:Current task: |当前任务: )([^]*?)\n(?:Current step|当前步骤|[✓⏳⏸] |Plan the steps|请先规划)/u.exec(
    system,
  )?.[1] ?? ''

/** The words of the user among the left-out rounds. */
const wordsIn = (left_out: string | null): string[] =>
  (/\n(?:The user said:|用户说过：)\n([^]*)$/u.exec(left_out ?? '')?.[1] ?? '')
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))

const isTask = (system: string, text: string) => TASK.some((label) => system.includes(`${label}${text}\n`))

function lastIndex(messages: readonly Message[], is: (message: Message) => boolean): number {
  return messages.reduce((found, message, index) => (is(message) ? index : found), -1)
}

/** The run from its request on. A run that starts with an answer continues the run before, which asked the question. */
function runOf(messages: readonly Message[], task_index: number): readonly Message[] {
  let start = Math.max(0, task_index)
  while (start > 0 && questionIn(messages[start - 1]) !== null) start = startBefore(messages, start - 1)
  return messages.slice(start)
}

/** A remark beside the work looks like the start of a run, but the work goes on behind it. */
function startBefore(messages: readonly Message[], end: number): number {
  let goneOn = false
  for (let index = end - 1; index > 0; index--) {
    const [message, before] = [messages[index], messages[index - 1]]
    if (message?.role !== 'user') continue
    if (PROGRESS.test(message.content)) goneOn = true
    else if (!goneOn && before?.role === 'assistant' && before.tool_calls === undefined) return index
  }
  return 0
}

export const questionText = (question: string, locale: Locale) => `${ASKED[locale]}${question}`

/** The question of a final reply, without the steps declared behind it. */
function questionIn(message: Message | undefined): string | null {
  if (message?.role !== 'assistant' || message.tool_calls !== undefined) return null
  const label = Object.values(ASKED).find((text) => message.content.startsWith(text))
  return label === undefined ? null : (message.content.slice(label.length).split(`\n\n${STEP}`)[0] ?? '')
}

/** A question about the progress asks for no further work. */
const PROGRESS_EN =
  /^(?:and\s+|so,?\s+)?(?:how (?:far|is it going|are things)|how's it going|(?:your\s+)?(?:status|progress)\b|what(?:'s| is| are| have you| has been) (?:left|done|open|the (?:status|progress))|are (?:you|we) (?:done|ready|finished)|where (?:are|do) (?:you|we))/iu
const PROGRESS_ZH =
  /^(?:现在|目前)?(?:进度|进展|做到哪|到哪|还(?:剩|有)(?:什么|哪些|多少)|完成了(?:吗|多少|哪些)|怎么样了)/u
const asksProgress = (text: string) => PROGRESS_EN.test(text.trim()) || PROGRESS_ZH.test(text.trim())

function saidIn(run: readonly Message[]): Pick<SessionTalk, 'texts' | 'clarifications'> {
  const texts: string[] = []
  const clarifications: SessionTalk['clarifications'] = []
  run.forEach((message, index) => {
    if (message.role !== 'user') return
    const text = message.content.replace(PROGRESS, '')
    const question = questionIn(run[index - 1])
    if (question !== null) clarifications.push({ question, answer: text })
    else if (index === 0 || !asksProgress(text)) texts.push(text)
  })
  return { texts, clarifications }
}

export const STEP = '[Step] '
const declaredIn = (message: Message): string[] =>
  message.role !== 'assistant'
    ? []
    : message.content.split('\n').flatMap((line) => (line.startsWith(STEP) ? [line.slice(STEP.length).trim()] : []))

const planIn = (system: string): SessionTalk['plan'] =>
  system.split('\n').flatMap((line) => {
    const [, mark, title] = /^(✓|⏳|⏸) (.+)$/u.exec(line) ?? []
    return title === undefined ? [] : [{ title, done: mark === '✓' }]
  })

/** The result of a call that is not made yet, because a question is asked first. */
const NOT_YET = /^(?:not made yet|尚未执行)/u

/** The questions that were asked by calls, with their answers. */
const answersIn = (run: readonly Message[]): SessionTalk['clarifications'] =>
  callsIn(run).flatMap(({ tool, input, ok, result }) => {
    const asked = asksUser(tool) && ok ? askedIn(input) : null
    return asked === null ? [] : [{ question: asked, answer: result }]
  })

function askedIn(input: string): string | null {
  const asked = readQuestion(input)
  return asked.ok ? asked.value.question : null
}

const asksAgain = (run: readonly Message[]): boolean => callsIn(run).some(({ tool, ok }) => asksUser(tool) && !ok)

const actsIn = (run: readonly Message[]): Act[] => callsIn(run).filter(({ tool }) => !asksUser(tool))

/** Ids are unique only within a reply, so each result belongs to the reply before it. */
function callsIn(run: readonly Message[]): Act[] {
  let calls: ReadonlyMap<string, { tool: string; input: string }> = new Map()
  return run.flatMap((message) => {
    if (message.role === 'assistant') {
      const entries = (message.tool_calls ?? []).map(({ id, name, arguments: args }) => {
        const card = BUILT_IN_TOOLS.find((tool) => tool.name === name)
        return [id, { tool: name, input: toolInputOf(card, args) }] as const
      })
      calls = new Map(entries)
    }
    const call = message.role === 'tool' ? calls.get(message.tool_call_id) : undefined
    return call === undefined || NOT_YET.test(message.content) ? [] : [{ ...call, ...resultIn(message.content) }]
  })
}

/** A failed call says so: JSON by its status, text by its beginning. A result that is JSON itself is a success. */
function resultIn(content: string): Pick<Act, 'ok' | 'result'> {
  const result = ToldResult.safeParse(jsonOrNull(content))
  if (result.success) return { ok: result.data.status === 'success', result: result.data.result }
  return { ok: !/^(?:error|错误)\s*[:：]/u.test(content), result: content.replace(/^(?:error|错误)\s*[:：]\s*/u, '') }
}
const ToldResult = z.object({ status: z.enum(['success', 'error']), result: z.string() })
