/** Reads files that other programs write: only plain files, and only after they have been unchanged for a while. */
import { constants } from 'node:fs'
import { statOf } from './folders.mjs'

/** Far above the limit of the service (1 MiB); a larger file is not read into memory. */
const BYTES_MAX = 8 << 20
// A link is not followed, and a pipe not waited for. Windows has neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The signature of one state of a file, or null if it is not a plain file or is empty. */
function signatureOf(stat) {
  if (stat === null || !stat.isFile() || stat.size === 0n) return null
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}`
}

export async function lookAt(fs, path) {
  return signatureOf(await statOf(fs, path))
}

/**
 * Resolves once size and time of the file have been the same for `quiet_ms`, with its signature; with null when it is gone, empty or no
 * plain file: whoever writes to it then is noticed anew.
 */
export async function wholeFile(fs, path, { quiet_ms, wait, stop }) {
  let before = await lookAt(fs, path)
  while (before !== null) {
    await wait(quiet_ms, stop)
    const now = await lookAt(fs, path)
    if (now === before) return now
    before = now
  }
  return null
}

/** `{ bytes, signature }`; bytes null: too large. null: it is gone, empty or no plain file, or changed while it was read. */
export async function readPlain(fs, path) {
  if ((await lookAt(fs, path)) === null) return null
  const file = await fs.open(path, FLAGS).catch(nullIfGone)
  if (file === null) return null
  try {
    const stat = await file.stat({ bigint: true })
    const signature = signatureOf(stat)
    if (signature === null) return null
    if (stat.size > BYTES_MAX) return { bytes: null, signature }
    const bytes = await file.readFile()
    return signatureOf(await file.stat({ bigint: true })) === signature ? { bytes, signature } : null
  } finally {
    await file.close()
  }
}

/** ELOOP means that the file has become a link. */
function nullIfGone(error) {
  if (error.code === 'ENOENT' || error.code === 'ELOOP') return null
  throw error
}
