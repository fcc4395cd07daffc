/** Handles errors: a fault of the disk may be repaired while the bridge runs, and any other error ends it. */
import { isOfDisk } from './folders.mjs'

/** The result of the step, or null after a reported fault of the disk. A refused key, a stop and our own mistakes are thrown. */
export async function attempt({ stop, tell }, what, step) {
  try {
    return await step()
  } catch (error) {
    if (stop.aborted || !isOfDisk(error)) throw error
    tell({ event: 'trouble', what, reason: error.message })
    return null
  }
}

/** The first error ends everything; work that a stop breaks off is not an error. */
export function fail(bridge, error) {
  if (bridge.stop.aborted) return
  bridge.error = error
  bridge.controller.abort()
}
