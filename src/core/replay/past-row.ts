/** Rows of a task as a fork copies them. */
import type { ClosedRow } from '../protocol/journal.ts'
import type { StoredEffect, Event, Brief } from '../terms/effect.ts'
import type { OutcomeEdit } from './fork-edit.ts'

/** A closed row without the parts that belong only to its own task: its key, slice, lease and head. */
export interface PastRow {
  seq: number
  kind: string
  at: number
  closed_at: number
  attempt: number | null
  effect: StoredEffect | null
  reserved: ClosedRow['reserved']
  event: Event
}
/** The task that a fork creates: `at` is its last copied row, and `outcome` replaces the outcome of that row. */
export interface NewFork {
  id: string
  tenant: string
  brief: Brief
  at: number
  outcome: OutcomeEdit | null
}
export const toPastRow = ({ seq, kind, at, lease, effect, reserved, event, head }: ClosedRow): PastRow => ({
  seq,
  kind,
  at,
  closed_at: head.updated_at,
  attempt: lease?.attempt ?? null,
  effect,
  reserved,
  event,
})
