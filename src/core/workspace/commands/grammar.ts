/** Parses a slash command: first its form, then what follows the command words (requirements 2.1, 2.2). */
import { parseOk, parseProblem, type Command, type ParseResult, type Problem } from './command.ts'
import { COMMAND_FORMS, type CommandForm, type FormName } from './forms.ts'
import { parseId } from './options.ts'
import { scheduleAdd, scheduleRepeat, scheduleUpdate, scheduleView } from './schedule/schedule-grammar.ts'
import type { ReadMoment } from './dates.ts'
import { todoAdd, todoList, todoSearch, todoUpdate, todoView } from './todo/todo-grammar.ts'

type IdCommand = 'todo_get' | 'todo_done' | 'todo_delete' | 'schedule_get' | 'schedule_delete'

const withoutArguments = (command: Command) => (rest: string) =>
  rest === '' ? parseOk(command) : parseProblem({ about: 'form' })

function withId(kind: IdCommand): (rest: string) => ParseResult<Command> {
  return (rest) => {
    const id = parseId(rest)
    return id.ok ? parseOk({ kind, id: id.value }) : id
  }
}

const READERS: Record<FormName, (rest: string, moment: ReadMoment) => ParseResult<Command>> = {
  help: withoutArguments({ kind: 'help' }),
  view_names: withoutArguments({ kind: 'view_names' }),
  view: todoView,
  todo_add: todoAdd,
  todo_list: todoList,
  todo_search: todoSearch,
  todo_get: withId('todo_get'),
  todo_update: todoUpdate,
  todo_done: withId('todo_done'),
  todo_delete: withId('todo_delete'),
  schedule_add: scheduleAdd,
  schedule_list: withoutArguments({ kind: 'schedule_list' }),
  schedule_view: scheduleView,
  schedule_get: withId('schedule_get'),
  schedule_update: scheduleUpdate,
  schedule_repeat: scheduleRepeat,
  schedule_delete: withId('schedule_delete'),
}

type CommandReading =
  | { ok: true; command: Command }
  | { ok: false; form: CommandForm; problem: Problem }
  | { ok: false; form: null; problem: null }

/**
 * Parses trimmed input and never throws. Without a form the command words are unknown. With a form and a problem the words
 * are known, and what follows does not fit.
 */
export function readCommand(input: string, moment: ReadMoment): CommandReading {
  const form = COMMAND_FORMS.find(
    ({ words }) => input === words || (input.startsWith(words) && /\s/.test(input.charAt(words.length))),
  )
  if (form === undefined) return { ok: false, form: null, problem: null }
  const reading = READERS[form.name](input.slice(form.words.length).trim(), moment)
  return reading.ok ? { ok: true, command: reading.value } : { ok: false, form, problem: reading.problem }
}

/** Whether a tool takes this input (O0-13): `todo` takes commands of todos and views, `schedule` those of the schedule. */
export function acceptsInput(tool: 'todo' | 'schedule', input: string): boolean {
  const text = input.trim()
  return tool === 'todo' ? text.startsWith('/todo') || text.startsWith('/view') : text.startsWith('/schedule')
}
