/** Runs slash commands on the book, without a model and deterministically (requirements 2.1 to 2.6). */
import type { Locale } from '../../terms/locale.ts'
import type { Book } from './book.ts'
import { type Command, VIEWS } from './command.ts'
import { toWorkspaceMoment, type CommandContext, type CommandEnvironment } from './context.ts'
import { syntaxOf } from './forms.ts'
import { readCommand } from './grammar.ts'
import { resultOf, type CommandResult } from './result.ts'
import { addEvent, deleteEvent, showEvent, toggleRepeat, updateEvent } from './schedule/schedule.ts'
import { listSchedule, viewSchedule } from './schedule/schedule-views.ts'
import { cleanCell } from './table.ts'
import { textsOf } from './texts/texts.ts'
import { addTodo, deleteTodo, finishTodo, listTodos, showTodo, updateTodo } from './todo/todo.ts'

function execute(command: Command, environment: CommandEnvironment): CommandResult {
  switch (command.kind) {
    case 'help':
      return resultOf('help', environment.texts.help)
    case 'view_names':
      return resultOf('view_names', environment.texts.views, [], { views: [...VIEWS] })
    case 'todo_add':
      return addTodo(command.entry, environment)
    case 'todo_list':
      return listTodos('todo_list', { ...command, keyword: null }, environment)
    case 'todo_search':
      return listTodos('todo_search', { ...command, view: null }, environment)
    case 'todo_get':
      return showTodo(command.id, environment)
    case 'todo_done':
      return finishTodo(command.id, environment)
    case 'todo_delete':
      return deleteTodo(command.id, environment)
    case 'todo_update':
      return updateTodo(command.id, command.entry, environment)
    case 'schedule_list':
      return listSchedule(environment)
    case 'schedule_view':
      return viewSchedule(command.span, command.anchor, environment)
    case 'schedule_get':
      return showEvent(command.id, environment)
    case 'schedule_delete':
      return deleteEvent(command.id, environment)
    case 'schedule_add':
      return addEvent(command.entry, environment)
    case 'schedule_update':
      return updateEvent(command.id, command.entry, environment)
    case 'schedule_repeat':
      return toggleRepeat(command.id, command.enabled, environment)
  }
}

/** How many characters of an unknown command its answer repeats. */
const ECHO_CHARS = 80

/** The beginning of an input, cut by code points so that no lone surrogate is left. Only the beginning of a long input is split. */
const echo = (input: string) =>
  cleanCell(
    Array.from(input.slice(0, 2 * ECHO_CHARS))
      .slice(0, ECHO_CHARS)
      .join(''),
  )

/**
 * Runs one command on the book. It never throws, and a failed result has changed nothing. Blank input is empty_input, and
 * text that is not a command is unknown_command. The caller tests for the cancel phrase before (O0-02).
 */
export function runCommand(input: string, book: Book, context: CommandContext): CommandResult {
  const text = input.trim()
  if (text === '') return plainResult('empty_input', context.locale)
  const texts = textsOf(context.locale)
  const reading = readCommand(text, (literal) => toWorkspaceMoment(literal, context))
  if (reading.ok) return execute(reading.command, { book, context, texts })
  if (reading.form === null) return resultOf('unknown_command', texts.unknown(echo(text)))
  return resultOf('usage_error', texts.usage(syntaxOf(reading.form), reading.problem))
}

type PlainKind = 'canceled' | 'no_active_task' | 'llm_not_configured' | 'empty_input'

/** The results that need no book. The caller decides when they apply. */
export function plainResult(kind: PlainKind, locale: Locale): CommandResult {
  const texts = textsOf(locale)
  const text = {
    canceled: texts.canceled,
    no_active_task: texts.noActiveTask,
    llm_not_configured: texts.llmNotConfigured,
    empty_input: texts.emptyInput,
  }[kind]
  return resultOf(kind, text)
}
