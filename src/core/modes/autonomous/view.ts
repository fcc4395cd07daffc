/** The view of mode autonomous: its tasks as the plan, the last thought, the report, its progress (R16, S1-31). */
import type { Recall } from '../../terms/effect.ts'
import {
  briefOf,
  type ItemEnding,
  type ViewContext,
  type ModeView,
  type Progress,
  type TextDocument,
} from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import { itemStatus, planProgress, planView, type ItemViews } from '../plan/view.ts'
import { itemResults, resultOfEnd } from './item-results.ts'
import { reportText } from './report.ts'
import { replyAt, TASKS, type TaggedReply } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { openQuestion } from '../conversation/call-loop.ts'
import { SHOWN_CHARS } from '../conversation/replies.ts'
import { thoughtText } from './thought.ts'

/** The states of the tasks, and what came of them. */
function taskViews(state: AutonomousState, ended: ItemEnding | null, recall: Recall): ItemViews {
  const resultOf = itemResults(state, recall)
  return {
    stateOf: (index) => ({
      status: itemStatus(state.plan, index, state.plan.cursor, ended),
      result: resultOf(index),
      progress: null,
    }),
    goneResult: (end) => resultOfEnd(end, recall),
  }
}

export function viewOf(state: AutonomousState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan } = state
  return {
    plan: planView(TASKS, plan, recall, 'tasks', taskViews(state, ended, recall)),
    thought: thought_row === null ? null : thoughtAt(state, recall, thought_row),
    question: openQuestion(state, recall),
    result: reportText(state, recall),
    verdict: null,
  }
}

/**
 * The thought of the latest reply. A reply without a block for it has its text, and a marker on its own belongs to the reply before.
 * Only what neither has is made up (O1-03).
 */
function thoughtAt({ phase, ending }: AutonomousState, recall: Recall, row: number): ModeView['thought'] {
  const reply = replyAt(recall, row)
  const { locale } = briefOf(recall)
  const own = saidBy(reply)
  const text = own !== '' || ending === null ? own : saidBy(replyAt(recall, ending.row))
  return {
    phase: 'turn',
    // The latest reply of a run that has ended is the one that ended it.
    decision: phase === 'ended' ? 'done' : 'continue',
    text: cut(text === '' ? thoughtText(reply, locale) : text, SHOWN_CHARS),
    at: rfc3339(recall(row).at),
  }
}

const saidBy = ({ thinking, report }: TaggedReply): string => thinking ?? report

const FAILED_CHARS = 220

export const progressOf = (state: AutonomousState, { recall }: { recall: Recall }): Progress => ({
  ...planProgress(TASKS, state.plan, recall, taskViews(state, null, recall)),
  last_failure: state.failed === null ? null : failureAt(recall, state.failed),
})

function failureAt(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  const tool = effect?.kind === 'run_tool' ? `${effect.tool}: ` : ''
  const text = 'text' in event ? event.text : 'outcome unknown'
  return cut(`${tool}${text ?? ''}`.replaceAll(/\s+/g, ' ').trim(), FAILED_CHARS)
}

/** The report as a file, once it is written. */
export function taskDocuments(state: AutonomousState, { recall }: { recall: Recall }): TextDocument[] {
  const text = reportText(state, recall)
  if (text === null) return []
  return [{ name: 'report.md', content_type: 'text/markdown; charset=utf-8', text: `${text}\n` }]
}
