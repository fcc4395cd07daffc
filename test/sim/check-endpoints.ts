/**
 * The law of fallback lists, written a second time: after as many failures in a row as pause a task, the next name of the list is asked, and
 * the task pauses after the last one. Each call is reserved at the price of the endpoint that it goes to.
 */
import { isSideTurn } from '../../src/core/engine/idle.ts'
import { briefOf } from '../../src/core/mode/mode.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Brief, StoredEffect } from '../../src/core/terms/effect.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { Price } from '../../src/core/terms/money.ts'
import type { ClosedRow, PendingRow } from '../../src/core/protocol/journal.ts'
import type { SimRows } from './cached-rows.ts'
import type { Coverage } from './coverage.ts'
import { same } from './same.ts'
import { demand } from './violation.ts'
import { beginsNextRun } from './ledger.ts'

/** The endpoints of the simulation, with their prices: the further down a list, the dearer or cheaper without a rule. */
export const ENDPOINT_PRICES: Readonly<Record<string, Omit<Price, 'version'>>> = {
  default: {
    input: 150_000,
    output: 600_000,
    cache_read: 15_000,
    cache_write: 187_500,
    reasoning: 700_000,
    // The model of this world reports from 50 to 400 tokens of input, so that some calls are on each side of both.
    tiers: [
      { above: 150, input: 200_000, output: 650_000, cache_read: 25_000, cache_write: 250_000 },
      { above: 300, input: 300_000, output: 900_000, cache_read: 30_000, reasoning: 1_400_000 },
    ],
  },
  spare: { input: 900_000, output: 3_000_000, cache_read: 90_000 },
  last: { input: 40_000, output: 90_000 },
}

type ModelCall = Extract<StoredEffect, { kind: 'call_model' }>

const settingOf = ({ settings }: Brief, phase: string): string =>
  Object.entries(settings.models).find(([name]) => name === phase)?.[1] ?? settings.model ?? 'default'

function namesOf(brief: Brief, phase: string): string[] {
  const first = settingOf(brief, phase)
  return [first, ...(Object.entries(brief.fallbacks).find(([name]) => name === first)?.[1] ?? [])]
}
const nameOf = (brief: Brief, { phase, endpoint }: ModelCall) => endpoint ?? settingOf(brief, phase)

/** Checks what a closed row gives up. `gone` are the names that were given up before it; the answer are those after it. */
export function bookEndpoint(gone: readonly string[], row: ClosedRow, before: Head | null, rows: SimRows): string[] {
  const { head, event } = row
  const after = before === null ? [] : goneAfter(gone, row, before, briefOf(rows.recall))
  demand(
    same(after, head.given_up),
    'an endpoint is given up by its failures in a row',
    () => `row ${row.seq} (${event.kind}): ${head.given_up.join() || 'none'}, not ${after.join() || 'none'}`,
  )
  return after
}

function goneAfter(gone: readonly string[], row: ClosedRow, before: Head, brief: Brief): string[] {
  const { head, event, effect } = row
  const hasStopped = before.pause_reason !== null || before.end !== null
  const goesOn = hasStopped && head.pause_reason === null && head.end === null
  if ((goesOn || beginsNextRun(row, before)) && effect === null) return []
  if (effect?.kind !== 'call_model' || !failsAtLimit(row, before, brief)) return [...gone]
  const from = nameOf(brief, effect)
  const left = namesOf(brief, effect.phase).filter((name) => name !== from && !gone.includes(name))
  const shown = () => `row ${row.seq} (${event.kind} at ${from}): ${left.join() || 'none'} left`
  if (left.length === 0) {
    demand(head.pause_reason?.kind === 'model_unavailable', 'the last name pauses the task', shown)
    return []
  }
  demand(head.pause_reason === null && head.end === null, 'a fallback is asked before the task pauses', shown)
  demand(head.streak.count === 0 && head.retry_at === null, 'a fallback has a streak of its own', shown)
  return [...gone, from]
}

function failsAtLimit({ event, head }: ClosedRow, before: Head, { settings }: Brief): boolean {
  const mode = modeOf(before.mode)
  const failed =
    (event.kind === 'model_failed' && !isSideTurn(before)) ||
    (event.kind === 'effect_orphaned' && mode.planning.has(head.state.phase))
  // What a mode itself ends is no failure of its model.
  if (!failed || head.end !== null) return false
  return before.streak.count + 1 >= (before.streak.max ?? mode.failure_limit(before.state.phase, settings))
}

/** Checks where a call goes. */
export function checkEndpoint(gone: readonly string[], { seq, effect }: PendingRow, rows: SimRows): void {
  if (effect.kind !== 'call_model') return
  const brief = briefOf(rows.recall)
  const names = namesOf(brief, effect.phase)
  const name = nameOf(brief, effect)
  const expected = names.find((one) => !gone.includes(one)) ?? names[0]
  demand(name === expected, 'a call goes to the first name that was not given up', () => `row ${seq}: ${name}`)
}

/** Checks in the simulation, which has these prices, at which one a call is reserved. */
export function checkPrice(rows: SimRows): void {
  const pending = rows.pending()
  if (pending?.effect.kind !== 'call_model') return
  const name = nameOf(briefOf(rows.recall), pending.effect)
  const { version: _, ...rates } = pending.reserved.price ?? { version: '' }
  const shown = () => `row ${pending.seq} at ${name}`
  demand(same(rates, ENDPOINT_PRICES[name]), 'a call has the price of its endpoint', shown)
}

/** Counts what fallbacks do, for the counters that must not stay at zero. */
export function noteEndpoint({ effect, event, head }: ClosedRow, before: Head | null, seen: Coverage): void {
  if (effect?.kind !== 'call_model') return
  if (effect.endpoint !== undefined) seen(`call of a fallback: ${event.kind}`)
  const more = head.given_up.length - (before?.given_up.length ?? 0)
  if (more > 0) seen(`given up: ${event.kind}`)
  if (effect.endpoint !== undefined && head.pause_reason?.kind === 'model_unavailable') seen('all names given up')
}
