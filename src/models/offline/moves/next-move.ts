/** Chooses the next move for an intent from the observations and answers so far. It is pure: the same item always gives the same move. */
import { callByKind, type ByKind } from '../../../core/terms/values/by-kind.ts'
import type { Intent } from '../goal/intents.ts'
import {
  actsOf,
  askFor,
  endDone,
  readAnswer,
  notDone,
  failureLine,
  shortText,
  type IntentItem,
  type IntentMove,
} from './item.ts'
import { intentsOf, settleDates } from '../goal/goal.ts'
import { greetingOf, greetingText } from '../manners/greetings.ts'
import { isNoName } from '../manners/left-over.ts'
import { moveForChange } from './change.ts'
import { moveForEvent } from './event.ts'
import { moveForPointed } from './finish-delete.ts'
import { moveForTodo } from './todo.ts'
import { plainText } from './commands.ts'
import { eventOf, isEmptySubject, lookupOf, todoOf } from '../goal/requests.ts'
import { withUnused } from '../manners/filters.ts'
import { wordsOf } from '../texts.ts'
import { entryFrom, questionOn, wantingIn, type WantingEntry } from './wanting.ts'

export const moveFor = (intent: Intent, item: IntentItem): IntentMove => callByKind(MOVES, intent, item)

/** The one command of an intent that only shows something. */
export function showCommand(intent: Extract<Intent, { kind: 'list' | 'find' | 'agenda' }>): string {
  if (intent.kind === 'find') return `/todo search ${plainText(intent.subject)}`
  if (intent.kind === 'list') {
    return `/todo list${intent.tag === null ? '' : ` --tag ${intent.tag}`}${intent.view === null ? '' : ` --view ${intent.view}`}`
  }
  return intent.span === 'list'
    ? '/schedule list'
    : `/schedule view ${intent.span}${intent.anchor === null ? '' : ` ${intent.anchor}`}`
}

function moveForShow(intent: Extract<Intent, { kind: 'list' | 'find' | 'agenda' }>, item: IntentItem): IntentMove {
  const tool = intent.kind === 'agenda' ? 'schedule' : 'todo'
  const input = showCommand(intent)
  const lastAct = actsOf(item, tool, input).at(-1)
  if (!lastAct) return { kind: 'act', tool, input }
  if (!lastAct.ok) return notDone(item, failureLine(lastAct.result))
  const table = shortText(lastAct.result)
  return endDone(item, intent.kind === 'find' ? table : withUnused(table, intent, item.locale))
}

function moveForUse({ tool, input }: Extract<Intent, { kind: 'use' }>, item: IntentItem): IntentMove {
  const lastCall = actsOf(item, tool).at(-1)
  if (!lastCall) return { kind: 'act', tool, input }
  return lastCall.ok ? endDone(item, shortText(lastCall.result)) : notDone(item, failureLine(lastCall.result))
}

function moveForLookup(subject: string | null, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const lastSearch = actsOf(item, 'internet_search').at(-1)
  if (lastSearch?.ok) return endDone(item, words.found(lastSearch.input, shortText(lastSearch.result)))
  if (lastSearch)
    return { kind: 'end', ok: false, line: words.searchFailed(lastSearch.input, failureLine(lastSearch.result)) }
  if (subject !== null) return { kind: 'act', tool: 'internet_search', input: subject }
  const question = words.what('lookup', null)
  const asked = askFor(item, question, words.noSubject, (answer) => {
    const intent = lookupOf(answer)[0]?.intent
    return intent?.kind === 'lookup' ? intent.subject : null
  })
  return 'move' in asked ? asked.move : { kind: 'act', tool: 'internet_search', input: asked.value }
}

function moveForUnclear(subject: string, item: IntentItem): IntentMove {
  const words = wordsOf(item.locale)
  const wanting = wantingIn(subject, item.now)
  if (wanting !== null) return moveForWanting(subject, wanting, item)
  const asked = askFor(item, words.unclear(subject), words.notUnderstood, (answer) =>
    intentFromAnswer(subject, answer, item),
  )
  return 'move' in asked ? asked.move : moveFor(asked.value, item)
}

/** Asks what the entry is about of which only small words are left; the rest of its sentence, such as its date, is kept. */
function moveForWanting(sentence: string, wanting: WantingEntry, item: IntentItem): IntentMove {
  const question = questionOn(sentence, wanting, item)
  const asked = askFor(item, question, wordsOf(item.locale).noSubject, (answer) => entryFrom(wanting, answer, item))
  return 'move' in asked ? asked.move : moveFor(asked.value, item)
}

/** Reads an answer about an unclear part: one of the offered kinds, or a request of its own. */
function intentFromAnswer(subject: string, answer: string, item: IntentItem): Intent | null {
  const rest = answer.replace(
    /\b(?:as|a|an|to|in|into|on|the|my|please|it|put|add|make|calendar|schedule|event)\b|日程|日历|放进|放到|安排/giu,
    ' ',
  )
  if (/\b(?:calendar|schedule|event)\b|日程|日历/iu.test(answer))
    return first(eventOf(`${subject} ${rest}`, item.now), item)
  if (/\b(?:to-?do|task|list)\b|待办|任务/iu.test(answer) || /^(?:add|yes|ok)\b/iu.test(answer))
    return first(todoOf(subject, item.now), item)
  if (
    /^(?:please )?(?:search|look it up|look up|google)(?: (?:it|for it|that))?[.!]?$|^(?:去)?(?:搜索|搜一?下|查一?下|查询?)[。!！]?$/iu.test(
      answer.trim(),
    )
  )
    return first(lookupOf(subject), item)
  const own = intentsOf(answer, item.now).filter((intent) => intent.kind !== 'unclear')
  return own[0] && own.length === 1 && !isEmptySubject(answer) ? own[0] : null
}
function first(drafts: ReturnType<typeof todoOf>, item: IntentItem): Intent | null {
  const intent = drafts[0] ? settleDates(drafts[0], item.now) : null
  const named = intent !== null && 'subject' in intent && intent.subject !== null
  return named && isNoName(intent.subject ?? '') ? null : intent
}

/** The intent that an unclear part turned out to be; null while that is open. */
export function resolveIntent(intent: Intent, item: IntentItem): Intent | null {
  if (intent.kind !== 'unclear') return intent
  const words = wordsOf(item.locale)
  const wanting = wantingIn(intent.subject, item.now)
  const question = wanting === null ? words.unclear(intent.subject) : questionOn(intent.subject, wanting, item)
  const reading = readAnswer(item, question, (answer) =>
    wanting === null ? intentFromAnswer(intent.subject, answer, item) : entryFrom(wanting, answer, item),
  )
  return reading.kind === 'known' ? reading.value : null
}

const MOVES: ByKind<Intent, [item: IntentItem], IntentMove> = {
  todo: moveForTodo,
  event: moveForEvent,
  finish: moveForPointed,
  remove: moveForPointed,
  unschedule: moveForPointed,
  discard: moveForPointed,
  change: moveForChange,
  refuse: ({ subject, why }, item) => notDone({ ...item, title: subject }, wordsOf(item.locale).refused[why]),
  lookup: ({ subject }, item) => moveForLookup(subject, item),
  use: moveForUse,
  list: moveForShow,
  find: moveForShow,
  agenda: moveForShow,
  unclear: ({ subject }, item) => moveForUnclear(subject, item),
  greet: ({ subject }, item) => endDone(item, greetingText(greetingOf(subject) ?? 'hello', item.locale)),
  unable: ({ subject }, item) => ({ kind: 'end', ok: false, line: wordsOf(item.locale).unable(subject) }),
}
