/** The bridge: until it is stopped, it waits at the same time for commands, reports and renewals. */
import { EventEmitter, once } from 'node:events'
import { renewEvery_ms } from '../delegations/claims.mjs'
import { keepAsking, patiently } from '../delegations/patience.mjs'
import { pendingDelegations } from '../delegations/pending.mjs'
import { isForAnother } from '../delegations/sessions.mjs'
import { renew, take, wasWritten } from './commands.mjs'
import { openFolders } from './folders.mjs'
import { notice, watchReports } from './notices.mjs'
import { loadRecords } from './records.mjs'
import { loadSessions } from './session-file.mjs'
import { reportOf } from './settling.mjs'
import { attempt, fail } from './trouble.mjs'

/**
 * What all steps share. Given are `fs` (node:fs/promises), `folders`, `client`, `controller` (stops all), `tell`, `wait`, `worker`,
 * `lease_s`, `steal_s`, `quiet_ms` and `max`; `watch` by tests only.
 */
export function createBridge(given) {
  return {
    ...given,
    stop: given.controller.signal,
    /** The records by command id, and the reasons why commands were closed. */
    open: new Map(),
    settled: new Map(),
    /** The commands that another worker has claimed in the meantime. */
    lost: new Set(),
    /** The work in progress: for a command by its id, and for a file of reports/pending by its name. */
    turns: new Map(),
    deliveries: new Map(),
    left: new Set(),
    /** `forgotten` is called when the bridge no longer holds a command. */
    heard: new EventEmitter(),
    sessions: new Set(),
    nameless: 0,
    error: null,
  }
}

/** Resolves when it was stopped and its work is finished; rejects with an error after which it cannot continue. */
export async function runBridge(bridge) {
  const loops = [watchReports, takeWork, renewClaims]
  await recover(bridge).catch((error) => fail(bridge, error))
  if (!bridge.stop.aborted) await Promise.all(loops.map((loop) => loop(bridge).catch((error) => fail(bridge, error))))
  await Promise.all([...bridge.deliveries.values()].map(({ done }) => done))
  if (bridge.error !== null) throw bridge.error
}

/** Continues the commands of an earlier run. Their renewals say what happened to each. */
export async function recover(bridge) {
  bridge.sessions = await loadSessions(bridge.fs, bridge.folders.state)
  const { records, damaged } = await loadRecords(bridge.fs, bridge.folders.state)
  for (const file of damaged) bridge.tell({ event: 'left', file, reason: 'it is no record of a command' })
  for (const record of records) bridge.open.set(record.command_id, record)
  for (const record of records) {
    const { command_id, delegation_id, deadline } = record
    await attempt(bridge, command_id, async () => {
      record.written ||= await wasWritten(bridge, command_id)
      await renew(bridge, command_id)
    })
    if (bridge.open.has(command_id)) bridge.tell({ event: 'resumed', command_id, delegation_id, deadline })
  }
}

/** Waits for work, takes as much as it has room for, and returns whether it took any. */
export async function takePending(bridge) {
  const outcome = await patiently('work', () => pendingDelegations(bridge.client), bridge)
  if (outcome.kind === 'refused') {
    bridge.tell({ event: 'trouble', what: 'work', reason: outcome.detail })
    return false
  }
  tellNameless(bridge, outcome.nameless)
  // A folder may have been removed by a cleanup.
  await openFolders(bridge.fs, bridge.folders.root)
  let taken = false
  for (const delegation of outcome.found) {
    if (bridge.stop.aborted) return false
    // The command is ours and pending, because its claim ended while the service could not be reached.
    if (bridge.open.has(delegation.command_id)) await renew(bridge, delegation.command_id)
    else if (hasRoom(bridge) && !isForAnother(delegation, bridge)) taken = (await take(bridge, delegation)) || taken
  }
  return taken
}

function tellNameless(bridge, nameless) {
  if (nameless > bridge.nameless) {
    const reason = `${nameless} of the list have no usable id or command_id`
    bridge.tell({ event: 'trouble', what: 'work', reason })
  }
  bridge.nameless = nameless
}

/** Every command that the agent has counts, also one that another worker has claimed, because it cannot be taken back. */
function hasRoom({ open, max }) {
  return open.size < max
}

function takeWork(bridge) {
  const ask = async () => {
    while (!hasRoom(bridge)) await once(bridge.heard, 'forgotten', { signal: bridge.stop })
    return attempt(bridge, 'work', () => takePending(bridge))
  }
  return keepAsking(ask, { ...bridge, ended: () => bridge.stop.aborted })
}

async function renewClaims(bridge) {
  while (!bridge.stop.aborted) {
    await bridge.wait(renewEvery_ms(bridge.lease_s), bridge.stop)
    for (const command_id of bridge.open.keys()) {
      if (bridge.stop.aborted) return
      await attempt(bridge, command_id, () => renewUnreported(bridge, command_id))
    }
  }
}

/** Some mounts report no changes of the other side, so a renewal also looks for the report. */
export async function renewUnreported(bridge, command_id) {
  const report = await reportOf(bridge, command_id)
  if (report === null) await renew(bridge, command_id)
  else notice(bridge, report)
}
