/** Reads a call of one of the tools for todos and events into the command that does it. */
import { isRecord } from '../../../terms/plain/is-record.ts'
import type { Command, EventChange, EventEntry } from '../command.ts'
import { reachesTooFar, type ReadMoment } from '../dates.ts'
import { membersOf, type CommandToolName, type Member } from './forms.ts'
import { VALUES, type Repeat, type ValueName, type Values } from './values.ts'

/** Why a call cannot be made. The text says it in words. */
export type CallProblem =
  | { about: 'no_object' }
  | { about: 'unknown' | 'missing' | 'twice'; member: string }
  | { about: 'value'; member: string; value: ValueName; given: string }
  | { about: 'needs' | 'excludes'; member: string; other: string }
  /** Nothing is given to change. */
  | { about: 'no_change' }
  | { about: 'span' }

type CallReading = { ok: true; command: Command } | { ok: false; problem: CallProblem }
type Given = Partial<Values>

/** How many characters of a bad value are repeated. */
const VALUE_CHARS = 80

/** `args` is the value of the JSON that the model gave. A member that is null or blank is not given. */
export function readToolCall(tool: CommandToolName, args: unknown, moment: ReadMoment): CallReading {
  if (!isRecord(args)) return refused({ about: 'no_object' })
  const members = membersOf(tool)
  const given = new Map<string, unknown>()
  for (const [written, value] of Object.entries(args)) {
    const [name] = members.find(([known]) => isSameName(known, written)) ?? [null]
    if (name === null) return refused({ about: 'unknown', member: written.slice(0, VALUE_CHARS) })
    if (given.has(name)) return refused({ about: 'twice', member: name })
    if (value !== null && !(typeof value === 'string' && value.trim() === '')) given.set(name, value)
  }
  const values: Given = {}
  for (const [name, member] of members) {
    const problem = readMember(values, name, member, given.get(name), moment)
    if (problem !== null) return refused(problem)
  }
  return BUILDERS[tool](values)
}

const refused = (problem: CallProblem): CallReading => ({ ok: false, problem })

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, '')
/** A name may be written in another case, as in `durationMinutes`. */
const isSameName = (known: string, written: string) => known === written || lettersOf(known) === lettersOf(written)

function readMember(
  values: Given,
  member: string,
  { value: name, required }: Member,
  given: unknown,
  moment: ReadMoment,
): CallProblem | null {
  if (given === undefined) return required ? { about: 'missing', member } : null
  const value = VALUES[name](given, moment)
  if (value !== null) {
    Object.assign(values, { [name]: value })
    return null
  }
  const shown = typeof given === 'string' ? given : JSON.stringify(given)
  return { about: 'value', member, value: name, given: shown.slice(0, VALUE_CHARS) }
}

const built = (command: Command): CallReading => ({ ok: true, command })
const todoChange = ({ text, tag, priority, due, remind }: Given) => ({
  content: text ?? null,
  tag: tag ?? null,
  priority: priority ?? null,
  due_at: due ?? null,
  remind_at: remind ?? null,
})

/** A required member is there, because readToolCall has asked for it. */
const BUILDERS: Record<CommandToolName, (values: Given) => CallReading> = {
  add_todo(values) {
    const { due, remind, text = '' } = values
    if (remind !== undefined && due === undefined) return refused({ about: 'needs', member: 'remind', other: 'due' })
    return built({ kind: 'todo_add', entry: { ...todoChange(values), content: text } })
  },
  update_todo({ id = 0, ...values }) {
    if (Object.keys(values).length === 0) return refused({ about: 'no_change' })
    return built({ kind: 'todo_update', id, entry: todoChange(values) })
  },
  complete_todo: ({ id = 0 }) => built({ kind: 'todo_done', id }),
  delete_todo: ({ id = 0 }) => built({ kind: 'todo_delete', id }),
  list_todos: ({ view, tag, search }) =>
    built({ kind: 'todo_select', filter: { view: view ?? null, tag: tag ?? null, keyword: search ?? null } }),
  add_event(values) {
    const { title = '', start = '', duration, remind, repeat } = values
    const rule = repeat === undefined ? null : ruleOf(repeat)
    if (reachesTooFar(rule, start)) return refused({ about: 'span' })
    return built({
      kind: 'schedule_add',
      entry: { title, start, duration: duration ?? null, remind_at: remind ?? null, rule },
    })
  },
  update_event({ id = 0, stop_repeat, ...values }) {
    const { repeat } = values
    const isStopped = stop_repeat === true
    if (isStopped && repeat !== undefined) return refused({ about: 'excludes', member: 'stop_repeat', other: 'repeat' })
    if (!isStopped && Object.keys(values).length === 0) return refused({ about: 'no_change' })
    const rule = isStopped ? null : repeat === undefined ? 'stays' : ruleOf(repeat)
    return built({ kind: 'schedule_update', id, entry: eventChange(values, rule) })
  },
  delete_event: ({ id = 0 }) => built({ kind: 'schedule_delete', id }),
  list_events({ span, date }) {
    if (span === undefined && date === undefined) return built({ kind: 'schedule_list' })
    return built({ kind: 'schedule_view', span: span ?? 'day', anchor: date ?? null })
  },
}

const eventChange = ({ title, start, duration, remind }: Given, rule: EventChange['rule']): EventChange => ({
  title: title ?? null,
  start: start ?? null,
  duration: duration ?? null,
  remind_at: remind ?? null,
  rule,
})

/** An event that happens once has no rule. */
const ruleOf = ({ interval, times }: Repeat): EventEntry['rule'] =>
  times === 1 ? null : { interval, times, remind_start: null }
