/** Says to a model why its call of a tool for todos or events was not made: the member, what was given, and what is allowed. */
import { nearestName } from '../../../terms/values/known-names.ts'
import type { Locale } from '../../../terms/locale.ts'
import { SPANS, VIEWS } from '../command.ts'
import { cleanCell } from '../table.ts'
import { membersOf, toolSyntax, type CommandToolName } from '../tool-call/forms.ts'
import type { CallProblem } from '../tool-call/read.ts'
import { UNITS, type ValueName } from '../tool-call/values.ts'
import * as en from './texts-en.ts'
import * as zh from './texts-zh.ts'

type Words = Record<Locale, string>
const words = (english: string, chinese: string): Words => ({ en: english, zh: chinese })

const TEXT = words('needs a text', '需要文字')
const DATE = words(
  'needs a real date YYYY-MM-DD, with or without a time HH:MM',
  '需要真实存在的日期 YYYY-MM-DD，可带时间 HH:MM',
)
const NEEDS: Record<ValueName, Words> = {
  text: TEXT,
  title: TEXT,
  search: TEXT,
  tag: words('needs one word', '需要一个词'),
  due: DATE,
  remind: DATE,
  start: words('needs a real date and time YYYY-MM-DD HH:MM', '需要真实存在的时间 YYYY-MM-DD HH:MM'),
  date: words('needs a real date YYYY-MM-DD', '需要真实存在的日期 YYYY-MM-DD'),
  id: words('needs the number of the entry, from 1', '需要条目的编号，不小于 1'),
  priority: words('needs a whole number from 0; smaller is more urgent', '需要不小于 0 的整数，越小越紧急'),
  duration: words('needs a whole number of minutes from 1', '需要不小于 1 的整数（分钟）'),
  view: words(`needs one of ${VIEWS.join(', ')}`, `必须是 ${VIEWS.join('、')} 之一`),
  span: words(`needs one of ${SPANS.join(', ')}`, `必须是 ${SPANS.join('、')} 之一`),
  repeat: words(
    `needs {"every": 1, "unit": "days", "times": 5}: unit is one of ${UNITS.join(', ')}; times counts the first one, and without it there is no end`,
    `需要 {"every": 1, "unit": "days", "times": 5}：unit 为 ${UNITS.join('、')} 之一；times 含首次，不给则无限重复`,
  ),
  stop_repeat: words('needs true or false', '需要 true 或 false'),
}
const DATES: ReadonlySet<ValueName> = new Set(['due', 'remind', 'start', 'date'])

const PROBLEMS: Record<Locale, (tool: CommandToolName, problem: CallProblem) => string> = {
  en(tool, problem) {
    switch (problem.about) {
      case 'no_object':
        return 'The input must be one JSON object with these members.'
      case 'unknown':
        return `There is no member "${cleanCell(problem.member)}"${HINT.en(tool, problem.member)}`
      case 'missing':
        return `${problem.member} is missing.`
      case 'twice':
        return `${problem.member} is given twice.`
      case 'value': {
        const { member, value, given } = problem
        const why = DATES.has(value) ? en.dateHint(given, value === 'start') : ''
        return `${member} ${NEEDS[value].en}. Given: "${cleanCell(given)}".${why}`
      }
      case 'needs':
        return `${problem.member} works only together with ${problem.other}.`
      case 'excludes':
        return `Give ${problem.member} or ${problem.other}, not both.`
      case 'no_change':
        return 'Nothing is given to change.'
      case 'span':
        return 'The repetition reaches beyond the year 9999.'
    }
  },
  zh(tool, problem) {
    switch (problem.about) {
      case 'no_object':
        return '输入必须是一个 JSON 对象，只含以上成员。'
      case 'unknown':
        return `没有成员“${cleanCell(problem.member)}”${HINT.zh(tool, problem.member)}`
      case 'missing':
        return `缺少 ${problem.member}。`
      case 'twice':
        return `${problem.member} 出现了两次。`
      case 'value': {
        const { member, value, given } = problem
        const why = DATES.has(value) ? zh.dateHint(given, value === 'start') : ''
        return `${member} ${NEEDS[value].zh}。收到的是“${cleanCell(given)}”。${why}`
      }
      case 'needs':
        return `${problem.member} 必须与 ${problem.other} 一起使用。`
      case 'excludes':
        return `${problem.member} 与 ${problem.other} 只能给出一个。`
      case 'no_change':
        return '没有给出要修改的内容。'
      case 'span':
        return '重复超出了 9999 年。'
    }
  },
}

const nearest = (tool: CommandToolName, given: string): string | null =>
  nearestName(
    given,
    membersOf(tool).map(([name]) => name),
  )
const HINT: Record<Locale, (tool: CommandToolName, given: string) => string> = {
  en: (tool, given) => (nearest(tool, given) === null ? '.' : `; did you mean "${nearest(tool, given)}"?`),
  zh: (tool, given) => (nearest(tool, given) === null ? '。' : `，是否应为“${nearest(tool, given)}”？`),
}

const USAGE: Words = { en: 'Usage:', zh: '用法:' }

/** The first line has the members of the tool, and a mark behind each that may be left out. */
export const callProblemText = (tool: CommandToolName, problem: CallProblem, locale: Locale): string =>
  `${USAGE[locale]} ${toolSyntax(tool)}\n${PROBLEMS[locale](tool, problem)}`
