/** Hashes and their bytes as text. */

export const sha256 = async (data: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(
    await crypto.subtle.digest('SHA-256', typeof data === 'string' ? new TextEncoder().encode(data) : data),
  )

/** Two lower-case digits a byte. */
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
