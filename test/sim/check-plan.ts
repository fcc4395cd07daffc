/** The laws of a plan and of what a task has reached, from one row to the next. */
import { goalOutcome } from '../../src/core/engine/outcome.ts'
import { ITEM_ENDINGS } from '../../src/core/mode/endings.ts'
import { finishedCount, FINISHED_MAX, Plan } from '../../src/core/modes/plan/plan.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Recall } from '../../src/core/terms/effect.ts'
import type { Head } from '../../src/core/terms/head.ts'
import { same } from './same.ts'
import { demand } from './violation.ts'

const PlanOrNone = Plan.nullable()
/** By head: each is looked at twice, as that of its row and as the one before the next. */
const finished_counts = new WeakMap<Head, number>()

function finishedOf(head: Head): number {
  const known = finished_counts.get(head)
  if (known !== undefined) return known
  const plan = PlanOrNone.parse(head.state['plan'])
  const count = plan === null ? 0 : finishedCount(plan)
  finished_counts.set(head, count)
  return count
}

/** A model that keeps its list by itself may open a ticked task again. */
const REOPENS_ITEMS: ReadonlySet<string> = new Set(['autonomous'])

export function checkPlan(before: Head | null, head: Head, seq: number, recall: Recall): void {
  const where = () => `row ${seq}`
  const { actions, successful_actions: good, failed_actions: bad } = head.counters
  const isCounted = good >= 0 && bad >= 0 && actions === good + bad
  demand(isCounted, 'an action succeeds or fails', () => `row ${seq}: ${actions} actions, ${good} and ${bad}`)
  const finished = finishedOf(head)
  const fell = before !== null && !REOPENS_ITEMS.has(head.mode) && finished < finishedOf(before)
  demand(!fell, 'finished items do not become fewer', where)
  const ended = head.end === null ? null : ITEM_ENDINGS[head.end.status]
  const { plan } = modeOf(head.mode).view(head.state, { recall, ended, thought_row: null, paused: false })
  const ids = new Set(plan.finished.map(({ id }) => id))
  demand(ids.size === plan.finished.length, 'an item is finished once', where)
  const isWhole = plan.finished_count === finished && plan.finished.length === Math.min(FINISHED_MAX, finished)
  demand(isWhole, 'finished items are shown', () => `row ${seq}: ${plan.finished.length} of ${finished}`)
  // An item that has not ended is open, or was left open by the end of the task.
  const open = plan.items.filter(({ id }) => !ids.has(id))
  const isOpen = open.every(({ status }) => status === 'pending' || status === 'running' || head.end !== null)
  demand(isOpen || plan.items.length > FINISHED_MAX, 'an item is finished or open', where)
  const stays = before !== null && before.end !== null && same(before.end, head.end)
  demand(
    !stays || same(goalOutcome(before, recall), goalOutcome(head, recall)),
    'the outcome of an ended task stays',
    where,
  )
}
