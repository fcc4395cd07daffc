/** How a decision changes the list of steps: in every decision, before an action is chosen (R18), and only so often (S3-38). */
import type { Note, Recall } from '../../terms/effect.ts'
import type { Context } from '../../mode/mode.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { ITEMS_MAX, type Decision } from './contract.ts'
import { listNote, titleOf } from '../plan/items.ts'
import type { Item } from '../plan/plan.ts'
import { STEPS } from './replies.ts'
import type { DynamicPlan } from './state.ts'

/** Characters of what a guard shows as its evidence. */
const EVIDENCE_CHARS = 200

interface AdjustedPlan {
  plan: DynamicPlan
  notes: Note[]
  /** Whether steps were added. */
  added: boolean
}

export function adjust(plan: DynamicPlan, decision: Decision, { seq, recall, brief }: Context): AdjustedPlan {
  const unchanged = { plan, notes: [], added: false }
  if (!brief.settings.dynamic_planning) return unchanged
  const kept = without(plan, decision.remove_steps, recall)
  const room = Math.max(0, ITEMS_MAX - kept.length)
  const added = decision.add_steps.slice(0, room).map((_, index): Item => [plan.next_id + index, seq, index])
  const refused = decision.add_steps.slice(room).map(({ name }) => name)
  const full = refused.length === 0 ? [] : [guard('plan_full', ITEMS_MAX, refused)]
  if (added.length === 0 && kept.length === plan.items.length) return { ...unchanged, notes: full }
  if (plan.adjustments >= brief.settings.max_adjustments) return { ...unchanged, notes: [tooOften(plan, decision)] }
  // Directly behind the current step, in the order they are listed.
  const items = kept.toSpliced(plan.cursor + 1, 0, ...added)
  const next: DynamicPlan = {
    ...plan,
    row: seq,
    revision: plan.revision + 1,
    items,
    next_id: plan.next_id + added.length,
    adjustments: plan.adjustments + 1,
  }
  return { plan: next, notes: [listNote(STEPS, 'plan_adjusted', next, recall), ...full], added: added.length > 0 }
}

/** Only later steps can be removed; a name that none of them has is ignored. */
function without({ items, cursor }: DynamicPlan, names: string[], recall: Recall): Item[] {
  if (names.length === 0) return items
  const gone = new Set(names)
  return items.filter((item, index) => index <= cursor || !gone.has(titleOf(STEPS, item, recall)))
}

function tooOften({ adjustments }: DynamicPlan, { add_steps, remove_steps }: Decision): Note {
  return guard('max_adjustments', adjustments, [...add_steps.map(({ name }) => name), ...remove_steps])
}

/** Whether no further decision may change the list. */
export const isFixed = ({ adjustments }: DynamicPlan, { dynamic_planning, max_adjustments }: Settings): boolean =>
  !dynamic_planning || adjustments >= max_adjustments

export const guard = (name: string, count: number, evidence: string[]): Note => ({
  type: 'loop_guard',
  payload: { guard: name, count, evidence: cut(evidence.join(', '), EVIDENCE_CHARS) },
})
