/**
 * Replay: the state machine is run again on what is recorded, row by row from the head before each, and what comes of it is held
 * against what is stored. No model, no tool, nothing written. Every closed row is a checkpoint, so a page of rows is replayed alone.
 */
import { firstDifference, shorten } from '../terms/values/difference.ts'
import type { Recall, StoredEffect } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { rebuilt, refold } from './history.ts'
import type { ClosedRow, PendingRow } from '../protocol/journal.ts'
import { briefOf } from '../mode/mode.ts'
import { mismatchOf, mismatchOfEffect, type Mismatch } from './mismatch.ts'
import type { Difference } from '../terms/view.ts'

const at = (seq: number, mismatch: Mismatch): Difference => ({
  seq,
  path: mismatch.path,
  expected: shorten(mismatch.expected),
  found: shorten(mismatch.found),
})

/** null: the row is what the state machine makes of it – kind, effect, request, state, and the events it caused. */
export function replayRow(row: ClosedRow, before: Head | null, recall: Recall): Difference | null {
  const { seq, effect, event } = row
  const begins = before === null
  if (begins && event.kind !== 'task_created') {
    return at(seq, { path: '/event/kind', expected: 'task_created', found: event.kind })
  }
  const wrong = kindOf(row, effect?.kind ?? event.kind) ?? (before === null ? null : mismatchOf(before, row, recall))
  if (wrong !== null) return at(seq, wrong)
  const asked = before === null ? null : requestOf(seq, before, effect, recall)
  if (asked !== null) return at(seq, asked)
  const state = firstDifference(refold(row, before, recall).head, row.head, '/head')
  return state === null ? null : at(seq, state)
}

/** An effect under way: that it is the one that was wanted, and was asked for as it would be today. */
export function replayPending(row: PendingRow, before: Head, recall: Recall): Difference | null {
  const { seq, effect } = row
  const wrong =
    kindOf(row, effect.kind) ?? mismatchOfEffect(before, row, recall) ?? requestOf(seq, before, effect, recall)
  return wrong === null ? null : at(seq, wrong)
}

const kindOf = ({ kind }: Pick<ClosedRow, 'kind'>, expected: string): Mismatch | null =>
  kind === expected ? null : { path: '/kind', expected, found: kind }

/** Where the wording has changed since, or a fork inherited what was asked under other settings, there is nothing to compare. */
function requestOf(seq: number, before: Head, effect: StoredEffect | null, recall: Recall): Mismatch | null {
  if (effect?.kind !== 'call_model' || seq <= (briefOf(recall).forked?.inexact_until ?? 0)) return null
  const { version, hash } = rebuilt(effect, before, recall)
  if (version !== effect.prompt || hash === effect.hash) return null
  return { path: '/effect/hash', expected: hash, found: effect.hash }
}
export interface ReplayPage {
  /** Rows that were compared. */
  rows: number
  first_difference: Difference | null
  /** `after` of the next page; null: this was the last. */
  next: number | null
}
