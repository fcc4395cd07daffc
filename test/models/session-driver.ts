/** Plays the part of mode session for the offline model: its system message, its plan, its conversation (S4-13, S4-14, S4-17, S4-21). */
import type { Message } from '../../src/core/terms/effect.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import { asksUser, questionIn, withAskUser } from '../../src/core/mode/ask-user.ts'
import { PROGRAM } from '../../src/core/mode/correction.ts'
import { BUILT_IN_TOOLS, toolInputOf } from '../../src/core/mode/tools.ts'
import { questionText } from '../../src/models/offline/session-talk.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { CALL, localeOf, NOW, realTools, requestOf } from './offline-driver.ts'

/** The tools that `realTools` runs. */
const TOOLS = ['todo', 'schedule', 'internet_search'].map((named) => {
  const card = BUILT_IN_TOOLS.find(({ name }) => name === named)
  if (card === undefined) throw new Error(`there is no tool ${named}`)
  return { name: named, description: card.description.en, parameters: card.parameters }
})

const ASK = withAskUser([]).map(({ name, description, parameters }) => ({
  name,
  description: description.en,
  parameters,
}))

/** As the session shows them; `json`: results as objects that say their status. */
export interface Options {
  at?: string
  tool?: ReturnType<typeof realTools>
  json?: boolean
}

const WORDS = {
  en: {
    task: 'Current task: ',
    declare: 'Plan the steps of the task first: …',
    time: 'Local time: ',
    goal: 'Goal: ',
    used: 'Iterations used: ',
  },
  zh: { task: '当前任务: ', declare: '请先规划任务步骤：…', time: '本地时间: ', goal: '目标：', used: '已用迭代：' },
} satisfies Record<Locale, object>

export interface Held {
  messages: Message[]
  /** `tool: input`, in order. */
  calls: string[]
  replies: string[]
  titles: string[]
  cursor: number
  /** The clock of the next turn. */
  at: string
  /** One turn with its calls; the text of a final answer, null when it went on. */
  turn(): Promise<string | null>
  /** Turns until the final answer. */
  run(): Promise<string>
  /** A remark, or after the end the next run. */
  say(text: string): void
  /** A word of going on after a pause, with the progress behind it. */
  goOn(word?: string): void
  /** A question beside the work. */
  aside(text: string): Promise<string>
  /** Leaves out the oldest rounds; `said`: words of the user among them. */
  leaveOut(rounds: number, said?: string[]): void
}

export function hold(goal: string, options: Options = {}): Held {
  const locale = localeOf(goal)
  const tool = options.tool ?? realTools(options.at ?? NOW, locale)
  let [asked, fresh, ended] = [goal, true, false]
  /** The call whose question waits for its answer. */
  let open_call: string | null = null
  const mark = (index: number) => (index < held.cursor ? '✓' : index === held.cursor ? '⏳' : '⏸')
  const lines = () =>
    held.titles.map((title, index) => `${mark(index)} ${title.length > 120 ? `${title.slice(0, 117)}...` : title}`)
  const system = () => {
    const plan = fresh || held.titles.length === 0 ? [WORDS[locale].declare] : [...lines(), '…']
    return [
      '…',
      `## …\n${WORDS[locale].task}${asked}\n${plan.join('\n')}`,
      `${WORDS[locale].time}${held.at} (UTC)`,
    ].join('\n\n')
  }
  const ask = async (tools: ModelRequest['tools']) => {
    const base = requestOf({})
    const metadata = { ...base.metadata, mode: 'session' as const, phase: 'turn' }
    const program: Message = { role: 'user', content: `${PROGRAM[locale]}\n${system()}` }
    const messages: Message[] = [{ role: 'system', content: '…' }, ...held.messages, program]
    const reply = await offlineModel().complete({ ...base, messages, tools, contract: null, metadata }, CALL)
    if (reply.kind === 'model_failed') throw new Error(reply.reason)
    held.replies.push(reply.text)
    return reply
  }
  const resultOf = (name: string, input: string) => {
    const { ok, text } = tool(name, input)
    if (options.json === true) return JSON.stringify({ tool: name, status: ok ? 'success' : 'error', result: text })
    return ok ? text : `${locale === 'zh' ? '错误' : 'error'}: ${text}`
  }
  const held: Held = {
    messages: [{ role: 'user', content: goal }],
    calls: [],
    replies: [],
    titles: [],
    cursor: 0,
    at: options.at ?? NOW,
    async turn() {
      const { text, tool_calls = [] } = await ask([...TOOLS, ...ASK])
      if (tool_calls.length === 0) {
        held.messages.push({ role: 'assistant', content: text })
        if (/\[(?:Done|完成)\]/u.test(text)) held.cursor = Math.min(held.cursor + 1, held.titles.length)
        ended = true
        return text
      }
      const steps = text.split('\n').flatMap((line) => (line.startsWith('[Step]') ? [line.slice(6).trim()] : []))
      held.titles = fresh ? steps : [...held.titles, ...steps]
      if (fresh) held.cursor = 0
      fresh = false
      held.messages.push({ role: 'assistant', content: text, tool_calls })
      for (const { id, name, arguments: args } of tool_calls) {
        const question = asksUser(name) ? questionIn(args) : null
        if (question?.ok === true) {
          open_call = id
          return questionText(question.value.question, locale)
        }
        const input = toolInputOf(
          BUILT_IN_TOOLS.find((card) => card.name === name),
          args,
        )
        held.calls.push(`${name}: ${input}`)
        held.messages.push({ role: 'tool', tool_call_id: id, content: resultOf(name, input) })
      }
      if (/\[(?:Done|完成)\]/u.test(text)) held.cursor = Math.min(held.cursor + 1, held.titles.length)
      return null
    },
    async run() {
      for (let turns = 0; turns < 200; turns++) {
        const answer = await held.turn()
        if (answer !== null) return answer
      }
      throw new Error('no end of the run')
    },
    say(text) {
      if (open_call !== null) {
        held.messages.push({ role: 'tool', tool_call_id: open_call, content: text })
        open_call = null
        return
      }
      if (ended) [asked, fresh, ended] = [text, true, false]
      held.messages.push({ role: 'user', content: text })
    },
    goOn(word = 'continue') {
      const { goal: label, used } = WORDS[locale]
      const content = `${word}\n\n${label}${asked}\n${used}3\n${lines().join('\n')}`
      held.messages.push({ role: 'user', content })
    },
    async aside(text) {
      held.messages.push({ role: 'user', content: text })
      const reply = await ask([])
      if (reply.tool_calls !== undefined) throw new Error('a call beside the work')
      held.messages.push({ role: 'assistant', content: reply.text })
      return reply.text
    },
    leaveOut(rounds, said = []) {
      const rest = held.messages.slice(1)
      const first = rest.flatMap((message, index) => (message.role === 'tool' ? [index] : []))[rounds - 1] ?? -1
      const completed = `Steps completed: ${held.titles.slice(0, Math.min(rounds, held.cursor)).join('; ')}`
      const words = said.length === 0 ? [] : ['The user said:', ...said.map((text) => `- ${text}`)]
      const heading = '[Earlier parts of this conversation are left out. …]'
      const summary = [heading, `Replies left out: ${rounds}`, completed, ...words].join('\n')
      held.messages = [{ role: 'user', content: goal }, { role: 'user', content: summary }, ...rest.slice(first + 1)]
    },
  }
  return held
}
