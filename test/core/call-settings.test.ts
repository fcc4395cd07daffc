/** Temperature, reasoning effort and output cap: for all phases, or for one. */
import { expect, it } from 'vitest'
import { forecast } from '../../src/core/engine/forecast/forecast.ts'
import { callSettings, DEFAULT_SETTINGS, highestOutputCap } from '../../src/core/terms/settings.ts'
import { act, ALL, benchOf, closed, createTask, cutReply, done, FREE, ONE, planned, step } from '../support/scripted.ts'

const PHASES = {
  plan: { reasoning_effort: 'high', max_output_tokens: 8_000 },
  thought: { temperature: 0.7, max_output_tokens: 200 },
} as const

it('a phase is called with its own settings, and with those of the task where it has none', async () => {
  const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
  await createTask(bench, { temperature: 0.2, reasoning_effort: 'low', phases: PHASES }, ALL)
  const asked = bench.requests.map((request) => [
    request.metadata.phase,
    request.temperature,
    request.reasoning_effort,
    request.max_output_tokens,
  ])
  expect(asked).toEqual([
    ['plan', 0.2, 'high', 8_000],
    ['thought', 0.7, 'low', 200],
    ['thought', 0.7, 'low', 200],
    ['replan', 0.2, 'low', 4_096],
  ])
})

it('the attempt after a reply that was cut has twice the room of its phase', async () => {
  const bench = benchOf({ plan: [planned('A')], thought: [cutReply('{"status":"do'), done()] })
  const { id } = await createTask(bench, { phases: PHASES }, ONE)
  await step(bench, id)
  expect(bench.requests.slice(1).map(({ max_output_tokens }) => max_output_tokens)).toEqual([200, 400])
})

it('the worst case counts the highest cap of all phases', () => {
  const settings = { ...DEFAULT_SETTINGS, phases: PHASES }
  expect(highestOutputCap(settings)).toBe(8_000)
  const worst = (one: typeof settings | typeof DEFAULT_SETTINGS) =>
    forecast({ mode: 'plan_execute', settings: one, tools: [], fallbacks: {} }, 0, [], { prices: FREE, now_ms: 0 })
      .worst_case.tokens
  expect(worst(settings)).toBeGreaterThan(worst(DEFAULT_SETTINGS))
})

it('a phase without settings of its own is called as the task says', () => {
  expect(callSettings({ ...DEFAULT_SETTINGS, phases: PHASES }, 'turn')).toEqual({
    temperature: 0,
    reasoning_effort: null,
    max_output_tokens: 4_096,
  })
})
