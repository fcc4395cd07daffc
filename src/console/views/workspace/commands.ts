/**
 * Command lines (requirements 2.2) of what was entered. The grammar knows no quotes and takes its options out of any place of a line: a text
 * that would be read as something else makes no line at all, but an error of its field.
 */

import type { EntryResult } from '../../entry-result.ts'

/** As the inputs have it; '' is not given. Moments: `YYYY-MM-DDTHH:MM`, as `datetime-local` says them. */
export interface TodoDraft {
  content: string
  tag: string
  priority: string
  due: string
  remind: string
}
export const REPEAT_UNITS = { minute: 1, hour: 60, day: 1440, week: 10_080 } as const
export type RepeatUnit = keyof typeof REPEAT_UNITS
export interface EventDraft {
  title: string
  start: string
  duration: string
  remind: string
  /** '': it happens once. */
  unit: RepeatUnit | ''
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

export type FieldName = keyof TodoDraft | keyof EventDraft
/** `option`: the text has one of the grammar's own options in it; `word`: it must be one word. */
type FieldErrorCode = 'empty' | 'option' | 'word' | 'number' | 'moment'
export type FieldError = { field: FieldName; about: FieldErrorCode; option: string | null }
export type CommandText = EntryResult<string, FieldError>

const TODO_OPTIONS = ['tag', 'priority', 'due', 'remind']
const EVENT_OPTIONS = ['interval', 'duration', 'remind', 'times', 'remind-start']

/** A part of a line, or what is wrong with it. */
type Part = string | FieldError
const fieldError = (field: FieldName, about: FieldErrorCode, option: string | null = null): FieldError => ({
  field,
  about,
  option,
})

function lineOf(command: string, ...parts: Part[]): CommandText {
  const error = parts.find((part) => typeof part !== 'string')
  if (error !== undefined) return { ok: false, error }
  return { ok: true, value: [command, ...parts].filter((part) => part !== '').join(' ') }
}

const OPTION = /^--([\w-]+)/

/** What the grammar makes of white space: single spaces, line breaks too. */
function textPart(field: FieldName, given: string, options: string[]): Part {
  const text = given.replace(/\s+/g, ' ').trim()
  if (text === '') return fieldError(field, 'empty')
  const found = text.split(' ').find((word) => options.includes(OPTION.exec(word)?.[1] ?? ''))
  return found === undefined ? text : fieldError(field, 'option', OPTION.exec(found)?.[0] ?? '')
}

function tagPart(given: string): Part {
  const tag = given.trim()
  if (tag === '') return ''
  return /\s/.test(tag) || tag.startsWith('--') || /^#+$/.test(tag) ? fieldError('tag', 'word') : `--tag ${tag}`
}

/** A longer number is not exact any more. */
const NUMBER = /^\d{1,15}$/
function numberPart(field: FieldName, option: string, given: string, min: number, factor = 1): Part {
  const text = given.trim()
  if (text === '') return ''
  if (!NUMBER.test(text) || Number(text) < min) return fieldError(field, 'number')
  return `--${option} ${Number(text) * factor}`
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/
const momentOf = (given: string) => {
  const found = MOMENT.exec(given.trim())
  return found === null ? null : `${found[1]} ${found[2]}`
}
function momentPart(field: FieldName, option: string, given: string): Part {
  if (given.trim() === '') return ''
  const moment = momentOf(given)
  return moment === null ? fieldError(field, 'moment') : `--${option} ${moment}`
}

const todoParts = ({ content, tag, priority, due, remind }: TodoDraft): Part[] => [
  textPart('content', content, TODO_OPTIONS),
  tagPart(tag),
  numberPart('priority', 'priority', priority, 0),
  momentPart('due', 'due', due),
  momentPart('remind', 'remind', remind),
]
export const todoAdd = (draft: TodoDraft): CommandText => lineOf('/todo add', ...todoParts(draft))
/** What is left empty stays as it is. */
export const todoUpdate = (id: number, draft: TodoDraft): CommandText =>
  lineOf(`/todo update ${id}`, ...todoParts(draft))
export const todoDone = (id: number) => `/todo done ${id}`
export const todoDelete = (id: number) => `/todo delete ${id}`

export const TODO_VIEWS = ['today', 'overdue', 'upcoming', 'inbox'] as const
type TodoView = (typeof TODO_VIEWS)[number]
export const todoList = (tag: string, view: TodoView | null): CommandText =>
  lineOf('/todo list', tagPart(tag), view === null ? '' : `--view ${view}`)
export const todoSearch = (keyword: string, tag: string): CommandText =>
  lineOf('/todo search', textPart('content', keyword, ['tag']), tagPart(tag))

/** An interval of fewer than one, or fewer than two times, is no repetition. */
function repeatParts({ unit, every, times, remind_start }: EventDraft): Part[] {
  if (unit === '') return []
  return [
    every.trim() === '' ? fieldError('every', 'empty') : numberPart('every', 'interval', every, 1, REPEAT_UNITS[unit]),
    numberPart('times', 'times', times, 2),
    momentPart('remind_start', 'remind-start', remind_start),
  ]
}
const eventParts = (draft: EventDraft): Part[] => [
  momentOf(draft.start) ?? fieldError('start', draft.start.trim() === '' ? 'empty' : 'moment'),
  textPart('title', draft.title, EVENT_OPTIONS),
  numberPart('duration', 'duration', draft.duration, 1),
  momentPart('remind', 'remind', draft.remind),
  ...repeatParts(draft),
]
export const eventAdd = (draft: EventDraft): CommandText => lineOf('/schedule add', ...eventParts(draft))
/** Duration and reminders left empty stay; without a unit the repetition goes. */
export const eventUpdate = (id: number, draft: EventDraft): CommandText =>
  lineOf(`/schedule update ${id}`, ...eventParts(draft))
export const eventGet = (id: number) => `/schedule get ${id}`
export const eventDelete = (id: number) => `/schedule delete ${id}`
export const eventRepeat = (id: number, on: boolean) => `/schedule repeat ${id} ${on ? 'on' : 'off'}`
/** `month`: `YYYY-MM`. */
export const monthView = (month: string) => `/schedule view month ${month}`
export const TODAY = '/schedule view day'
