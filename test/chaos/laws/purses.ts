/** The cost and the grants of each row of a task, written a second time from the requirements (S0-26…S0-32, R24), from its pages alone. */
import * as z from 'zod'
import type { ModeName } from '../../../src/core/terms/mode-names.ts'
import { ENDED_STATUSES } from '../../../src/core/terms/status.ts'
import type { Envelope, JournalEntry, TaskView } from '../../../src/core/terms/view.ts'

export interface Purse {
  used: number
  max: number
}
export type Purses = Record<'steps' | 'tokens' | 'cost' | 'ms', Purse>

/** The phases whose rows the counter of the mode counts. */
const COUNTED: Record<ModeName, ReadonlySet<string>> = {
  plan_execute: new Set(['thought', 'replan', 'act', 'result']),
  dynamic: new Set(['act']),
  session: new Set(['turn', 'result']),
  autonomous: new Set(['turn', 'result']),
  orchestrator: new Set(['dispatch']),
}
const LOST = new Set(['orphaned', 'outcome_unknown', 'abandoned'])
const TOOL_TIMEOUT_MS = 30_000
const CODE_TIMEOUT_MS = 55_000
export const micro = (usd: string) => Math.round(Number(usd) * 1_000_000)

const Asked = z.object({ prompt: z.string().optional(), tool: z.string().optional() }).nullable()

/** A side turn of a session does not count (U14). */
export function isCounted(mode: ModeName, { phase, request }: JournalEntry): boolean {
  const aside = Asked.parse(request)?.prompt?.startsWith('session/aside@') === true
  return COUNTED[mode].has(phase ?? '') && !aside
}

const iterates = (mode: ModeName) => mode === 'session' || mode === 'autonomous'

export function openPurses({ mode, settings }: TaskView): Purses {
  const { max_steps, max_iterations, max_tokens, max_cost_usd, max_seconds } = settings
  const purse = (max: number | null) => ({ used: 0, max: max ?? Infinity })
  return {
    steps: purse((iterates(mode) ? max_iterations : max_steps) ?? null),
    tokens: purse(max_tokens),
    cost: purse(max_cost_usd === null ? null : micro(max_cost_usd)),
    ms: purse(max_seconds === null ? null : max_seconds * 1000),
  }
}

export function raise(purses: Purses, { payload }: Envelope): void {
  const { axis, max } = payload
  if (axis === 'steps' || axis === 'iterations') purses.steps.max = Number(max)
  if (axis === 'tokens') purses.tokens.max = Number(max)
  if (axis === 'cost_usd') purses.cost.max = micro(String(max))
  if (axis === 'seconds') purses.ms.max = Number(max) * 1000
}

/** The next run of a session is granted the same as the first one. */
export function reopen({ steps }: Purses, view: TaskView): void {
  steps.max = steps.used + openPurses(view).steps.max
}

const Reported = z.object({ spent: z.object({ seconds: z.int().nullable() }) })

export function spend(purses: Purses, { mode, settings }: TaskView, row: JournalEntry): void {
  purses.tokens.used += row.charged_tokens ?? 0
  purses.cost.used += micro(row.cost_usd ?? '0')
  if (row.phase === null) {
    const spent = ['report_arrived', 'report_expired'].includes(row.kind)
      ? Reported.parse(row.reply).spent.seconds
      : null
    purses.ms.used += 1000 * (spent ?? 0)
    return
  }
  const tool_ms = Asked.parse(row.request)?.tool === 'run_code' ? CODE_TIMEOUT_MS : TOOL_TIMEOUT_MS
  const timeout_ms = row.kind === 'call_model' ? settings.model_timeout_s * 1000 : tool_ms
  const reserved_ms = Math.min(timeout_ms, purses.ms.max - purses.ms.used)
  const took_ms = Math.max(0, Math.min(row.duration_ms ?? 0, reserved_ms))
  purses.ms.used += LOST.has(row.outcome ?? '') ? reserved_ms : took_ms
  purses.steps.used += isCounted(mode, row) ? 1 : 0
}

const ENDS = new Map<string, TaskView['status']>([
  ['task_completed', 'completed'],
  ['task_failed', 'failed'],
  ['task_canceled', 'canceled'],
])

/** The rows by which a completed session begins its next run. */
export function reopenedBy({ mode }: TaskView, rows: JournalEntry[], events: Envelope[]): Set<number> {
  if (mode !== 'session') return new Set()
  const ends = new Map<number, TaskView['status']>()
  for (const { type, payload } of events) {
    const status = ENDS.get(type)
    if (status !== undefined) ends.set(Number(payload['journal_seq']), status)
  }
  const found = new Set<number>()
  let status: TaskView['status'] = 'running'
  for (const { seq, kind } of rows) {
    if (status === 'completed' && kind === 'user_remarked') {
      found.add(seq)
      status = 'running'
    }
    status = ends.get(seq) ?? status
  }
  return found
}

/** How often the task went on after its model had failed too often. */
export function forgivenEnds(events: Envelope[]): number {
  const turns = events.filter((event) => isEnd(event) || event.type === 'task_resumed')
  const isFailed = (event: Envelope | undefined) =>
    event?.type === 'task_failed' && event.payload['stop_reason'] === 'contract_failures'
  return turns.filter(({ type }, index) => type === 'task_resumed' && isFailed(turns[index - 1])).length
}

export const isEnd = ({ type }: Envelope) => ENDS.has(type)
export const hasEnded = ({ status }: TaskView) => ENDED_STATUSES.has(status)
