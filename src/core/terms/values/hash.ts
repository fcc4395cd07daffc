/** A short fingerprint of a text, to notice that a rebuilt prompt differs from the sent one. It is not for security. */
export function fingerprint(text: string): string {
  // FNV-1a over UTF-16 units, twice with different offsets, for 64 bits without BigInt.
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit ^ (unit >>> 8), 0x01000193)
  }
  return hex(a) + hex(b)
}

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
