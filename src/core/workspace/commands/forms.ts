/** The forms of the grammar (requirements 2.2): command words, parameters and description. Help and usage texts use them. */
import type { Locale } from '../../terms/locale.ts'

export type FormName =
  | 'help'
  | 'view_names'
  | 'view'
  | 'todo_add'
  | 'todo_list'
  | 'todo_search'
  | 'todo_get'
  | 'todo_update'
  | 'todo_done'
  | 'todo_delete'
  | 'schedule_add'
  | 'schedule_list'
  | 'schedule_view'
  | 'schedule_get'
  | 'schedule_update'
  | 'schedule_repeat'
  | 'schedule_delete'

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

/** The order in which they are tried. If the words of two forms begin alike, the longer one has to come first. */
export const COMMAND_FORMS: readonly CommandForm[] = [
  { name: 'help', words: '/help', parameters: '', description: { en: 'show these commands', zh: '显示全部命令' } },
  {
    name: 'view_names',
    words: '/view list',
    parameters: '',
    description: { en: 'list the views', zh: '列出全部视图' },
  },
  {
    name: 'view',
    words: '/view',
    parameters: '<all|today|overdue|upcoming|inbox> [--tag <tag>]',
    description: { en: 'show the todos of a view', zh: '按视图查看待办' },
  },
  {
    name: 'todo_add',
    words: '/todo add',
    parameters: `<text> ${TODO_OPTIONS}`,
    description: { en: 'add a todo', zh: '添加待办' },
  },
  {
    name: 'todo_list',
    words: '/todo list',
    parameters: '[<tag> | --tag <tag>] [--view <all|today|overdue|upcoming|inbox>]',
    description: { en: 'list todos', zh: '列出待办' },
  },
  {
    name: 'todo_search',
    words: '/todo search',
    parameters: '<keyword> [--tag <tag>]',
    description: { en: 'find todos by text', zh: '按内容搜索待办' },
  },
  {
    name: 'todo_get',
    words: '/todo get',
    parameters: '<id>',
    description: { en: 'show one todo', zh: '查看一条待办' },
  },
  {
    name: 'todo_update',
    words: '/todo update',
    parameters: `<id> <text> ${TODO_OPTIONS}`,
    description: { en: 'change a todo; what is not given stays', zh: '修改待办，未给出的项保持不变' },
  },
  { name: 'todo_done', words: '/todo done', parameters: '<id>', description: { en: 'finish a todo', zh: '完成待办' } },
  {
    name: 'todo_delete',
    words: '/todo delete',
    parameters: '<id>',
    description: { en: 'delete a todo', zh: '删除待办' },
  },
  {
    name: 'schedule_add',
    words: '/schedule add',
    parameters: `${MOMENT} <title> ${EVENT_OPTIONS}`,
    description: {
      en: 'add an event; with --interval it repeats, --times counts the first one, without it there is no end',
      zh: '添加日程；--interval 使其重复，--times 含首次，不给则无限重复',
    },
  },
  {
    name: 'schedule_list',
    words: '/schedule list',
    parameters: '',
    description: { en: 'list what is near', zh: '列出近期日程' },
  },
  {
    name: 'schedule_view',
    words: '/schedule view',
    parameters: '<day|week|month> [<YYYY-MM-DD> | <YYYY-MM> for month]',
    description: { en: 'show a day, week or month', zh: '查看某日、某周或某月的日程（month 用 YYYY-MM）' },
  },
  {
    name: 'schedule_get',
    words: '/schedule get',
    parameters: '<id>',
    description: { en: 'show one event', zh: '查看一条日程' },
  },
  {
    name: 'schedule_update',
    words: '/schedule update',
    parameters: `<id> ${MOMENT} <title> ${EVENT_OPTIONS}`,
    description: {
      en: 'change an event; without --interval it stops repeating',
      zh: '修改日程；不给 --interval 则取消重复',
    },
  },
  {
    name: 'schedule_repeat',
    words: '/schedule repeat',
    parameters: '<id> <on|off>',
    description: { en: 'switch a repetition on or off', zh: '开启或关闭重复' },
  },
  {
    name: 'schedule_delete',
    words: '/schedule delete',
    parameters: '<id>',
    description: { en: 'delete an event', zh: '删除日程' },
  },
]

/** The syntax of a form, such as `/todo get <id>`. */
export function syntaxOf(form: CommandForm): string {
  return form.parameters === '' ? form.words : `${form.words} ${form.parameters}`
}
