/** What a slice tells of itself when it is over: one report for the log, the metrics and the analytics. */
import type { Assignment } from '../../core/engine/assignment.ts'
import type { StepResult } from '../../core/protocol/task-answers.ts'
import type { Event } from '../../core/terms/effect.ts'
import { microDollars } from '../../core/terms/money.ts'
import type { Result } from '../../core/terms/refusal.ts'
import type { TaskView } from '../../core/terms/view.ts'
import type { SliceReport } from '../../telemetry/reports.ts'
import type { Bounds, Caller, TaskAnswer } from '../caller.ts'
import type { Ports } from '../ports.ts'

/** What the transactions of a slice have done so far. */
export interface SliceTally {
  mode: string | null
  rounds: number
  has_ended: boolean
  model: string | null
  charged: { steps: number; tokens: number; cost: number; orphaned: number }
}
export const newTally = (): SliceTally => ({
  mode: null,
  rounds: 0,
  has_ended: false,
  model: null,
  charged: { steps: 0, tokens: 0, cost: 0, orphaned: 0 },
})

/** An answer that is shown again has charged nothing. */
export function tallyResult(tally: SliceTally, { charged }: StepResult): void {
  if (charged === undefined) return
  const { charged: sum } = tally
  tally.mode = charged.mode
  tally.has_ended ||= charged.ended
  sum.steps += charged.steps
  sum.tokens += charged.tokens
  sum.cost += charged.cost
  sum.orphaned += charged.orphaned
}

export function tallyEffect(
  tally: SliceTally,
  { telemetry }: Ports,
  of: Assignment,
  event: Event,
  duration_ms: number,
): void {
  if (event.kind === 'model_replied') tally.model = event.model
  const kind = of.work.kind === 'call_model' ? 'model' : 'tool'
  telemetry.effect({ kind, outcome: hasFailed(event) ? 'failed' : 'ok', duration_ms })
}

function hasFailed(event: Event): boolean {
  if (event.kind === 'tool_returned') return !event.ok
  return event.kind === 'model_failed' || event.kind === 'tools_unlisted' || event.kind === 'abandoned'
}

interface ReportedRun {
  ports: Ports
  caller: Caller
  id: string
  bounds: Bounds
  begun_ms: number
  tally: SliceTally
}

/** `answer` is null for a slice that threw. */
export function reportSlice(
  { ports, caller, id, bounds, begun_ms, tally }: ReportedRun,
  answer: Result<TaskAnswer> | null,
): void {
  const task = answer?.ok === true ? answer.value.task : null
  const { request_id, tenant } = caller
  ports.telemetry.slice({
    request_id,
    tenant,
    task: id,
    mode: task?.mode ?? tally.mode ?? 'unknown',
    by: request_id === undefined ? 'drive' : bounds.rounds > 0 ? 'request' : 'command',
    outcome: outcomeOf(answer),
    model: tally.model,
    status: task?.status ?? null,
    duration_ms: ports.clock.now_ms() - begun_ms,
    rounds: tally.rounds,
    charged: tally.charged,
    code: answer?.ok === false ? answer.refusal.code : undefined,
    ended: tally.has_ended && task !== null ? wholeOf(task) : null,
  })
}

function outcomeOf(answer: Result<TaskAnswer> | null): SliceReport['outcome'] {
  if (answer === null) return 'failed'
  if (!answer.ok) return 'refused'
  return answer.value.task.slice?.advanced === true ? 'advanced' : 'idle'
}

const wholeOf = ({ result, budget }: Pick<TaskView, 'result' | 'budget'>): NonNullable<SliceReport['ended']> => ({
  outcome: result?.outcome ?? 'none',
  steps: budget.used,
  tokens: budget.tokens.used,
  cost_usd: microDollars(budget.cost_usd.used) / 1_000_000,
  seconds: budget.seconds.used,
})
