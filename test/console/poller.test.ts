/** What is read every so often: one question at a time, whatever its answers take. */
import { expect, it } from 'vitest'
import { pollerOf } from '../../src/console/api/poller.ts'
import { clockwork } from './clockwork.ts'

function bench(every_ms: number | null) {
  const { startTimer, pass, waiting } = clockwork()
  const answers: (() => void)[] = []
  const page = { hidden: false }
  const ask = () => new Promise<void>((resolve) => answers.push(resolve))
  const poller = pollerOf(ask, every_ms, startTimer, () => page.hidden)
  const answer = async () => {
    answers.at(-1)?.()
    await pass(0)
  }
  return { poller, answers, answer, pass, page, waiting }
}

it('a slow service is asked once, and the next pause begins with its answer', async () => {
  const { poller, answers, answer, pass } = bench(3_000)
  poller.now()
  await pass(60_000)
  expect(answers).toHaveLength(1)
  await answer()
  await pass(2_999)
  expect(answers).toHaveLength(1)
  await pass(1)
  expect(answers).toHaveLength(2)
})
it('a request during the pause is sent at once, and the pause starts again', async () => {
  const { poller, answers, answer, pass } = bench(3_000)
  poller.now()
  await answer()
  await pass(2_000)
  poller.now()
  expect(answers).toHaveLength(2)
  await answer()
  await pass(2_000)
  expect(answers).toHaveLength(2)
  await pass(1_000)
  expect(answers).toHaveLength(3)
})
it('a hidden page does not ask, and continues when it is shown', async () => {
  const { poller, answers, answer, pass, page } = bench(3_000)
  poller.now()
  await answer()
  page.hidden = true
  await pass(60_000)
  expect(answers).toHaveLength(1)
  page.hidden = false
  poller.now()
  await answer()
  await pass(3_000)
  expect(answers).toHaveLength(3)
})
it('a poller without a pause asks only on request', async () => {
  const { poller, answers, answer, pass } = bench(null)
  poller.now()
  await answer()
  await pass(60_000)
  expect(answers).toHaveLength(1)
})
it('a stopped poller leaves no timer behind, also when it is stopped during a question', async () => {
  const { poller, answers, answer, pass, waiting } = bench(3_000)
  poller.now()
  poller.stop()
  await answer()
  await pass(60_000)
  expect([answers.length, waiting()]).toEqual([1, 0])
})
