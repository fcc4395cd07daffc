/** The command of the current step (S2-10, S2-12): what is handed to a worker, and in which session; the `end` of a task that has ended. */
import { AUTO_SESSION, type Command } from '../../terms/delegation.ts'
import type { Recall } from '../../terms/effect.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { reasonAt } from './failed-attempt.ts'
import { reportAt, STEPS, stepOf } from './replies.ts'
import { itemId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { remarksOf } from '../plan/remarks.ts'
import type { OrchestratorState } from './state.ts'
import { COMMAND_PARTS } from './words.ts'

const GOAL_CHARS = 2_000
const REASON_CHARS = 2_000
const REMARKS_CHARS = 10_000

/** A session goes on where one is known: a worker that is asked to continue an unknown one can only fail (O2-06). */
export function commandOf(state: OrchestratorState, { recall }: { recall: Recall }): Command {
  const item = currentItem(state.plan)
  if (item === null) throw new Error('no step is being worked on')
  const { locale } = briefOf(recall)
  const session_id = sessionAt(state.step.session, recall)
  const { constraints, expected_output } = stepOf(recall, state.plan, item)
  const { nothing } = COMMAND_PARTS[locale]
  return {
    type: session_id === null ? 'new' : 'continue',
    session_id: session_id ?? AUTO_SESSION,
    item_id: itemId(STEPS, item[0]),
    task: taskOf(state, session_id === null, recall),
    constraints: constraints || nothing,
    expected_output: expected_output || nothing,
  }
}

const sessionAt = (row: number | null, recall: Recall): string | null =>
  row === null ? null : reportAt(recall, row).session_id

/** What is to be done, what was wrong before, and what the user has said; to who begins anew, what it is for. */
function taskOf(state: OrchestratorState, anew: boolean, recall: Recall): string {
  const { plan, step } = state
  const item = currentItem(plan)
  if (item === null) throw new Error('no step is being worked on')
  const { goal, locale } = briefOf(recall)
  const { title, description } = stepOf(recall, plan, item)
  const words = COMMAND_PARTS[locale]
  const said = remarksOf(state, recall, REMARKS_CHARS)
  const part = (heading: string, text: string | null) =>
    text === null || text === '' ? [] : [`### ${heading}\n\n${text}`]
  return [
    title,
    ...(step.instruction === null && description !== '' && description !== title ? [description] : []),
    ...part(words.instruction, step.instruction === null ? null : instructionAt(recall, step.instruction)),
    ...part(words.failure, step.failure === null ? null : cut(reasonAt(recall, step.failure), REASON_CHARS)),
    ...part(words.remarks, said.map((text) => `- ${text}`).join('\n')),
    ...part(words.goal, anew ? cut(goal, GOAL_CHARS) : null),
  ].join('\n\n')
}

/** The answer of a person, or what was wanted instead of a command that was not approved. */
export function instructionAt(recall: Recall, row: number): string {
  const fact = recall(row)
  return fact.event.kind === 'approval_answered' ? fact.event.text : expectEvent(fact, 'user_answered').text
}

/** R17: a known session is told that the task has ended. */
export function farewellOf({ session }: OrchestratorState, { recall }: { recall: Recall }): Command | null {
  const session_id = sessionAt(session, recall)
  if (session_id === null) return null
  const { farewell, nothing } = COMMAND_PARTS[briefOf(recall).locale]
  return { type: 'end', session_id, item_id: null, task: farewell, constraints: nothing, expected_output: nothing }
}
