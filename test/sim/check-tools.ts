/**
 * The laws of sources and held calls, from the rows alone: a task that is not over always has something due or asks somebody, a call that
 * nobody waits for any more is told to its server in the transaction that drops it, and each row says what its server did.
 */
import { awaitedRow } from '../../src/core/engine/awaiting.ts'
import { isSideTurn } from '../../src/core/engine/idle.ts'
import type { DroppedCall } from '../../src/core/engine/tools/held-calls.ts'
import { dueOf } from '../../src/core/protocol/alarm-times.ts'
import type { ObjectContext } from '../../src/core/protocol/advance.ts'
import { expectedEffect } from '../../src/core/protocol/expected-effect.ts'
import type { ClosedRow, Journal } from '../../src/core/protocol/journal.ts'
import type { Fact } from '../../src/core/terms/effect.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { SimRows } from './cached-rows.ts'
import type { Coverage } from './coverage.ts'
import { OUTSIDE, type Outside } from './outside.ts'
import { placeOf } from './effects.ts'
import { demand } from './violation.ts'

/** The row of which a server knows that a head holds it. A lost call that had begun anew is held for a person alone. */
const heldOutside = ({ held }: Head): number | null =>
  held?.kind === 'lost' ? (held.from?.row ?? null) : (held?.row ?? null)

/** The states of the calls that rows have dropped. A result ends a call, and so drops none; a refusal is written here and not by a server. */
function droppedBy(rows: SimRows, fresh: readonly ClosedRow[]): string[] {
  return fresh.flatMap(({ seq, head, event }) => {
    const before = rows.closed(seq - 1)?.head
    const row = before === undefined ? null : heldOutside(before)
    const hasResult = event.kind === 'tool_returned' && event.code !== 'refused'
    if (row === null || head.held !== null || hasResult) return []
    const held = rows.recall(row).event
    return 'state' in held ? [held.state] : []
  })
}

export function checkDrops(
  rows: SimRows,
  fresh: readonly ClosedRow[],
  dropped: readonly DroppedCall[],
  seen: Coverage,
): void {
  for (const row of fresh) checkWait(row, rows.closed(row.seq - 1)?.head)
  const expected = droppedBy(rows, fresh)
  const told = dropped.map(({ state }) => state)
  demand(
    expected.join() === told.join(),
    'a held call that nobody waits for is told to its server',
    () => `rows ${fresh.map(({ seq }) => seq).join()}: ${told.join() || 'none'}, not ${expected.join()}`,
  )
  if (expected.length > 0) seen('held call dropped')
}

/** Longer than any wait between two tries or looks. */
const WAIT_MS_MAX = 2 * 3_600_000

/** A task of which nothing is due would hang: the service would never come back to it. */
export function checkDue({ id, rows }: { id: string; rows: SimRows }, here: ObjectContext): void {
  const head = rows.last()?.head
  if (head === undefined || head.end !== null || head.lists.length === 0) return
  const shown = () =>
    `${id} at row ${rows.last()?.seq}: ${JSON.stringify({ held: head.held, retry_at: head.retry_at })}`
  const isWaiting = head.retry_at !== null
  const hasCause = head.held?.kind === 'outside' || head.streak.count > 0
  demand(!isWaiting || hasCause, 'nothing is waited for without a cause', shown)
  if (rows.pending() !== null || (head.pause_reason !== null && !isSideTurn(head))) return
  const { drive, tend } = dueOf(inBackground(rows), [], here)
  demand(drive !== null || tend !== null, 'something is due, or somebody is asked', shown)
  const next = expectedEffect(head, rows.recall)
  const waits = head.asking_since !== null || awaitedRow(head) !== null
  demand(waits === (next.kind === 'nothing'), 'a task that asks nobody goes on', shown)
}

/** A server may ask for a look in a year, and an endpoint for a try in a day. */
function checkWait({ seq, head }: ClosedRow, before: Head | undefined): void {
  const { retry_at, updated_at } = head
  const isNew = retry_at !== null && retry_at !== before?.retry_at
  demand(!isNew || retry_at - updated_at <= WAIT_MS_MAX, 'a wait is bounded', () => `row ${seq}: ${retry_at}`)
}

/** The task as one that the service drives, so that all that is due of it has a time. */
function inBackground(rows: SimRows): Journal {
  return { ...rows, recall: (seq) => driven(rows.recall(seq)) }
}

function driven(fact: Fact): Fact {
  const { event } = fact
  if (event.kind === 'task_created')
    return { ...fact, event: { ...event, brief: { ...event.brief, drive: 'background' } } }
  return event.kind === 'task_changed' ? { ...fact, event: { ...event, drive: 'background' } } : fact
}

/** Each call outside is of one row of its task, which says what the server answered. */
export function checkOutside({ calls }: Outside, { id, rows }: { id: string; rows: SimRows }, life: number): void {
  for (const [name, made] of calls) {
    if (made.task !== id || made.life !== life) continue
    const { seq } = placeOf(name)
    const { event, effect } = rows.closed(seq) ?? { event: null, effect: null }
    const isOwn = effect?.kind === 'run_tool' && effect.tool === made.tool
    demand(isOwn, 'a call outside is journaled once', () => `${name} ${made.tool} is ${event?.kind} in the journal`)
    const told = event?.kind === 'tool_returned' && event.code === OUTSIDE
    const text = 'kind' in made.answer ? null : made.answer.text
    demand(!told || event.text === text, 'a row says what its server answered', () => name)
  }
}

/** Counts what sources and held calls do, for the counters that must not stay at zero. */
export function noteTools({ rows, row }: { rows: SimRows; row: ClosedRow }, seen: Coverage): void {
  const { event, effect, head, seq, lease } = row
  const before = rows.closed(seq - 1)?.head
  if (before === undefined || head.lists.length + before.lists.length === 0) return
  if (effect?.kind === 'list_tools') noteList(row, before, seen)
  if (event.kind === 'tool_asked') seen(`tool asks: ${head.mode}`)
  if (event.kind === 'tool_waits') seen(`tool waits: ${head.mode}`)
  if (event.kind === 'tool_answered') {
    const asked = rows.recall(event.request).event.kind
    seen(asked === 'tool_asked' ? `tool answered: ${event.action}` : `lost call: ${event.action}`)
  }
  if (event.kind === 'question_expired' && before.held !== null) seen('question of a tool expired')
  if (head.held?.expired === true && before.held?.expired === false) seen('held call expired')
  if ((head.held?.looks ?? 0) > 1) seen('looked at again')
  if (event.kind === 'plan_edited' && before.held !== null && head.held === null) seen('held call edited away')
  if (head.held !== null && head.held.row === before.held?.row && head.pause_reason !== null) seen('held while paused')
  if (before.held !== null && effect?.kind === 'run_tool' && (lease?.attempt ?? 1) > 1) seen('look taken over')
  if (before.lists.some(({ changed }) => !changed) && head.lists.some(({ changed }) => changed)) seen('list changed')
}

function noteList({ event, head, lease }: ClosedRow, before: Head, seen: Coverage): void {
  if (event.kind === 'tools_listed') seen((lease?.attempt ?? 1) > 1 ? 'list taken over' : 'listed')
  if (event.kind === 'tools_unlisted') seen(event.passing ? 'unlisted: passing' : 'unlisted: lasting')
  if (event.kind === 'outcome_unknown') seen('list given up')
  const isGiven =
    head.lists.filter(({ row }) => row !== null).length > before.lists.filter(({ row }) => row !== null).length
  if (event.kind !== 'tools_listed' && isGiven) seen('gone on without a source')
  if (head.pause_reason?.kind === 'tools_unavailable') seen('paused for a source')
  if (event.kind === 'tools_listed' && before.counters.model_calls > 0) seen('listed again')
}
