/** A decision may change the list of steps, before an action is chosen (R18). The number of changes is bounded (S3-38). */
import type { Note } from '../../terms/effect.ts'
import type { HandlerContext } from '../../mode/mode.ts'
import type { Guard } from '../../terms/plain/wire-names.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { ITEMS_MAX, type Decision } from './contract.ts'
import { listItems, listNote } from '../plan/items.ts'
import type { Item } from '../plan/plan.ts'
import { STEPS } from './replies.ts'
import type { DynamicPlan, Hint } from './state.ts'

/** Characters of the evidence of a guard. */
const EVIDENCE_CHARS = 200

interface AdjustedPlan {
  plan: DynamicPlan
  notes: Note[]
  /** Whether steps were added. */
  added: boolean
  /** What the decision asked for and did not get. */
  hints: Hint[]
}

export function adjust(plan: DynamicPlan, decision: Decision, context: HandlerContext): AdjustedPlan {
  const { seq, recall, brief } = context
  const unchanged = { plan, notes: [], added: false, hints: [] }
  const { add_steps, remove_steps } = decision
  if (!brief.settings.dynamic_planning) return unchanged
  const { remaining, unknown } = withoutSteps(plan, remove_steps, context)
  const hints = unknown.length === 0 ? [] : [hint('unknown_steps', seq, unknown)]
  const room = Math.max(0, ITEMS_MAX - remaining.length)
  const additions = add_steps.slice(0, room).map((_, index): Item => [plan.next_id + index, seq, index])
  const rejected_names = add_steps.slice(room).map(({ name }) => name)
  const isFull = rejected_names.length > 0
  const fullNotes = isFull ? [guard('plan_full', ITEMS_MAX, rejected_names)] : []
  const fullHints = isFull ? [hint('plan_full', seq)] : []
  if (additions.length === 0 && remaining.length === plan.items.length)
    return { ...unchanged, notes: fullNotes, hints: [...hints, ...fullHints] }
  if (plan.adjustments >= brief.settings.max_adjustments)
    return { ...unchanged, notes: [tooManyNote(plan, decision)], hints: [hint('plan_fixed', seq)] }
  // New steps stand directly behind the current step, in their order.
  const items = remaining.toSpliced(plan.cursor + 1, 0, ...additions)
  const next: DynamicPlan = {
    ...plan,
    row: seq,
    revision: plan.revision + 1,
    items,
    next_id: plan.next_id + additions.length,
    adjustments: plan.adjustments + 1,
  }
  return {
    plan: next,
    notes: [listNote(STEPS, 'plan_adjusted', next, recall), ...fullNotes],
    added: additions.length > 0,
    hints: [...hints, ...fullHints],
  }
}

/** At most this many unknown names are told. */
const UNKNOWN_MAX = 5

const hint = (kind: Hint['kind'], row: number, indexes: number[] = []): Hint => ({
  kind,
  row,
  indexes: indexes.slice(0, UNKNOWN_MAX),
})

const normalize = (name: string): string => name.trim().toLowerCase()

/** The list without the later steps that are named by id or title. `unknown`: the positions of names that no later step has. */
function withoutSteps({ items, cursor }: DynamicPlan, names: readonly string[], { recall }: HandlerContext) {
  if (names.length === 0) return { remaining: items, unknown: [] }
  const later = listItems(STEPS, items.slice(cursor + 1), recall).map(({ id, title }) => [
    normalize(id),
    normalize(title),
  ])
  const wanted = new Set(names.map(normalize))
  const known = new Set(later.flat())
  return {
    remaining: items.filter((_, index) => !(later[index - cursor - 1] ?? []).some((name) => wanted.has(name))),
    unknown: names.flatMap((name, index) => (known.has(normalize(name)) ? [] : [index])),
  }
}

function tooManyNote({ adjustments }: DynamicPlan, { add_steps, remove_steps }: Decision): Note {
  return guard('max_adjustments', adjustments, [...add_steps.map(({ name }) => name), ...remove_steps])
}

/** Whether no further decision may change the list. */
export const isFixed = ({ adjustments }: DynamicPlan, { dynamic_planning, max_adjustments }: Settings): boolean =>
  !dynamic_planning || adjustments >= max_adjustments

export const guard = (name: Guard, count: number, evidence: string[]): Note => ({
  type: 'loop_guard',
  payload: { guard: name, count, evidence: cut(evidence.join(', '), EVIDENCE_CHARS) },
})
