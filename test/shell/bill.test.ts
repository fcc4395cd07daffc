/** What a request of the bench task asks of the objects, and how long its answers are. Rows and money: test/workerd/bill.test.ts. */
import { describe, expect, it } from 'vitest'
import { roundsOf } from '../../bench/task.ts'
import { Head } from '../../src/core/terms/head.ts'
import { benchTask } from '../support/bench-task.ts'
import { ALL, ONE, rowsOf } from '../support/scripted.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length
/** One item of the plan: a thought with its tool, the thought that ends it, the replan. */
const ITEM = [
  ['task.begin', 'task.commit', 'workspace.run_command', 'task.commit'],
  ['task.begin', 'task.commit'],
  ['task.begin', 'task.commit'],
]

describe('the bill of the bench task', () => {
  it('U5 a request of one effect is two calls of its task and no other, one of k effects 1 + k, a tool calls its workspace', async () => {
    const { calls, request } = await benchTask('bench')
    for (const expected of [...ITEM, ...ITEM]) {
      await request(ONE)
      expect(calls.splice(0)).toEqual(expected)
    }
    const rounds = roundsOf(16)
    await request({ ...ALL, rounds })
    const [ofTask, ofWorkspace] = ['task.', 'workspace.'].map((kind) => calls.filter((call) => call.startsWith(kind)))
    expect(ofTask).toEqual(['task.begin', ...Array.from({ length: 16 }, () => 'task.commit')])
    expect(ofWorkspace).toEqual(Array.from({ length: 4 }, () => 'workspace.run_command'))
  })

  it('U5 the index hears of a task when it is made and when it ends, and at no step between', async () => {
    const { calls, request } = await benchTask('bench-20', undefined, true)
    expect(calls.filter((call) => call.startsWith('workspace.'))).toEqual(['workspace.admit'])
    for (let made = 1; made < roundsOf(20); made++) await request(ONE)
    expect(calls).not.toContain('workspace.set_status')
    expect(await request(ONE)).toMatchObject({ status: 'completed', step_count: 20 })
    expect(calls.at(-1)).toBe('workspace.set_status')
  })

  it('no call of an object is under way while the model is awaited', async () => {
    const { open_at_model, request } = await benchTask('bench')
    await request({ ...ALL, rounds: roundsOf(16) })
    // The plan and twelve calls of the slice, each looked at twice.
    expect(open_at_model).toEqual(Array.from({ length: 2 * 13 }, () => 0))
  })

  it('U24 U34 an answer with its finished items is at most 5 KB at any of 200 steps, and the head at most 2 KB', async () => {
    const { bench, id, request } = await benchTask('bench')
    const answers: number[] = []
    for (let made = 0; made < roundsOf(200); made++) answers.push(bytesOf(await request(ONE)))
    expect(answers).toHaveLength(150)
    expect(Math.max(...answers)).toBeLessThanOrEqual(5_120)
    const heads = rowsOf(bench, id).map(({ head }) => bytesOf(Head.parse(head)))
    expect(heads).toHaveLength(202)
    expect(Math.max(...heads)).toBeLessThanOrEqual(2_048)
  })
})
