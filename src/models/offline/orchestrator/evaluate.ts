/** The phase evaluate: decides by the status and the sections of a report what it means for the plan (S2-06, S2-15, S2-16). */
import type { Locale } from '../../../core/terms/locale.ts'
import { cut } from '../../../core/terms/text.ts'
import { plainLine } from '../safe-text.ts'
import { stepsAddedBy } from './changes.ts'
import type { EvaluateContext, StepOutline } from './context.ts'
import { deedOf } from './work-types.ts'
import { planSteps, stepsIn, stepsOfGoal, STEPS_MAX } from './plan.ts'
import { saysDone } from './done-claim.ts'
import { EXCERPT_CHARS, excerpt } from './excerpt.ts'
import { titleKeyOf, knownTitle } from './titles.ts'
import { orchestratorWordsOf } from './words.ts'

interface Evaluation {
  reason: string
  decision: 'next' | 'retry' | 'replan' | 'abort'
  /** With replan: what becomes of the current step. */
  current_step: 'done' | 'open' | null
  /** These steps replace those behind the current one, and the current one if it is open. */
  adjusted_steps: StepOutline[]
}

const SUGGESTIONS_MAX = 10

export function evaluateReport(context: EvaluateContext): Evaluation {
  const words = orchestratorWordsOf(context.locale)
  const { report } = context
  const results = excerpt(report.results)
  const trouble = excerpt(report.pitfalls) || results || excerpt(report.text)
  switch (report.status) {
    case 'SUCCESS':
      return evaluateSuccess(context)
    case 'PARTIAL_SUCCESS':
      return evaluatePartialSuccess(context)
    case 'FAILED': {
      const why = impossibleReason(report.text)
      return why === null ? decide('retry', words.notDone(trouble)) : decide('abort', words.impossible(why))
    }
    case 'UNKNOWN':
      return saysDone(report.text)
        ? decide('next', words.done(results || excerpt(report.text)))
        : decide('retry', words.open(trouble))
  }
}

/** Even the longest text around an excerpt or a title keeps the reason below 300 characters. */
const decide = (decision: 'next' | 'retry' | 'abort', reason: string): Evaluation => ({
  reason,
  decision,
  current_step: null,
  adjusted_steps: [],
})

const replan = (current_step: 'done' | 'open', reason: string, adjusted_steps: StepOutline[]): Evaluation => ({
  reason,
  decision: 'replan',
  current_step,
  adjusted_steps,
})

function evaluateSuccess(context: EvaluateContext): Evaluation {
  const words = orchestratorWordsOf(context.locale)
  const added = context.replans_left > 0 ? stepsFromRemarks(context) : []
  const [first] = added
  if (first === undefined) return decide('next', words.done(excerpt(context.report.results)))
  return replan('done', words.also(first.title), [...remainingSteps(context), ...added].slice(0, STEPS_MAX))
}

/** The rest of a step that is done in part is what its report suggests. */
function evaluatePartialSuccess(context: EvaluateContext): Evaluation {
  const { report, completed, remaining, replans_left, locale } = context
  const words = orchestratorWordsOf(locale)
  const results = excerpt(report.results)
  const known = keysOf([...completed.map(({ title }) => title), ...remaining])
  const suggested = distinctBy(suggestionsIn(report.next_steps, locale), known).slice(0, SUGGESTIONS_MAX)
  if (suggested.length > 0 && replans_left > 0) {
    const steps = [...suggested, ...remainingSteps(context)]
    const added = distinctBy(stepsFromRemarks(context), keysOf(steps.map(({ title }) => title)))
    return replan('open', words.partly(results, suggested.length), [...steps, ...added].slice(0, STEPS_MAX))
  }
  if (suggested.length === 0 && results !== '') return decide('next', words.enough(results))
  return decide('retry', words.notDone(excerpt(report.pitfalls) || results || excerpt(report.text)))
}

const keysOf = (titles: readonly string[]): Set<string> => new Set(titles.map(titleKeyOf))

/** The steps with new titles, each once. */
function distinctBy(steps: readonly StepOutline[], known: ReadonlySet<string>): StepOutline[] {
  const seen = new Set(known)
  return steps.filter(({ title }) => {
    const key = titleKeyOf(title)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The steps that remarks ask for and the plan lacks. */
function stepsFromRemarks({
  remarks,
  locale,
  plan,
  remaining,
  completed,
  current_item,
}: EvaluateContext): StepOutline[] {
  const titles = [...remaining, ...[...plan, ...completed, current_item].map(({ title }) => title)]
  return distinctBy(
    stepsAddedBy(remarks, (text) => stepsIn(text, locale)),
    keysOf(titles),
  )
}

/** The remaining steps by title. The details of those that are shown without any are read from the goal again. */
function remainingSteps({ goal, locale, remarks, plan, remaining }: EvaluateContext): StepOutline[] {
  if (remaining.length === 0) return []
  const context = { phase: 'plan' as const, goal, locale, remarks, completed: [], plan: null, requested_change: '' }
  const shown = plan.filter(({ description }) => description !== '')
  const byKey = new Map([...planSteps(context).steps, ...shown].map((step) => [titleKeyOf(step.title), step]))
  return remaining
    .filter((title) => title.trim() !== '')
    .map((title) => {
      const { description, constraints, expected_output } =
        byKey.get(titleKeyOf(title)) ?? stepWithoutDetails(title, locale)
      return { title: knownTitle(title, locale), description, constraints, expected_output }
    })
}

const stepWithoutDetails = (title: string, locale: Locale) => ({
  description: title,
  constraints: '',
  expected_output: orchestratorWordsOf(locale).expected[deedOf(title)],
})

/** The reason why the work is impossible, from a line that starts with `ABORT:` or `无法完成：`; null: there is no such line. */
function impossibleReason(text: string): string | null {
  for (const line of text.split('\n')) {
    const [, why] = /^(?:ABORT|无法完成) ?[:：](.*)$/u.exec(line.trim().replace(/^(?:[-*>#]+ +)?(?:\*\*)?/u, '')) ?? []
    if (why !== undefined) return cut(plainLine(why.replaceAll('**', '')), EXCERPT_CHARS)
  }
  return null
}

/** Lines that suggest nothing. */
const NO_SUGGESTION =
  /^(?:none|n\/?a|nothing(?: (?:else|more|further))?(?: to do| left)?|no (?:further |more |next )?(?:steps?|actions?|work)(?: (?:are )?(?:needed|required|left))?|-+|暂?无(?:后续)?(?:步骤|建议)?|没有了?|无需后续.{0,10}|不需要)[\s.!。！]*$/iu
const LIST_MARK = /^(?:[-*+•] +|\d{1,2}[.)、] *)?/u
const SUGGESTION_LEAD =
  /^(?:(?:i|we)(?: would)? (?:suggest|recommend)(?: to)?(?=[ :])|suggestion(?=:)|it is (?:suggested|recommended) to(?= )|建议|可以考虑)[\s:：,，]*/iu

/** The next steps that a report suggests: the items of its list, else its lines, else its sentences. */
function suggestionsIn(section: string, locale: Locale): StepOutline[] {
  const text = section
    .split('\n')
    .filter((line) => !NO_SUGGESTION.test(line.trim().replace(LIST_MARK, '')))
    .map((line) => {
      const mark = LIST_MARK.exec(line)?.[0] ?? ''
      return mark + line.slice(mark.length).replace(SUGGESTION_LEAD, '')
    })
    .join('\n')
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  const steps = stepsIn(text, locale)
  return steps.length > 0 ? steps : stepsOfGoal(text.trim(), locale)
}
