/** When a callback is tried again, and what is sent again on request, by the rules alone. */
import { describe, expect, it } from 'vitest'
import {
  repeatDelivery,
  beginDelivery,
  newDelivery,
  nextDelivery,
  settleDelivery,
  waitAfter,
  WAITS_MS,
  type Delivery,
} from '../../src/core/protocol/outbox.ts'

const HOUR_MS = 3_600_000
const deliveryOf = (seq: number, state: Delivery['state'], more: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery({ seq, status: 'paused' }, 0),
  state,
  ...more,
})

describe('F38 the schedule', () => {
  it('is ten tries in 75.6 hours', () => {
    const waits = Array.from({ length: 11 }, (_, index) => waitAfter(index + 1, null, 0.5))
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR_MS)
    expect(waits).toEqual([5_000, 300_000, 1_800_000, ...hours, null, null])
    expect(WAITS_MS.reduce((sum, wait) => sum + wait, 0) / HOUR_MS).toBeCloseTo(75.585, 3)
  })

  it('has a jitter of a tenth either way', () => {
    expect([0, 0.25, 0.999_999_999].map((chance) => waitAfter(4, null, chance))).toEqual([
      2 * HOUR_MS * 0.9,
      2 * HOUR_MS * 0.95,
      7_920_000,
    ])
  })

  it('gives way to what the receiver asks for, but for the number of tries', () => {
    expect(waitAfter(1, 60_000, 0.9)).toBe(60_000)
    expect(waitAfter(9, 1_500, 0.9)).toBe(1_500)
    expect(waitAfter(3, 0, 0.9)).toBe(1_000)
    expect(waitAfter(10, 60_000, 0.9)).toBeNull()
  })
})

describe('one that is sent again', () => {
  it('begins anew and at once, and so does what comes after it', () => {
    const all = [
      deliveryOf(2, 'gone'),
      deliveryOf(5, 'gone', { attempts: 3, detail: 'HTTP 410' }),
      deliveryOf(7, 'failed'),
    ]
    expect(repeatDelivery(all, 5, 9)).toEqual([
      { ...all[0], state: 'failed' },
      { ...all[1], state: 'pending', attempts: 0, due: 9 },
    ])
  })

  it.each(['pending', 'sending'] as const)('goes on while it is %s', (state) => {
    expect(repeatDelivery([deliveryOf(5, state, { attempts: 2 })], 5, 9)).toEqual([])
  })

  it('is none where there is none', () => {
    expect(repeatDelivery([deliveryOf(5, 'failed')], 6, 9)).toEqual([])
  })

  it('waits for a try of a later one that is under way: never two at a time', () => {
    const under_way = beginDelivery(deliveryOf(7, 'pending'), 0)
    expect(nextDelivery([deliveryOf(5, 'pending'), under_way])).toBe(under_way)
    const settled = settleDelivery(under_way, { kind: 'failed', after_ms: 9, detail: 'HTTP 500' }, 1)
    expect(settled).toMatchObject({ state: 'pending', due: 10, detail: 'HTTP 500' })
    expect(nextDelivery([deliveryOf(5, 'pending'), settled])).toMatchObject({ seq: 5 })
  })
})
