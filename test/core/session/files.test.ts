/** Files of a session: written by its tools into its own store, and found there by its next run. */
import { expect, it } from 'vitest'
import { calling, createTask, realBench, say, type Line } from '../../support/scripted.ts'
import { rounds, said } from './support.ts'

const session = async (turn: Line[]) => {
  const bench = realBench({ turn })
  const task = await createTask(bench, {}, rounds(9), { mode: 'session' })
  return { bench, task }
}
const write = (content: string) => calling('', ['write_file', { name: 'report.md', content }])
const read = calling('', ['read_file', { name: 'report.md' }])

it('S4-05 what a session writes stands in its own store: its next run reads it, another session does not', async () => {
  const { bench, task } = await session([write('profit 7 %'), 'written', read, 'read', read, 'nothing there'])
  await say(bench, task.id, 'what does it say?', rounds(9))
  expect(said(bench.requests.at(-1)).findLast(({ role }) => role === 'tool')?.content).toContain('profit 7 %')
  await createTask(bench, {}, rounds(9), { mode: 'session', goal: 'another goal' })
  expect(said(bench.requests.at(-1)).at(-1)?.content).toMatch(/^error: /)
  bench.spent()
})

it.each(['../report.md', '/etc/passwd', 'a/b.md', '..'])('S4-05 no file is written outside of it: %s', async (name) => {
  const { bench, task } = await session([calling('', ['write_file', { name, content: 'x' }]), 'not written'])
  expect(task).toMatchObject({ status: 'completed', counters: { failed_actions: 1 } })
  expect(said(bench.requests.at(-1)).at(-1)?.content).toMatch(/^error: /)
})
