/** The bench of long conversations does what its figures are said to be of. */
import { expect, it } from 'vitest'
import { dynamicTask, grow, SESSION } from '../../bench/session.ts'

it.each([
  ['a session', { ...SESSION, rounds: 45 }, 45],
  ['a dynamic task', { ...dynamicTask(), rounds: 48 }, 40],
])('%s goes on round by round, measured in its window', async (_name, long, actions) => {
  const grown = await grow(long)
  expect(grown).toMatchObject({ rounds: long.rounds, actions })
  expect(grown.prompt_bytes.early).toBeGreaterThan(5_000)
  expect(grown.cpu_ms.early).toBeGreaterThan(0)
  expect(grown.prompt_bytes.late).toBe(0)
  expect(grown.head_bytes).toBeLessThan(16_384)
})
