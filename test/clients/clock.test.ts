/** The clock of the TypeScript client, with the timers of a test. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SYSTEM_CLOCK, timeLimit } from '../../clients/typescript/src/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DAY_MS = 86_400_000

describe('U59 a sleep', () => {
  it('U59 of a month is not over at once, although a timer holds 24 days at most', async () => {
    const woken = vi.fn<() => void>()
    void SYSTEM_CLOCK.sleep(30 * DAY_MS).then(woken)
    await vi.advanceTimersByTimeAsync(30 * DAY_MS - 1)
    expect(woken).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(woken).toHaveBeenCalledOnce()
  })

  it('U59 is over when its signal is aborted, and leaves no timer', async () => {
    const controller = new AbortController()
    const sleep = SYSTEM_CLOCK.sleep(30 * DAY_MS, controller.signal)
    expect(vi.getTimerCount()).toBe(1)
    controller.abort()
    expect(await sleep).toBeUndefined()
    expect(await SYSTEM_CLOCK.sleep(DAY_MS, controller.signal)).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('U59 limits the time of a request until it is cleared', async () => {
    const [late, done] = [1, 2].map(() => timeLimit(SYSTEM_CLOCK, 1000, undefined, () => new Error('late')))
    done?.clear()
    await vi.advanceTimersByTimeAsync(1000)
    expect([late?.signal.reason, done?.signal.aborted]).toEqual([new Error('late'), false])
    expect(vi.getTimerCount()).toBe(0)
  })
})
