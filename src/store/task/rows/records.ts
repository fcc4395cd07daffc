/** What every store derives from the records of a journal, in the same way. */
import type { Fact, Recall } from '../../../core/terms/effect.ts'
import { findKey, QUEUED_SLICE, type Journal, type Tail } from '../../../core/protocol/journal.ts'
import { unreadable } from '../../../core/terms/unreadable.ts'
import type { Facts, Rows } from './rows.ts'
import { closedRow, effectOf, keyedOf, pendingRow, queuedRow, type JournalRecord } from './schema.ts'

/** The most rows that a tail can have. */
export const TAIL_ROWS = 18

/** Takes the newest records, newest first. */
export function splitTail(records: JournalRecord[]): Tail {
  const open = records
    .slice(
      0,
      records.findIndex((record) => record.head !== null),
    )
    .toReversed()
  const closed = records.find((record) => record.head !== null)
  const [pending, ...queued] = open
  return {
    last: closed === undefined ? null : { seq: closed.seq, head: closedRow(closed).head },
    pending: pending === undefined ? null : pendingRow(pending),
    queued: queued.map(queuedRow),
  }
}

/** Rows of the request with this key that began, or were taken over, at `since` or later. Takes records oldest first. */
export function keyedRows(
  records: JournalRecord[],
  { scope, key, since }: { scope: string; key: string; since: number },
): ReturnType<Journal['rowsWithKey']> {
  return records.flatMap((record) => {
    const found = findKey(keyedOf(record), { scope, key })
    const at = found?.took_over_at ?? record.at
    if (found === null || at < since) return []
    const effect = effectOf(record)
    const opens_round =
      effect !== null && 'opens_round' in effect && effect.opens_round === true && found.took_over_at === undefined
    return [{ seq: record.seq, at, key: found, opens_round }]
  })
}

/**
 * Events that were queued behind an effect are closed in its transaction. A cancel is closed behind the effect that it takes away from its holder; a holder
 * that gives its effect up closes that row alone.
 */
export function closedWith(closed: Rows['closed'], seq: number): number {
  let [first, last] = [seq, seq]
  while (closed(first)?.slice === QUEUED_SLICE) first -= 1
  while (closed(last + 1)?.slice === QUEUED_SLICE) last += 1
  const row = closed(first)
  return row?.event.kind === 'abandoned' && row.event.by !== 'holder' ? last + 1 : last
}

/** A recall that reads each closed row once. Closed rows never change. */
export function recallOf(recall: Recall, known: Facts = new Map()): Recall {
  return (seq) => {
    const before = known.get(seq)
    if (before !== undefined) return before
    const fact = recall(seq)
    known.set(seq, fact)
    return fact
  }
}

export function foundFact(fact: Fact | null, seq: number): Fact {
  if (fact === null) throw unreadable(`row ${seq} is missing`)
  return fact
}

/** The newest rows in the form that the protocol asks for. */
export const tailQueries = (tail: () => Tail): Pick<Journal, 'last' | 'pending' | 'queued'> => ({
  last: () => tail().last,
  pending: () => tail().pending,
  queued: () => tail().queued,
})
