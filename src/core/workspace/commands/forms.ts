/** The forms of the grammar (requirements 2.2): command words, parameters and description. Help and usage texts use them. */
import type { Locale } from '../../terms/locale.ts'
import { nearestName } from '../../terms/values/known-names.ts'

export type CommandForm = {
  name: FormName
  /** The command words in lower case, with one space between them. */
  words: string
  /** The syntax of what follows the words. */
  parameters: string
  description: Record<Locale, string>
}

const MOMENT = '<YYYY-MM-DD HH:MM>'
const TODO_OPTIONS = `[--tag <tag>] [--priority <n>] [--due ${MOMENT}] [--remind ${MOMENT}]`
const EVENT_OPTIONS = `[--interval <minutes>] [--duration <minutes>] [--remind ${MOMENT}] [--times <n>] [--remind-start ${MOMENT}]`

const form = (words: string, parameters: string, en: string, zh: string) => ({
  words,
  parameters,
  description: { en, zh },
})

/** In the order in which they are tried. If the words of two forms begin alike, the longer one has to come first. */
const FORMS = {
  help: form('/help', '', 'show these commands', '显示全部命令'),
  view_names: form('/view list', '', 'list the views', '列出全部视图'),
  view: form('/view', '<all|today|overdue|upcoming|inbox> [--tag <tag>]', 'show the todos of a view', '按视图查看待办'),
  todo_add: form('/todo add', `<text> ${TODO_OPTIONS}`, 'add a todo', '添加待办'),
  todo_list: form(
    '/todo list',
    '[<tag> | --tag <tag>] [--view <all|today|overdue|upcoming|inbox>]',
    'list todos',
    '列出待办',
  ),
  todo_search: form('/todo search', '<keyword> [--tag <tag>]', 'find todos by text', '按内容搜索待办'),
  todo_get: form('/todo get', '<id>', 'show one todo', '查看一条待办'),
  todo_update: form(
    '/todo update',
    `<id> <text> ${TODO_OPTIONS}`,
    'change a todo; what is not given stays',
    '修改待办，未给出的项保持不变',
  ),
  todo_done: form('/todo done', '<id>', 'finish a todo', '完成待办'),
  todo_delete: form('/todo delete', '<id>', 'delete a todo', '删除待办'),
  schedule_add: form(
    '/schedule add',
    `${MOMENT} <title> ${EVENT_OPTIONS}`,
    'add an event; with --interval it repeats, --times counts the first one, without it there is no end',
    '添加日程；--interval 使其重复，--times 含首次，不给则无限重复',
  ),
  schedule_list: form('/schedule list', '', 'list what is near', '列出近期日程'),
  schedule_view: form(
    '/schedule view',
    '<day|week|month> [<YYYY-MM-DD> | <YYYY-MM> for month]',
    'show a day, week or month',
    '查看某日、某周或某月的日程（month 用 YYYY-MM）',
  ),
  schedule_get: form('/schedule get', '<id>', 'show one event', '查看一条日程'),
  schedule_update: form(
    '/schedule update',
    `<id> ${MOMENT} <title> ${EVENT_OPTIONS}`,
    'change an event; without --interval it stops repeating',
    '修改日程；不给 --interval 则取消重复',
  ),
  schedule_repeat: form('/schedule repeat', '<id> <on|off>', 'switch a repetition on or off', '开启或关闭重复'),
  schedule_delete: form('/schedule delete', '<id>', 'delete an event', '删除日程'),
}
export type FormName = keyof typeof FORMS
export const COMMAND_FORMS = Object.entries(FORMS).map(([name, one]): CommandForm => ({
  name: name as FormName, // keys of a literal
  ...one,
}))

/** The syntax of a form, such as `/todo get <id>`. */
export function syntaxOf({ words, parameters }: Pick<CommandForm, 'words' | 'parameters'>): string {
  return parameters === '' ? words : `${words} ${parameters}`
}

/** Longer words are no misspelled ones. */
const READ_CHARS = 80

/** First words are short, so that one of them would be near to almost everything. */
const HEAD_SHARE = 5

/** Command words, such as `/todo add`, or only the first of them. null: no command is near. */
export function nearestCommand(input: string): string | null {
  const [first = '', second = ''] = input.slice(0, READ_CHARS).split(/\s+/, 2)
  const words = COMMAND_FORMS.map((form) => form.words.split(' '))
  const heads = [...new Set(words.map(([head = '']) => head))]
  const head = nearestName(first, heads, HEAD_SHARE)
  if (head === null) return null
  const verbs = words.flatMap(([own, verb]) => (own === head && verb !== undefined ? verb : []))
  const verb = nearestName(second, verbs)
  return verb === null ? head : `${head} ${verb}`
}
