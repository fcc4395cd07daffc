/** Which idempotency key a request goes out under: the one of before as long as nobody knows what became of it. */
import { beforeEach, expect, it } from 'vitest'
import { requestKeys, type RequestKeys } from '../../src/console/state/request-keys.ts'

let now_ms: number
let keys: RequestKeys
beforeEach(() => {
  now_ms = 0
  keys = requestKeys(() => now_ms)
  keys.belongTo('key-1')
})
const [PAUSE, RESUME] = ['/tasks/t1/pause', '/tasks/t1/resume']
const lost = (path: string) => {
  const key = keys.keyOf(path, path)
  keys.settle(path, path, false)
  return key
}
const answered = (path: string) => {
  const key = keys.keyOf(path, path)
  keys.settle(path, path, true)
  return key
}

it('the same request that got no answer keeps its key, another one has its own', () => {
  const key = lost(PAUSE)
  expect(keys.keyOf(RESUME, RESUME)).not.toBe(key)
  expect(lost(PAUSE)).toBe(key)
  expect(answered(PAUSE)).toBe(key)
  expect(answered(PAUSE)).not.toBe(key)
})
it('so does one that is made again while it is under way, however long that takes', () => {
  const key = keys.keyOf(PAUSE, PAUSE)
  now_ms = 3_600_000
  expect(keys.keyOf(PAUSE, PAUSE)).toBe(key)
})
it('a control is another request once something else of its task has been answered', () => {
  const key = lost(PAUSE)
  answered('/tasks/t2/resume')
  expect(lost(PAUSE)).toBe(key)
  answered(RESUME)
  expect(lost(PAUSE)).not.toBe(key)
})
it('what was typed stays the same request, whatever else is answered', () => {
  const [remark, todo] = ['/tasks/t1/input', '/commands']
  const sent = [lost(remark), lost(todo)]
  answered(PAUSE)
  const key = keys.keyOf(todo, 'another')
  keys.settle(todo, 'another', true)
  expect(sent).not.toContain(key)
  expect([lost(remark), lost(todo)]).toEqual(sent)
})
it('what is still under way is not forgotten by that', () => {
  const key = keys.keyOf(PAUSE, PAUSE)
  answered(RESUME)
  keys.settle(PAUSE, PAUSE, false)
  expect(lost(PAUSE)).toBe(key)
})
it('after ten minutes it is another request', () => {
  const key = lost(PAUSE)
  now_ms = 599_999
  expect(lost(PAUSE)).toBe(key)
  now_ms += 600_000
  expect(lost(PAUSE)).not.toBe(key)
})
it('under another key of the service it is another request, under the same one entered again it is not', () => {
  const key = lost(PAUSE)
  keys.belongTo('key-1')
  expect(lost(PAUSE)).toBe(key)
  keys.belongTo('key-2')
  expect(lost(PAUSE)).not.toBe(key)
})
