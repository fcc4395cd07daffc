/** The next steps that a report suggests: the items of its list, else its lines, else its sentences. */
import type { Locale } from '../../../core/terms/effect.ts'
import type { Step } from './context.ts'
import { stepsIn, stepsOfGoal } from './plan.ts'

const NOTHING =
  /^(?:none|n\/?a|nothing(?: (?:else|more|further))?(?: to do| left)?|no (?:further |more |next )?(?:steps?|actions?|work)(?: (?:are )?(?:needed|required|left))?|-+|暂?无(?:后续)?(?:步骤|建议)?|没有了?|无需后续.{0,10}|不需要)[\s.!。！]*$/iu
const MARK = /^(?:[-*+•] +|\d{1,2}[.)、] *)?/u
const LEAD =
  /^(?:(?:i|we)(?: would)? (?:suggest|recommend)(?: to)?(?=[ :])|suggestion(?=:)|it is (?:suggested|recommended) to(?= )|建议|可以考虑)[\s:：,，]*/iu

export function suggestionsIn(section: string, locale: Locale): Step[] {
  const text = section
    .split('\n')
    .filter((line) => !NOTHING.test(line.trim().replace(MARK, '')))
    .map((line) => {
      const mark = MARK.exec(line)?.[0] ?? ''
      return mark + line.slice(mark.length).replace(LEAD, '')
    })
    .join('\n')
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  const steps = stepsIn(text, locale)
  return steps.length > 0 ? steps : stepsOfGoal(text.trim(), locale)
}
