/** The moves of a todo to be added, and of entries to be finished or deleted, which may have to be found first. */
import { stampOf } from './clock.ts'
import { momentIn, plainText, todoCommand } from './commands.ts'
import type { Details } from './details.ts'
import type { Intent } from './intents.ts'
import { actsOf, ask, endDone, firstLine, hear, notDone, oneLine, type Item, type Move } from './item.ts'
import { settle } from './goal.ts'
import { todoOf } from './requests.ts'
import { stripPolite } from './split.ts'
import { wordsOf } from './texts.ts'

type TodoIntent = Extract<Intent, { kind: 'todo' }>

export function moveForTodo(intent: TodoIntent, item: Item): Move {
  const tried = actsOf(item, 'todo', '/todo add').at(-1)
  const words = wordsOf(item.locale)
  if (tried?.ok) {
    const silent = intent.nudge && !tried.input.includes(' --remind ')
    return endDone(item, silent ? `${firstLine(tried.result)} ${words.noReminder}` : firstLine(tried.result))
  }
  if (tried) return notDone(item, oneLine(tried.result))
  if (intent.subject === null) return askSubject(intent, item)
  const open = intent.nudge && momentIn(intent.details) === null
  if (!open) return act(intent.subject, intent.details, intent.nudge)
  const question = words.whenNudge(intent.subject)
  const heard = hear(item, question, (answer) => detailsIn(answer, item))
  if (heard.kind === 'open') return ask(question)
  if (heard.kind === 'useless' && heard.skip) return notDone(item, words.skipped)
  const when = heard.kind === 'known' ? heard.value : null
  return act(
    intent.subject,
    {
      ...intent.details,
      date: when?.date ?? null,
      time: when?.time ?? null,
      before: when ? intent.details.before : null,
    },
    when !== null,
  )
}

const act = (subject: string, details: Details, nudge: boolean): Move => ({
  kind: 'act',
  tool: 'todo',
  input: todoCommand(subject, details, nudge),
})

function askSubject(intent: TodoIntent, item: Item): Move {
  const words = wordsOf(item.locale)
  const due = momentIn(intent.details)
  const question = words.what(intent.nudge ? 'nudge' : 'todo', due && stampOf(due))
  const heard = hear(item, question, (answer) => readTodo(answer, item))
  if (heard.kind === 'open') return ask(question)
  if (heard.kind === 'useless') return notDone(item, heard.skip ? words.skipped : words.noSubject)
  const said = heard.value
  const when = due ? intent.details : { ...intent.details, date: said.details.date, time: said.details.time }
  return moveForTodo({ ...intent, subject: said.subject, details: when }, item)
}

function readTodo(answer: string, item: Item): TodoIntent | null {
  const draft = todoOf(stripPolite(answer), item.now)[0]
  const said = draft ? settle(draft, item.now) : null
  return said?.kind === 'todo' && said.subject !== null ? said : null
}
function detailsIn(answer: string, item: Item): Details | null {
  const draft = todoOf(answer, item.now)[0]
  const said = draft ? settle(draft, item.now) : null
  return said?.kind === 'todo' && momentIn(said.details) ? said.details : null
}

type ChangeIntent = Extract<Intent, { kind: 'finish' | 'remove' | 'unschedule' }>
const CHANGES = {
  finish: { tool: 'todo', words: '/todo done' },
  remove: { tool: 'todo', words: '/todo delete' },
  unschedule: { tool: 'schedule', words: '/schedule delete' },
} as const

export function moveForChange(intent: ChangeIntent, item: Item): Move {
  const { tool, words: command } = CHANGES[intent.kind]
  const tried = actsOf(item, tool, command).at(-1)
  if (tried) return tried.ok ? endDone(item, firstLine(tried.result)) : notDone(item, oneLine(tried.result))
  if (intent.id !== null) return { kind: 'act', tool, input: `${command} ${intent.id}` }
  const words = wordsOf(item.locale)
  if (intent.subject === null) return notDone(item, words.noSubject)
  const search = searchFor(intent.kind, intent.subject)
  const seen = actsOf(item, tool, search).at(-1)
  if (!seen) return { kind: 'act', tool, input: search }
  if (!seen.ok) return notDone(item, oneLine(seen.result))
  const chosen = choose(intent.kind, intent.subject, seen.result, item)
  return 'id' in chosen ? { kind: 'act', tool, input: `${command} ${chosen.id}` } : chosen.move
}

export const searchFor = (kind: ChangeIntent['kind'], subject: string) =>
  kind === 'unschedule' ? '/schedule list' : `/todo search ${plainText(subject)}`

interface Row {
  id: number
  state: string
  text: string
}
/** Rows of a table of todos (id, state, tag, priority, text) or events (id, start, length, title), each id once. */
function rowsOf(kind: ChangeIntent['kind'], table: string): Row[] {
  const rows = table.split('\n').flatMap((line) => {
    const cells = line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1)
    const text = cells[kind === 'unschedule' ? 3 : 4]
    return /^\d+$/u.test(cells[0] ?? '') && text !== undefined
      ? [{ id: Number(cells[0]), state: cells[1] ?? '', text }]
      : []
  })
  return rows.filter((row, index) => rows.findIndex(({ id }) => id === row.id) === index)
}

const CHOICES_MAX = 10
function choose(
  kind: ChangeIntent['kind'],
  subject: string,
  table: string,
  item: Item,
): { id: number } | { move: Move } {
  const words = wordsOf(item.locale)
  const wanted = plainText(subject).toLowerCase()
  const matches = rowsOf(kind, table).filter((row) => row.text.toLowerCase().includes(wanted))
  const open = kind === 'finish' ? matches.filter((row) => !/^(?:done|完成|已完成)$/iu.test(row.state)) : matches
  if (open.length === 0)
    return { move: notDone(item, matches.length > 0 ? words.allDone(subject) : words.noMatch(subject)) }
  const exact = open.filter((row) => row.text.toLowerCase() === wanted)
  const only = exact.length === 1 ? exact[0] : open.length === 1 ? open[0] : undefined
  if (only) return { id: only.id }
  const shown = open
    .slice(0, CHOICES_MAX)
    .map((row) => `${row.id} (${kind === 'unschedule' ? `${row.state} ` : ''}${row.text})`)
  const question = words.which(subject, shown.join(', '))
  const heard = hear(
    item,
    question,
    (answer) => open.find((row) => row.id === Number(/\d+/u.exec(answer)?.[0]))?.id ?? null,
  )
  if (heard.kind === 'open') return { move: ask(question) }
  if (heard.kind === 'known') return { id: heard.value }
  return { move: notDone(item, heard.skip ? words.skipped : words.noChoice) }
}
