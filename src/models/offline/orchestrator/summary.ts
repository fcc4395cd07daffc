/** The phase summary: what was reached, what was not and why, what comes next. Plain text of two to six lines (O2-09). */
import { cut } from '../../../core/terms/text.ts'
import { oneLine } from '../autonomous/plain.ts'
import type { SummaryContext } from './context.ts'
import { excerpt } from './excerpt.ts'
import { wordsOf } from './words.ts'

const GOAL_CHARS = 200
const TITLE_CHARS = 100
const RESULT_CHARS = 160
/** Steps named on one line. */
const NAMED_MAX = 8

type Outcome = 'completed' | 'failed' | 'skipped' | 'open'

export function summary({ goal, locale, steps, totals }: SummaryContext): string {
  const words = wordsOf(locale)
  const shown = cut(oneLine(goal), GOAL_CHARS)
  const of = (outcome: Outcome) => steps.filter(({ status }) => outcomeOf(status) === outcome)
  const listed = (outcome: Outcome, line: (list: string) => string): string[] => {
    const some = of(outcome)
    if (some.length === 0) return []
    const named = some
      .slice(0, NAMED_MAX)
      .map(({ title, result }) => words.result(cut(oneLine(title), TITLE_CHARS), excerpt(result, RESULT_CHARS)))
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
    unfinished === undefined ? words.nextNone : words.nextOpen(cut(oneLine(unfinished.title), TITLE_CHARS)),
  ].join('\n')
}

function outcomeOf(status: string): Outcome {
  return status === 'completed' || status === 'failed' || status === 'skipped' ? status : 'open'
}
