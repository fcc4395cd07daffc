/**
 * Command lines (requirements 2.2) of what was entered. The grammar knows no quotes and takes its options out of any place of a line: a text
 * that would be read as something else makes no line at all, but a flaw of its field.
 */

/** As the inputs have it; '' is not given. Moments: `YYYY-MM-DDTHH:MM`, as `datetime-local` says them. */
export interface TodoDraft {
  content: string
  tag: string
  priority: string
  due: string
  remind: string
}
export const UNITS = { minute: 1, hour: 60, day: 1440, week: 10_080 } as const
export type Unit = keyof typeof UNITS
export interface EventDraft {
  title: string
  start: string
  duration: string
  remind: string
  /** '': it happens once. */
  unit: Unit | ''
  every: string
  /** '': without end. */
  times: string
  remind_start: string
}
export const NO_TODO: TodoDraft = { content: '', tag: '', priority: '', due: '', remind: '' }
export const NO_EVENT: EventDraft = {
  title: '',
  start: '',
  duration: '',
  remind: '',
  unit: '',
  every: '1',
  times: '',
  remind_start: '',
}

export type FlawedField = keyof TodoDraft | keyof EventDraft
/** `option`: the text has one of the grammar's own options in it; `word`: it must be one word. */
export type About = 'empty' | 'option' | 'word' | 'number' | 'moment'
export type Flaw = { field: FlawedField; about: About; option: string | null }
export type Line = { ok: true; line: string } | { ok: false; flaw: Flaw }

const TODO_OPTIONS = ['tag', 'priority', 'due', 'remind']
const EVENT_OPTIONS = ['interval', 'duration', 'remind', 'times', 'remind-start']

/** A part of a line, or what is wrong with it. */
type Part = string | Flaw
const flawed = (field: FlawedField, about: About, option: string | null = null): Flaw => ({ field, about, option })

function lineOf(command: string, ...parts: Part[]): Line {
  const flaw = parts.find((part) => typeof part !== 'string')
  if (flaw !== undefined) return { ok: false, flaw }
  return { ok: true, line: [command, ...parts].filter((part) => part !== '').join(' ') }
}

const OPTION = /^--([\w-]+)/

/** What the grammar makes of white space: single spaces, line breaks too. */
function textPart(field: FlawedField, given: string, options: string[]): Part {
  const text = given.replace(/\s+/g, ' ').trim()
  if (text === '') return flawed(field, 'empty')
  const found = text.split(' ').find((word) => options.includes(OPTION.exec(word)?.[1] ?? ''))
  return found === undefined ? text : flawed(field, 'option', OPTION.exec(found)?.[0] ?? '')
}

function tagPart(given: string): Part {
  const tag = given.trim()
  if (tag === '') return ''
  return /\s/.test(tag) || tag.startsWith('--') || /^#+$/.test(tag) ? flawed('tag', 'word') : `--tag ${tag}`
}

/** A longer number is not exact any more. */
const NUMBER = /^\d{1,15}$/
function numberPart(field: FlawedField, option: string, given: string, min: number, factor = 1): Part {
  const text = given.trim()
  if (text === '') return ''
  if (!NUMBER.test(text) || Number(text) < min) return flawed(field, 'number')
  return `--${option} ${Number(text) * factor}`
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/
const momentOf = (given: string) => {
  const found = MOMENT.exec(given.trim())
  return found === null ? null : `${found[1]} ${found[2]}`
}
function momentPart(field: FlawedField, option: string, given: string): Part {
  if (given.trim() === '') return ''
  const moment = momentOf(given)
  return moment === null ? flawed(field, 'moment') : `--${option} ${moment}`
}

const todoParts = ({ content, tag, priority, due, remind }: TodoDraft): Part[] => [
  textPart('content', content, TODO_OPTIONS),
  tagPart(tag),
  numberPart('priority', 'priority', priority, 0),
  momentPart('due', 'due', due),
  momentPart('remind', 'remind', remind),
]
export const todoAdd = (draft: TodoDraft): Line => lineOf('/todo add', ...todoParts(draft))
/** What is left empty stays as it is. */
export const todoUpdate = (id: number, draft: TodoDraft): Line => lineOf(`/todo update ${id}`, ...todoParts(draft))
export const todoDone = (id: number) => `/todo done ${id}`
export const todoDelete = (id: number) => `/todo delete ${id}`

export const VIEWS = ['today', 'overdue', 'upcoming', 'inbox'] as const
export type View = (typeof VIEWS)[number]
export const todoList = (tag: string, view: View | null): Line =>
  lineOf('/todo list', tagPart(tag), view === null ? '' : `--view ${view}`)
export const todoSearch = (keyword: string, tag: string): Line =>
  lineOf('/todo search', textPart('content', keyword, ['tag']), tagPart(tag))

/** An interval of fewer than one, or fewer than two times, is no repetition. */
function repeatParts({ unit, every, times, remind_start }: EventDraft): Part[] {
  if (unit === '') return []
  return [
    every.trim() === '' ? flawed('every', 'empty') : numberPart('every', 'interval', every, 1, UNITS[unit]),
    numberPart('times', 'times', times, 2),
    momentPart('remind_start', 'remind-start', remind_start),
  ]
}
const eventParts = (draft: EventDraft): Part[] => [
  momentOf(draft.start) ?? flawed('start', draft.start.trim() === '' ? 'empty' : 'moment'),
  textPart('title', draft.title, EVENT_OPTIONS),
  numberPart('duration', 'duration', draft.duration, 1),
  momentPart('remind', 'remind', draft.remind),
  ...repeatParts(draft),
]
export const eventAdd = (draft: EventDraft): Line => lineOf('/schedule add', ...eventParts(draft))
/** Duration and reminders left empty stay; without a unit the repetition goes. */
export const eventUpdate = (id: number, draft: EventDraft): Line =>
  lineOf(`/schedule update ${id}`, ...eventParts(draft))
export const eventGet = (id: number) => `/schedule get ${id}`
export const eventDelete = (id: number) => `/schedule delete ${id}`
export const eventRepeat = (id: number, on: boolean) => `/schedule repeat ${id} ${on ? 'on' : 'off'}`
/** `month`: `YYYY-MM`. */
export const monthView = (month: string) => `/schedule view month ${month}`
export const TODAY = '/schedule view day'
