/**
 * A replay runs the state machine again on the recorded rows, each from the head before it, and compares the result with what
 * is stored. It calls no model and no tool, and writes nothing. Every closed row has a head, so a page can be replayed alone.
 */
import { standInFor } from '../engine/model-choice.ts'
import { firstDifference, shorten } from '../terms/values/difference.ts'
import type { Recall, StoredEffect } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { rebuildRequest, refold } from './history.ts'
import type { ClosedRow, PendingRow, StoredClosedRow } from '../protocol/journal.ts'
import { briefOf } from '../mode/mode.ts'
import { mismatchOf, mismatchOfEffect, type Mismatch } from './mismatch.ts'
import type { Difference } from '../shown/replay-view.ts'

const differenceAt = (seq: number, mismatch: Mismatch): Difference => ({
  seq,
  path: mismatch.path,
  expected: shorten(mismatch.expected),
  found: shorten(mismatch.found),
})

/**
 * The first difference of a row in its kind, effect, request, state or observer events. null: there is none. Guessed members of
 * the head are not compared.
 */
export function replayRow(row: StoredClosedRow, before: Head | null, recall: Recall): Difference | null {
  const { seq, effect, event } = row
  if (before === null && event.kind !== 'task_created') {
    return differenceAt(seq, { path: '/event/kind', expected: 'task_created', found: event.kind })
  }
  const mismatch = kindMismatch(row, effect?.kind ?? event.kind) ?? (before && mismatchOf(before, row, recall))
  if (mismatch !== null) return differenceAt(seq, mismatch)
  const request =
    before && (requestMismatch(seq, before, effect, recall) ?? endpointMismatch(seq, before, effect, recall))
  if (request !== null) return differenceAt(seq, request)
  const guessed = row.guessed.map((pointer) => `/head${pointer}`)
  const state = firstDifference(refold(row, before, recall).head, row.head, '/head', guessed)
  return state === null ? null : differenceAt(seq, state)
}

/** The first difference of a running effect: it is another one than expected, or its request would be another one today. */
export function replayPending(row: PendingRow, before: Head, recall: Recall): Difference | null {
  const { seq, effect } = row
  const mismatch =
    kindMismatch(row, effect.kind) ??
    mismatchOfEffect(before, row, recall) ??
    requestMismatch(seq, before, effect, recall) ??
    endpointMismatch(seq, before, effect, recall)
  return mismatch === null ? null : differenceAt(seq, mismatch)
}

const kindMismatch = ({ kind }: Pick<ClosedRow, 'kind'>, expected: string): Mismatch | null =>
  kind === expected ? null : { path: '/kind', expected, found: kind }

/** Compares the request. It cannot be compared if the wording of the prompt is newer, or a fork copied it from other settings. */
function requestMismatch(seq: number, before: Head, effect: StoredEffect | null, recall: Recall): Mismatch | null {
  if (effect?.kind !== 'call_model' || seq <= (briefOf(recall).forked?.inexact_until ?? 0)) return null
  const { version, hash } = rebuildRequest(effect, before, recall)
  if (version !== effect.prompt || hash === effect.hash) return null
  return { path: '/effect/hash', expected: hash, found: effect.hash }
}

/** Compares the endpoint of a call. The settings of a fork choose others than those that its copied rows were sent to. */
function endpointMismatch(seq: number, before: Head, effect: StoredEffect | null, recall: Recall): Mismatch | null {
  const brief = briefOf(recall)
  if (effect?.kind !== 'call_model' || seq <= (brief.forked?.inexact_until ?? 0)) return null
  const [expected, found] = [standInFor(before, brief, effect.phase), effect.endpoint ?? null]
  return expected === found ? null : { path: '/effect/endpoint', expected, found }
}

export interface ReplayPage {
  /** How many rows were compared. */
  rows: number
  first_difference: Difference | null
  /** The `after` of the next page. null: this was the last page. */
  next: number | null
}
