/**
 * Builds command lines (requirements 2.2) from what was entered. The grammar has no quotes and reads options at any place of a line. A
 * text that it would read as something else makes no line, but an error of its field.
 */

import type { Attempt } from '../../../core/terms/attempt.ts'

/** The texts of the inputs; '' is left out of the line. Moments are written as `datetime-local` does: `YYYY-MM-DDTHH:MM`. */
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
  /** '': the event happens once. */
  unit: RepeatUnit | ''
  every: string
  /** '': the event repeats without end. */
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
/** `option`: the text contains an option of the grammar. `word`: the text must be one word. */
type FieldErrorCode = 'empty' | 'option' | 'word' | 'number' | 'moment'
export type FieldError = { field: FieldName; about: FieldErrorCode; option: string | null }
export type CommandText = Attempt<string, FieldError>

const TODO_OPTIONS = ['tag', 'priority', 'due', 'remind']
const EVENT_OPTIONS = ['interval', 'duration', 'remind', 'times', 'remind-start']

/** A part of a line, or the error of its field. */
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

/** Turns white space and line breaks into single spaces, as the grammar does. */
function textPart(field: FieldName, entered: string, options: string[]): Part {
  const text = entered.replace(/\s+/g, ' ').trim()
  if (text === '') return fieldError(field, 'empty')
  const found = text.split(' ').find((word) => options.includes(OPTION.exec(word)?.[1] ?? ''))
  return found === undefined ? text : fieldError(field, 'option', OPTION.exec(found)?.[0] ?? '')
}

function tagPart(entered: string): Part {
  const tag = entered.trim()
  if (tag === '') return ''
  return /\s/.test(tag) || tag.startsWith('--') || /^#+$/.test(tag) ? fieldError('tag', 'word') : `--tag ${tag}`
}

/** A longer number would not be exact. */
const NUMBER = /^\d{1,15}$/
function numberPart(field: FieldName, option: string, entered: string, min: number, factor = 1): Part {
  const text = entered.trim()
  if (text === '') return ''
  if (!NUMBER.test(text) || Number(text) < min) return fieldError(field, 'number')
  return `--${option} ${Number(text) * factor}`
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/
const momentOf = (entered: string) => {
  const found = MOMENT.exec(entered.trim())
  return found === null ? null : `${found[1]} ${found[2]}`
}
function momentPart(field: FieldName, option: string, entered: string): Part {
  if (entered.trim() === '') return ''
  const moment = momentOf(entered)
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
/** An empty field leaves its value as it is. */
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

/** A repetition needs an interval of at least one unit, and at least two times. */
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
/** An empty duration or reminder leaves the value as it is. Without a unit the repetition is removed. */
export const eventUpdate = (id: number, draft: EventDraft): CommandText =>
  lineOf(`/schedule update ${id}`, ...eventParts(draft))
export const eventGet = (id: number) => `/schedule get ${id}`
export const eventDelete = (id: number) => `/schedule delete ${id}`
export const eventRepeat = (id: number, on: boolean) => `/schedule repeat ${id} ${on ? 'on' : 'off'}`
/** `month` is written `YYYY-MM`. */
export const monthView = (month: string) => `/schedule view month ${month}`
export const TODAY = '/schedule view day'
