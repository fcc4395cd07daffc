/** Rows of a task as a fork takes them over. */
import type { ClosedRow } from '../protocol/journal.ts'
import type { StoredEffect, Event, Brief } from '../terms/effect.ts'
import type { OutcomeEdit } from './fork-edit.ts'

/** A closed row without what belongs to its own task alone: its key, its slice, its lease, its head. */
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
/** The new task. */
export interface Origin {
  id: string
  tenant: string
  brief: Brief
  at: number
  outcome: OutcomeEdit | null
}
export const pastOf = ({ seq, kind, at, lease, effect, reserved, event, head }: ClosedRow): PastRow => ({
  seq,
  kind,
  at,
  closed_at: head.updated_at,
  attempt: lease?.attempt ?? null,
  effect,
  reserved,
  event,
})
