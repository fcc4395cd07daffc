/** A document that all requests share: one attempt at a time, and none that holds up the next one for ever. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cachedDocument, LOAD_MS } from '../../src/http/gate/login/cached-document.ts'

const AGES = { fresh_ms: 600_000, stale_ms: 3_600_000 }
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Attempts that the test ends by itself, in any order. */
function bench() {
  const attempts: PromiseWithResolvers<string | null>[] = []
  const load = () => {
    const attempt = Promise.withResolvers<string | null>()
    attempts.push(attempt)
    return attempt.promise
  }
  return { attempts, document: cachedDocument(load, AGES, Date.now) }
}

it('LOGIN-04 all who wait share one attempt', async () => {
  const { attempts, document } = bench()
  const waiting = [document.read(), document.read(), document.read()]
  expect(attempts).toHaveLength(1)
  attempts[0]?.resolve('keys')
  for (const read of waiting) expect(await read).toEqual({ ok: true, value: 'keys' })
})

it('LOGIN-06 an attempt that ended with its request is given up, and its late end changes nothing', async () => {
  const { attempts, document } = bench()
  const first = document.read()
  await vi.advanceTimersByTimeAsync(LOAD_MS)
  expect(await first).toEqual({ ok: false, retry_after_s: 1 })
  await vi.advanceTimersByTimeAsync(1)
  const second = document.read()
  expect(attempts).toHaveLength(2)
  attempts[1]?.resolve('newer')
  expect(await second).toEqual({ ok: true, value: 'newer' })
  attempts[0]?.resolve('older')
  await vi.advanceTimersByTimeAsync(0)
  expect(await document.read()).toEqual({ ok: true, value: 'newer' })
})
