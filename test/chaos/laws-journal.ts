/** The laws of one task by its own pages: rows and events without gaps, budgets as the fold of the rows, what was acknowledged is there. */
import { type JournalEntry } from '../../src/core/view.ts'
import { ENDED } from '../../src/core/status.ts'
import type { Story } from './story.ts'
import type { Tally } from './tally.ts'

/** S0-28…S0-32, written a second time. */
const COUNTED = new Set(['thought', 'replan', 'act'])
const LOST = new Set(['orphaned', 'outcome_unknown', 'abandoned'])
const TOOL_TIMEOUT_MS = 30_000

export function checkJournal(tally: Tally, story: Story): void {
  const { id, view, rows, events } = story
  const demand = (holds: boolean, law: string, detail: () => string) => tally.demand(holds, law, detail, id)
  demand(
    rows.every((row, index) => row.seq === index + 1),
    'rows without gaps',
    () => rows.map(({ seq }) => seq).join(),
  )
  demand(rows.length === view.version, 'rows without gaps', () => `${rows.length} rows, version ${view.version}`)
  const open = rows.filter((row) => row.finished_at === null)
  demand(open.length === 0, 'nothing is left pending', () => `rows ${open.map(({ seq }) => seq).join()}`)
  demand(
    events.every((event, index) => event.seq === index + 1),
    'event ids are dense',
    () => events.map(({ seq }) => seq).join(),
  )
  const ends = events.filter(({ type }) => /^task_(completed|failed|canceled)$/.test(type)).length
  demand(ends === (ENDED.has(view.status) ? 1 : 0), 'a task ends once', () => `${ends} ends, ${view.status}`)
  checkSteps(tally, story)
  checkSpending(tally, story)
}

/** One row, one step; every answer anyone ever got agrees with the rows of its version. */
function checkSteps(tally: Tally, { id, view, rows, events, known }: Story): void {
  const steps = [0]
  for (const row of rows) {
    const counts = COUNTED.has(row.phase ?? '')
    tally.demand(row.counted === counts, 'a step is charged for each row once', () => `row ${row.seq}`, id)
    steps.push((steps.at(-1) ?? 0) + (counts ? 1 : 0))
  }
  const by = (seq: number) => steps[seq] ?? -1
  const shown = () => `${view.step_count} shown, ${by(rows.length)} by the rows`
  tally.demand(view.step_count === by(rows.length), 'step_count = counted rows', shown, id)
  for (const [version, count] of known.steps_at) {
    const told = () => `version ${version} was answered with ${count} steps, its rows say ${by(version)}`
    tally.demand(by(version) === count, 'nothing acknowledged is lost', told, id)
  }
  for (const { seq, payload } of events) {
    const told = () => `event ${seq} says ${String(payload['step_count'])}`
    tally.demand(payload['step_count'] === by(Number(payload['journal_seq'])), 'step_count = counted rows', told, id)
  }
  const of = (kind: string) => rows.filter((row) => row.kind === kind).length
  const { model_calls, actions } = view.counters
  const kept = model_calls === of('call_model') && actions === of('run_tool')
  tally.demand(kept, 'counters = rows', () => `${model_calls} calls, ${actions} actions`, id)
}

interface Purse {
  used: number
  max: number
}
type Purses = Record<'steps' | 'tokens' | 'cost' | 'ms', Purse>
const micro = (usd: string) => Math.round(Number(usd) * 1_000_000)

/** What the task was charged is the sum of its rows, and at no row above what it had been granted. */
function checkSpending(tally: Tally, { id, view, rows, events }: Story): void {
  const { max_steps, max_tokens, max_cost_usd, max_seconds, model_timeout_s } = view.settings
  const purse = (max: number | null) => ({ used: 0, max: max ?? Infinity })
  const purses: Purses = {
    steps: purse(max_steps),
    tokens: purse(max_tokens),
    cost: purse(max_cost_usd === null ? null : micro(max_cost_usd)),
    ms: purse(max_seconds === null ? null : max_seconds * 1000),
  }
  const grants = Map.groupBy(
    events.filter(({ type }) => type === 'budget_added'),
    ({ payload }) => Number(payload['journal_seq']),
  )
  for (const row of rows) {
    for (const { payload } of grants.get(row.seq) ?? []) raise(purses, String(payload['axis']), payload['max'])
    if (row.phase === null) continue
    spend(purses, row, row.kind === 'call_model' ? model_timeout_s * 1000 : TOOL_TIMEOUT_MS)
    for (const [axis, { used, max }] of Object.entries(purses)) {
      const most = axis === 'steps' ? max + 1 : max
      tally.demand(used <= most, 'no budget is exceeded', () => `row ${row.seq}: ${axis} ${used} of ${max}`, id)
    }
  }
  const { budget } = view
  const kept = [budget.used, budget.tokens.used, micro(budget.cost_usd.used), budget.seconds.used]
  const { steps, tokens, cost, ms } = purses
  const sums = [steps.used, tokens.used, cost.used, Math.ceil(ms.used / 1000)]
  const shown = () => `steps, tokens, micro-dollars, seconds: kept ${kept.join()}, by the rows ${sums.join()}`
  tally.demand(kept.join() === sums.join(), 'a budget is the fold of its rows', shown, id)
}

function raise(purses: Purses, axis: string, max: unknown): void {
  if (axis === 'steps' || axis === 'tokens') purses[axis].max = Number(max)
  if (axis === 'cost_usd') purses.cost.max = micro(String(max))
  if (axis === 'seconds') purses.ms.max = Number(max) * 1000
}

function spend(purses: Purses, row: JournalEntry, timeout_ms: number): void {
  const reserved_ms = Math.min(timeout_ms, purses.ms.max - purses.ms.used)
  const took_ms = Math.max(0, Math.min(row.duration_ms ?? 0, reserved_ms))
  purses.ms.used += LOST.has(row.outcome ?? '') ? reserved_ms : took_ms
  purses.steps.used += COUNTED.has(row.phase ?? '') ? 1 : 0
  purses.tokens.used += row.charged_tokens ?? 0
  purses.cost.used += micro(row.cost_usd ?? '0')
}
