/** The commands about one event of the schedule (requirements 2.4). */
import type { RepeatRule, ScheduleEvent } from '../book.ts'
import { ENTRIES_MAX } from '../bounds.ts'
import type { EventChange, EventEntry } from '../command.ts'
import { findConflicts, seriesToTest } from './conflicts.ts'
import { toCallerMoment, type CommandEnvironment } from '../context.ts'
import { momentOf } from '../../../terms/plain/minutes.ts'
import { withPastNotes, type GivenMoments } from '../past.ts'
import { resultOf, type CommandKind, type CommandResult } from '../result.ts'
import { reachesTooFar } from '../dates.ts'
import { eventRow, eventTable, eventForCaller } from './schedule-table.ts'
import { cleanCell } from '../table.ts'

/** The minutes of an event without a duration. */
const DEFAULT_DURATION = 60

/** A result about one event: a sentence, its row and its id. `given` are the moments that the command named. */
function aboutEvent(
  kind: CommandKind,
  event: ScheduleEvent,
  sentence: (event: ScheduleEvent) => string,
  environment: CommandEnvironment,
  given: GivenMoments = {},
): CommandResult {
  const { context } = environment
  const local = eventForCaller(event, event.start, context)
  const text = withPastNotes(sentence({ ...local, title: cleanCell(local.title) }), given, environment)
  return resultOf(kind, text, [eventRow(event, event.start, context)], { id: event.id })
}

/** The conflict report if the event overlaps another one, else null. An event never conflicts with itself. */
function conflictOf(
  fields: Omit<ScheduleEvent, 'id'>,
  self: number | null,
  environment: CommandEnvironment,
): CommandResult | null {
  const { book, context, texts } = environment
  const others = book.events().filter((event) => event.id !== self)
  const { hits, more } = findConflicts(seriesToTest(fields, context.conflict_preview_days), others)
  if (hits.length === 0) return null
  const conflicts = hits.map(({ event, start }) => ({
    id: event.id,
    start: toCallerMoment(momentOf(start), context) ?? '',
    title: event.title,
  }))
  const lines = conflicts.map(({ id, start, title }) => `#${id} ${start} ${cleanCell(title)}`)
  const text = [texts.conflict, ...lines, ...(more > 0 ? [texts.moreConflicts(more)] : [])].join('\n')
  return resultOf('conflict', text, [], { conflicts, more })
}

const momentsOf = ({ start, remind_at }: EventChange) => ({ start, remind: remind_at })

export function addEvent(entry: EventEntry, environment: CommandEnvironment): CommandResult {
  if (environment.book.eventCount() >= ENTRIES_MAX) return resultOf('usage_error', environment.texts.full(ENTRIES_MAX))
  const fields = {
    title: entry.title,
    start: entry.start,
    duration: entry.duration ?? DEFAULT_DURATION,
    remind_at: entry.remind_at,
    created_at: environment.context.now,
    rule: ruleFrom(entry.rule, null),
  }
  const conflict = conflictOf(fields, null, environment)
  if (conflict !== null) return conflict
  const event = environment.book.addEvent(fields)
  return aboutEvent('schedule_added', event, environment.texts.eventAdded, environment, momentsOf(entry))
}

/** The rule after an entry. Without an interval there is none. A new rule is enabled, and keeps the old remind_start. */
function ruleFrom(rule: EventEntry['rule'], stored: RepeatRule | null): RepeatRule | null {
  if (rule === null) return null
  return { ...rule, remind_start: rule.remind_start ?? stored?.remind_start ?? null, enabled: true }
}

/** What is not given stays. A slash command without an interval removes the rule. */
export function updateEvent(id: number, entry: EventChange, environment: CommandEnvironment): CommandResult {
  const stored = environment.book.event(id)
  if (stored === null) return resultOf('not_found', environment.texts.eventNotFound(id))
  const event: ScheduleEvent = {
    ...stored,
    title: entry.title ?? stored.title,
    start: entry.start ?? stored.start,
    duration: entry.duration ?? stored.duration,
    remind_at: entry.remind_at ?? stored.remind_at,
    rule: entry.rule === 'stays' ? stored.rule : ruleFrom(entry.rule, stored.rule),
  }
  if (reachesTooFar(event.rule, event.start)) return resultOf('usage_error', environment.texts.tooFar)
  const conflict = conflictOf(event, id, environment)
  if (conflict !== null) return conflict
  environment.book.saveEvent(event)
  return aboutEvent('schedule_updated', event, environment.texts.eventUpdated, environment, momentsOf(entry))
}

/** Switches the repetition on or off. A missing event gives the same result as a missing rule. */
export function toggleRepeat(id: number, enabled: boolean, environment: CommandEnvironment): CommandResult {
  const stored = environment.book.event(id)
  if (stored === null || stored.rule === null) return resultOf('no_repeat_rule', environment.texts.noRepeatRule(id))
  const event = { ...stored, rule: { ...stored.rule, enabled } }
  environment.book.saveEvent(event)
  return aboutEvent('repeat_toggled', event, () => environment.texts.repeatToggled(id, enabled), environment)
}

export function deleteEvent(id: number, { book, texts }: CommandEnvironment): CommandResult {
  if (!book.deleteEvent(id)) return resultOf('not_found', texts.eventNotFound(id))
  return resultOf('deleted', texts.eventDeleted(id), [], { id })
}

export function showEvent(id: number, environment: CommandEnvironment): CommandResult {
  const event = environment.book.event(id)
  if (event === null) return resultOf('not_found', environment.texts.eventNotFound(id))
  const { rows, table } = eventTable([{ event, start: event.start }], environment)
  return resultOf('schedule_detail', `${environment.texts.eventDetail(id)}\n${table}`, rows, { id })
}
