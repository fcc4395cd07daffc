/** A reply that the endpoint has cut while the model still thought: the next request says so, in each mode. */
import { expect, it } from 'vitest'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import { benchOf, createTask, NONE, ONE, step, thoughtAway, type Script } from '../support/scripted.ts'
import { steps } from './dynamic/support.ts'
import { steps as commands } from './orchestrator/support.ts'

const AWAY = thoughtAway(4_096)
const NAMED = 'its reasoning used up the cap of 4096 tokens'

/** Each mode, and its reply to the second attempt at its first call. */
const MODES: [ModeName, Script, object?][] = [
  ['plan_execute', { plan: [AWAY, { status: 'planned', plan: ['A'] }] }],
  ['plan_execute', { plan: [AWAY, { status: 'planned', plan: ['A'] }] }, { calls: 'few' }],
  ['dynamic', { plan: [AWAY, steps('A')] }],
  ['dynamic', { plan: [AWAY, steps('A')] }, { calls: 'few' }],
  ['orchestrator', { plan: [AWAY, commands('A')] }],
  ['session', { turn: [AWAY, 'The answer.'] }],
  ['autonomous', { turn: [AWAY, '# Report'] }],
]

it.each(MODES)(
  'ruling 33 %s: the model is told that its reasoning used up the cap',
  async (mode, script, settings = {}) => {
    const bench = benchOf(script)
    const { id } = await createTask(bench, settings, NONE, { mode })
    for (let round = 0; round < 3 && bench.requests.length < 2; round++) await step(bench, id, ONE)
    expect(JSON.stringify(bench.requests[1]?.messages)).toContain(NAMED)
    expect(bench.requests.map(({ max_output_tokens }) => max_output_tokens)).toEqual([4_096, 8_192])
  },
)

it.each([
  ['en' as const, NAMED],
  ['zh' as const, '推理用尽了 4096 个 token 的上限'],
])('ruling 33 a session is told in its language: %s', async (locale, words) => {
  const bench = benchOf({ turn: [AWAY, 'So.'] })
  const { id } = await createTask(bench, {}, ONE, { mode: 'session', locale })
  await step(bench, id, ONE)
  const { messages = [] } = bench.requests[1] ?? {}
  expect(messages.at(-1)?.content).toContain(words)
  // It has said nothing, so it is no message of the conversation.
  expect(messages.filter(({ role }) => role === 'assistant')).toEqual([])
})
