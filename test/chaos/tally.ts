/** The findings of a run: broken laws with their task, and the *sometimes*-counters, without which a success means nothing. */

import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'

export interface Violation {
  law: string
  detail: string
  task: string | null
}
export interface Tally {
  violations: Violation[]
  counts: Map<string, number>
  seen(what: string, times?: number): void
  demand(holds: boolean, law: string, detail: () => string, task?: string | null): void
}

export function newTally(): Tally {
  const counts = new Map<string, number>()
  const violations: Violation[] = []
  return {
    violations,
    counts,
    seen: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    demand(holds, law, detail, task = null) {
      if (!holds) violations.push({ law, detail: detail(), task })
    },
  }
}

/** With fewer kills than this, rare events may be missing by chance. */
export const KILLS_FOR_COUNTERS = 50

/** Faults of the scripted model; a garbled reply is a completion that breaks its contract. */
export const FAULTS = ['http 500', 'http 429', 'cut reply', 'hang-up', 'not JSON', 'garbled'] as const
export type Fault = (typeof FAULTS)[number]

export const SOMETIMES: readonly string[] = [
  ...FAULTS.map((fault) => `fault: ${fault}`),
  'kill during a model call',
  'kill during a search',
  'kill during a call of a tool',
  'kill during a background slice',
  'kill while a worker asks',
  'kill during a message',
  'kill at a fork',
  'kill at a DELETE',
  'kill between two writes',
  'kill just after a reply that names a tool',
  'kill while several tools act',
  'kill while booting',
  'request lost and sent again',
  'request gone on with',
  'replayed key',
  'task_busy or request_in_progress',
  'orphaned call',
  'resumed tool',
  'question answered',
  'remark heard',
  'queued behind a call',
  'top-up',
  'budget exhausted',
  'daily total exhausted',
  'canceled',
  'abandoned call',
  ...MODE_NAMES.map((mode) => `ended: ${mode}`),
  ...MODE_NAMES.map((mode) => `driven to its end: ${mode}`),
  'another run of a session',
  'idempotent tool called again',
  'answer by a link',
  'approval',
  'plan edited',
  'paused',
  'resumed',
  'fork',
  'deleted',
  'file put',
  ...['autonomous', 'dynamic', 'session'].map((mode) => `awaited file put: ${mode}`),
  'kill at the PUT of an awaited file',
  'file read back',
  'callback told',
  'callback refused',
  'callback tried again',
  'claim',
  'worker died with its claim',
  'report',
  'the same report again',
  'reported twice',
  'report expired',
  'typed result',
  'event followed',
  'followed on after a break',
  'followed to the end',
  'tick that has come',
  'tick created',
  'requested run created',
  'run of an earlier request',
  'schedule replaced',
  'schedule resumed',
  'agent put',
  'agent put again',
  'task of an agent',
]

/** The events that never happened in a run that was long enough for them. */
export const missing = (tally: Tally, kills: number): string[] =>
  kills < KILLS_FOR_COUNTERS ? [] : SOMETIMES.filter((what) => (tally.counts.get(what) ?? 0) === 0)
