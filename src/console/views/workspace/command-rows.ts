/** Reads the rows of a command result as todos and events, and makes drafts of them for editing. */
import type { CommandResult } from '../../api/wire.ts'
import { asNumber, asText } from '../../parse.ts'
import { NO_EVENT, REPEAT_UNITS, type EventDraft, type TodoDraft, type RepeatUnit } from './commands.ts'

type Row = CommandResult['rows'][number]

export interface TodoRow {
  id: number
  done: boolean
  tag: string
  priority: number
  content: string
  completed_at: string | null
  due: string | null
  remind: string | null
}
/** One occurrence. `start` is its own, and everything else belongs to its event. */
export interface EventRow {
  id: number
  start: string
  duration: number
  title: string
  remind: string | null
  remind_start: string | null
  /** Minutes; null: the event happens once. */
  interval: number | null
  times: number | null
  repeat: 'on' | 'off' | null
}
interface EventConflict {
  id: number
  start: string
  title: string
}

const textOf = (row: Row, name: string) => asText(row[name])
const numberOf = (row: Row, name: string) => asNumber(row[name])

export const todosOf = (result: CommandResult): TodoRow[] =>
  result.rows.map((row) => ({
    id: numberOf(row, 'id') ?? 0,
    done: row['status'] === 'done',
    tag: textOf(row, 'tag') ?? '',
    priority: numberOf(row, 'priority') ?? 0,
    content: textOf(row, 'content') ?? '',
    completed_at: textOf(row, 'completed_at'),
    due: textOf(row, 'due'),
    remind: textOf(row, 'remind'),
  }))

export const eventsOf = (result: CommandResult): EventRow[] =>
  result.rows.map((row) => ({
    id: numberOf(row, 'id') ?? 0,
    start: textOf(row, 'start') ?? '',
    duration: numberOf(row, 'duration') ?? 0,
    title: textOf(row, 'title') ?? '',
    remind: textOf(row, 'remind'),
    remind_start: textOf(row, 'remind_start'),
    interval: numberOf(row, 'interval'),
    times: numberOf(row, 'times'),
    repeat: row['repeat'] === 'on' || row['repeat'] === 'off' ? row['repeat'] : null,
  }))

/** Returns the listed conflicts, and how many more there are. */
export function conflictsOf(result: CommandResult): { listed: EventConflict[]; more: number } {
  const { kind, data } = result
  if (kind !== 'conflict' || !Array.isArray(data['conflicts'])) return { listed: [], more: 0 }
  const conflicts: unknown[] = data['conflicts']
  return { listed: conflicts.filter(isConflict), more: moreOf(result) }
}
const isConflict = (value: unknown): value is EventConflict =>
  typeof value === 'object' && value !== null && 'id' in value && 'start' in value && 'title' in value

/** Returns how many rows the answer left out. */
export const moreOf = ({ data }: CommandResult) => asNumber(data['more']) ?? 0

/** Writes a moment as `datetime-local` takes it. */
const inputOf = (moment: string | null) => (moment ?? '').replace(' ', 'T')

export const draftOfTodo = ({ content, tag, priority, due, remind }: TodoRow): TodoDraft => ({
  content,
  tag,
  priority: String(priority),
  due: inputOf(due),
  remind: inputOf(remind),
})

export function draftOfEvent(event: EventRow): EventDraft {
  const repeat = event.interval === null ? null : unitOf(event.interval)
  return {
    title: event.title,
    start: inputOf(event.start),
    duration: String(event.duration),
    remind: inputOf(event.remind),
    unit: repeat?.unit ?? '',
    every: repeat === null ? NO_EVENT.every : String(repeat.every),
    times: event.times === null || event.times < 0 ? '' : String(event.times),
    remind_start: inputOf(event.remind_start),
  }
}

const LARGEST_FIRST: RepeatUnit[] = ['week', 'day', 'hour', 'minute']
/** Returns the largest unit that divides the minutes: 2880 minutes are two days. */
export function unitOf(minutes: number): { unit: RepeatUnit; every: number } {
  const unit = LARGEST_FIRST.find((name) => minutes % REPEAT_UNITS[name] === 0) ?? 'minute'
  return { unit, every: minutes / REPEAT_UNITS[unit] }
}
