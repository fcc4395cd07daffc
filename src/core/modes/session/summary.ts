/** How far a plan is, in the words of its session (O4-09): at the limit, and before the model when it is gone on with. */
import type { Brief, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { stepTitles } from './plan.ts'
import { requestAt } from './replies.ts'
import { planOf, type SessionPlan, type SessionState } from './state.ts'

interface Words {
  goal(text: string): string
  planning: string
  done(steps: number, of: number): string
  current(number: number, of: number, title: string): string
  used(iterations: number): string
}
const WORDS: Record<Locale, Words> = {
  en: {
    goal: (text) => `Goal: ${text}`,
    planning: 'Progress: planning',
    done: (steps, of) => `Progress: ${steps}/${of} steps completed`,
    current: (number, of, title) => `Current step (${number}/${of}): ${title}`,
    used: (iterations) => `Iterations used: ${iterations}`,
  },
  zh: {
    goal: (text) => `目标：${text}`,
    planning: '进度：规划中',
    done: (steps, of) => `进度：已完成 ${steps}/${of} 步`,
    current: (number, of, title) => `当前步骤（${number}/${of}）：${title}`,
    used: (iterations) => `已用迭代：${iterations}`,
  },
}
const GOAL_CHARS = 500
const TITLE_CHARS = 120

/** Done, being worked on, not begun. */
export function stepLines(titles: readonly string[], cursor: number): string[] {
  const mark = (index: number) => (index < cursor ? '✓' : index === cursor ? '⏳' : '⏸')
  return titles.map((title, index) => `${mark(index)} ${cut(title, TITLE_CHARS)}`)
}

export function summaryOf(state: SessionState, recall: Recall, brief: Brief): string {
  const plan = planOf(state)
  const words = WORDS[brief.locale]
  if (plan !== null) return planSummary(plan, recall, brief)
  return [words.goal(cut(requestAt(recall, state.asked), GOAL_CHARS)), words.planning].join('\n')
}

function planSummary(plan: SessionPlan, recall: Recall, brief: Brief): string {
  const words = WORDS[brief.locale]
  const titles = stepTitles(plan, recall)
  const { cursor } = plan
  const current = titles[cursor]
  return [
    words.goal(cut(requestAt(recall, plan.asked), GOAL_CHARS)),
    titles.length === 0 ? words.planning : words.done(cursor, titles.length),
    ...(current === undefined ? [] : [words.current(cursor + 1, titles.length, cut(current, TITLE_CHARS))]),
    words.used(plan.iterations),
    ...stepLines(titles, cursor),
  ].join('\n')
}

/** The same as it was when row `row` came: steps declared or completed since then are not told. */
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
