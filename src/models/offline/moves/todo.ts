/** The moves that add a todo. */
import { stampOf } from '../time/clock.ts'
import { momentIn, todoCommand } from './commands.ts'
import type { Details } from '../goal/details.ts'
import type { Intent } from '../goal/intents.ts'
import {
  actsOf,
  ask,
  askFor,
  endDone,
  firstLine,
  readAnswer,
  notDone,
  failureLine,
  type IntentItem,
  type IntentMove,
} from './item.ts'
import { deedOf, ONLY_NOTED } from '../manners/deeds.ts'
import { isLeftOver } from '../manners/left-over.ts'
import { likelyTime } from './likely.ts'
import { settleDates } from '../goal/goal.ts'
import { todoOf } from '../goal/requests.ts'
import { stripPolite } from '../goal/split.ts'
import { wordsOf } from '../texts.ts'

type TodoIntent = Extract<Intent, { kind: 'todo' }>

export function moveForTodo(intent: TodoIntent, item: IntentItem): IntentMove {
  const lastAttempt = actsOf(item, 'todo', '/todo add').at(-1)
  const words = wordsOf(item.locale)
  if (lastAttempt?.ok) {
    const silent = intent.nudge && !lastAttempt.input.includes(' --remind ')
    const deed = intent.nudge || intent.subject === null ? null : deedOf(intent.subject)
    const remarks = [...(silent ? [words.noReminder] : []), ...(deed === null ? [] : [ONLY_NOTED[item.locale][deed]])]
    return endDone(item, [firstLine(lastAttempt.result), ...remarks].join(' '))
  }
  if (lastAttempt) return notDone(item, failureLine(lastAttempt.result))
  if (intent.subject === null || isLeftOver(intent.subject)) return askSubject(intent, item)
  const offered = intent.offered ? noteIfWanted(intent.subject, item) : null
  if (offered !== null) return offered
  const likely = likelyTime(intent.subject, intent.details, item)
  if ('move' in likely) return likely.move
  if (likely.value !== intent.details) return moveForTodo({ ...intent, details: likely.value }, item)
  const open = intent.nudge && momentIn(intent.details) === null
  if (!open) return act(intent.subject, intent.details, intent.nudge)
  const question = words.whenNudge(intent.subject)
  const reading = readAnswer(item, question, (answer) => detailsIn(answer, item))
  if (reading.kind === 'open') return ask(question)
  if (reading.kind === 'useless' && reading.skip) return notDone(item, words.skipped)
  const when = reading.kind === 'known' ? reading.value : null
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

/** Asks whether to note a deed for which there is no tool; null: it is to be noted. */
function noteIfWanted(subject: string, item: IntentItem): IntentMove | null {
  const words = wordsOf(item.locale)
  const named = { ...item, title: subject }
  const asked = askFor(named, words.offer(subject), words.cannotSend, (answer) =>
    NOTE_IT.test(answer.trim()) ? true : null,
  )
  return 'move' in asked ? asked.move : null
}
const NOTE_IT =
  /^(?:yes|yep|yeah|sure|ok(?:ay)?|please|note|add|do (?:so|it|that)|right|correct|(?:as )?an? todo|todo|是|对|好|嗯|可以|行|要|记|请|待办)/iu

const act = (subject: string, details: Details, nudge: boolean): IntentMove => ({
  kind: 'act',
  tool: 'todo',
  input: todoCommand(subject, details, nudge),
})

function askSubject(intent: TodoIntent, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const due = momentIn(intent.details)
  const question = words.what(intent.nudge ? 'nudge' : 'todo', due && stampOf(due))
  const asked = askFor(item, question, words.noSubject, (answer) => readTodo(answer, item))
  if ('move' in asked) return asked.move
  const answered = asked.value
  const when = due ? intent.details : { ...intent.details, date: answered.details.date, time: answered.details.time }
  return moveForTodo({ ...intent, subject: answered.subject, details: when }, item)
}

function readTodo(answer: string, item: IntentItem): TodoIntent | null {
  const draft = todoOf(stripPolite(answer), item.now)[0]
  const settled = draft ? settleDates(draft, item.now) : null
  return settled?.kind === 'todo' && settled.subject !== null && !isLeftOver(settled.subject) ? settled : null
}
function detailsIn(answer: string, item: IntentItem): Details | null {
  const draft = todoOf(answer, item.now)[0]
  const settled = draft ? settleDates(draft, item.now) : null
  return settled?.kind === 'todo' && momentIn(settled.details) ? settled.details : null
}
