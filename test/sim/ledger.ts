/**
 * The accounting of a task by its rows alone, written a second time from the requirements (S0-26…S0-32, U3, U11,
 * U14): what each row costs and grants, without the code that is under test.
 */
import type { Reservation } from '../../src/core/terms/budget.ts'
import type { Event, EventOf } from '../../src/core/terms/effect.ts'
import type { Price, Rates } from '../../src/core/terms/money.ts'
import type { Usage } from '../../src/core/terms/values/usage.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { ClosedRow } from '../../src/core/protocol/journal.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Settings } from '../../src/core/terms/settings.ts'

export interface Amounts {
  steps: number
  tokens: number
  cost: number
  ms: number
}
export interface Ledger {
  used: Amounts
  /** null: not bounded. */
  max: { [A in keyof Amounts]: number | null }
  original: { [A in keyof Amounts]: number | null }
  /** Whether the model ever reported more than was reserved for it: no maximum can be promised then (U11). */
  over_reserve: boolean
  /** Axes of which a worker ever said that it spent more than was left: it is charged all the same. */
  overdrawn: Set<keyof Amounts>
}

/** S0-28…S0-32. */
const STEPS: Record<string, number> = { plan: 0, thought: 1, replan: 1, act: 1, result: 1 }
const LOST = new Set<Event['kind']>(['effect_orphaned', 'outcome_unknown', 'abandoned'])
const AXIS_OF: Record<string, keyof Amounts> = { steps: 'steps', tokens: 'tokens', cost_usd: 'cost', seconds: 'ms' }

export function openLedger(mode: string, { max_tokens, max_cost_usd, max_seconds, ...settings }: Settings): Ledger {
  const max_steps =
    mode === 'plan_execute'
      ? settings.max_steps
      : modeOf(mode).counter.max({ max_tokens, max_cost_usd, max_seconds, ...settings })
  const max = {
    steps: max_steps,
    tokens: max_tokens,
    cost: max_cost_usd === null ? null : Math.round(Number(max_cost_usd) * 1_000_000),
    ms: max_seconds === null ? null : max_seconds * 1000,
  }
  const used = { steps: 0, tokens: 0, cost: 0, ms: 0 }
  return { used, max, original: { ...max }, over_reserve: false, overdrawn: new Set() }
}

/** Adds a row; `before` is the head before it. */
export function book(ledger: Ledger, row: ClosedRow, before: Head | null): void {
  const { effect, event } = row
  if (effect !== null) {
    ledger.used.steps += isWithoutResult(row) ? 0 : stepsOf(effect.phase, before)
    spend(ledger, row)
  }
  if (event.kind === 'report_arrived' || event.kind === 'report_expired') spendOutside(ledger, event)
  if (event.kind === 'budget_added') {
    const { steps, iterations, tokens, cost, working_ms } = event.add
    const own = before !== null && modeOf(before.mode).counter.unit === 'iterations' ? iterations : steps
    raise(ledger, { steps: own, tokens, cost, ms: working_ms })
  }
  const reason = before?.pause_reason ?? null
  const spent = reason?.kind === 'budget' ? reason.axis : ''
  const axis = spent === 'iterations' ? 'steps' : AXIS_OF[spent]
  if (event.kind === 'resumed' && event.grant && axis !== undefined) {
    raise(ledger, { [axis]: ledger.original[axis] ?? 0 })
  }
  // The next run of a session is granted what the first one was.
  const wasOver = before?.end?.status === 'completed' || beginsNextRun(row, before)
  const reopened = wasOver && row.head.end === null
  if (reopened) ledger.max.steps = ledger.used.steps + (ledger.original.steps ?? 0)
}

/** A text to a session whose ending is held begins its next run as well. */
export const beginsNextRun = ({ event }: Pick<ClosedRow, 'event'>, before: Head | null): boolean =>
  before !== null && before.closing !== null && modeOf(before.mode).reopens && isRemark(event, before)
const isRemark = ({ kind }: Event, { end }: Head): boolean =>
  end === null && (kind === 'user_remarked' || kind === 'user_asked_aside')

/** A list is no step of the task, and a call costs one when it ends, however often it was held before. */
const isWithoutResult = ({ effect, event }: ClosedRow): boolean =>
  effect?.kind === 'list_tools' || event.kind === 'tool_asked' || event.kind === 'tool_waits'

/** Of other modes their own price list; that of plan_execute is written here once more. */
function stepsOf(phase: string, before: Head | null): number {
  if (before === null || before.mode === 'plan_execute') return STEPS[phase] ?? 0
  return modeOf(before.mode).cost[phase === 'result' ? phase : before.state.phase] ?? 0
}

function spend(ledger: Ledger, { event, reserved, head, at }: ClosedRow): void {
  const { used } = ledger
  const worst = reserved ?? { input_tokens: 0, output_tokens: 0, cost: 0, ms: 0, price: null }
  const full = worst.input_tokens + worst.output_tokens
  const took = Math.min(Math.max(head.updated_at - at, 0), worst.ms)
  const isTimed = event.kind === 'abandoned' && event.by === 'holder'
  used.ms += LOST.has(event.kind) && !isTimed ? worst.ms : took
  if (event.kind === 'model_failed' && event.status !== null) return
  const usage = usageOf(event)
  if (usage === null) {
    used.tokens += full
    used.cost += worst.cost
    return
  }
  const tokens = usage.input_tokens + usage.output_tokens
  const cost = costOf(usage, worst.price)
  used.tokens += tokens
  used.cost += cost
  ledger.over_reserve ||= tokens > full || cost > worst.cost
}

/** What a worker has spent is no step, and nothing of its tenant's day. Silence costs a share of what is left, never more. */
function spendOutside({ used, max, overdrawn }: Ledger, event: EventOf<'report_arrived' | 'report_expired'>): void {
  const { tokens = 0, cost = 0, working_ms = 0 } = event.charged
  for (const [axis, amount] of [
    ['tokens', tokens],
    ['cost', cost],
    ['ms', working_ms],
  ] as const) {
    used[axis] += amount
    const over = used[axis] > (max[axis] ?? Infinity)
    if (over && amount > 0 && event.kind === 'report_arrived') overdrawn.add(axis)
  }
}

/** What the endpoint reported, of whatever it answered. */
const usageOf = (event: Event): Usage | null =>
  event.kind === 'model_replied' || event.kind === 'model_failed' ? (event.usage ?? null) : null

/** Each part is charged at its own price and taken out of its whole. */
function costOf(usage: Usage, price: Price | null): number {
  if (price === null) return 0
  const { input_tokens, output_tokens, cache_read_tokens: read = 0, cache_write_tokens: written = 0 } = usage
  const { reasoning_tokens: thought = 0 } = usage
  const { rates } = tierOf(price, input_tokens)
  const apart =
    read * ((rates.cache_read ?? rates.input) - rates.input) +
    written * ((rates.cache_write ?? rates.input) - rates.input) +
    thought * ((rates.reasoning ?? rates.output) - rates.output)
  return Math.ceil((input_tokens * rates.input + output_tokens * rates.output + apart) / 1_000_000)
}

/** A long input makes the whole call dearer: the highest tier that it is above holds, in whatever order they stand. */
export function tierOf(price: Price, input_tokens: number): { above: number; rates: Rates } {
  let found: { above: number; rates: Rates } = { above: 0, rates: price }
  for (const tier of price.tiers ?? [])
    if (input_tokens > tier.above && tier.above >= found.above) found = { above: tier.above, rates: tier }
  return found
}

/** The dearest call within a reservation: of all lengths that matter, all of one kind. */
export function dearestCall({ price, input_tokens, output_tokens }: Reservation): number {
  const lengths = [input_tokens, ...(price?.tiers ?? []).map(({ above }) => Math.min(above, input_tokens))]
  const costs = lengths.flatMap((length) =>
    [{}, { cache_read_tokens: length }, { cache_write_tokens: length }].flatMap((cached) =>
      [0, output_tokens].map((reasoning_tokens) =>
        costOf({ input_tokens: length, output_tokens, ...cached, reasoning_tokens }, price),
      ),
    ),
  )
  return Math.max(...costs)
}

function raise({ max }: Ledger, add: { [A in keyof Amounts]?: number | undefined }): void {
  for (const axis of ['steps', 'tokens', 'cost', 'ms'] as const) {
    const before = max[axis]
    if (before !== null) max[axis] = before + (add[axis] ?? 0)
  }
}
