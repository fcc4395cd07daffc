/** The plan and replan phases. The reply is always a complete list (S0-20), with a summary when nothing is left (S0-54…S0-59). */
import { momentNow, type PlanContext, type ReplanContext } from './context.ts'
import { missingTitles, readGoal } from './goal/goal.ts'
import { writeSummary } from './summary.ts'

/** The most items that are planned at once; the rest of a longer goal is added when these are done. */
const PLAN_MAX = 50
/** The most items of one task; the context does not report more finished ones. */
export const TOTAL_MAX = 90

interface RulesPlanReply {
  status: 'planned'
  plan: string[]
}
interface RulesReplanReply {
  status: 'replanned' | 'done'
  plan: string[]
  response: string | null
  /** false: a part of what the user wants was not taken up. */
  achieved: boolean | null
}

export function plan(context: PlanContext): RulesPlanReply {
  const now = momentNow(context.local_time)
  const { intents } = readGoal(context.goal, context.remarks, now)
  return { status: 'planned', plan: missingTitles(intents, [], context.locale, now).slice(0, PLAN_MAX) }
}

/** Open items keep their titles and so their ids; requests from remarks are added at the end. */
export function replan(context: ReplanContext): RulesReplanReply {
  const now = momentNow(context.local_time)
  const { intents, unread } = readGoal(context.goal, context.remarks, now)
  const open = context.plan.slice(context.cursor).map((item) => item.title)
  const fresh = missingTitles(intents, [...context.completed.map(({ title }) => title), ...open], context.locale, now)
  const room = Math.max(0, TOTAL_MAX - context.completed.length - open.length)
  const list = [...open, ...fresh.slice(0, room)].slice(0, PLAN_MAX)
  if (list.length > 0) return { status: 'replanned', plan: list, response: null, achieved: null }
  const achieved = unread.length + fresh.length > 0 ? false : null
  return { status: 'done', plan: [], response: writeSummary(context, { unread, left: fresh.length }), achieved }
}
