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

it('a request without an answer keeps its key when it is repeated, and another request has its own key', () => {
  const key = lost(PAUSE)
  expect(keys.keyOf(RESUME, RESUME)).not.toBe(key)
  expect(lost(PAUSE)).toBe(key)
  expect(answered(PAUSE)).toBe(key)
  expect(answered(PAUSE)).not.toBe(key)
})
it('a request that is repeated before its answer keeps its key, however long that takes', () => {
  const key = keys.keyOf(PAUSE, PAUSE)
  now_ms = 3_600_000
  expect(keys.keyOf(PAUSE, PAUSE)).toBe(key)
})
it('a control is a new request after another request of its task was answered', () => {
  const key = lost(PAUSE)
  answered('/tasks/t2/resume')
  expect(lost(PAUSE)).toBe(key)
  answered(RESUME)
  expect(lost(PAUSE)).not.toBe(key)
})
it('a typed text stays the same request, whatever else is answered', () => {
  const [remark, todo] = ['/tasks/t1/input', '/commands']
  const sent = [lost(remark), lost(todo)]
  answered(PAUSE)
  const key = keys.keyOf(todo, 'another')
  keys.settle(todo, 'another', true)
  expect(sent).not.toContain(key)
  expect([lost(remark), lost(todo)]).toEqual(sent)
})
it('a request without an answer yet keeps its key when another one is answered', () => {
  const key = keys.keyOf(PAUSE, PAUSE)
  answered(RESUME)
  keys.settle(PAUSE, PAUSE, false)
  expect(lost(PAUSE)).toBe(key)
})
it('a request that is repeated after ten minutes has a new key', () => {
  const key = lost(PAUSE)
  now_ms = 599_999
  expect(lost(PAUSE)).toBe(key)
  now_ms += 600_000
  expect(lost(PAUSE)).not.toBe(key)
})
it('a request under another API key has a new key; it keeps its key when the same API key is entered again', () => {
  const key = lost(PAUSE)
  keys.belongTo('key-1')
  expect(lost(PAUSE)).toBe(key)
  keys.belongTo('key-2')
  expect(lost(PAUSE)).not.toBe(key)
})
