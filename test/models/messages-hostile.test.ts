/**
 * Every hostile reply of the table over the Messages wire: in each phase once and for ever, and between replies that mean well in every mode.
 * The task comes to a named end, with an exact ledger, and nothing is shown that nobody may see.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { randomOf, type Random } from '../sim/random.ts'
import {
  closeHostileWorld,
  drive,
  hostileBench,
  keep,
  openHostileWorld,
  shownOf,
  type HostileBench,
  type Wire,
} from '../support/hostile-bench.ts'
import { expectAttempt, expectLedger, expectNothingLeaked } from '../support/hostile-checks.ts'
import { PHASES, type Fate, type Hostile, type Phase } from '../support/hostile-kit.ts'
import { hostileWorker } from '../support/hostile-worker.ts'
import { randomReply } from '../support/random-reply.ts'
import { schemaOf } from '../../src/core/engine/contracts.ts'
import { ALL, createTask } from '../support/scripted.ts'
import { CHANGED, hostileMessagesModel, onMessages } from '../support/stand-ins/messages-hostile.ts'
import { HOSTILE } from './hostile.ts'

const TABLE = HOSTILE.map(onMessages)
const CASES = TABLE.flatMap((hostile) =>
  PHASES.map((phase) => [`row ${hostile.row} a ${phase} answered with ${hostile.name}`, hostile, phase] as const),
)

beforeAll(async () => {
  await openHostileWorld()
  // This loads the wire before the clock is stopped.
  await import('../../src/models/wires/messages/wire.ts')
})
afterAll(closeHostileWorld)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 12, 0) })
})
afterEach(() => void vi.useRealTimers())

const STRICT = { strict_replies: true }
const attackedAt = (phase: Phase, choose: (attempt: number) => Hostile | null): HostileBench =>
  hostileBench((asked, attempt) => (asked === phase ? choose(attempt) : null), undefined, hostileMessagesModel)
const played = async (bench: HostileBench) => drive(bench, await keep(bench, createTask(bench, STRICT, ALL)))

describe('one hostile reply', () => {
  it.each(CASES)('%s', async (_, hostile, phase) => {
    const fate = hostile.fate[phase]
    const bench = attackedAt(phase, (attempt) => (attempt === 0 ? hostile : null))
    const task = await played(bench)
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    const shown = await shownOf(bench, task.id)
    expectAttempt(bench, task, shown, { phase, fate })
    expectLedger(bench, task, shown)
    expectNothingLeaked(shown, [fate])
  })
})

function stopOf({ outcome, for_ever = 'done' }: Fate): string {
  if (outcome === 'contract_error') return 'contract_failures'
  return outcome === 'model_error' ? 'model_unavailable' : for_ever
}

describe('a hostile reply to every call', () => {
  it.each(CASES)('%s', async (_, hostile, phase) => {
    const fate = hostile.fate[phase]
    const bench = attackedAt(phase, () => hostile)
    const task = await played(bench)
    expect(task.stop_reason).toBe(stopOf(fate))
    const shown = await shownOf(bench, task.id)
    expectLedger(bench, task, shown)
    expectNothingLeaked(shown, [fate])
  })
})

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

/** A draw from the contract of the phase, as a message on the wire. */
function wellmeant(random: Random) {
  let serial = 0
  return ({ mode, phase, tools }: Wire) => {
    const schema = schemaOf(mode, phase, [])
    const metadata = { task: 't', mode, phase, seq: 0 }
    const contract = schema === null ? null : { name: phase, schema }
    const asked = { model: null, temperature: 0, reasoning_effort: null, messages: [], max_output_tokens: 64 }
    const reply = randomReply({ ...asked, tools, contract, form: 'text', metadata }, random, (serial += 1))
    const calls = reply.tool_calls?.map(({ id, name, arguments: args }) => ({
      id,
      function: { name, arguments: args },
    }))
    return { content: reply.text, ...(calls === undefined ? {} : { tool_calls: calls }) }
  }
}

describe.each(MODE_NAMES)('S0-24 mode %s with hostile replies in between', (mode) => {
  it.each(TABLE.map((hostile, index) => [hostile.name, hostile, index] as const))('%s', async (_, hostile, index) => {
    const random = randomOf(index + 1)
    const bench = hostileBench(() => (random.chance(0.35) ? hostile : null), wellmeant(random), hostileMessagesModel)
    const settings = { max_steps: STEPS_MAX, max_iterations: STEPS_MAX, max_retries_per_step: 1 }
    const first = await keep(bench, createTask(bench, settings, ALL, { mode }))
    const task = await drive(bench, first, hostileWorker(random, new Map()))
    expect(ENDS).toContain(task.stop_reason)
    const shown = await shownOf(bench, task.id)
    expectLedger(bench, task, shown)
    // Where tools are called natively a call is something the model says: the journal keeps it, canary and all.
    const isSaid = Object.keys(modeOf(mode).contracts).length === 0 && hostile.name.startsWith('a tool call ')
    if (!isSaid) expectNothingLeaked(shown, null)
  })
})

it('F70 each reply with another fate on this wire is one of the table', () => {
  const names = HOSTILE.map(({ name }) => name)
  expect(CHANGED.filter((name) => !names.includes(name))).toEqual([])
  expect(TABLE.length).toBeGreaterThanOrEqual(222)
})
