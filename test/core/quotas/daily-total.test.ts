/** A tenant's total of a day, taken by many tasks at once: it is spent before anyone is paused by it, and never overspent. */
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../src/shell/ports.ts'
import { serviceCaller } from '../../../src/shell/caller.ts'
import { act, benchOf, createTask, ONE, planned, taken } from '../../support/scripted.ts'

/** Replies after a while, in which others go on, and reports a usage that differs from call to call. */
function busyModel(usage: (call: number) => number): { model: Model; spent: () => number } {
  let calls = 0
  let spent = 0
  const complete: Model['complete'] = async ({ metadata, form }) => {
    const tokens = usage(calls++)
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    spent += tokens
    const text = JSON.stringify(metadata.phase === 'plan' ? planned('A') : act(`/todo add ${calls}`))
    const used = { input_tokens: tokens - 1, output_tokens: 1 }
    return { kind: 'model_replied', text, usage: used, model: 'busy', form }
  }
  return { model: { complete }, spent: () => spent }
}

/** Clients that step a task each, over and over, until the tenant's total stops all of them. */
async function race(clients: number, total: number, usage: (call: number) => number) {
  const { model, spent } = busyModel(usage)
  const bench = benchOf({ tools: [] }, { daily: { tokens: total, cost: null }, model })
  const first = { spent: null as number | null }
  const run = async () => {
    const { id } = await createTask(
      bench,
      { max_steps: 10_000, observation_history_limit: 3, max_output_tokens: 2_048 },
      ONE,
    )
    for (;;) {
      const task = taken(await bench.service.stepTask(serviceCaller('acme'), id, ONE))
      if (task.stop_reason === 'budget_exhausted:tenant') {
        first.spent ??= spent()
        return
      }
      if (task.status !== 'running') throw new Error(`${task.status} ${task.stop_reason}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, run))
  return { at_first_pause: first.spent ?? 0, in_all: spent() }
}

describe('a total of a day under many tasks', () => {
  it.each([
    [60, 80_000, 1_900],
    [7, 80_000, 1_500],
    [20, 300_000, 1_900],
    [1, 80_000, 1_900],
  ])(
    '%i clients on %i tokens spend four fifths of it before anyone is paused by it, at most %i a call',
    async (clients, total, most) => {
      const figures = await race(clients, total, (call) => 2 + ((call * 7919) % most))
      expect(figures.at_first_pause).toBeGreaterThanOrEqual(0.8 * total)
      expect(figures.in_all).toBeLessThanOrEqual(total)
    },
  )
})
