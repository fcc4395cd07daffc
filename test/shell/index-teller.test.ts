/** When a task tells the index what it shows: some time after a change, once for many, and again where the index was not to be reached. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { indexTeller, TELL_AFTER_MS } from '../../src/store/task/index-teller.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('U43 changes within two seconds are told once, and one that follows is told again', async () => {
  const tell = vi.fn<() => Promise<void>>(async () => {})
  const teller = indexTeller(tell)
  for (let made = 0; made < 9; made++) teller.changed()
  await vi.advanceTimersByTimeAsync(TELL_AFTER_MS - 1)
  expect(tell).toHaveBeenCalledTimes(0)
  teller.changed()
  await vi.advanceTimersByTimeAsync(1)
  expect(tell).toHaveBeenCalledTimes(1)
  teller.changed()
  await vi.advanceTimersByTimeAsync(TELL_AFTER_MS)
  expect(tell).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(tell).toHaveBeenCalledTimes(2)
})

it('U43 an object that was just loaded tells the index after its first call, and not after later reads', async () => {
  const tell = vi.fn<() => Promise<void>>(async () => {})
  const teller = indexTeller(tell)
  for (let asked = 0; asked < 9; asked++) {
    teller.touched()
    await vi.advanceTimersByTimeAsync(TELL_AFTER_MS)
  }
  expect(tell).toHaveBeenCalledTimes(1)
})

it('U43 an index that could not be told is told later', async () => {
  const tell = vi.fn<() => Promise<void>>(async () => {})
  tell.mockRejectedValueOnce(new Error('the index is being moved'))
  indexTeller(tell).changed()
  await vi.advanceTimersByTimeAsync(TELL_AFTER_MS)
  expect(tell).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tell).toHaveBeenCalledTimes(2)
})
