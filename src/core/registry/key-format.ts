/**
 * How a key of the registry is written: `la_`, 32 letters and digits, `_`, and a checksum of 6. The checksum is the CRC-32 (IEEE, as in zlib)
 * of all before the last `_`, in base 62 with the digits 0-9 A-Z a-z, filled up with zeros. So a scanner for secrets, and this service,
 * tell a key from a text that only looks like one, without asking anybody.
 */

const START = 'la_'
const RANDOM_CHARS = 32
const ID_CHARS = 20
const CHECKSUM_CHARS = 6
/** What lists show of a key, so that people recognise it. The other 26 characters are left unknown. */
const PREFIX_CHARS = START.length + 6

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = DIGITS.length
/** A byte from here on would make some digits more likely than others. */
const BYTE_BOUND = 256 - (256 % BASE)
/** Enough random bytes for the characters of a key or of an id, although some bytes are not used. */
export const RANDOM_BYTES = 128

const KEY = /^la_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/
const KEY_ID = /^key_[0-9A-Za-z]{20}$/

/** Whether a token was meant as a key of the registry. */
export const isRegistryKey = (token: string): boolean => token.startsWith(START)
/** Whether the name of a key is that of one of the registry. */
export const isKeyId = (name: string): boolean => KEY_ID.test(name)

/** `bytes` are at least RANDOM_BYTES random ones. */
export function keyFrom(bytes: Uint8Array): string {
  const body = `${START}${base62(bytes, RANDOM_CHARS)}`
  return `${body}_${checksumOf(body)}`
}
export const keyIdFrom = (bytes: Uint8Array): string => `key_${base62(bytes, ID_CHARS)}`
export const prefixOf = (key: string): string => key.slice(0, PREFIX_CHARS)

/** Whether a key is whole. A key that was cut, or of which a letter was changed, is not. */
export const isWholeKey = (key: string): boolean =>
  KEY.test(key) && key.endsWith(`_${checksumOf(key.slice(0, -CHECKSUM_CHARS - 1))}`)

function base62(bytes: Uint8Array, count: number): string {
  const digits = [...bytes].filter((byte) => byte < BYTE_BOUND).map((byte) => DIGITS[byte % BASE])
  if (digits.length < count) throw new Error('too few random bytes')
  return digits.slice(0, count).join('')
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_CHARS; place++) {
    digits = `${DIGITS[rest % BASE]}${digits}`
    rest = Math.floor(rest / BASE)
  }
  return digits
}

const POLYNOMIAL = 0xed_b8_83_20

/** Of ASCII. */
function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff
  for (const char of text) {
    crc ^= char.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}
