/** Runs slash commands on the book, without a model and deterministically (requirements 2.1 to 2.6). */
import type { Locale } from '../../terms/locale.ts'
import { callByKind, type ByKind } from '../../terms/values/by-kind.ts'
import { jsonOrNull } from '../../terms/values/parse-json.ts'
import type { Book } from './book.ts'
import { type Command, VIEWS } from './command.ts'
import { toWorkspaceMoment, type CallerContext, type CommandEnvironment } from './context.ts'
import { nearestCommand, syntaxOf } from './forms.ts'
import { readCommand } from './grammar.ts'
import { resultOf, type CommandResult } from './result.ts'
import { addEvent, deleteEvent, showEvent, toggleRepeat, updateEvent } from './schedule/schedule.ts'
import { listSchedule, viewSchedule } from './schedule/schedule-views.ts'
import { cleanCell } from './table.ts'
import { callProblemText } from './texts/call-problems.ts'
import { textsOf } from './texts/texts.ts'
import type { CommandToolName } from './tool-call/forms.ts'
import { readToolCall } from './tool-call/read.ts'
import { addTodo, deleteTodo, finishTodo, listTodos, showTodo, updateTodo } from './todo/todo.ts'

const EXECUTE: ByKind<Command, [environment: CommandEnvironment], CommandResult> = {
  help: (_, { texts }) => resultOf('help', texts.help),
  view_names: (_, { texts }) => resultOf('view_names', texts.views, [], { views: [...VIEWS] }),
  todo_add: ({ entry }, environment) => addTodo(entry, environment),
  todo_list: (filter, environment) => listTodos('todo_list', { ...filter, keyword: null }, environment),
  todo_search: (filter, environment) => listTodos('todo_search', { ...filter, view: null }, environment),
  todo_select: ({ filter }, environment) =>
    listTodos(filter.keyword === null ? 'todo_list' : 'todo_search', filter, environment),
  todo_get: ({ id }, environment) => showTodo(id, environment),
  todo_done: ({ id }, environment) => finishTodo(id, environment),
  todo_delete: ({ id }, environment) => deleteTodo(id, environment),
  todo_update: ({ id, entry }, environment) => updateTodo(id, entry, environment),
  schedule_list: (_, environment) => listSchedule(environment),
  schedule_view: ({ span, anchor }, environment) => viewSchedule(span, anchor, environment),
  schedule_get: ({ id }, environment) => showEvent(id, environment),
  schedule_delete: ({ id }, environment) => deleteEvent(id, environment),
  schedule_add: ({ entry }, environment) => addEvent(entry, environment),
  schedule_update: ({ id, entry }, environment) => updateEvent(id, entry, environment),
  schedule_repeat: ({ id, enabled }, environment) => toggleRepeat(id, enabled, environment),
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
export function runCommand(input: string, book: Book, context: CallerContext): CommandResult {
  const text = input.trim()
  if (text === '') return plainResult('empty_input', context.locale)
  const texts = textsOf(context.locale)
  const reading = readCommand(text, (literal, time) => toWorkspaceMoment(literal, time, context))
  if (reading.ok) return callByKind(EXECUTE, reading.command, { book, context, texts })
  if (reading.form === null) return resultOf('unknown_command', texts.unknown(echo(text), nearestCommand(text)))
  return resultOf('usage_error', texts.usage(syntaxOf(reading.form), reading.problem))
}

/** Runs one call of a tool for todos or events. `args` is the JSON of its members. It never throws, either. */
export function runToolCall(tool: CommandToolName, args: string, book: Book, context: CallerContext): CommandResult {
  const reading = readToolCall(tool, jsonOrNull(args), (literal, time) => toWorkspaceMoment(literal, time, context))
  if (reading.ok) return callByKind(EXECUTE, reading.command, { book, context, texts: textsOf(context.locale) })
  return resultOf('usage_error', callProblemText(tool, reading.problem, context.locale))
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
