/** The rules for every task that got a hostile reply: the row of the attempt, the whole ledger, and texts that must never be shown. */
import { expect } from 'vitest'
import * as z from 'zod'
import { dollars, microDollars } from '../../src/core/terms/money.ts'
import type { JournalEntry, TaskView } from '../../src/core/terms/view.ts'
import { costOf, drive, keep, reservedOf, type HostileBench, type Shown } from './hostile-bench.ts'
import { KEY, RAW, SAID, type Fate, type Phase } from './hostile-kit.ts'
import { ALL, CALLER, say, step, taken } from './scripted.ts'

/** U7, U11 and F26: the row of the attempt, its charge, and its requests on the wire. */
export function expectAttempt(
  bench: HostileBench,
  task: TaskView,
  { journal }: Shown,
  { phase, fate }: { phase: Phase; fate: Fate },
): void {
  const [seq = 0] = bench.attacked
  const row = journal.find((entry) => entry.seq === seq)
  const reserved = reservedOf(bench, task.id, seq)
  const usage = fate.usage ?? { input: 120, output: 30 }
  const full = { input: reserved.input_tokens, output: reserved.output_tokens }
  const charged = { usage, reservation: full, nothing: { input: 0, output: 0 } }[fate.charge]
  expect(row).toMatchObject({
    kind: 'call_model',
    phase,
    outcome: fate.outcome,
    counted: phase !== 'plan',
    price_version: 'v1',
    tokens: fate.charge === 'usage' ? usage : null,
    charged_tokens: charged.input + charged.output,
    cost_usd: dollars(costOf(charged.input, charged.output)),
    over_reserve: fate.over_reserve ?? false,
  })
  if (fate.outcome === 'model_error')
    expect(row?.reply).toMatchObject({ reason: fate.reason, status: fate.status ?? null })
  const sends = bench.sent.filter((one) => one.seq === seq)
  expect(sends).toHaveLength(fate.sends ?? 1)
  // D5: the reservation is an upper bound of what was sent, and the output cap is what was reserved.
  for (const one of sends) expect(one.bytes).toBeLessThanOrEqual(full.input)
  expect(new Set(sends.map((one) => one.cap))).toEqual(new Set([full.output]))
  if (fate.next_form !== undefined) expectForm(bench, row, fate.next_form)
}

/** U7: the refused form is noted in the row, and the accepted one is used for the next call. */
function expectForm(bench: HostileBench, row: JournalEntry | undefined, form: string): void {
  expect(row?.reply).toMatchObject({ negotiated: ['json_schema'] })
  const later = bench.sent.filter((one) => one.seq > (row?.seq ?? 0)).map((one) => one.form)
  expect(new Set([bench.sent.findLast((one) => one.seq === row?.seq)?.form, ...later])).toEqual(new Set([form]))
}

/** Checks that each figure of the budget is the sum of its ledger, and that each request on the wire is an attempt or its negotiation. */
export function expectLedger(bench: HostileBench, task: TaskView, { journal }: Shown): void {
  const sum = (pick: (row: JournalEntry) => number) => journal.reduce((total, row) => total + pick(row), 0)
  expect(journal.map((row) => row.seq)).toEqual(journal.map((_, index) => index + 1))
  expect(task.step_count).toBe(sum((row) => Number(row.counted)))
  expect(task.budget.tokens.used).toBe(sum((row) => row.charged_tokens ?? 0))
  expect(microDollars(task.budget.cost_usd.used)).toBe(sum((row) => microDollars(row.cost_usd ?? '0')))
  // A call is never charged more than its deadline (U11); here external workers report their time in whole seconds.
  const worked = sum((row) => Math.min(60_000, row.duration_ms ?? 0)) / 1_000
  expect(task.budget.seconds.used).toBe(Math.ceil(worked) + sum(secondsOutside))
  const calls = journal.filter((row) => row.kind === 'call_model').map((row) => row.seq)
  expect([...new Set(bench.sent.map((one) => one.seq))]).toEqual(calls)
  expect(task.counters.model_calls).toBe(calls.length)
  for (const seq of calls) expect(bench.sent.filter((one) => one.seq === seq).length).toBeLessThanOrEqual(5)
}

function secondsOutside({ kind, reply }: JournalEntry): number {
  if (kind !== 'report_arrived' && kind !== 'report_expired') return 0
  return (reply as { spent: { seconds: number | null } }).spent.seconds ?? 0 // of these kinds
}

/**
 * Row 66: nothing of the key or of a raw body anywhere. The text of a broken reply stands in its row of the ledger and
 * nowhere else, apart from the cut value that the reason of its failure names; `fates` null: the replies were of any kind.
 */
export function expectNothingLeaked({ journal, told }: Shown, fates: Fate[] | null): void {
  const everything = told + JSON.stringify(journal)
  expect(everything).not.toContain(KEY)
  expect(everything).not.toContain(RAW)
  if (fates?.every(({ outcome }) => outcome !== 'ok') === true) expect(withoutGiven(told)).not.toContain(SAID)
}

/** What was told. The reasons of broken contracts stand in it without the values of at most 60 characters that they name. */
function withoutGiven(told: string): string {
  const [, events] = Told.parse(JSON.parse(told))
  const reasons = events.flatMap(({ type, payload }) => (type === 'contract_failed' ? [payload.reason ?? ''] : []))
  return reasons.reduce((text, reason) => text.replaceAll(inJson(reason), inJson(reason.replaceAll(GIVEN, ''))), told)
}
const GIVEN = / \(given: .{1,60}?\)(?=; |$)/gs
const Told = z.tuple([
  z.unknown(),
  z.array(z.object({ type: z.string(), payload: z.object({ reason: z.string().nullish() }) })),
])
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** api.md "A failed model call": a step before the retry time gets 200, and no call is made. */
export async function expectRest(bench: HostileBench, task: TaskView): Promise<void> {
  const sent = bench.sent.length
  bench.clock.now += (task.retry_after_ms ?? 0) - 1
  const early = taken(await bench.service.stepTask(CALLER, task.id, ALL))
  const nothing = { advanced: false, rounds: 0, events: [] }
  expect(early).toMatchObject({ status: 'running', retry_after_ms: 1, slice: nothing })
  expect(bench.sent).toHaveLength(sent)
}

/** An ended task stays ended; a paused task continues when the model works again. */
export async function expectEnding(bench: HostileBench, task: TaskView): Promise<void> {
  const sent = bench.sent.length
  const again = await step(bench, task.id, ALL)
  expect(again).toMatchObject({ status: task.status, step_count: task.step_count, slice: { advanced: false } })
  expect(bench.sent).toHaveLength(sent)
  if (task.status !== 'paused') return
  bench.heal()
  const resumed = await drive(bench, await keep(bench, say(bench, task.id, 'continue', ALL)))
  expect(resumed).toMatchObject({ status: 'completed', stop_reason: 'done' })
}
