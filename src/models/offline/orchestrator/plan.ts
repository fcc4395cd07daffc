/** The phase plan: every goal becomes 1 to 20 steps for external agents, by its lines, else by its sentences and their joints (S2-02, S2-03). */
import type { Locale } from '../../../core/terms/locale.ts'
import { plainLine } from '../safe-text.ts'
import { applyChanges } from './changes.ts'
import type { PlanContext, StepOutline } from './context.ts'
import { deedOf } from './work-types.ts'
import { draftsOf, type StepDraft } from './drafts.ts'
import { distinct, stepTitle } from './titles.ts'
import { orchestratorWordsOf } from './words.ts'

export const STEPS_MAX = 20
/** The most steps of a goal that changes apply to; this bounds the cost of a long goal with many remarks. */
const READ_MAX = 60

interface StepPlanReply {
  steps: StepOutline[]
}

/** Changes apply to the shown plan; without one, remarks change the plan of the goal. */
export function planSteps({ goal, locale, remarks, plan: shown, requested_change }: PlanContext): StepPlanReply {
  const request = requested_change.trim()
  const given = shown !== null && shown !== undefined && shown.length > 0 ? shown : null
  const first = given ?? foldSteps(stepsOfGoal(goal, locale), READ_MAX, locale)
  // Earlier remarks have already changed the shown plan.
  const said = given !== null && request !== '' ? [request] : [...remarks, ...(request === '' ? [] : [request])]
  const steps = applyChanges(first, said, (text) => stepsIn(text, locale))
  return { steps: distinct(foldSteps(steps, STEPS_MAX, locale), locale) }
}

export function stepsOfGoal(goal: string, locale: Locale): StepOutline[] {
  const { drafts, constraints, context } = draftsOf(goal)
  const [only] = drafts
  if (only === undefined) {
    const kept = constraints.filter((constraint) => plainLine(constraint) !== plainLine(goal))
    return [
      stepOf(
        { text: goal.trim().replace(/[.。]$/u, ''), details: context, constraints: kept, expected: [] },
        false,
        locale,
        goal,
      ),
    ]
  }
  return drafts.length === 1
    ? [stepOf(only, false, locale, goal)]
    : drafts.map((draft) => stepOf(draft, true, locale, draft.text))
}

/** The steps that a remark asks for; empty when it names none. */
export const stepsIn = (text: string, locale: Locale): StepOutline[] =>
  draftsOf(text).drafts.map((draft) => stepOf(draft, true, locale, draft.text))

/** `several`: the step is one of several. `full`: the text that the title shortens. */
function stepOf(draft: StepDraft, several: boolean, locale: Locale, full: string): StepOutline {
  const words = orchestratorWordsOf(locale)
  const title = stepTitle(draft.text, locale)
  const lines = [
    ...(several && plainLine(full).toLowerCase() === title.toLowerCase() ? [] : [full.trim()]),
    ...(!several && full !== draft.text
      ? []
      : draft.details.map((detail) => (detail.includes('\n') ? detail : words.bullet(detail)))),
  ]
  return {
    title,
    description: lines.filter((line) => line !== '').join('\n') || title,
    constraints: draft.constraints.join('\n'),
    expected_output: draft.expected.join('\n') || words.expected[deedOf(title)],
  }
}

/** The last step holds the steps that do not fit, so that nothing of the goal is lost. */
function foldSteps(steps: StepOutline[], max: number, locale: Locale): StepOutline[] {
  if (steps.length <= max) return steps
  const rest = steps.slice(max - 1)
  const words = orchestratorWordsOf(locale)
  const of = (part: keyof StepOutline) => [...new Set(rest.map((step) => step[part]).filter((text) => text !== ''))]
  return [
    ...steps.slice(0, max - 1),
    {
      title: words.rest(rest.length),
      description: of('title').map(words.bullet).join('\n'),
      constraints: of('constraints').join('\n'),
      expected_output: words.expected.other,
    },
  ]
}
