/** What every mode must come to when hostile replies come again and again between replies that mean well: on every wire the same. */
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../src/core/engine/contracts.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { randomOf, type Random } from '../sim/random.ts'
import { drive, hostileBench, keep, shownOf, type Wire } from '../support/hostile-bench.ts'
import { expectLedger, expectNothingLeaked } from '../support/hostile-checks.ts'
import type { Hostile } from '../support/hostile-kit.ts'
import { hostileWorker, type Refused } from '../support/hostile-worker.ts'
import { randomReply } from '../support/random-reply.ts'
import { ALL, createTask } from '../support/scripted.ts'

export const refused: Refused = new Map()
export const ended = new Map<string | null, number>()

const ENDS = [
  'done',
  'contract_failures',
  'model_unavailable',
  'budget_exhausted:steps',
  'iteration_limit',
  'step_failed',
  'loop_detected',
  'aborted',
]
const STEPS_MAX = 12

/** Where tools are called natively a call is something the model says: the journal keeps it, canary and all. */
const called = (mode: ModeName, { name }: Hostile) =>
  Object.keys(modeOf(mode).contracts).length === 0 && name.startsWith('a tool call ')

/** A draw from the contract of the phase, as a message on the wire. */
function wellmeant(random: Random) {
  let serial = 0
  return ({ mode, phase, tools }: Wire) => {
    const schema = schemaOf(mode, phase, [])
    const contract = schema === null ? null : { name: phase, schema }
    const metadata = { task: 't', mode, phase, seq: 0 }
    const asked = {
      model: null,
      temperature: 0,
      reasoning_effort: null,
      messages: [],
      tools,
      contract,
      form: 'text' as const,
      metadata,
    }
    const { text, tool_calls } = randomReply({ ...asked, max_output_tokens: 64 }, random, (serial += 1))
    const calls = tool_calls?.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } }))
    return { content: text, ...(calls === undefined ? {} : { tool_calls: calls }) }
  }
}

async function played(mode: ModeName, hostile: Hostile, seed: number) {
  const random = randomOf(seed)
  const bench = hostileBench(() => (random.chance(0.35) ? hostile : null), wellmeant(random))
  const command_budget = random.pick([null, { tokens: 1_000, cost_usd: '0.001' }, { seconds: 5 }])
  const patience =
    mode === 'orchestrator'
      ? { max_clarifications: random.pick([0, 6]), max_retries_per_step: 1, max_steps: random.pick([3, STEPS_MAX]) }
      : {}
  const settings = { max_steps: STEPS_MAX, max_iterations: STEPS_MAX, command_budget, ...patience }
  const first = await keep(bench, createTask(bench, settings, ALL, { mode }))
  const task = await drive(bench, first, hostileWorker(random, refused))
  return { bench, task }
}

export const proveModes = (modes: readonly ModeName[], table: readonly Hostile[]) =>
  describe.each(modes)('S0-24 mode %s with hostile replies in between', (mode) => {
    it.each(table.map((hostile, index) => [hostile.name, hostile, index] as const))('%s', async (_, hostile, index) => {
      for (const seed of [index + 1]) {
        const { bench, task } = await played(mode, hostile, seed)
        if (mode === 'orchestrator') ended.set(task.stop_reason, (ended.get(task.stop_reason) ?? 0) + 1)
        expect(ENDS, `seed ${seed}`).toContain(task.stop_reason)
        expect(task.step_count).toBeLessThanOrEqual(STEPS_MAX + 1)
        const shown = await shownOf(bench, task.id)
        expectLedger(bench, task, shown)
        for (const answer of bench.answers) expect(() => TaskView.parse(answer)).not.toThrow()
        if (!called(mode, hostile)) expectNothingLeaked(shown, null)
      }
    })
  })
