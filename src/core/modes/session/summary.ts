/** The progress of a plan as text (O4-09). It is shown at the limit, and to the model when the session is continued. */
import type { Brief, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { withResult } from '../plan/view.ts'
import { stepTitles } from './plan.ts'
import { requestAt } from './replies.ts'
import { planOf, type SessionPlan, type SessionState } from './state.ts'

const EN = {
  goal: (text: string) => `Goal: ${text}`,
  planning: 'Progress: planning',
  done: (steps: number, of: number) => `Progress: ${steps}/${of} steps completed`,
  current: (number: number, of: number, title: string) => `Current step (${number}/${of}): ${title}`,
  used: (iterations: number) => `Iterations used: ${iterations}`,
}
type Words = typeof EN

const ZH: Words = {
  goal: (text) => `目标：${text}`,
  planning: '进度：规划中',
  done: (steps, of) => `进度：已完成 ${steps}/${of} 步`,
  current: (number, of, title) => `当前步骤（${number}/${of}）：${title}`,
  used: (iterations) => `已用迭代：${iterations}`,
}

const WORDS: Record<Locale, Words> = { en: EN, zh: ZH }
const GOAL_CHARS = 500
const TITLE_CHARS = 120

/** One line per step, with a mark for done, current and not started, and with its result if it is known. */
export function stepLines(
  titles: readonly string[],
  cursor: number,
  locale: Locale = 'en',
  results: readonly (string | null)[] = [],
): string[] {
  const mark = (index: number) => (index < cursor ? '✓' : index === cursor ? '⏳' : '⏸')
  return titles.map(
    (title, index) => `${mark(index)} ${withResult(locale, cut(title, TITLE_CHARS), results[index] ?? null)}`,
  )
}

/** `results` are those of the steps, for a person. */
export function summaryOf(
  state: SessionState,
  recall: Recall,
  brief: Brief,
  results: readonly (string | null)[] = [],
): string {
  const plan = planOf(state)
  const words = WORDS[brief.locale]
  if (plan !== null) return planSummary(plan, recall, brief, results)
  return [words.goal(cut(requestAt(recall, state.asked), GOAL_CHARS)), words.planning].join('\n')
}

function planSummary(
  plan: SessionPlan,
  recall: Recall,
  brief: Brief,
  results: readonly (string | null)[] = [],
): string {
  const words = WORDS[brief.locale]
  const titles = stepTitles(plan, recall)
  const { cursor } = plan
  const current = titles[cursor]
  return [
    words.goal(cut(requestAt(recall, plan.asked), GOAL_CHARS)),
    titles.length === 0 ? words.planning : words.done(cursor, titles.length),
    ...(current === undefined ? [] : [words.current(cursor + 1, titles.length, cut(current, TITLE_CHARS))]),
    words.used(plan.iterations),
    ...stepLines(titles, cursor, brief.locale, results),
  ].join('\n')
}

/** The progress at row `row`, without the steps that were declared or completed later. */
export function summaryAt(
  plan: SessionPlan,
  [row, iterations]: [number, number],
  recall: Recall,
  brief: Brief,
): string {
  const items = plan.items.filter(([, declared]) => declared < row)
  const cursor = plan.ends.filter((end) => (end?.[1] ?? Infinity) < row).length
  return planSummary({ ...plan, items, cursor, iterations }, recall, brief)
}
