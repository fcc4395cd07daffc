/** What the browser keeps, also where it may not. */
import { expect, it } from 'vitest'
import { storageSlot } from '../../src/console/state/storage.ts'

const forbidden = () => {
  throw new DOMException('denied')
}

it('a value that the browser refuses to store is kept as long as the page', () => {
  const kept = storageSlot(forbidden, 'a')
  expect(kept.read()).toBeNull()
  kept.write('x')
  expect(kept.read()).toBe('x')
  kept.remove()
  expect(kept.read()).toBeNull()
})

it('a stored value is read from storage, also when another tab has written it', () => {
  const map = new Map<string, string>()
  const area = {
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, value: string) => void map.set(name, value),
    removeItem: (name: string) => void map.delete(name),
  }
  // Of a storage these three are used.
  const kept = storageSlot(() => area as unknown as Storage, 'a')
  map.set('a', 'before')
  expect(kept.read()).toBe('before')
  kept.write('x')
  expect(map.get('a')).toBe('x')
  kept.remove()
  expect([map.size, kept.read()]).toEqual([0, null])
})
