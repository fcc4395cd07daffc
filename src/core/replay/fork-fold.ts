/**
 * The rows of one task folded again as those of its fork: the same outcomes, another brief. Whatever the state machine would not have
 * wanted by that brief is refused, so that the law "folding the journal gives the head" holds for the fork as for any task.
 */
import type { SchemaValidator } from '../terms/schema/answer-form.ts'
import { NO_ALLOWANCE } from '../terms/axes.ts'
import { openBudget } from '../terms/budget.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Event, Fact, Recall } from '../terms/effect.ts'
import { applyOutcome } from './fork-edit.ts'
import type { Origin, PastRow } from './past-row.ts'
import type { Head } from '../terms/head.ts'
import { originOf } from './history.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { reduce } from '../engine/reduce.ts'
import { ok, refuse, type Refusal, type Result } from '../terms/refusal.ts'
import type { Settings } from '../terms/settings.ts'
import { mismatchOf } from './mismatch.ts'

/** Folds the rows again, up to that of the fork; `keep` is given each with its new head. `recall` is the parent's. */
export function foldFork(
  fork: Origin,
  rows: Iterable<PastRow>,
  recall: Recall,
  fits: SchemaValidator,
  keep: (row: PastRow, head: Head) => void,
): Result<{ head: Head; recall: Recall }> {
  const own = new Map<number, Fact>()
  const recalled: Recall = (seq) => own.get(seq) ?? recall(seq)
  let head: Head | null = null
  const parent = briefOf(recall).settings
  for (const past of rows) {
    const against = head === null ? null : objection(head, past, recalled, [parent, fork.brief.settings])
    if (against !== null) return refuse(against)
    const told = eventIn(fork, past, head, recalled, fits)
    if (!told.ok) return told
    const row = { ...past, event: told.value }
    if (past.event !== row.event) own.set(row.seq, { effect: row.effect, event: row.event, at: row.closed_at })
    head = folded(fork, row, head, recalled)
    keep(row, head)
  }
  return head === null ? refuse({ code: 'task_not_found' }) : ok({ head, recall: recalled })
}

function folded(fork: Origin, row: PastRow, before: Head | null, recall: Recall): Head {
  const { seq, at, closed_at: now_ms, effect, reserved, event } = row
  const { id, tenant, brief } = fork
  const elapsed_ms = effect === null ? 0 : now_ms - at
  const from = before ?? originOf({ id, tenant, mode: brief.mode }, event, at)
  return reduce(from, event, { seq, now_ms, elapsed_ms, reserved, effect, recall }).head
}

/** What the row says in the fork. */
function eventIn(
  fork: Origin,
  past: PastRow,
  before: Head | null,
  recall: Recall,
  fits: SchemaValidator,
): Result<Event> {
  const { seq, kind, effect, event } = past
  if (seq === fork.at && fork.outcome !== null) {
    const question = before === null ? null : openQuestion(before, recall)
    return applyOutcome({ seq, kind, effect, event, form: before?.form ?? 'json_schema', question }, fork.outcome, fits)
  }
  if (event.kind === 'task_created') return ok({ kind: 'task_created', brief: fork.brief })
  // What a task holds of its tenant's day stays with it.
  return ok(event.kind === 'allowance_granted' ? { ...event, allowance: NO_ALLOWANCE } : event)
}

const openQuestion = ({ mode, state }: Head, recall: Recall) =>
  modeOf(mode).view(state, { recall, ended: null, thought_row: null, paused: false }).question

/** By its settings the fork would have another row here, or none: a history that did not happen is not written. */
function objection(before: Head, row: PastRow, recall: Recall, [parent, own]: [Settings, Settings]): Refusal | null {
  const mismatch = mismatchOf(before, row, recall)
  const freed = row.event.kind === 'budget_spent' && raisedAxes(parent, own).has(row.event.axis)
  if (mismatch === null && !freed) return null
  const wanted =
    mismatch === null ? 'budget would not be spent' : `${mismatch.path} would be ${String(mismatch.expected)}`
  const changed = firstDifference(parent, own) !== null
  const [pointer, by] = changed ? ['/settings', 'settings do not'] : ['/at', 'at does not']
  const message = `${by} go with row ${row.seq}, ${row.kind}: its ${wanted}; fork at a row before it`
  return { code: 'validation_failed', errors: [{ pointer, message }] }
}

/** Axes of which the fork may use more than its parent. */
function raisedAxes(before: Settings, after: Settings): ReadonlySet<string> {
  const [from, to] = [openBudget(before), openBudget(after)]
  const isRaised = (one: { max: number | null }, other: { max: number | null }) =>
    (other.max ?? Infinity) > (one.max ?? Infinity)
  const axes = [
    ['steps', isRaised(from.steps, to.steps)],
    ['tokens', isRaised(from.tokens, to.tokens)],
    ['cost_usd', isRaised(from.cost, to.cost)],
    ['seconds', isRaised(from.working_ms, to.working_ms)],
  ] as const
  return new Set(axes.flatMap(([axis, is]) => (is ? [axis] : [])))
}
