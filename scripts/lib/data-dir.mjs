/** How a process takes a data directory before it starts workerd on it: as its owner alone, as the only process, and with no workerd left behind. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { lockData } from './data-lock.mjs'
import { tieWorkerdToUs } from './watch.mjs'

/**
 * Answers the absolute path, and why workerd could not be tied to us (`untied`; null: it is). Throws one sentence when another process has the
 * directory.
 */
export async function takeDataDir(path) {
  // Files and sockets that are created from here on are for their owner alone.
  process.umask(0o077)
  const storage = resolve(path)
  mkdirSync(storage, { recursive: true })
  await lockData(storage)
  return { storage, untied: tieWorkerdToUs(storage) }
}
