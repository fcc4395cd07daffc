/** Writes the final answer, item by item. It says only what the observations prove. */
import { momentNow, type FinishedStep, type ItemObservation, type ReplanContext } from './context.ts'
import { plainText } from './moves/commands.ts'
import { intentOfTitle } from './goal/goal.ts'
import type { Intent } from './goal/intents.ts'
import type { IntentItem } from './moves/item.ts'
import { moveFor, resolveIntent, showCommand } from './moves/next-move.ts'
import { openingOfChange } from './moves/change.ts'
import { openingOf } from './moves/finish-delete.ts'
import { wordsOf } from './texts.ts'

const SUMMARY_MAX = 6_000

/** Requests that were not followed: remarks that fit no rule, and the number of requests beyond the bound. */
interface UnreadRemarks {
  unread: string[]
  left: number
}

export function writeSummary(context: ReplanContext, { unread, left }: UnreadRemarks): string {
  const words = wordsOf(context.locale)
  const facts = factsOf(context)
  const remarks = [...unread.map((remark) => words.unread(remark)), ...(left > 0 ? [words.left(left)] : [])]
  if (facts.length + remarks.length === 0) return words.nothing
  if (facts.length === 1) return [...facts.map((fact) => fact.line), ...remarks].join('\n')
  const listed = (heading: string, ok: boolean) => {
    const lines = facts
      .filter((fact) => fact.ok === ok)
      .map((fact) => `- ${fact.line.replace(words.notDoneWord, '').replace(/\n/gu, '\n  ')}`)
    return lines.length > 0 ? [heading, ...lines] : []
  }
  const text = [...listed(words.done, true), ...listed(words.open, false), ...remarks].join('\n')
  return text.length > SUMMARY_MAX ? `${text.slice(0, SUMMARY_MAX).toWellFormed()}…` : text
}

/** What became of each item. */
export function factsOf(context: ReplanContext): { ok: boolean; line: string }[] {
  const unused = new Set(context.observations.flatMap(({ item_id }) => (item_id === null ? [] : [item_id])))
  return context.completed.map((step) => factOf(step, context, unused))
}

/** The result of the item, or what the rules make of its observations when they may neither act nor ask. */
function factOf(
  { title, status, result }: FinishedStep,
  context: ReplanContext,
  unused: Set<string>,
): { ok: boolean; line: string } {
  if (result !== null) return { ok: status === 'completed', line: result }
  const bare: IntentItem = {
    title,
    locale: context.locale,
    now: momentNow(context.local_time),
    observations: [],
    clarifications: context.clarifications,
    refuses: () => true,
  }
  const intent = intentOfTitle(title, bare.now)
  const id = ownerOf(resolveIntent(intent, bare), context.observations, unused)
  if (id !== null) unused.delete(id)
  const observations = context.observations.filter((observation) => id !== null && observation.item_id === id)
  const move = moveFor(intent, { ...bare, observations })
  return move.kind === 'end' ? move : { ok: false, line: wordsOf(context.locale).unproven(title) }
}

/** Finds the observations of a finished item. Such items have no ids in the context, so the first action that can only be theirs identifies them. */
function ownerOf(intent: Intent | null, observations: ItemObservation[], unused: Set<string>): string | null {
  if (intent === null) return null
  const starts = startsOf(intent)
  const owner = observations.find(
    (observation) =>
      observation.item_id !== null && unused.has(observation.item_id) && starts.some((start) => start(observation)),
  )
  return owner?.item_id ?? null
}

type Test = (observation: ItemObservation) => boolean
function startsOf(intent: Intent): Test[] {
  const says =
    (tool: string, input: string): Test =>
    (observation) =>
      observation.tool === tool && (observation.input === input || observation.input.startsWith(`${input} `))
  switch (intent.kind) {
    case 'todo':
      return [says('todo', intent.subject === null ? '/todo add' : `/todo add ${plainText(intent.subject)}`)]
    case 'event': {
      const subject = intent.subject === null ? '' : plainText(intent.subject)
      const timed: Test = ({ tool, input }) =>
        tool === 'schedule' &&
        input.startsWith('/schedule add ') &&
        ` ${input} `.includes(` ${subject} `.replace('  ', ' '))
      return [timed, says('todo', `/todo add ${subject}`.trim())]
    }
    case 'finish':
    case 'remove':
    case 'unschedule':
    case 'discard': {
      const { tool, input } = openingOf(intent)
      return [says(tool, input)]
    }
    case 'change': {
      const { tool, input } = openingOfChange(intent)
      return [says(tool, input)]
    }
    case 'use':
      return [says(intent.tool, intent.input)]
    case 'lookup':
      return [
        (observation) =>
          observation.tool === 'internet_search' && (intent.subject === null || observation.input === intent.subject),
      ]
    case 'list':
    case 'find':
      return [says('todo', showCommand(intent))]
    case 'agenda':
      return [says('schedule', showCommand(intent))]
    case 'refuse':
    case 'unclear':
    case 'greet':
    case 'unable':
      return []
  }
}
