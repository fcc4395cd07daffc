/** Forks of a session: what its model said, and called, may be another thing (U26). */
import { expect, it } from 'vitest'
import { complaint, EQUAL, expectFold, forkOf, replayOf } from '../../support/forks.ts'
import { step } from '../../support/scripted.ts'
import { begin, rounds, said, sessionBench, states, steps, use } from './support.ts'

const call = (id: string, command: string) => ({ id, name: 'todo', arguments: JSON.stringify({ command }) })

/** Row 2 is the first reply of the model. */
async function forked(text: string, tool_calls: ReturnType<typeof call>[]) {
  const bench = sessionBench([use(steps('A', 'B')), 'the answer\n[Done]', 'another answer\n[Done]'])
  const task = await begin(bench, {}, rounds(9))
  return { bench, id: task.id, wish: { at: 2, outcome: { text, tool_calls } } }
}

it('U26 other calls of the model are made in their order, and answered each by its id', async () => {
  const { bench, id, wish } = await forked(steps('C'), [call('x', '/todo add tea'), call('y', '/todo list')])
  const fork = await forkOf(bench, id, wish)
  expectFold(bench, fork.id)
  expect(states(fork)).toEqual(['running'])
  const end = await step(bench, fork.id, rounds(9))
  expect(end).toMatchObject({ status: 'completed', result: { text: 'another answer' }, counters: { actions: 2 } })
  const answers = said(bench.requests.at(-1)).flatMap((message) =>
    message.role === 'tool' ? [message.tool_call_id] : [],
  )
  expect(answers).toEqual(['x', 'y'])
  expect(await replayOf(bench, fork.id)).toMatchObject({ ...EQUAL(0), events: expect.any(Number) })
})

it('U26 two calls of one id are refused: a result names its call by it', async () => {
  const { bench, id, wish } = await forked('', [call('x', '/todo list'), call('x', '/todo list')])
  expect(await complaint(bench, id, wish)).toMatch(/^\/edit\/outcome .*an id of its own each/)
})
