/** Where two values differ first: the path to it, and what stands there, bounded. */
import { expect, it } from 'vitest'
import { firstDifference, shorten } from '../../src/core/terms/values/difference.ts'

it.each([
  [1, 1, null],
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, null],
  [{ a: undefined }, {}, null],
  [NaN, NaN, null],
  [1, 2, { path: '', expected: 1, found: 2 }],
  [{ a: [1, 2] }, { a: [1, 3] }, { path: '/a/1', expected: 2, found: 3 }],
  [{ a: [1] }, { a: [1, 3] }, { path: '/a/1', expected: null, found: 3 }],
  [{ a: 1 }, { b: 1 }, { path: '/a', expected: 1, found: null }],
  [[], {}, { path: '', expected: [], found: {} }],
  [{ a: null }, { a: {} }, { path: '/a', expected: null, found: {} }],
  [{ 'x/y~z': 1 }, { 'x/y~z': 2 }, { path: '/x~1y~0z', expected: 1, found: 2 }],
])('%j and %j differ by %j', (one, other, difference) => {
  expect(firstDifference(one, other)).toEqual(difference)
})

it('a long value is shown by the beginning of its JSON, a long name by its own', () => {
  const long = firstDifference({ ['n'.repeat(999)]: 'x'.repeat(999) }, {})
  expect(long?.path).toHaveLength(201)
  expect(long?.expected).toMatch(/^"x+\.\.\.$/)
  expect(String(long?.expected)).toHaveLength(200)
  expect(shorten('x'.repeat(198))).toBe('x'.repeat(198))
})

it('a path that is ignored is not compared, nor is what is below it', () => {
  const [one, other] = [
    { a: { b: 1, c: 1 }, d: 1 },
    { a: { b: 2 }, d: 2 },
  ]
  expect(firstDifference(one, other, '', ['/a'])?.path).toBe('/d')
  expect(firstDifference(one, other, '', ['/a/b'])?.path).toBe('/a/c')
  expect(firstDifference(one, other, '', ['/a', '/d'])).toBeNull()
})
