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
it('many requests during a question lead to one more question, a little later', async () => {
  asker.now()
  for (let burst = 0; burst < 50; burst++) asker.now()
  await answer()
  expect(answers).toHaveLength(1)
  await pass(199)
  expect(answers).toHaveLength(1)
  await pass(1)
  expect(answers).toHaveLength(2)
})
it('a request before a question starts does not lead to a second question', async () => {
  asker.now()
  await answer()
  await pass(60_000)
  expect(answers).toHaveLength(1)
})
it('a retry that is set during a question keeps its time, in spite of other requests', async () => {
  asker.now()
  asker.after(5_000)
  asker.now()
  await answer()
  await pass(4_999)
  expect(answers).toHaveLength(1)
  await pass(1)
  expect(answers).toHaveLength(2)
})
it('a later request shortens the wait, and a burst of requests shortens it no further', async () => {
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
it('a delay that ends during a question leads to a question after it, not at the same time', async () => {
  asker.now()
  asker.after(10)
  await pass(10)
  expect(answers).toHaveLength(1)
  await answer()
  await pass(200)
  expect(answers).toHaveLength(2)
})
it('a stopped asker asks no more, neither for waiting nor for new requests', async () => {
  asker.after(10)
  asker.stop()
  asker.now()
  asker.after(1)
  await pass(60_000)
  expect(answers).toHaveLength(0)
})
it('an asker that is stopped during a question asks no more', async () => {
  asker.now()
  asker.now()
  asker.stop()
  await answer()
  await pass(60_000)
  expect(answers).toHaveLength(1)
})
