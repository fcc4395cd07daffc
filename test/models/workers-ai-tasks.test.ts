/** Tasks of all modes over the strict stand-in for the binding of Workers AI, with an older and a newer model, and with an old binding. */
import { describe, expect, it } from 'vitest'
import type { Model } from '../../src/shell/ports.ts'
import { EQUAL, expectFold, replayOf } from '../support/forks.ts'
import { benchOf, CALLER, taken } from '../support/scripted.ts'
import { NEWER, OLDER, workersAiStandIn } from '../support/stand-ins/workers-ai.ts'
import { finished, MODES, notedIn, SESSION } from './mode-scripts.ts'
import { workersAiModel } from './workers-ai-support.ts'

const BINDINGS = [
  ['an older model', OLDER, false, []],
  ['a newer model', NEWER, false, ['newer models take a schema with its name', 'newer models have three efforts']],
  ['an older model at an old binding', OLDER, true, []],
  [
    'a newer model at an old binding',
    NEWER,
    true,
    ['newer models take a schema with its name', 'newer models have three efforts'],
  ],
] as const

describe.each(BINDINGS)('over %s of Workers AI', (_, name, isOld, refusals) => {
  it.each(MODES)('%s %j finishes, and nothing is refused twice', async (mode, settings, script) => {
    const standIn = workersAiStandIn(script, { isOld })
    const { complete } = workersAiModel(standIn, name)
    const model: Model = { complete: (request, call) => complete({ ...request, reasoning_effort: 'minimal' }, call) }
    const bench = benchOf({}, { model })
    const task = await finished(bench, mode, settings)
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    expect(standIn.leftovers()).toEqual([])
    expect(new Set(standIn.broken).size).toBe(standIn.broken.length)
    expect(refusals).toEqual(expect.arrayContaining(standIn.broken))
    expect(notedIn(bench, task.id)).toHaveLength(standIn.broken.length)
    expectFold(bench, task.id)
    expect(await replayOf(bench, task.id)).toEqual(EQUAL(taken(await bench.service.getTask(CALLER, task.id)).version))
  })
})

it('what a newer model has thought goes back with its reply, and is never shown', async () => {
  const standIn = workersAiStandIn(SESSION)
  const bench = benchOf({}, { model: workersAiModel(standIn, NEWER) })
  const task = await finished(bench, 'session', {})
  const last = standIn.answered.at(-1)?.messages.filter(({ role }) => role === 'assistant')
  expect(last).toMatchObject([
    { reasoning_content: 'I think of reply 1.' },
    { reasoning_content: 'I think of reply 2.', tool_calls: [{ id: 'chatcmpl-tool-2-0' }] },
  ])
  const journal = await bench.service.listJournal(CALLER, task.id, { after: 0, limit: 100 })
  expect(JSON.stringify([task, journal])).not.toContain('I think of')
})
