/** One question again and again: never twice at once, never more often than it has to be, never after the end. */
import { beforeEach, expect, it } from 'vitest'
import { askerOf, type Asker } from '../../src/console/api/asker.ts'
import { clockwork } from './clockwork.ts'

const { startTimer, pass } = clockwork()
let answers: (() => void)[]
let asker: Asker
beforeEach(() => {
  answers = []
  asker = askerOf(() => new Promise((resolve) => answers.push(resolve)), startTimer)
})
/** Answers the question that is under way. */
async function answer(): Promise<void> {
  answers.at(-1)?.()
  await pass(0)
}

it('asks at once', () => {
  asker.now()
  expect(answers).toHaveLength(1)
})
it('what is wanted while it asks is asked for once, a little startTimer', async () => {
  asker.now()
  for (let burst = 0; burst < 50; burst++) asker.now()
  await answer()
  expect(answers).toHaveLength(1)
  await pass(199)
  expect(answers).toHaveLength(1)
  await pass(1)
  expect(answers).toHaveLength(2)
})
it('asks no second time for what was wanted before it began', async () => {
  asker.now()
  await answer()
  await pass(60_000)
  expect(answers).toHaveLength(1)
})
it('a retry that was set while it asked keeps its time, whatever was wanted meanwhile', async () => {
  asker.now()
  asker.after(5_000)
  asker.now()
  await answer()
  await pass(4_999)
  expect(answers).toHaveLength(1)
  await pass(1)
  expect(answers).toHaveLength(2)
})
it('what is wanted after that cuts the wait short, and a burst of it no shorter', async () => {
  asker.now()
  asker.after(5_000)
  await answer()
  for (let burst = 0; burst < 50; burst++) asker.now()
  await pass(199)
  expect(answers).toHaveLength(1)
  await pass(1)
  expect(answers).toHaveLength(2)
  await answer()
  await pass(60_000)
  expect(answers).toHaveLength(2)
})
it('a second delay does not move the first', async () => {
  asker.after(100)
  asker.after(1)
  await pass(99)
  expect(answers).toHaveLength(0)
  await pass(1)
  expect(answers).toHaveLength(1)
})
it('a delay that is over while it asks is asked for after that, not beside it', async () => {
  asker.now()
  asker.after(10)
  await pass(10)
  expect(answers).toHaveLength(1)
  await answer()
  await pass(200)
  expect(answers).toHaveLength(2)
})
it('asks for nothing once it is stopped: not what waits, not what is wanted then', async () => {
  asker.after(10)
  asker.stop()
  asker.now()
  asker.after(1)
  await pass(60_000)
  expect(answers).toHaveLength(0)
})
it('stopped while it asks, it asks no more', async () => {
  asker.now()
  asker.now()
  asker.stop()
  await answer()
  await pass(60_000)
  expect(answers).toHaveLength(1)
})
