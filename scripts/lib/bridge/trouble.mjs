/** What becomes of an error: the disk may be mended while the bridge runs, everything else ends it. */
import { isOfDisk } from './folders.mjs'

/** What the step gives; null when the disk failed it, which is told. A refused key, an end and a fault of ours go up. */
export async function attempt({ stop, tell }, what, step) {
  try {
    return await step()
  } catch (error) {
    if (stop.aborted || !isOfDisk(error)) throw error
    tell({ event: 'trouble', what, reason: error.message })
    return null
  }
}

/** The first reason ends all; what a stop breaks off is none. */
export function fail(bridge, error) {
  if (bridge.stop.aborted) return
  bridge.error = error
  bridge.controller.abort()
}
