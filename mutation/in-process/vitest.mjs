/** As much of vitest's interface as the suites use, over vitest's own `expect` and spies. Tests are collected and run by ./suites.mjs. */
import { ASYMMETRIC_MATCHERS_OBJECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'
import { restoreAllMocks, spyOn } from '@vitest/spy'
import * as chai from 'chai'
import * as clock from './clock.mjs'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)
Object.assign(chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT])
export const { expect } = chai

/** What was seen without a mutant is what is expected with one. */
const seen = new Map()
chai.use((_, { addMethod, flag }) =>
  addMethod(chai.Assertion.prototype, 'toMatchSnapshot', function () {
    const name = `${running.id} ${++running.snapshots}`
    const text = JSON.stringify(flag(this, 'object'))
    if (!seen.has(name)) seen.set(name, text)
    chai.expect(text).toBe(seen.get(name))
  }),
)

/** The test that runs now, for its snapshots. */
export const running = { id: '', snapshots: 0 }
/** Every test, in the order it was written. */
export const tests = []
let scope = { file: '', path: [], before: [], after: [] }

export async function collect(file, load) {
  scope = { file, path: [file], before: [], after: [] }
  await load()
}

export function describe(name, body) {
  const around = scope
  scope = { ...around, path: [...around.path, name], before: [...around.before], after: [...around.after] }
  body()
  scope = around
}

export function it(name, body) {
  const { file, path, before, after } = scope
  tests.push({ id: [...path, name].join(' > '), name, file, body, before, after })
}
export const beforeEach = (body) => scope.before.push(body)
export const afterEach = (body) => scope.after.push(body)

const each = (declare) => (rows) => (name, body) =>
  rows.forEach((row, index) => {
    const values = Array.isArray(row) ? row : [row]
    declare(`${name} [${index}]`, () => body(...values))
  })
it.each = each(it)
describe.each = each(describe)

export const vi = {
  spyOn,
  restoreAllMocks,
  useFakeTimers: clock.stop,
  useRealTimers: clock.resume,
  advanceTimersByTimeAsync: clock.advance,
  getTimerCount: clock.count,
}
