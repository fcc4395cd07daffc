/** The bridge: it waits for commands, for reports and for the time to renew, all at once, until it is stopped. */
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
    /** Records by command id, and why those that were open are no longer. */
    open: new Map(),
    settled: new Map(),
    /** Commands that somebody else has claimed by now. */
    lost: new Set(),
    /** What goes on: for a command, by its id, and for a file of reports/pending, by its name. */
    turns: new Map(),
    deliveries: new Map(),
    left: new Set(),
    /** `forgotten`: a command is in its hands no more. */
    heard: new EventEmitter(),
    sessions: new Set(),
    nameless: 0,
    error: null,
  }
}

/** Resolves when it was stopped and what was under way is finished; rejects with what it could not go on without. */
export async function runBridge(bridge) {
  const loops = [watchReports, takeWork, renewClaims]
  await recover(bridge).catch((error) => fail(bridge, error))
  if (!bridge.stop.aborted) await Promise.all(loops.map((loop) => loop(bridge).catch((error) => fail(bridge, error))))
  await Promise.all([...bridge.deliveries.values()].map(({ done }) => done))
  if (bridge.error !== null) throw bridge.error
}

/** Goes on with the commands of an earlier run. Renewing says what became of each. */
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

/** Waits for work and takes of it what there is room for. Whether it took any. */
export async function takePending(bridge) {
  const outcome = await patiently('work', () => pendingDelegations(bridge.client), bridge)
  if (outcome.kind === 'refused') {
    bridge.tell({ event: 'trouble', what: 'work', reason: outcome.detail })
    return false
  }
  tellNameless(bridge, outcome.nameless)
  // Whoever tidies up may have removed one.
  await openFolders(bridge.fs, bridge.folders.root)
  let taken = false
  for (const delegation of outcome.found) {
    if (bridge.stop.aborted) return false
    // Ours, and pending: its claim had run out while the service could not be reached.
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

/** What is with the agent counts, whoever has its claim by now: nobody can take it back. */
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

/** There are mounts whose watch is silent about the other side: while the bridge is at it, it also looks for the report. */
export async function renewUnreported(bridge, command_id) {
  const report = await reportOf(bridge, command_id)
  if (report === null) await renew(bridge, command_id)
  else notice(bridge, report)
}
