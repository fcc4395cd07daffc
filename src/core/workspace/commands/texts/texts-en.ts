/** The English words of the slash commands. */
import type { ScheduleEvent, Todo } from '../book.ts'
import { VIEWS, type OptionName, type Problem, type Span } from '../command.ts'
import { COMMAND_FORMS, syntaxOf } from '../forms.ts'
import type { TodoFilter, CommandTexts } from './text-set.ts'

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

function problemText(problem: Problem): string {
  switch (problem.about) {
    case 'form':
      return 'The words after the command do not fit this form.'
    case 'text':
      return 'The text is missing.'
    case 'id':
      return 'The id must be a whole number from 1.'
    case 'view':
      return `The view must be one of ${VIEWS.join(', ')}.`
    case 'start':
      return `The start ${MOMENT}.`
    case 'anchor':
      return 'day and week take a real date YYYY-MM-DD, month takes YYYY-MM.'
    case 'option':
      return `--${problem.option} ${OPTIONS[problem.option]}, and may be given once.`
    case 'needs':
      return `--${problem.option} works only together with --${problem.other}.`
    case 'span':
      return '--interval and --times reach beyond the year 9999.'
  }
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

export const EN: CommandTexts = {
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
  usage: (syntax, problem) => `Usage: ${syntax}\n${problemText(problem)}`,
  unknown: (input) => `Unknown command: ${input}\nSee /help.`,
  emptyInput: 'Please enter something; /help lists the commands.',
  canceled: 'The current task was canceled.',
  noActiveTask: 'There is no active task to cancel.',
  llmNotConfigured: 'No model is configured, so only slash commands work; see /help.',
  todoNotFound: (id) => `There is no todo #${id}.`,
  eventNotFound: (id) => `There is no event #${id}.`,
  todos: (filter) => (narrowed(filter) === '' ? 'Todos:' : `Todos (${narrowed(filter)}):`),
  noTodos: (filter) =>
    narrowed(filter) === '' ? 'There are no todos.' : `There are no todos with ${narrowed(filter)}.`,
  todoAdded: (todo) => `Added todo ${todoFacts(todo)}.`,
  todoUpdated: (todo) => `Updated todo ${todoFacts(todo)}.`,
  todoDone: ({ id, content, completed_at }) => `Done: todo #${id} ${content} (completed ${completed_at ?? '-'}).`,
  todoDetail: (id) => `Todo #${id}:`,
  todoDeleted: (id) => `Deleted todo #${id}.`,
  todoReminder: ({ id, content, due_at }) => `Reminder: #${id} ${content}${due_at === null ? '' : `, due ${due_at}`}`,
  eventReminder: ({ id, title, start, duration }) => `Reminder: #${id} ${title}, ${start}, ${duration} min`,
  remindRequiresDue: (id) => `--remind needs a due time: todo #${id} has none, give --due too.`,
  eventAdded: (event) => `Added event ${eventFacts(event)}.`,
  eventUpdated: (event) => `Updated event ${eventFacts(event)}.`,
  eventDetail: (id) => `Event #${id}:`,
  eventDeleted: (id) => `Deleted event #${id}.`,
  repeatToggled: (id, enabled) => `The repetition of event #${id} is ${enabled ? 'on' : 'off'}.`,
  noRepeatRule: (id) => `There is no repetition for event #${id}.`,
  schedule: (span, from, to) => `${period(span, from, to)}:`,
  noEvents: (span, from, to) => `${period(span, from, to)}: no events.`,
  full: (most) => `Usage: at most ${most} are kept; delete some first.`,
  moreRows: (more) => `… and ${more} more.`,
  conflict: 'Conflict, nothing was stored. It overlaps:',
  moreConflicts: (more) => `… and ${more} more.`,
}
