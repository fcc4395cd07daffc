/** The parts of the peers' bench that could be wrong without showing it: its arithmetic, and the model that all of them ask. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { judge, spreadOf, summarize } from '../../bench/peers/lib/report.mjs'
import { modelName, startModel } from '../../bench/peers/model.mjs'

describe('figures of the peers', () => {
  it('takes the middle of an odd number and between the two of an even one', () => {
    expect(spreadOf([3, 1, 10])).toEqual({ median: 3, min: 1, max: 10 })
    expect(spreadOf([4, 1, 2, 10])).toEqual({ median: 3, min: 1, max: 10 })
  })

  it('gives the ratio of the medians, and the range of the ratios of rounds measured side by side', () => {
    const { ratios } = summarize({
      ours: [{ cpu: 1 }, { cpu: 2 }, { cpu: 4 }],
      other: [{ cpu: 10 }, { cpu: 10 }, { cpu: 20 }],
    })
    expect(ratios).toEqual({ other: { cpu: { ratio: 5, min: 5, max: 10 } } })
  })

  it('calls an aim met from its ratio on and not below, and leaves out who was not measured', () => {
    const of = (ratio: number) => ({ ratio, min: ratio, max: ratio })
    const langgraph = { 'cpu step 1': of(5), 'cpu task 1': of(4.99), 'cpu 181–200': of(15) }
    expect(judge({ ratios: { langgraph } }).map(({ met }) => met)).toEqual([true, false, true])
  })
})

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1) })
const Said = z.object({ status: z.string(), plan: z.array(z.string()).optional() })

/** What the model says to the calls of one task of two items, in order. */
async function said(mode: string, calls: [phase: string, seq: number][]): Promise<string[]> {
  const model = await startModel()
  const answers: string[] = []
  for (const [phase, seq] of calls) {
    const headers = { 'cf-aig-metadata': JSON.stringify({ task: 'one', mode, phase, seq }) }
    const body = JSON.stringify({ model: modelName(2), messages: [] })
    const answer = await fetch(`${model.origin}/v1/chat/completions`, { method: 'POST', headers, body })
    const [choice] = Completion.parse(await answer.json()).choices
    const { status, plan = [] } = Said.parse(JSON.parse(choice?.message.content ?? ''))
    answers.push(`${status} ${plan.length}`)
  }
  expect(model.calls()).toBe(calls.length)
  await model.close()
  return answers
}

describe('the model of the peers', () => {
  it('leads a peer through a thought and a replan per item', async () => {
    const calls: [string, number][] = [
      ['plan', 0],
      ['thought', 1],
      ['replan', 3],
      ['thought', 4],
      ['replan', 6],
    ]
    expect(await said('peer', calls)).toEqual(['planned 2', 'continue 0', 'replanned 1', 'continue 0', 'done 0'])
  })

  it('leads ours through a second thought that closes the item, wherever its rows begin', async () => {
    const calls: [string, number][] = [
      ['plan', 2],
      ['thought', 3],
      ['thought', 5],
      ['replan', 6],
      ['thought', 7],
      ['thought', 9],
      ['replan', 10],
    ]
    const expected = ['planned 2', 'continue 0', 'done 0', 'replanned 1', 'continue 0', 'done 0', 'done 0']
    expect(await said('plan_execute', calls)).toEqual(expected)
  })
})
