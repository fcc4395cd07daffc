/** The English words of the slash commands. */
import type { ScheduleEvent, Todo } from '../book.ts'
import { VIEWS, type OptionName, type Problem, type Span, type TodoFilter } from '../command.ts'
import { dateError } from '../dates.ts'
import { cleanCell } from '../table.ts'
import { WEEKDAYS } from '../../zones.ts'
import { COMMAND_FORMS, syntaxOf } from '../forms.ts'

const MOMENT = 'needs a real date and time YYYY-MM-DD HH:MM'
const OPTIONS: Record<OptionName, string> = {
  tag: 'needs one tag',
  view: `needs one of ${VIEWS.join(', ')}`,
  priority: 'needs a whole number from 0',
  due: MOMENT,
  remind: MOMENT,
  interval: 'needs a whole number of minutes from 1',
  duration: 'needs a whole number of minutes from 1',
  times: 'needs -1 (no end) or a whole number from 2, the first time included',
  'remind-start': MOMENT,
}

const DATE_ERRORS = {
  form: '',
  unreal: ' The calendar has no such moment.',
  range: ' Give one moment, not a period.',
  time: ' A day alone is not enough.',
}
export function dateHint(given: string, needs_time: boolean): string {
  const error = given === '' ? null : dateError(given, needs_time)
  if (error === null) return ''
  return error.why === 'weekday' ? ` That day is a ${WEEKDAYS.en[error.weekday]}.` : DATE_ERRORS[error.why]
}
/** What was given instead, if anything was. */
const given = (value: string) => (value === '' ? '' : ` Given: "${cleanCell(value)}".`)

const PROBLEMS = {
  form: 'The words after the command do not fit this form.',
  text: 'The text is missing.',
  id: 'The id must be a whole number from 1.',
  view: `The view must be one of ${VIEWS.join(', ')}.`,
  anchor: 'day and week take a real date YYYY-MM-DD, month takes YYYY-MM.',
  span: '--interval and --times reach beyond the year 9999.',
}
function problemText(problem: Problem): string {
  if (problem.about === 'option') {
    const hint = OPTIONS[problem.option] === MOMENT ? dateHint(problem.given, false) : ''
    return `--${problem.option} ${OPTIONS[problem.option]}, and may be given once.${given(problem.given)}${hint}`
  }
  if (problem.about === 'start') return `The start ${MOMENT}.${given(problem.given)}${dateHint(problem.given, true)}`
  if (problem.about === 'needs') return `--${problem.option} works only together with --${problem.other}.`
  return PROBLEMS[problem.about]
}

function reminders(remind: string | null, remindStart: string | null): string {
  const first = remind === null ? '' : `, remind ${remind}`
  return remindStart === null ? first : `${first}, repeat reminders from ${remindStart}`
}

function todoFacts({ id, content, tag, priority, due_at, remind_at }: Todo): string {
  const due = due_at === null ? '' : `, due ${due_at}`
  return `#${id} [${tag}] ${content} (priority ${priority}${due}${reminders(remind_at, null)})`
}

function eventFacts({ id, title, start, duration, remind_at, rule }: ScheduleEvent): string {
  const event = `#${id} ${start} ${title}`
  if (rule === null) return `${event} (duration ${duration} min${reminders(remind_at, null)})`
  const tail = reminders(remind_at, rule.remind_start)
  return rule.times === -1
    ? `${event} (repeats without end: duration ${duration} min, interval ${rule.interval} min${tail})`
    : `${event} (${rule.times} occurrences: duration ${duration} min, interval ${rule.interval} min, times ${rule.times}${tail})`
}

function narrowed({ tag, view, keyword }: TodoFilter): string {
  const parts = [
    ...(keyword === null ? [] : [`text "${keyword}"`]),
    ...(view === null ? [] : [`view ${view}`]),
    ...(tag === null ? [] : [`tag ${tag}`]),
  ]
  return parts.join(', ')
}

const SPAN: Record<Span, string> = { day: 'Day', week: 'Week', month: 'Month' }
const period = (span: Span | null, from: string, to: string) =>
  `${span === null ? 'Schedule' : SPAN[span]} ${from === to ? from : `${from} to ${to}`}`

/** The objects that are passed in have times in the caller's zone and texts that fit on one line. */
export const EN = {
  todoColumns: ['ID', 'Status', 'Tag', 'Priority', 'Content', 'Created', 'Completed', 'Due', 'Remind'],
  eventColumns: [
    'ID',
    'Start',
    'Duration (min)',
    'Title',
    'Remind',
    'Repeat remind start',
    'Interval (min)',
    'Times',
    'Repeat',
    'Created',
  ],
  status: { open: 'open', done: 'done' },
  help: ['Commands:', ...COMMAND_FORMS.map((form) => `${syntaxOf(form)} - ${form.description.en}`)].join('\n'),
  views: `Views: ${VIEWS.join(', ')}`,
  usage: (syntax: string, problem: Problem) => `Usage: ${syntax}\n${problemText(problem)}`,
  unknown: (input: string, meant: string | null) =>
    `Unknown command: ${input}\n${meant === null ? '' : `Did you mean ${meant}? `}See /help.`,
  emptyInput: 'Please enter something; /help lists the commands.',
  canceled: 'The current task was canceled.',
  noActiveTask: 'There is no active task to cancel.',
  llmNotConfigured: 'No model is configured, so only slash commands work; see /help.',
  todoNotFound: (id: number) => `There is no todo #${id}.`,
  eventNotFound: (id: number) => `There is no event #${id}.`,
  todos: (filter: TodoFilter) => (narrowed(filter) === '' ? 'Todos:' : `Todos (${narrowed(filter)}):`),
  noTodos: (filter: TodoFilter) =>
    narrowed(filter) === '' ? 'There are no todos.' : `There are no todos with ${narrowed(filter)}.`,
  todoAdded: (todo: Todo) => `Added todo ${todoFacts(todo)}.`,
  todoUpdated: (todo: Todo) => `Updated todo ${todoFacts(todo)}.`,
  todoDone: ({ id, content, completed_at }: Todo) => `Done: todo #${id} ${content} (completed ${completed_at ?? '-'}).`,
  todoDetail: (id: number) => `Todo #${id}:`,
  todoDeleted: (id: number) => `Deleted todo #${id}.`,
  past: {
    due: (moment: string, now: string) => `The due time is in the past: it was ${moment}, now is ${now}.`,
    start: (moment: string, now: string) => `The start is in the past: it was ${moment}, now is ${now}.`,
    remind: (moment: string, now: string) => `The reminder is in the past: it was ${moment}, now is ${now}.`,
  },
  todoReminder: ({ id, content, due_at }: Todo) =>
    `Reminder: #${id} ${content}${due_at === null ? '' : `, due ${due_at}`}`,
  eventReminder: ({ id, title, start, duration }: ScheduleEvent) =>
    `Reminder: #${id} ${title}, ${start}, ${duration} min`,
  remindRequiresDue: (id: number) => `--remind needs a due time: todo #${id} has none, give --due too.`,
  eventAdded: (event: ScheduleEvent) => `Added event ${eventFacts(event)}.`,
  eventUpdated: (event: ScheduleEvent) => `Updated event ${eventFacts(event)}.`,
  eventDetail: (id: number) => `Event #${id}:`,
  eventDeleted: (id: number) => `Deleted event #${id}.`,
  repeatToggled: (id: number, enabled: boolean) => `The repetition of event #${id} is ${enabled ? 'on' : 'off'}.`,
  noRepeatRule: (id: number) => `There is no repetition for event #${id}.`,
  /** `from` and `to` are the first and the last day, `YYYY-MM-DD`. null: the list has no span. */
  schedule: (span: Span | null, from: string, to: string) => `${period(span, from, to)}:`,
  noEvents: (span: Span | null, from: string, to: string) => `${period(span, from, to)}: no events.`,
  /** A usage error: the workspace has no room for another todo or event. */
  full: (most: number) => `Usage: at most ${most} are kept; delete some first.`,
  /** A usage error: an event is moved with its repetition. */
  tooFar: 'Usage: the repetition must end before the year 10000.',
  moreRows: (more: number) => `… and ${more} more.`,
  conflict: 'Conflict, nothing was stored. It overlaps:',
  moreConflicts: (more: number) => `… and ${more} more.`,
}
/** The sentences that a language has for slash commands. */
export type CommandTexts = typeof EN
