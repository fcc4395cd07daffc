/** What is shown of it: its tasks as the plan, the last thought, the report, how far it is (R16, S1-31). */
import type { Recall } from '../../terms/effect.ts'
import { briefOf, type ViewContext, type ModeView, type Progress, type TextDocument } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import { itemStatus, planProgress, planView } from '../plan/view.ts'
import { replyAt, TASKS } from './replies.ts'
import type { AutonomousState } from './state.ts'
import { SHOWN_CHARS } from '../conversation/replies.ts'
import { thoughtText } from './thought.ts'

export function viewOf(state: AutonomousState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan, ending } = state
  return {
    plan: planView(TASKS, plan, recall, 'tasks', (index) => ({
      status: itemStatus(plan, index, plan.cursor, ended),
      result: null,
      progress: null,
    })),
    thought: thought_row === null ? null : thoughtAt(state, recall, thought_row),
    question: null,
    result: ending === null ? null : replyAt(recall, ending.row).report,
  }
}

function thoughtAt({ ending }: AutonomousState, recall: Recall, row: number): ModeView['thought'] {
  const said = replyAt(recall, row)
  const { locale } = briefOf(recall)
  const decision = said.calls.length === 0 && ending?.row === row ? 'done' : 'continue'
  return { phase: 'turn', decision, text: cut(thoughtText(said, locale), SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

const FAILED_CHARS = 220

export const progressOf = ({ plan, failed }: AutonomousState, { recall }: { recall: Recall }): Progress => ({
  ...planProgress(TASKS, plan, recall),
  last_failure: failed === null ? null : failureAt(recall, failed),
})

function failureAt(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  const tool = effect?.kind === 'run_tool' ? `${effect.tool}: ` : ''
  const text = 'text' in event ? event.text : 'outcome unknown'
  return cut(`${tool}${text ?? ''}`.replaceAll(/\s+/g, ' ').trim(), FAILED_CHARS)
}

/** The report as a file, once it is written. */
export function taskDocuments({ ending }: AutonomousState, { recall }: { recall: Recall }): TextDocument[] {
  if (ending === null) return []
  const text = replyAt(recall, ending.row).report
  return [{ name: 'report.md', content_type: 'text/markdown; charset=utf-8', text: `${text}\n` }]
}
