/** What may follow the command words of todos and views (requirements 2.2, 2.3). */
import { parseOk, parseProblem, VIEWS } from '../command.ts'
import type { Command, ParseResult, TodoEntry, View } from '../command.ts'
import { firstWord, idOf, integerIn, readOption, tagOf, takeOptions } from '../options.ts'
import type { OptionValues } from '../options.ts'

/** A date-time literal as the workspace keeps it, or null when it is no real moment. */
export type ReadMoment = (literal: string) => string | null

const priorityOf = integerIn(0)

function todoEntry(taken: OptionValues, content: string, moment: ReadMoment): ParseResult<TodoEntry> {
  if (content === '') return parseProblem({ about: 'text' })
  const tag = readOption(taken, 'tag', tagOf)
  if (!tag.ok) return tag
  const priority = readOption(taken, 'priority', priorityOf)
  if (!priority.ok) return priority
  const due = readOption(taken, 'due', moment)
  if (!due.ok) return due
  const remind = readOption(taken, 'remind', moment)
  if (!remind.ok) return remind
  return parseOk({ content, tag: tag.value, priority: priority.value, due_at: due.value, remind_at: remind.value })
}

const takeTodoOptions = (rest: string) => takeOptions(rest, ['tag', 'priority', 'due', 'remind'])

/** `text {option}`; a reminder needs a due moment in the same command. */
export function todoAdd(rest: string, moment: ReadMoment): ParseResult<Command> {
  const taken = takeTodoOptions(rest)
  if (!taken.ok) return taken
  const entry = todoEntry(taken.value, taken.value.text, moment)
  if (!entry.ok) return entry
  const { due_at, remind_at } = entry.value
  if (remind_at !== null && due_at === null) return parseProblem({ about: 'needs', option: 'remind', other: 'due' })
  return parseOk({ kind: 'todo_add', entry: entry.value })
}

/** `id text {option}`; whether a reminder has a due moment depends on the stored todo and is asked later. */
export function todoUpdate(rest: string, moment: ReadMoment): ParseResult<Command> {
  const taken = takeTodoOptions(rest)
  if (!taken.ok) return taken
  const { word, rest: content } = firstWord(taken.value.text)
  const id = idOf(word)
  if (!id.ok) return id
  const entry = todoEntry(taken.value, content, moment)
  return entry.ok ? parseOk({ kind: 'todo_update', id: id.value, entry: entry.value }) : entry
}

function viewOf(raw: string): View | null {
  return VIEWS.find((view) => view === raw.toLowerCase()) ?? null
}

/** `[tag-word] [--tag tag] [--view view-name]`; a word and `--tag` exclude each other. */
export function todoList(rest: string): ParseResult<Command> {
  const taken = takeOptions(rest, ['tag', 'view'])
  if (!taken.ok) return taken
  const view = readOption(taken.value, 'view', viewOf)
  if (!view.ok) return view
  const tag = readOption(taken.value, 'tag', tagOf)
  if (!tag.ok) return tag
  const { text } = taken.value
  if (text === '') return parseOk({ kind: 'todo_list', tag: tag.value, view: view.value })
  if (text.includes(' ') || text.startsWith('--')) return parseProblem({ about: 'form' })
  const word = tagOf(text)
  if (word === null || tag.value !== null) return parseProblem({ about: 'option', option: 'tag' })
  return parseOk({ kind: 'todo_list', tag: word, view: view.value })
}

/** `view-name [--tag tag]` and nothing else; the same list as `/todo list --view`. */
export function todoView(rest: string): ParseResult<Command> {
  const taken = takeOptions(rest, ['tag'])
  if (!taken.ok) return taken
  const tag = readOption(taken.value, 'tag', tagOf)
  if (!tag.ok) return tag
  const { word, rest: more } = firstWord(taken.value.text)
  const view = viewOf(word)
  if (view === null) return parseProblem({ about: 'view' })
  return more === '' ? parseOk({ kind: 'todo_list', tag: tag.value, view }) : parseProblem({ about: 'form' })
}

/** `keyword [--tag tag]`; the keyword may have spaces. */
export function todoSearch(rest: string): ParseResult<Command> {
  const taken = takeOptions(rest, ['tag'])
  if (!taken.ok) return taken
  const tag = readOption(taken.value, 'tag', tagOf)
  if (!tag.ok) return tag
  const keyword = taken.value.text
  return keyword === '' ? parseProblem({ about: 'text' }) : parseOk({ kind: 'todo_search', keyword, tag: tag.value })
}
