/** Lists the tools in a prompt, for modes whose model names a tool in its reply instead of calling it natively. */
import type { Locale } from '../terms/locale.ts'
import type { ToolCard } from './tools.ts'

const UNITS: Record<Locale, string> = {
  en: 'duration and interval are minutes (3 h = 180); repeat has its own unit; times counts occurrences including the first; date-times are local, YYYY-MM-DD HH:MM',
  zh: 'duration 与 interval 单位为分钟（3 小时 = 180）；repeat 自带单位；times 为次数（含首次）；日期时间为本地时间，YYYY-MM-DD HH:MM',
}

/** The prompt has this note only if a tool has parameters. */
const ARGUMENTS_NOTE: Record<Locale, string> = {
  en: 'the input of a tool that has parameters is the JSON object of its arguments, written as one text; ? marks what may be left out, and what has no type is a text',
  zh: '有 parameters 的工具，其 input 为参数的 JSON 对象，写成一段文字；? 表示可省略，未写类型的为文字',
}

/** The tools as a section of a system message, which stays the same for the whole task. */
export function toolsSection(cards: readonly ToolCard[], locale: Locale): string {
  const { tools, units, arguments: note } = { arguments: null, ...toolsContext(cards, locale) }
  const lines = tools.map((tool) => JSON.stringify(tool))
  return [`## tools`, ...lines, `units: ${units}`, ...(note === null ? [] : [`arguments: ${note}`])].join('\n')
}

/** What the program says of calls that stood beside a plan. */
export const CALLS_OF_PLAN: Record<Locale, (names: string) => string> = {
  en: (names) =>
    `The plan calls no tool, so these calls beside it were not made: ${names}. Make them now if they are needed.`,
  zh: (names) => `制定计划时不调用工具，与计划一同给出的调用均未执行：${names}。如有需要，请现在调用。`,
}

const FUNCTIONS: Record<Locale, (names: string) => string> = {
  en: (names) =>
    `The functions say what each tool does: ${names}. In the JSON form, input is the JSON object of the arguments of the function, written as one text.`,
  zh: (names) => `各函数说明其工具的作用：${names}。JSON 形式中的 input 为该函数参数的 JSON 对象，写成一段文字。`,
}

/** The section about tools that are offered as functions, which say what each tool does. */
export const functionsSection = (cards: readonly ToolCard[], locale: Locale): string =>
  `## tools\n${functionsText(cards, locale)}`

export function functionsText(cards: readonly ToolCard[], locale: Locale): string {
  const names = cards.map(({ name }) => name).join(', ')
  return [FUNCTIONS[locale](names), `units: ${UNITS[locale]}`].join('\n')
}

/** The members about tools in the context of a prompt. */
export function toolsContext(cards: readonly ToolCard[], locale: Locale) {
  const tools = cards.map(({ name, description, text, parameters, signature }) => ({
    name,
    description: description[locale],
    // The input of the other tools is one text, as their description says.
    ...(text === null ? { parameters: signature ?? parameters } : {}),
  }))
  const context = { tools, units: UNITS[locale] }
  return cards.some(({ text }) => text === null) ? { ...context, arguments: ARGUMENTS_NOTE[locale] } : context
}
