/** What an ended run says of the tasks that it has left open (S1-36). */
import { expect, it } from 'vitest'
import { itemResults } from '../../../src/core/modes/autonomous/item-results.ts'
import type { Recall } from '../../../src/core/terms/effect.ts'
import { CALLER } from '../../support/scripted.ts'
import { agentBench, begin, blocks, END, rounds, stateOf } from './support.ts'

/** A run that has ended with these tasks open, and how often the row of its report is read for their results. */
async function readsOfReport(count: number): Promise<{ reads: number; results: (string | null)[] }> {
  const names = Array.from({ length: count }, (_, index) => `Look at part ${index}.`)
  const list = blocks('t', ...names.map((name): [string, string] => [' ', name]))
  const report = `${list}\n# Report\n- Not done: ${names[0]}: there are no rows.${END}`
  const bench = agentBench([report, report])
  const { id } = await begin(bench, {}, rounds(9))
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) throw new Error('there are no rows')
  const state = stateOf(bench, id)
  let reads = 0
  const recall: Recall = (row) => {
    if (row === state.ending?.row) reads += 1
    return rows.recall(row)
  }
  const resultOf = itemResults({ ...state, plan: { ...state.plan, items: state.plan.items.map(atFirstRow) } }, recall)
  return { results: names.map((_, index) => resultOf(index)), reads }
}

/** The names of the tasks also stand in the first reply, so that only the report is read from the last one. */
const atFirstRow = ([id, , at]: [number, number, number]): [number, number, number] => [id, 2, at]

it('S1-36 the report is put together once, however many tasks are open', async () => {
  const few = await readsOfReport(2)
  const many = await readsOfReport(90)
  expect(few.results).toEqual(['there are no rows.', 'left open by the model'])
  expect(many.results.slice(0, 3)).toEqual([...few.results, 'left open by the model'])
  expect(many.reads).toBe(few.reads)
})
