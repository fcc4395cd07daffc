/** Mode orchestrator by rules: splits a goal into steps for external agents, evaluates their reports, and summarizes the result (S2-03, R17). */
import { cut } from '../../../core/terms/text.ts'
import { plainLine } from '../safe-text.ts'
import { excerpt } from './excerpt.ts'
import { orchestratorWordsOf } from './words.ts'
import type { OrchestratorContext, SummaryContext } from './context.ts'
import { evaluateReport } from './evaluate.ts'
import { planSteps } from './plan.ts'

export { OrchestratorContext } from './context.ts'

/** A summary is plain text; any other reply is an object. */
export function orchestratorReply(context: OrchestratorContext): object | string {
  switch (context.phase) {
    case 'plan':
      return planSteps(context)
    case 'evaluate':
      return evaluateReport(context)
    case 'summary':
      return summaryText(context)
  }
}

const GOAL_CHARS = 200
const TITLE_CHARS = 100
const RESULT_CHARS = 160
/** The most steps that one line names. */
const NAMED_MAX = 8

type Outcome = 'completed' | 'failed' | 'skipped' | 'open'

/** The phase summary: what was reached, what was not and why, what comes next. It has two to six lines of plain text (O2-09). */
function summaryText({ goal, locale, completed, totals }: SummaryContext): string {
  const steps = completed.filter(({ status }) => status !== 'replaced')
  const words = orchestratorWordsOf(locale)
  const shown = cut(plainLine(goal), GOAL_CHARS)
  const of = (outcome: Outcome) => steps.filter(({ status }) => outcomeOf(status) === outcome)
  const listed = (outcome: Outcome, line: (list: string) => string): string[] => {
    const some = of(outcome)
    if (some.length === 0) return []
    const named = some
      .slice(0, NAMED_MAX)
      .map(({ title, result }) => words.result(cut(plainLine(title), TITLE_CHARS), excerpt(result, RESULT_CHARS)))
    const more = some.length > NAMED_MAX ? [words.more(some.length - NAMED_MAX)] : []
    return [line([...named, ...more].join(words.separator))]
  }
  const unfinished = steps.find(({ status }) => outcomeOf(status) !== 'completed')
  const notReached = [
    ...listed('failed', words.failed),
    ...listed('skipped', words.skipped),
    ...listed('open', words.left),
  ]
  const effort = totals.commands > 0 && notReached.length < 3
  return [
    steps.length === 0 ? words.noSteps(shown) : words.reached(of('completed').length, steps.length, shown),
    ...listed('completed', words.results),
    ...notReached,
    ...(effort ? [words.effort(totals.commands, totals.failed_attempts, totals.replans)] : []),
    unfinished === undefined ? words.nextNone : words.nextOpen(cut(plainLine(unfinished.title), TITLE_CHARS)),
  ].join('\n')
}

function outcomeOf(status: string): Outcome {
  return status === 'completed' || status === 'failed' || status === 'skipped' ? status : 'open'
}
