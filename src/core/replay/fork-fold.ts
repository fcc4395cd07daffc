/**
 * Folds the rows of a task again as rows of its fork: with the same outcomes and another brief. A row that the state machine
 * would not have caused with this brief is refused. So "folding the journal gives the head" holds for the fork too.
 */
import type { SchemaValidator } from '../terms/schema/answer-form.ts'
import { NO_ALLOWANCE } from '../terms/axes.ts'
import { openBudget } from '../terms/budget.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Event, Fact, Recall } from '../terms/effect.ts'
import { applyOutcome } from './fork-edit.ts'
import type { NewFork, PastRow } from './past-row.ts'
import type { Head } from '../terms/head.ts'
import { initialHead } from './history.ts'
import { missingFile } from '../engine/awaiting.ts'
import { isRequested } from '../mode/file-request.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { reduce } from '../engine/reduce.ts'
import { withVerdict } from '../engine/result/typed-data.ts'
import { ok, refuse, type Refusal, type Result } from '../terms/refusal.ts'
import type { Settings } from '../terms/settings.ts'
import { mismatchOf } from './mismatch.ts'

/** Folds the rows, and passes each with its new head to `onRow`. `recall` reads the rows of the parent. */
export function foldFork(
  fork: NewFork,
  rows: Iterable<PastRow>,
  recall: Recall,
  fits: SchemaValidator,
  onRow: (row: PastRow, head: Head) => void,
): Result<{ head: Head; recall: Recall }> {
  const changed = new Map<number, Fact>()
  const recallOfFork: Recall = (seq) => changed.get(seq) ?? recall(seq)
  let head: Head | null = null
  const parent = briefOf(recall).settings
  for (const past of rows) {
    const refusal = head === null ? null : refusalOfRow(head, past, recallOfFork, [parent, fork.brief.settings])
    if (refusal !== null) return refuse(refusal)
    const event = eventInFork(fork, past, head, recallOfFork, fits)
    if (!event.ok) return event
    const row = { ...past, event: event.value }
    if (past.event !== row.event) changed.set(row.seq, { effect: row.effect, event: row.event, at: row.closed_at })
    head = foldRow(fork, row, head, recallOfFork)
    onRow(row, head)
  }
  return head === null ? refuse({ code: 'task_not_found' }) : ok({ head, recall: recallOfFork })
}

function foldRow(fork: NewFork, row: PastRow, before: Head | null, recall: Recall): Head {
  const { seq, at, closed_at: now_ms, effect, reserved, event } = row
  const { id, tenant, brief } = fork
  const elapsed_ms = effect === null ? 0 : now_ms - at
  const from = before ?? initialHead({ id, tenant, mode: brief.mode }, event, at)
  return reduce(from, event, { seq, now_ms, elapsed_ms, reserved, effect, recall }).head
}

/**
 * The row that tells a fork of a file for which it would wait, although the file lies there: the parent got it after the last row that
 * was copied. null: the fork waits for no such file.
 */
export function foldArrival(
  fork: NewFork,
  { head, recall }: { head: Head; recall: Recall },
  files: readonly { name: string }[],
  now_ms: number,
): { row: PastRow; head: Head } | null {
  const request = missingFile(head, { recall })
  const file = request === null ? undefined : files.find(({ name }) => isRequested(request, name))
  if (file === undefined) return null
  const event: Event = { kind: 'file_arrived', name: file.name }
  const seq = fork.at + 1
  const times = { at: now_ms, closed_at: now_ms }
  const row: PastRow = { seq, kind: event.kind, ...times, attempt: null, effect: null, reserved: null, event }
  const fact: Fact = { effect: null, event, at: now_ms }
  return { row, head: foldRow(fork, row, head, (one) => (one === seq ? fact : recall(one))) }
}

/** The event of a row in the fork. */
function eventInFork(
  fork: NewFork,
  past: PastRow,
  before: Head | null,
  recall: Recall,
  fits: SchemaValidator,
): Result<Event> {
  const { seq, kind, effect, event } = past
  if (seq === fork.at && fork.outcome !== null) {
    const question = before === null ? null : openQuestion(before, recall)
    const row = { seq, kind, effect, event, form: before?.form ?? ('json_schema' as const), question }
    const edited = applyOutcome(row, fork.outcome, fits)
    return edited.ok ? ok(withVerdict(edited.value, effect, recall, fits)) : edited
  }
  if (event.kind === 'task_created') return ok({ kind: 'task_created', brief: fork.brief })
  // What its parent was told about its drive and its callback does not reach a fork (U52).
  if (event.kind === 'task_changed') {
    const { drive, callback_url } = fork.brief
    return ok({ ...event, drive, callback_url })
  }
  // The allowance of the parent stays with the parent.
  return ok(event.kind === 'allowance_granted' ? { ...event, allowance: NO_ALLOWANCE } : event)
}

const openQuestion = ({ mode, state }: Head, recall: Recall) =>
  modeOf(mode).view(state, { recall, ended: null, thought_row: null, paused: false }).question

/** The refusal of a row that the settings of the fork would not have caused. A fork may not contain a history that could not happen. */
function refusalOfRow(before: Head, row: PastRow, recall: Recall, [parent, own]: [Settings, Settings]): Refusal | null {
  const mismatch = mismatchOf(before, row, recall)
  const hasBudget = row.event.kind === 'budget_spent' && raisedAxes(parent, own).has(row.event.axis)
  if (mismatch === null && !hasBudget) return null
  const difference =
    mismatch === null ? 'budget would not be spent' : `${mismatch.path} would be ${String(mismatch.expected)}`
  const changed = firstDifference(parent, own) !== null
  const [pointer, subject] = changed ? ['/settings', 'settings do not'] : ['/at', 'at does not']
  const message = `${subject} go with row ${row.seq}, ${row.kind}: its ${difference}; fork at a row before it`
  return { code: 'validation_failed', errors: [{ pointer, message }] }
}

/** The axes of which the fork may use more than its parent. */
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
  return new Set(axes.flatMap(([axis, raised]) => (raised ? [axis] : [])))
}
