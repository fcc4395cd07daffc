/** Parses what follows the command words of todos and views (requirements 2.2, 2.3). */
import { parseOk, parseProblem, VIEWS, type Command, type ParseResult, type TodoEntry, type View } from '../command.ts'
import { DAY_END, MORNING, type ReadMoment } from '../dates.ts'
import {
  splitFirstWord,
  parseId,
  integerParser,
  readOptions,
  parseTag,
  takeOptions,
  type OptionValues,
} from '../options.ts'

const priorityOf = integerParser(0)

function todoEntry(options: OptionValues, content: string, moment: ReadMoment): ParseResult<TodoEntry> {
  if (content === '') return parseProblem({ about: 'text' })
  const values = readOptions(options, {
    tag: parseTag,
    priority: priorityOf,
    due: (raw) => moment(raw, DAY_END),
    remind: (raw) => moment(raw, MORNING),
  })
  if (!values.ok) return values
  const { tag, priority, due, remind } = values.value
  return parseOk({ content, tag, priority, due_at: due, remind_at: remind })
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
  const values = readOptions(options.value, { view: viewOf, tag: parseTag })
  if (!values.ok) return values
  const { text } = options.value
  const { tag, view } = values.value
  if (text === '') return parseOk({ kind: 'todo_list', tag, view })
  if (text.includes(' ') || text.startsWith('--')) return parseProblem({ about: 'form' })
  const word = parseTag(text)
  if (word === null || tag !== null) return parseProblem({ about: 'option', option: 'tag', given: text })
  return parseOk({ kind: 'todo_list', tag: word, view })
}

/** The options of a command that takes `--tag` alone, and what else it says. */
function takeTag(rest: string): ParseResult<{ text: string; tag: string | null }> {
  const options = takeOptions(rest, ['tag'])
  if (!options.ok) return options
  const values = readOptions(options.value, { tag: parseTag })
  return values.ok ? parseOk({ text: options.value.text, tag: values.value.tag }) : values
}

/** `view-name [--tag tag]` and nothing else. It gives the same list as `/todo list --view`. */
export function todoView(rest: string): ParseResult<Command> {
  const taken = takeTag(rest)
  if (!taken.ok) return taken
  const { word, rest: more } = splitFirstWord(taken.value.text)
  const view = viewOf(word)
  if (view === null) return parseProblem({ about: 'view' })
  return more === '' ? parseOk({ kind: 'todo_list', tag: taken.value.tag, view }) : parseProblem({ about: 'form' })
}

/** `keyword [--tag tag]`. The keyword may have spaces. */
export function todoSearch(rest: string): ParseResult<Command> {
  const taken = takeTag(rest)
  if (!taken.ok) return taken
  const { text: keyword, tag } = taken.value
  return keyword === '' ? parseProblem({ about: 'text' }) : parseOk({ kind: 'todo_search', keyword, tag })
}
