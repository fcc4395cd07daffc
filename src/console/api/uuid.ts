/** Makes a UUID (version 4). `crypto.randomUUID` needs a secure context, and a page over plain http in a LAN is none. */

const [VERSION, VARIANT] = [0x40, 0x80]
const [VERSION_AT, VARIANT_AT] = [6, 8]
/** The groups of digits that dashes separate. */
const DASHES = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[VERSION_AT] = ((bytes[VERSION_AT] ?? 0) & 0x0f) | VERSION
  bytes[VARIANT_AT] = ((bytes[VARIANT_AT] ?? 0) & 0x3f) | VARIANT
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(DASHES, '$1-$2-$3-$4-$5')
}
