/** What is shown of it: its tasks as the plan, the last thought, the report, how far it is (R16, S1-31). */
import type { Recall } from '../../terms/effect.ts'
import { briefOf, type ViewContext, type ModeView, type Progress, type TextDocument } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus, PlanItem } from '../../terms/view.ts'
import { detailsOf, saidAt } from './said.ts'
import { cursorOf, itemId, type AutonomousState, type Tasks } from './state.ts'
import { openTitles, titlesOf } from './tasks.ts'
import { SHOWN_CHARS, thoughtText } from './thought.ts'

export function viewOf(state: AutonomousState, known: ViewContext): ModeView {
  const { recall, thought_row } = known
  return {
    plan: state.tasks === null ? NO_PLAN : planView(state.tasks, known),
    thought: thought_row === null ? null : thoughtAt(state, recall, thought_row),
    question: null,
    result: state.ending === null ? null : saidAt(recall, state.ending.row).report,
  }
}
const NO_PLAN = { revision: 0, cursor: 0, source: 'tasks', items: [] }

function planView(tasks: Tasks, known: ViewContext): ModeView['plan'] {
  const { recall } = known
  const cursor = cursorOf(tasks)
  const items = tasks.items.map((item, index): PlanItem => {
    const { title, description, expected_output } = detailsOf(item, recall)
    const is = item[3]
    const status: ItemStatus =
      is === 'done' ? 'completed' : is === 'failed' ? 'failed' : openStatus(index === cursor, known)
    return { id: itemId(item), title, description, expected_output, status, result: null, progress: null }
  })
  const source = recall(tasks.row).event.kind === 'plan_edited' ? 'edit' : 'tasks'
  return { revision: tasks.revision, cursor, source, items }
}

function openStatus(isCurrent: boolean, { ended }: ViewContext): ItemStatus {
  if (ended === null) return isCurrent ? 'running' : 'pending'
  return isCurrent ? ended.current : ended.later
}

function thoughtAt({ ending }: AutonomousState, recall: Recall, row: number): ModeView['thought'] {
  const said = saidAt(recall, row)
  const { locale } = briefOf(recall)
  const decision = said.calls.length === 0 && ending?.row === row ? 'done' : 'continue'
  return { phase: 'turn', decision, text: cut(thoughtText(said, locale), SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

const FAILED_CHARS = 220

export function progressOf(state: AutonomousState, { recall }: { recall: Recall }): Progress {
  const completed = titlesOf(state.tasks, 'done', recall)
  const { failed } = state
  return {
    completed,
    finished_count: completed.length,
    remaining: openTitles(state, recall),
    last_failure: failed === null ? null : failureAt(recall, failed),
  }
}

function failureAt(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  const tool = effect?.kind === 'run_tool' ? `${effect.tool}: ` : ''
  const text = 'text' in event ? event.text : 'outcome unknown'
  return cut(`${tool}${text ?? ''}`.replaceAll(/\s+/g, ' ').trim(), FAILED_CHARS)
}

/** The report as a file, once it is written. */
export function taskDocuments({ ending }: AutonomousState, { recall }: { recall: Recall }): TextDocument[] {
  if (ending === null) return []
  const text = saidAt(recall, ending.row).report
  return [{ name: 'report.md', content_type: 'text/markdown; charset=utf-8', text: `${text}\n` }]
}
