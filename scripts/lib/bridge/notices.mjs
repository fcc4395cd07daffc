/** The deliveries of the files in reports/pending: one for each name, from the first notice until nothing is left to do. */
import { backoff_ms } from '../delegations/patience.mjs'
import { openFolders } from './folders.mjs'
import { kindOf } from './report-names.mjs'
import { deliver, leaveAlone } from './reports.mjs'
import { attempt, fail } from './trouble.mjs'
import { watchFolder } from './watch.mjs'

export function watchReports(bridge) {
  return watchFolder(bridge.folders.reports.pending, {
    ...bridge,
    noticed: (name) => notice(bridge, name),
    scan: () => attempt(bridge, 'reports/pending', () => scan(bridge)),
    failed: (reason) => bridge.tell({ event: 'trouble', what: 'watch of reports/pending', reason }),
  })
}

export async function scan(bridge) {
  const { reports } = await openFolders(bridge.fs, bridge.folders.root)
  for (const name of await bridge.fs.readdir(reports.pending)) notice(bridge, name)
}

/** Notes a change of the file of this name; one delivery at a time handles it. */
export function notice(bridge, name) {
  if (kindOf(name) === 'unfinished') return
  const running = bridge.deliveries.get(name)
  if (running !== undefined) {
    running.again = true
    return
  }
  const delivery = { again: false, done: null }
  bridge.deliveries.set(name, delivery)
  delivery.done = lookAfter(bridge, name, delivery).catch((error) => fail(bridge, error))
}

async function lookAfter(bridge, name, delivery) {
  const step = kindOf(name) === 'report' ? deliver : leaveAlone
  try {
    for (let failures = 0; ;) {
      delivery.again = false
      let done = false
      await attempt(bridge, name, async () => {
        await step(bridge, name)
        done = true
      })
      if (done && !delivery.again) return
      if (!done) await bridge.wait(backoff_ms(failures++), bridge.stop)
    }
  } finally {
    bridge.deliveries.delete(name)
  }
}
