/**
 * Reads the messages of mode autonomous: the dataset, the request, remarks of the user, the list of tasks, and the calls with their results. It
 * looks for the texts of core/mode/autonomous-words.ts; a text that is not found counts as missing.
 */
import * as z from 'zod'
import type { Message } from '../../../core/terms/effect.ts'
import type { Locale } from '../../../core/terms/locale.ts'
import { PROGRAM } from '../../../core/mode/correction.ts'
import { WORDS } from '../../../core/mode/autonomous-words.ts'
import { readTags, type TaskLine } from '../../../core/mode/tags.ts'

/** The answer of a tool; `data`: the members of its JSON. */
export interface ToolAnswer {
  ok: boolean
  data: Record<string, unknown>
  error: string
}
export interface Run {
  tool: string
  args: Record<string, unknown>
  answer: ToolAnswer
}
/** The stage that the program asks for in the staged variant; `free`: none, the model leads itself. */
type Stage =
  | { kind: 'free' | 'plan' }
  | { kind: 'execute'; title: string; details: string }
  | { kind: 'report'; text: string }

export interface AutonomousTalk {
  locale: Locale
  stage: Stage
  dataset: string | null
  goal: string
  remarks: string[]
  /** The first reading of the data in a staged run. */
  look: ToolAnswer | null
  /** The list as the user has edited it; null: the list is the model's own. */
  edited: TaskLine[] | null
  /** The lists of its own replies, in order. */
  listed: TaskLine[][]
  /** Its latest thought. */
  thinking: string
  runs: Run[]
  /** The file that has arrived since the latest reply. null: none has. */
  arrived: string | null
  /** The number of calls in left-out rounds; null: no rounds are left out. */
  left_out_calls: number | null
}

export function readAutonomousTalk([system, user, ...messages]: readonly Message[]): AutonomousTalk {
  const locale = localeIn(system?.content ?? '')
  const staged = system?.content.startsWith(WORDS[locale].staged) ?? false
  const said = messages.filter((message) => message.role === 'assistant').map(({ content }) => readTags(content))
  return {
    locale,
    stage: staged ? stageIn(messages.at(-1), locale) : { kind: 'free' },
    ...briefIn(user?.content ?? '', locale),
    listed: said.flatMap(({ tasks }) => (tasks === null ? [] : [tasks])),
    thinking: said.at(-1)?.thinking ?? '',
    runs: runsIn(messages),
    arrived: arrivedIn(messages.at(-1), locale),
  }
}

/** The program speaks of a file that was missing in the last message, behind its own mark. */
function arrivedIn(message: Message | undefined, locale: Locale): string | null {
  if (message?.role !== 'user') return null
  const [before = '', after = ''] = WORDS[locale].arrived('\n').split('\n')
  const [, said] = splitAtMark(message.content, `${PROGRAM[locale]} `)
  const start = said?.indexOf(before) ?? -1
  const end = said?.indexOf(after, start) ?? -1
  return said === null || start === -1 || end === -1 ? null : said.slice(start + before.length, end)
}

const localeIn = (system: string): Locale => (/^本地日期[:：]/mu.test(system) ? 'zh' : 'en')

function stageIn(message: Message | undefined, locale: Locale): Stage {
  const words = WORDS[locale]
  const [text = ''] = (message?.role === 'user' ? message.content : '').split(`\n\n${PROGRAM[locale]} `)
  if (text === words.plan) return { kind: 'plan' }
  const [, title = '', details = ''] = EXECUTE[locale].exec(text) ?? []
  if (title === '') return { kind: 'report', text }
  return { kind: 'execute', title, details: details.split(words.code.javascript)[0]?.split(words.code.python)[0] ?? '' }
}
const EXECUTE: Record<Locale, RegExp> = {
  en: /^Work on task \d+ of \d+, and on no other: (.+)\n?([^]*)/u,
  zh: /^只执行第 \d+ 个任务（共 \d+ 个）：(.+)\n?([^]*)/u,
}

type Brief = Pick<AutonomousTalk, 'dataset' | 'goal' | 'remarks' | 'look' | 'edited' | 'left_out_calls'>

/** Reads the parts of the one user message from its end, because the text before them may say anything. */
function briefIn(content: string, locale: Locale): Brief {
  const words = WORDS[locale]
  const [beforeEdit, list] = splitAtMark(content, `\n\n${words.edited}\n`)
  const [beforeSaid, said] = splitAtMark(beforeEdit, `\n\n${words.remarks}\n`)
  const [main, left] = splitAtMark(beforeSaid, LEFT_OUT[locale])
  const [head, goal] = splitAtHeading(main, words.request(''))
  const [, dataset = null] = /^[^\n]*[:：] ([\w.-]{1,128})$/mu.exec(head.split('\n\n')[0] ?? '') ?? []
  const look = head.split('\n\n').find((part) => part.startsWith(words.look('')))
  return {
    dataset,
    goal,
    remarks: said === null ? [] : said.split(/\n(?=- )/u).map((line) => line.replace(/^- /u, '')),
    look: look === undefined ? null : answerIn(look.slice(words.look('').length)),
    edited: list === null ? null : readTags(`<tasks>\n${list}\n</tasks>`).tasks,
    left_out_calls: left === null ? null : callsIn(left),
  }
}
const LEFT_OUT: Record<Locale, string> = {
  en: '\n\n[Earlier parts of this conversation are left out.',
  zh: '\n\n【较早的对话已省略',
}

function splitAtMark(text: string, mark: string): [string, string | null] {
  const at = text.lastIndexOf(mark)
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** Splits the text into what is before the request, and the request. */
function splitAtHeading(text: string, mark: string): [string, string] {
  const at = text.startsWith(mark) ? 0 : text.indexOf(`\n\n${mark}`)
  if (at === -1) return [text, '']
  return [text.slice(0, at), text.slice(text.indexOf(mark, at) + mark.length)]
}

/** `Tool calls: read_dataset 1, run_code 3` */
const callsIn = (left: string): number =>
  [...(/^(?:Tool calls: |工具调用：)(.*)$/mu.exec(left)?.[1] ?? '').matchAll(/ (\d{1,6})(?=,|$)/gu)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )

/** Ids are unique only within a reply, so each result belongs to the reply before it. */
function runsIn(messages: readonly Message[]): Run[] {
  let calls = new Map<string, { tool: string; args: Record<string, unknown> }>()
  return messages.flatMap((message) => {
    if (message.role === 'assistant')
      calls = new Map(
        (message.tool_calls ?? []).map(({ id, name, arguments: args }) => [
          id,
          { tool: name, args: membersIn(args) ?? {} },
        ]),
      )
    const call = message.role === 'tool' ? calls.get(message.tool_call_id) : undefined
    return call === undefined ? [] : [{ ...call, answer: answerIn(message.content) }]
  })
}

const Members = z.record(z.string(), z.unknown())

function membersIn(json: string): Record<string, unknown> | null {
  try {
    return Members.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}

function answerIn(content: string): ToolAnswer {
  const data = membersIn(content)
  if (data === null) return { ok: false, data: {}, error: content }
  const error = ['stderr', 'error', 'text']
    .map((name) => data[name])
    .find((text) => typeof text === 'string' && text.trim() !== '')
  return { ok: data['status'] === 'success', data, error: String(error ?? '') }
}
