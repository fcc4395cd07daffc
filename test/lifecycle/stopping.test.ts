/** What a request to stop means: work is finished first, and only a signal that is really a second one ends the process at once. */
import { expect, it } from 'vitest'
import { stopRequests } from '../../scripts/lib/stopping.mjs'

function stopping() {
  const clock = { ms: 5_000 }
  const done: string[] = []
  const requests = stopRequests({
    drain: () => void done.push('drain'),
    abort: () => void done.push('abort'),
    now_ms: () => clock.ms,
  })
  const after = (ms: number, request: 'orphaned' | 'signaled') => {
    clock.ms += ms
    requests[request]()
  }
  return { done, after }
}

it('a signal that several deliver within a second is one', () => {
  const { done, after } = stopping()
  for (const ms of [0, 1, 499, 499]) after(ms, 'signaled')
  expect(done).toEqual(['drain'])
})

it('a signal a second after the first one ends the process at once', () => {
  const { done, after } = stopping()
  after(0, 'signaled')
  after(1_000, 'signaled')
  expect(done).toEqual(['drain', 'abort'])
})

it('the end of whoever started the process never counts as a second signal, and not as a first one', () => {
  const { done, after } = stopping()
  after(0, 'orphaned')
  for (const ms of [500, 60_000]) after(ms, 'orphaned')
  after(0, 'signaled')
  after(10_000, 'orphaned')
  expect(done).toEqual(['drain'])
  after(0, 'signaled')
  expect(done).toEqual(['drain', 'abort'])
})
