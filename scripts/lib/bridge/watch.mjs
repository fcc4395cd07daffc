/** Watches a folder: it passes on the names from the operating system, and asks for a full scan when one may be missing. */
import { watch as watchFile, statSync } from 'node:fs'
import { basename } from 'node:path'

/** The interval of scans when watching does not work (S2-11). */
const LOOK_EVERY_MS = 5_000

/**
 * Runs until `stop`. `noticed` is given a name, `scan` is called once after each start of the watch and for a change without a name,
 * `failed` with each new reason why the watch has ended.
 */
export async function watchFolder(path, { noticed, scan, failed, wait, stop, watch = watchFile }) {
  let told = null
  while (!stop.aborted) {
    const ended = watchOnce(path, { noticed, scan, stop, watch })
    await scan()
    const reason = await ended
    if (stop.aborted) return
    if (reason !== told) failed(reason)
    told = reason
    await wait(LOOK_EVERY_MS, stop)
  }
}

/** Resolves with the reason of its end. */
function watchOnce(path, { noticed, scan, stop, watch }) {
  return new Promise((resolve) => {
    try {
      const inode = inodeOf(path)
      const watcher = watch(path)
      const end = (reason) => {
        watcher.close()
        stop.removeEventListener('abort', end)
        resolve(reason)
      }
      watcher.on('error', (error) => end(error.message))
      watcher.on('change', (_kind, name) => {
        if (name === null || name === undefined) return scan()
        // The end of the folder itself is reported in the same way.
        if (name === basename(path) && inodeOf(path) !== inode) return end('the folder was replaced')
        noticed(name)
      })
      stop.addEventListener('abort', end)
      if (stop.aborted) end('stopped')
    } catch (error) {
      resolve(error.message)
    }
  })
}

/** null: there is none. */
function inodeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null
}
