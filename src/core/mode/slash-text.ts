/**
 * Reads the slash command that a model means by the input of `todo` or `schedule`. A wrapping is taken off and a missing slash
 * is added. What would silently become a part of the text is refused: an unknown option, a unit, a second command.
 */
import { nearestName } from '../terms/values/known-names.ts'
import type { Locale } from '../terms/locale.ts'
import { isRecord } from '../terms/plain/is-record.ts'
import { cut } from '../terms/text.ts'
import { COMMAND_FORMS, syntaxOf, type CommandForm } from '../workspace/commands/forms.ts'
import { minutesIn, minutesOfUnit } from '../workspace/commands/tool-call/durations.ts'
import { findObject } from './json/json-object.ts'
import { parseBoundedJson } from './json-text.ts'

export interface SlashTool {
  name: 'todo' | 'schedule'
  /** The first words of the commands that it takes. */
  words: readonly string[]
}

export type SlashReading =
  | { ok: true; command: string }
  /** `form`: the command that was meant. null: it is not known. */
  | { ok: false; form: CommandForm | null; problem: SlashProblem }
type SlashProblem =
  | { about: 'no_command' | 'two_commands' }
  | { about: 'option'; given: string; known: readonly string[] }
  /** `minutes`: what was probably meant. null: it is no whole number. */
  | { about: 'unit'; option: string; given: string; minutes: number | null }

export function readSlashText(input: string, tool: SlashTool): SlashReading {
  const command = withSlash(unwrapped(input), tool)
  if (!tool.words.includes(wordsIn(command)[0] ?? ''))
    return { ok: false, form: null, problem: { about: 'no_command' } }
  const form = COMMAND_FORMS.find(({ words }) => command === words || command.startsWith(`${words} `)) ?? null
  const problem = secondCommand(command) ?? (form === null ? null : (unknownOption(command, form) ?? unitIn(command)))
  return problem === null ? { ok: true, command } : { ok: false, form, problem }
}

/** An object may hold a text with a fence, in which there are quotation marks. */
const WRAPPINGS_MAX = 4

function unwrapped(input: string): string {
  let text = input.trim()
  for (let i = 0; i < WRAPPINGS_MAX; i++) {
    const inner = (innerText(text) ?? withoutFence(text) ?? withoutMarks(text))?.trim()
    if (inner === undefined || inner === '') return text
    text = inner
  }
  return text
}

const COMMAND_MEMBERS = ['command', 'input', 'text', 'cmd', 'value']

/** The text in `{"command": "…"}`, or in a JSON text. null: the input is neither. */
function innerText(text: string): string | null {
  const value = text.startsWith('{') ? objectIn(text) : text.startsWith('"') ? parseBoundedJson(text) : null
  if (typeof value === 'string') return value
  if (!isRecord(value)) return null
  const members = new Map<string, unknown>(Object.entries(value))
  const found = COMMAND_MEMBERS.map((name) => members.get(name)).find((one) => typeof one === 'string')
  const [only] = members.size === 1 ? members.values() : []
  return typeof found === 'string' ? found : typeof only === 'string' ? only : null
}

function objectIn(text: string): object | null {
  const found = findObject(text)
  return found.ok ? found.value : null
}

const FENCE = '```'

function withoutFence(text: string): string | null {
  if (!text.startsWith(FENCE)) return null
  const end = text.lastIndexOf(FENCE)
  const inner = text.slice(FENCE.length, end > 0 ? end : undefined)
  const line = inner.indexOf('\n')
  // The first line may name a language.
  return line !== -1 && /^\w{0,16}\s{0,4}$/.test(inner.slice(0, line)) ? inner.slice(line + 1) : inner
}

const MARKS = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['「', '」'],
])

const withoutMarks = (text: string): string | null =>
  text.length > 1 && MARKS.get(text.charAt(0)) === text.slice(-1) ? text.slice(1, -1) : null

/** The first two words of a text, in lower case. */
const wordsIn = (text: string): string[] => text.trimStart().slice(0, WORDS_CHARS).toLowerCase().split(/\s+/, 2)
const WORDS_CHARS = 40

const VERBS: Record<SlashTool['name'], ReadonlySet<string>> = { todo: verbsOf('/todo'), schedule: verbsOf('/schedule') }
function verbsOf(word: string): ReadonlySet<string> {
  return new Set(
    COMMAND_FORMS.flatMap(({ words }) => (words.startsWith(`${word} `) ? [words.slice(word.length + 1)] : [])),
  )
}

/** The command with its slash, its first word and small letters in both of its words. A text that is no command stays. */
function withSlash(text: string, tool: SlashTool): string {
  const [first = '', second = ''] = wordsIn(text)
  const bare = first.replace(/^\//, '')
  if (tool.words.includes(`/${bare}`)) {
    const rest = text.trimStart().slice(first.length).trimStart()
    const words = second === '' ? [] : [isVerb(second, tool) ? second : rest.slice(0, second.length)]
    return [`/${bare}`, ...words, rest.slice(second.length).trim()].join(' ').trim()
  }
  const rest = text.trimStart().slice(first.length).trim()
  return isVerb(bare, tool) && mayLackItsTool(bare, rest) ? `/${tool.name} ${bare} ${rest}`.trim() : text
}

/** The verbs of commands that change or remove an entry. Ordinary sentences begin with them too. */
const CHANGING_VERBS: ReadonlySet<string> = new Set(['update', 'delete', 'done'])

/**
 * Whether a text of a verb and this rest is meant as a command. Behind a verb that changes an entry the id has to stand alone, or
 * before an option or a date: "update 3 slides" may be the text of a todo.
 */
const mayLackItsTool = (verb: string, rest: string): boolean =>
  !CHANGING_VERBS.has(verb) || /^#?\d+(?:$|\s{1,9}(?:--|\d{4}-))/.test(rest)

const isVerb = (word: string, { name }: SlashTool): boolean => VERBS[name].has(word)

function secondCommand(command: string): SlashProblem | null {
  return /\n\s{0,9}\/(?:todo|schedule|view)\s/i.test(command) ? { about: 'two_commands' } : null
}

const optionsOf = ({ parameters }: CommandForm): string[] => [...new Set(parameters.match(/--[a-z-]+/g))]

const OPTION = /\s(--[a-z][\w-]{0,40})/gi

function unknownOption(command: string, form: CommandForm): SlashProblem | null {
  const known = optionsOf(form)
  const given = Array.from(command.matchAll(OPTION), ([, option = '']) => option)
  const unknown = given.find((option) => !known.includes(option))
  return unknown === undefined ? null : { about: 'option', given: unknown, known }
}

const MINUTES_WITH_UNIT =
  /\s--(duration|interval)(?:\s{1,9}|=)(\d{1,9}(?:\.\d{1,3})?)(\s{0,9})(\p{L}{1,9})(?![\p{L}\d])/u

function unitIn(command: string): SlashProblem | null {
  const [, option = '', amount = '', blank = '', unit = ''] = MINUTES_WITH_UNIT.exec(command) ?? []
  if (minutesOfUnit(unit) === null) return null
  return { about: 'unit', option, given: amount + blank + unit, minutes: minutesIn(amount + unit) }
}

const GIVEN_CHARS = 40
const USAGE: Record<Locale, string> = { en: 'Usage:', zh: '用法:' }

const PROBLEMS: Record<Locale, (problem: SlashProblem, tool: SlashTool) => string> = {
  en(problem, { name }) {
    switch (problem.about) {
      case 'no_command':
        return ''
      case 'two_commands':
        return `Give one command in each call of ${name}.`
      case 'option': {
        const nearest = nearestName(problem.given, problem.known)
        const meant = nearest === null ? '.' : `; did you mean ${nearest}?`
        return `There is no option ${cut(problem.given, GIVEN_CHARS)}${meant} ${TEXT_WITH_DASHES[name].en}`
      }
      case 'unit': {
        const { option, given, minutes } = problem
        const instead = minutes === null ? '' : `: write --${option} ${minutes}`
        return `--${option} is a number of minutes without a unit${instead}. Given: "${given}".`
      }
    }
  },
  zh(problem, { name }) {
    switch (problem.about) {
      case 'no_command':
        return ''
      case 'two_commands':
        return `每次调用 ${name} 只给出一条命令。`
      case 'option': {
        const nearest = nearestName(problem.given, problem.known)
        const meant = nearest === null ? '。' : `，是否应为 ${nearest}？`
        return `没有选项 ${cut(problem.given, GIVEN_CHARS)}${meant}${TEXT_WITH_DASHES[name].zh}`
      }
      case 'unit': {
        const { option, given, minutes } = problem
        const instead = minutes === null ? '' : `，请写 --${option} ${minutes}`
        return `--${option} 为分钟数，不带单位${instead}。收到的是“${given}”。`
      }
    }
  },
}

/** The tool that takes any text. */
const TEXT_WITH_DASHES: Record<SlashTool['name'], Record<Locale, string>> = {
  todo: { en: 'For a text with dashes use add_todo.', zh: '含连字符的文字请用 add_todo。' },
  schedule: { en: 'For a title with dashes use add_event.', zh: '含连字符的标题请用 add_event。' },
}

const NO_COMMAND: Record<Locale, (tool: SlashTool) => string> = {
  en: ({ name, words }) => `Usage: the input of ${name} is one command that begins with ${words.join(' or ')}`,
  zh: ({ name, words }) => `用法: ${name} 的输入是一条以 ${words.join(' 或 ')} 开头的命令`,
}

/** Why the input is not run, as text for the model. */
export function slashProblemText(
  { form, problem }: Extract<SlashReading, { ok: false }>,
  tool: SlashTool,
  locale: Locale,
): string {
  if (problem.about === 'no_command') return NO_COMMAND[locale](tool)
  const syntax = form === null ? tool.words.join(' | ') : syntaxOf(form)
  return `${USAGE[locale]} ${syntax}\n${PROBLEMS[locale](problem, tool)}`
}
