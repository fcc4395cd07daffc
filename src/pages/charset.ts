/** The characters of a text: its byte order mark, what its sender said, what the page says itself, or what the bytes look like, in this order. */

/** A page says its encoding in its first bytes. */
const DECLARED_BYTES = 1_024
const LABEL_CHARS_MAX = 40

export function decodeText(bytes: Uint8Array, content_type: string, is_html: boolean): string {
  const declared = markOf(bytes) ?? charsetIn(content_type) ?? (is_html ? declaredIn(bytes) : null)
  const decoder = declared === null ? null : decoderOf(declared)
  return (decoder ?? new TextDecoder(guessOf(bytes))).decode(bytes)
}

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null
}

/** The label behind `charset=`, in a header or in a `meta` element. */
function charsetIn(text: string): string | null {
  const at = text.toLowerCase().indexOf('charset=')
  if (at === -1) return null
  const label = text.slice(at + 'charset='.length, at + 'charset='.length + LABEL_CHARS_MAX)
  return /^["']?([a-z0-9_:-]+)/i.exec(label)?.[1] ?? null
}

function declaredIn(bytes: Uint8Array): string | null {
  const label = charsetIn(new TextDecoder('latin1').decode(bytes.subarray(0, DECLARED_BYTES)))
  // A page whose first bytes can be read as ASCII is not in UTF-16, whatever it says.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** null: the label is not known. */
function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

/** What texts without a declaration are: UTF-8, older Chinese pages in GB18030, or Western ones. */
function guessOf(bytes: Uint8Array): string {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      // As part of a stream, because the last character may be cut.
      new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true })
      return encoding
    } catch {
      continue
    }
  }
  return 'windows-1252'
}
