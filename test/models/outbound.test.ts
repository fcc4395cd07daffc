/** The one outbound request: what its caller can rely on, apart from the wire. */
import { describe, expect, it } from 'vitest'
import { ANSWER_BYTES_MAX, boundedFetch, withDeadline } from '../../src/shell/network/bounded-fetch.ts'

const URL = 'http://out.test/'
const aborted = (_: unknown, init?: RequestInit) => Promise.reject(init?.signal?.reason)

describe('boundedFetch', () => {
  it('F24 reports an aborted request as a time-out, not as a lost connection', async () => {
    const answer = await boundedFetch(aborted, URL, { signal: AbortSignal.abort() })
    expect(answer).toEqual({ kind: 'unanswered', reason: 'timed out' })
  })
  it('F22 reads a body of exactly the maximum in many pieces completely', async () => {
    const piece = new Uint8Array(1_024).map((_, index) => index)
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < ANSWER_BYTES_MAX; sent += piece.length) controller.enqueue(piece)
        controller.close()
      },
    })
    const answer = await boundedFetch(async () => new Response(body), URL, {})
    const read = answer.kind === 'answered' ? answer.body : new Uint8Array(0)
    expect([read.length, read[1_023], read[1_024], read.at(-1)]).toEqual([ANSWER_BYTES_MAX, 255, 0, 255])
  })
  it('F22 stops reading a body that is longer than the maximum', async () => {
    const seen = { canceled: false }
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(2 ** 18)),
      cancel: () => {
        seen.canceled = true
      },
    })
    const answer = await boundedFetch(async () => new Response(body), URL, {})
    expect(answer).toEqual({ kind: 'unanswered', reason: 'reply too large' })
    expect(seen.canceled).toBe(true)
  })
})

describe('withDeadline', () => {
  it('F24 aborts the work at the deadline and gives the value for late work', async () => {
    const signals: AbortSignal[] = []
    const work = (signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<string>(() => undefined)
    }
    expect(await withDeadline(10, 'late', work)).toBe('late')
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })
  it('F24 does not abort work that ends in time, and passes its rejection on', async () => {
    expect(await withDeadline(1_000, true, async (signal) => signal.aborted)).toBe(false)
    await expect(withDeadline(1_000, null, () => Promise.reject(new Error('own')))).rejects.toThrow('own')
  })
})
