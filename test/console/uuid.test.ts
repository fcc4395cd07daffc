/** Keys of requests where the page stands in no secure context. */
import { afterEach, expect, it, vi } from 'vitest'
import { newUuid } from '../../src/console/api/uuid.ts'

afterEach(() => vi.unstubAllGlobals())

it('a UUID is made without crypto.randomUUID, which plain http in a LAN does not have', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) })
  expect(newUuid()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})
it('no two UUIDs are the same', () => {
  const made = Array.from({ length: 500 }, newUuid)
  expect(new Set(made).size).toBe(500)
  expect(made.every((one) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(one))).toBe(
    true,
  )
})
