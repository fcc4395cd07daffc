/** `Retry-After` in every spelling (F23). */
import { expect, it } from 'vitest'
import { retryAfterMs } from '../../src/shell/network/retry-after.ts'

const NOW = Date.UTC(2026, 10, 4, 12, 0, 0)

it.each<[string, Record<string, string>, number | null]>([
  ['nothing', {}, null],
  ['seconds', { 'retry-after': '30' }, 30_000],
  ['more than a minute', { 'retry-after': '600' }, 600_000],
  ['part of a second, rounded up', { 'retry-after': '0.0005' }, 1],
  ['zero', { 'retry-after': '0' }, 0],
  ['a negative number', { 'retry-after': '-5' }, 0],
  ['more than a day', { 'retry-after': '86401' }, 86_400_000],
  ['a number beyond all', { 'retry-after': '9'.repeat(400) }, 86_400_000],
  ['milliseconds', { 'retry-after-ms': '1500' }, 1_500],
  ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
  ['broken milliseconds, then seconds', { 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000],
  ['a date', { 'retry-after': 'Wed, 04 Nov 2026 12:01:00 GMT' }, 60_000],
  ['a date of the second form', { 'retry-after': 'Wednesday, 04-Nov-26 12:01:00 GMT' }, 60_000],
  ['a date that has passed', { 'retry-after': 'Wed, 04 Nov 2026 11:00:00 GMT' }, 0],
  ['a date in years', { 'retry-after': 'Wed, 04 Nov 2099 12:00:00 GMT' }, 86_400_000],
  ['a word', { 'retry-after': 'later' }, null],
  ['a day that is none', { 'retry-after': 'Wed, 99 Foo 2026' }, null],
  ['two values', { 'retry-after': '1, 2' }, null],
  ['a date without a day', { 'retry-after': '2026-11-04' }, null],
  ['an empty value', { 'retry-after': '' }, null],
])('F23 Retry-After is read and clamped to a day: %s', (_, headers, expected) => {
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected)
})
