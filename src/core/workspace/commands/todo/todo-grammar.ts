/** Parses what follows the command words of todos and views (requirements 2.2, 2.3). */
import { parseOk, parseProblem, VIEWS, type Command, type ParseResult, type TodoEntry, type View } from '../command.ts'
import {
  splitFirstWord,
  parseId,
  integerParser,
  readOption,
  parseTag,
  takeOptions,
  type OptionValues,
} from '../options.ts'

/** Turns a date-time literal into the moment that the workspace stores. null: it is not a real moment. */
export type ReadMoment = (literal: string) => string | null

const priorityOf = integerParser(0)

function todoEntry(options: OptionValues, content: string, moment: ReadMoment): ParseResult<TodoEntry> {
  if (content === '') return parseProblem({ about: 'text' })
  const tag = readOption(options, 'tag', parseTag)
  if (!tag.ok) return tag
  const priority = readOption(options, 'priority', priorityOf)
  if (!priority.ok) return priority
  const due = readOption(options, 'due', moment)
  if (!due.ok) return due
  const remind = readOption(options, 'remind', moment)
  if (!remind.ok) return remind
  return parseOk({ content, tag: tag.value, priority: priority.value, due_at: due.value, remind_at: remind.value })
}

const takeTodoOptions = (rest: string) => takeOptions(rest, ['tag', 'priority', 'due', 'remind'])

/** `text {option}`. A reminder needs a due moment in the same command. */
export function todoAdd(rest: string, moment: ReadMoment): ParseResult<Command> {
  const options = takeTodoOptions(rest)
  if (!options.ok) return options
  const entry = todoEntry(options.value, options.value.text, moment)
  if (!entry.ok) return entry
  const { due_at, remind_at } = entry.value
  if (remind_at !== null && due_at === null) return parseProblem({ about: 'needs', option: 'remind', other: 'due' })
  return parseOk({ kind: 'todo_add', entry: entry.value })
}

/** `id text {option}`. Whether a reminder has a due moment depends on the stored todo, so it is checked later. */
export function todoUpdate(rest: string, moment: ReadMoment): ParseResult<Command> {
  const options = takeTodoOptions(rest)
  if (!options.ok) return options
  const { word, rest: content } = splitFirstWord(options.value.text)
  const id = parseId(word)
  if (!id.ok) return id
  const entry = todoEntry(options.value, content, moment)
  return entry.ok ? parseOk({ kind: 'todo_update', id: id.value, entry: entry.value }) : entry
}

function viewOf(raw: string): View | null {
  return VIEWS.find((view) => view === raw.toLowerCase()) ?? null
}

/** `[tag-word] [--tag tag] [--view view-name]`. A word and `--tag` exclude each other. */
export function todoList(rest: string): ParseResult<Command> {
  const options = takeOptions(rest, ['tag', 'view'])
  if (!options.ok) return options
  const view = readOption(options.value, 'view', viewOf)
  if (!view.ok) return view
  const tag = readOption(options.value, 'tag', parseTag)
  if (!tag.ok) return tag
  const { text } = options.value
  if (text === '') return parseOk({ kind: 'todo_list', tag: tag.value, view: view.value })
  if (text.includes(' ') || text.startsWith('--')) return parseProblem({ about: 'form' })
  const word = parseTag(text)
  if (word === null || tag.value !== null) return parseProblem({ about: 'option', option: 'tag' })
  return parseOk({ kind: 'todo_list', tag: word, view: view.value })
}

/** `view-name [--tag tag]` and nothing else. It gives the same list as `/todo list --view`. */
export function todoView(rest: string): ParseResult<Command> {
  const options = takeOptions(rest, ['tag'])
  if (!options.ok) return options
  const tag = readOption(options.value, 'tag', parseTag)
  if (!tag.ok) return tag
  const { word, rest: more } = splitFirstWord(options.value.text)
  const view = viewOf(word)
  if (view === null) return parseProblem({ about: 'view' })
  return more === '' ? parseOk({ kind: 'todo_list', tag: tag.value, view }) : parseProblem({ about: 'form' })
}

/** `keyword [--tag tag]`. The keyword may have spaces. */
export function todoSearch(rest: string): ParseResult<Command> {
  const options = takeOptions(rest, ['tag'])
  if (!options.ok) return options
  const tag = readOption(options.value, 'tag', parseTag)
  if (!tag.ok) return tag
  const keyword = options.value.text
  return keyword === '' ? parseProblem({ about: 'text' }) : parseOk({ kind: 'todo_search', keyword, tag: tag.value })
}
