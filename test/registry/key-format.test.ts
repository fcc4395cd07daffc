/** How keys of the registry are written. The checksum is compared with zlib, which scanners for secrets have too. */
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isKeyId, isWholeKey, keyFrom, keyIdFrom, prefixOf, RANDOM_BYTES } from '../../src/core/registry/key-format.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bytes = () => crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))

function base62(number: number): string {
  const rest = Math.floor(number / 62)
  return (rest === 0 ? '' : base62(rest)) + (DIGITS[number % 62] ?? '')
}

describe('KEY-03 a key is la_, 32 letters and digits, and the CRC-32 of both in base 62', () => {
  it('as docs/keys.md says it, for any random bytes', () => {
    for (let round = 0; round < 500; round++) {
      const key = keyFrom(bytes())
      const body = key.slice(0, key.lastIndexOf('_'))
      expect(key).toMatch(/^la_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
      expect(key.slice(body.length + 1)).toBe(base62(crc32(body)).padStart(6, '0'))
      expect(isWholeKey(key)).toBe(true)
      expect(prefixOf(key)).toBe(key.slice(0, 9))
    }
  })

  it('a key of which any one character was changed, added or left out is not whole', () => {
    const key = keyFrom(bytes())
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x'
      expect(isWholeKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
      expect(isWholeKey(key.slice(0, at) + key.slice(at + 1))).toBe(false)
      expect(isWholeKey(`${key.slice(0, at)}0${key.slice(at)}`)).toBe(false)
    }
    for (const text of ['', 'la_', `${key} `, ` ${key}`, `${key}\n`, key.toUpperCase()])
      expect(isWholeKey(text)).toBe(false)
  })

  it('each letter and digit is as likely as any other', () => {
    const counts = new Map<string, number>()
    for (let round = 0; round < 2_000; round++)
      for (const char of keyFrom(bytes()).slice(3, 35)) counts.set(char, (counts.get(char) ?? 0) + 1)
    const expected = (2_000 * 32) / 62
    expect(counts.size).toBe(62)
    for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.25)
  })

  it('bytes that run out are no key', () => {
    expect(() => keyFrom(new Uint8Array(RANDOM_BYTES).fill(255))).toThrow('too few random bytes')
  })

  it('an id is told from every other name of a key', () => {
    expect(isKeyId(keyIdFrom(bytes()))).toBe(true)
    for (const name of [
      'admin_key',
      'env_0123456789abcdef',
      'key_',
      `key_${'a'.repeat(21)}`,
      'key_../../../../../../..',
    ])
      expect(isKeyId(name)).toBe(false)
  })
})
