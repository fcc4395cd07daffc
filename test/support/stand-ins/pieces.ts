/** Cuts what a stand-in streams into pieces, always in the same way for the same text. */

/** A text in pieces of 1 to 7 characters. A pair of surrogates may be cut in two, as some endpoints do. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0, turn = text.length; at < text.length; turn += 1) {
    const length = 1 + ((turn * 5) % 7)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

/** Bytes in chunks of 1 to 97, so that signs and events are cut anywhere. */
export function chunksOf(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const chunks: Uint8Array[] = []
  for (let at = 0, turn = 1; at < bytes.length; turn += 1) {
    const length = 1 + ((turn * 31) % 97)
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}
