/** What was typed stays while its key is in use, and whether there is anything to lose is told. */
import { beforeEach, expect, it } from 'vitest'
import { draftStore, type DraftStore } from '../../src/console/state/draft-store.ts'

let told: boolean[]
let book: DraftStore
beforeEach(() => {
  told = []
  book = draftStore((unsaved) => told.push(unsaved))
  book.belongTo('key-1')
})

it('a draft is found where it was typed, until it is dropped', () => {
  book.keep('new', 'Buy milk')
  expect([book.read('new'), book.read('report:1')]).toEqual(['Buy milk', undefined])
  book.drop('new')
  expect(book.read('new')).toBeUndefined()
})
it('reports once that there is something to lose, and once that there is nothing any more', () => {
  book.keep('new', 'B')
  book.keep('new', 'Bu')
  book.keep('report:1', 'done')
  book.drop('new')
  expect(told).toEqual([true])
  book.drop('report:1')
  book.drop('report:1')
  expect(told).toEqual([true, false])
})
it('all drafts of one place are dropped together', () => {
  for (const key of ['task:1:say', 'task:1:plan', 'task:12:say']) book.keep(key, 'x')
  book.dropAll('task:1:', 'task:1:plan')
  expect([book.read('task:1:say'), book.read('task:1:plan')]).toEqual([undefined, 'x'])
  book.dropAll('task:1:')
  expect(['task:1:say', 'task:1:plan', 'task:12:say'].map((key) => book.read(key))).toEqual([undefined, undefined, 'x'])
  expect(book.isEmpty()).toBe(false)
  book.drop('task:12:say')
  expect([book.isEmpty(), told]).toEqual([true, [true, false]])
})
it('a watcher of one place is told about changes of this place only', () => {
  let heard = 0
  const end = book.watch('new', () => (heard += 1))
  book.keep('new', 'B')
  book.keep('report:1', 'x')
  book.drop('new')
  expect(heard).toBe(2)
  book.keep('new', 'B')
  book.belongTo(null)
  expect(heard).toBe(4)
  end()
  book.keep('new', 'B')
  expect(heard).toBe(4)
})
it('a refused key that is entered again finds its drafts; another key finds none', () => {
  book.keep('new', 'Buy milk')
  book.belongTo('key-1')
  expect(book.read('new')).toBe('Buy milk')
  book.belongTo('key-2')
  expect([book.read('new'), told]).toEqual([undefined, [true, false]])
})
it('the drafts of a key are deleted when the key is forgotten', () => {
  book.keep('new', 'Buy milk')
  book.belongTo(null)
  expect([book.read('new'), told]).toEqual([undefined, [true, false]])
})
