/**
 * The table of goals of mode orchestrator, and the steps expected of each.
 *
 *   > goal          `\n` is a line break, `‵` a backtick
 *   title           of its steps, in order
 *   ! constraint    of the step above
 */
import { ORCHESTRATED_CHINESE } from './offline-orchestrator-chinese.ts'
import { ORCHESTRATED_ENGLISH_AWKWARD } from './offline-orchestrator-english-awkward.ts'
import { ORCHESTRATED_ENGLISH } from './offline-orchestrator-english.ts'

export interface OrchestratedGoal {
  goal: string
  steps: { title: string; constraints: string[] }[]
}

function read(table: string): OrchestratedGoal[] {
  const goals: OrchestratedGoal[] = []
  for (const line of table.split('\n').filter((text) => text !== '')) {
    const text = line.replaceAll('‵', '`')
    if (text.startsWith('> ')) {
      goals.push({ goal: text.slice(2).replaceAll(String.raw`\n`, '\n'), steps: [] })
    } else if (text.startsWith('! ')) goals.at(-1)?.steps.at(-1)?.constraints.push(text.slice(2))
    else goals.at(-1)?.steps.push({ title: text, constraints: [] })
  }
  return goals
}

export const ORCHESTRATED_GOALS: OrchestratedGoal[] = [
  ORCHESTRATED_ENGLISH,
  ORCHESTRATED_ENGLISH_AWKWARD,
  ORCHESTRATED_CHINESE,
].flatMap(read)
