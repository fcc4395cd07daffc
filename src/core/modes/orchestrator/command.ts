/** The command of the current step for a worker, with its session (S2-10, S2-12), and the `end` command of a task that has ended. */
import { AUTO_SESSION, DELEGATE, type Command } from '../../terms/delegation.ts'
import type { Recall } from '../../terms/effect.ts'
import { briefOf } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { fingerprint } from '../../terms/values/hash.ts'
import { clarificationsOf } from './asks.ts'
import { knownText, quote, reportText } from './known.ts'
import { instructionAt, reasonAt, reportAt, stepOf, STEPS } from './replies.ts'
import { itemId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { remarksOf } from '../plan/remarks.ts'
import type { OrchestratorState } from './state.ts'
import { COMMAND_PARTS } from './words.ts'

const GOAL_CHARS = 2_000
const REASON_CHARS = 2_000
const REMARKS_CHARS = 10_000
const REPORT_CHARS = 4_000

/** The command continues a session only if one is known, because a worker cannot continue an unknown session (O2-06). */
export function commandOf(state: OrchestratorState, { recall }: { recall: Recall }): Command {
  const item = currentItem(state.plan)
  if (item === null) throw new Error('no step is being worked on')
  const { locale } = briefOf(recall)
  const session_id = sessionAt(state.step.session, recall)
  const { constraints, expected_output } = stepOf(recall, state.plan, item)
  const { nothing: none } = COMMAND_PARTS[locale]
  return {
    type: session_id === null ? 'new' : 'continue',
    session_id: session_id ?? AUTO_SESSION,
    item_id: itemId(STEPS, item[0]),
    task: [...ownParts(state, recall), ...sharedParts(state, session_id === null, recall)].join('\n\n'),
    constraints: constraints || none,
    expected_output: expected_output || none,
  }
}

const sessionAt = (row: number | null, recall: Recall): string | null =>
  row === null ? null : reportAt(recall, row).session_id

const part = (heading: string, text: string | null): string[] =>
  text === null || text === '' ? [] : [`### ${heading}\n\n${text}`]

/** What a command says of its own step: the step, the error of the attempt before, and what the user has said. */
function ownParts(state: OrchestratorState, recall: Recall): string[] {
  const { plan, step } = state
  const item = currentItem(plan)
  if (item === null) throw new Error('no step is being worked on')
  const { title, description } = stepOf(recall, plan, item)
  const words = COMMAND_PARTS[briefOf(recall).locale]
  const remarks = remarksOf(state, recall, REMARKS_CHARS)
  const answers = clarificationsOf(state, recall)
  return [
    title,
    ...(step.instruction === null && description !== '' && description !== title ? [description] : []),
    ...part(words.instruction, step.instruction === null ? null : instructionAt(recall, step.instruction)),
    ...part(words.failure, step.failure === null ? null : cut(reasonAt(recall, step.failure), REASON_CHARS)),
    ...part(words.remarks, remarks.map((text) => `- ${text}`).join('\n')),
    ...part(words.answers, answers.map(({ question, answer }) => `- ${question}\n  ${answer}`).join('\n')),
  ]
}

/** What a command says of the rest of the task. A new session also gets the goal and the report of the attempt before. */
function sharedParts(state: OrchestratorState, isNewSession: boolean, recall: Recall): string[] {
  const { goal, locale } = briefOf(recall)
  const words = COMMAND_PARTS[locale]
  const { report } = state.step
  const attempt = isNewSession && report !== null ? reportText(reportAt(recall, report), locale, REPORT_CHARS) : null
  return [
    ...part(words.attempt, attempt === null ? null : quote(attempt)),
    ...part(words.known, knownText(state, recall)),
    ...part(words.goal, isNewSession ? cut(goal, GOAL_CHARS) : null),
  ]
}

/** The command as the guard against repetitions compares it: the step and what is said of it. */
export const commandFingerprint = (state: OrchestratorState, { recall }: { recall: Recall }): string =>
  fingerprint([currentItem(state.plan)?.[0] ?? 0, ...ownParts(state, recall)].join('\n\n'))

export const sentAction = (sent: string) => ({ tool: DELEGATE, input: sent })
export const commandAction = (state: OrchestratorState, context: { recall: Recall }) =>
  sentAction(commandFingerprint(state, context))

/** R17: a known session gets an `end` command. null: no session is known. */
export function endCommandOf({ session }: OrchestratorState, { recall }: { recall: Recall }): Command | null {
  const session_id = sessionAt(session, recall)
  if (session_id === null) return null
  const { farewell, nothing: none } = COMMAND_PARTS[briefOf(recall).locale]
  return { type: 'end', session_id, item_id: null, task: farewell, constraints: none, expected_output: none }
}
