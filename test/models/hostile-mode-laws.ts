/** What every mode must come to when hostile replies come again and again between replies that mean well: on every wire the same. */
import { describe, expect, it } from 'vitest'
import { Validator } from '@cfworker/json-schema'
import { contractOfCall } from '../../src/core/engine/contracts.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { readOutputSchema } from '../../src/core/terms/schema/output-schema.ts'
import type { JsonSchema } from '../../src/core/terms/schema/json-schema.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { randomOf, type Random } from '../sim/random.ts'
import { drive, hostileBench, keep, shownOf, type HostileBench, type Wire } from '../support/hostile-bench.ts'
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
  'result_unmet',
]
/** Tasks that have ended with data, by their mode, and those whose result was not met. */
export const typed = new Map<string, number>()

/** Some words of each kind: what may be left out, bounds, names, lists, references. */
export const OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    answer: { type: 'string', minLength: 1 },
    state: { enum: ['open', 'closed'] },
    count: { type: 'integer', minimum: 0 },
    parts: { type: 'array', items: { $ref: '#/$defs/part' }, maxItems: 3 },
  },
  required: ['answer', 'parts'],
  additionalProperties: false,
  $defs: { part: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
}
const APPLIED = readOutputSchema(OUTPUT_SCHEMA)
const applied = APPLIED.ok ? APPLIED.schema : null
const validator = new Validator(OUTPUT_SCHEMA)

/** U54: the data fits, or a named stop says why there is none. */
function expectTyped({ status, stop_reason, result, mode, handover }: TaskView): void {
  if (status === 'completed') {
    expect(validator.validate(result?.data).errors).toEqual([])
    typed.set(mode, (typed.get(mode) ?? 0) + 1)
    return
  }
  expect(result?.data ?? null).toBeNull()
  if (stop_reason !== 'result_unmet') return
  expect(handover?.unfinished_reason).toContain('output_schema')
  typed.set('result_unmet', (typed.get('result_unmet') ?? 0) + 1)
}
const STEPS_MAX = 12

/** Where tools are called natively a call is something the model says: the journal keeps it, canary and all. */
const called = (mode: ModeName, { name }: Hostile) =>
  Object.keys(modeOf(mode).contracts).length === 0 && name.startsWith('a tool call ')

/** A draw from the contract of the phase, as a message on the wire. */
function wellmeant(random: Random) {
  let serial = 0
  return ({ mode, phase, tools }: Wire) => {
    if (tools.some(({ name }) => name === 'read_file') && random.chance(0.15)) {
      const call = { name: 'read_file', arguments: JSON.stringify({ name: random.pick(['a.txt', 'sales.csv']) }) }
      return { content: '', tool_calls: [{ id: 'r1', function: call }] }
    }
    const contract = contractOfCall(mode, { phase }, [], applied)
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

/** The files that well-meant replies name. */
const GOAL = 'make something of a.txt, file0.txt, file1.txt, file2.txt and sales.csv'
const MISSING: Record<string, string> = { read_file: 'not_found', read_dataset: 'dataset_missing' }
export const file_waits = new Map<ModeName, number>()

/** Every other time a tool does not find its file. */
function missFiles({ ports }: Pick<HostileBench, 'ports'>, random: Random): void {
  for (const [name, code] of Object.entries(MISSING)) {
    const tool = ports.tools.get(name)
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    const { run } = tool
    const missing = { ok: false, code, text: 'There is no such file.' }
    tool.run = (input, call) => (random.chance(0.5) ? Promise.resolve(missing) : run(input, call))
  }
}

async function played(mode: ModeName, hostile: Hostile, seed: number, shape: object = {}) {
  const random = randomOf(seed)
  const bench = hostileBench(() => (random.chance(0.35) ? hostile : null), wellmeant(random))
  missFiles(bench, randomOf(seed))
  const command_budget = random.pick([null, { tokens: 1_000, cost_usd: '0.001' }, { seconds: 5 }])
  const patience =
    mode === 'orchestrator'
      ? { max_clarifications: random.pick([0, 6]), max_retries_per_step: 1, max_steps: random.pick([3, STEPS_MAX]) }
      : {}
  const settings = { max_steps: STEPS_MAX, max_iterations: STEPS_MAX, command_budget, ...patience }
  const first = await keep(bench, createTask(bench, settings, ALL, { mode, goal: GOAL, ...shape }))
  const task = await drive(bench, first, hostileWorker(random, refused))
  const waits = bench.answers.filter(({ stop_reason }) => stop_reason === 'file').length
  file_waits.set(mode, (file_waits.get(mode) ?? 0) + waits)
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

/** What a mode makes of a reply hardly depends on the wire, and hostile-modes.test.ts has all modes: here each reply meets one of them. */
export function proveModesInTurn(modes: readonly ModeName[], table: readonly Hostile[]): void {
  for (const [turn, mode] of modes.entries())
    proveModes(
      [mode],
      table.filter((_, row) => row % modes.length === turn),
    )
}

export const proveTyped = (modes: readonly ModeName[], table: readonly Hostile[]) =>
  describe.each(modes)('U54 mode %s with an output schema and hostile replies in between', (mode) => {
    it.each(table.map((hostile, index) => [hostile.name, hostile, index] as const))('%s', async (_, hostile, index) => {
      const { bench, task } = await played(mode, hostile, 1_000 + index, { output_schema: OUTPUT_SCHEMA })
      expect(ENDS).toContain(task.stop_reason)
      for (const answer of bench.answers) {
        expect(() => TaskView.parse(answer)).not.toThrow()
        expectTyped(answer)
      }
      const shown = await shownOf(bench, task.id)
      expectLedger(bench, task, shown)
      if (!called(mode, hostile)) expectNothingLeaked(shown, null)
    })
  })
