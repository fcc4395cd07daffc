/** What a zip unfolds to, found out without keeping any of it: a few kilobytes can unfold to gigabytes. */

/** In bytes, and no more than one stretch beyond `bytes_max`; null: it is no readable zip. */
export async function unfoldsTo(zip: Uint8Array, bytes_max: number): Promise<number | null> {
  const { unzipSync } = await import('fflate')
  let declared = 0
  try {
    unzipSync(zip, {
      filter(file) {
        declared += file.originalSize
        return false
      },
    })
  } catch {
    return null
  }
  return declared
}
