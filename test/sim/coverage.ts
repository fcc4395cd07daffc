/** The *sometimes*-counters: what must have happened in a run for its silence to mean anything (reliability rule 12). */
import { MODE_NAMES } from '../../src/core/modes/names.ts'

export type Coverage = (what: string) => void
export type Counts = Map<string, number>

export const counting =
  (counts: Counts): Coverage =>
  (what) =>
    void counts.set(what, (counts.get(what) ?? 0) + 1)

/** Calls a worker can die around. */
const CALLS = [
  'store.create',
  'store.begin',
  'store.commit',
  'store.input',
  'store.topUp',
  'store.editPlan',
  'store.fund',
  'store.cancel',
  'store.remove',
  'store.read',
  'workspace.admit',
  'workspace.reserve',
  'workspace.giveBack',
  'workspace.setStatus',
  'workspace.drop',
  'workspace.command',
  'model.plan',
  'model.thought',
  'model.replan',
  'model.think',
  'model.step_decision',
  'model.action',
  'model.turn',
  'tool.schedule',
  'tool.internet_search',
  'tool.write_file',
  'tool.ring',
]

export const SOMETIMES: readonly string[] = [
  ...CALLS.flatMap((call) => [`crash before ${call}`, `crash after ${call}`]),
  'object reset',
  'reboot',
  'clock back',
  'clock forward',
  'hang-up',
  'delayed delivery',
  'repeated delivery',
  'lost reply',
  'fenced commit',
  'repeated commit',
  'orphaned call',
  'resumed tool',
  'outcome_unknown',
  'tool given up',
  'queued event applied',
  'replan after input',
  'cancel in flight',
  'delete in flight',
  'replayed key',
  'request_in_progress',
  'task_busy',
  'idempotency_key_reused',
  'question_settled',
  'task_ended',
  'limit hit: steps',
  'limit hit: tokens',
  'limit hit: cost_usd',
  'limit hit: seconds',
  'limit hit: tenant',
  'ending: completed done',
  'ending: failed contract_failures',
  'ending: failed step_failed',
  'ending: failed loop_detected',
  'ending: canceled canceled',
  ...MODE_NAMES.map((mode) => `mode: ${mode}`),
  'paused: model_unavailable',
  'paused: iteration_limit',
  'side turn',
  'aside_refused',
  'next run',
  'paused: budget_exhausted:steps',
  'paused: budget_exhausted:tokens',
  'paused: budget_exhausted:cost_usd',
  'paused: budget_exhausted:seconds',
  'paused: budget_exhausted:tenant',
  'answered question',
  ...['plan', 'action'].flatMap((what) => ['approved', 'rejected', 'changes'].map((verdict) => `${what} ${verdict}`)),
  'edit',
  'edit that waited',
  'ending: failed aborted',
  'effect compared with its row',
  'over_reserve',
]

export const missing = (counts: Counts): string[] => SOMETIMES.filter((what) => (counts.get(what) ?? 0) === 0)
