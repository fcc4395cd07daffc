/** One open command: it is recorded, claimed, written for the agent, and renewed. */
import { join } from 'node:path'
import { claim, leaseFor } from '../delegations/claims.mjs'
import { patiently } from '../delegations/patience.mjs'
import { isThere, writeWhole } from './folders.mjs'
import { saveRecord } from './records.mjs'
import { namesOf } from './report-names.mjs'
import { forget, settleElsewhere } from './settling.mjs'
import { inTurn } from './turns.mjs'

/** A command that cannot be fetched does not stop the bridge from handling the others. */
const TRIES = 4

/**
 * Whether the command was handed to the agent. The record comes before the claim: a bridge that is killed between the two goes on with it
 * at once, and does not wait for the end of its own lease.
 */
export function take(bridge, { id, command_id, command_type, deadline }) {
  return inTurn(bridge, command_id, async () => {
    const record = { delegation_id: id, command_id, command_type, deadline, written: false }
    await saveRecord(bridge.fs, bridge.folders.state, record)
    bridge.open.set(command_id, record)
    const patience = { ...bridge, tries: TRIES }
    const lease = () => ({ ...bridge, lease_s: leaseFor(record, bridge) ?? 1 })
    const claimed = await patiently(`claim of ${command_id}`, () => claim(bridge.client, id, lease()), patience)
    if (claimed.kind === 'held') return writeCommand(bridge, record)
    // It is unknown whether the claim was made, so the next renewal asks.
    if (claimed.kind !== 'again') await passOver(bridge, record, claimed)
    return false
  })
}

/** Writes the file unless it was written before. False if it is not written yet; renewals try again. */
async function writeCommand(bridge, record) {
  const { fs, folders, client, tell } = bridge
  const { delegation_id, command_id, command_type, deadline } = record
  if (!(await wasWritten(bridge, command_id))) {
    const patience = { ...bridge, tries: TRIES }
    const file = await patiently(`file of ${command_id}`, () => client.command(delegation_id), patience)
    if (file.kind === 'refused') await passOver(bridge, record, file)
    if (file.kind !== 'done') return false
    await writeWhole(fs, folders.commands.pending, `${command_id}.md`, file.body)
  }
  record.written = true
  await saveRecord(fs, folders.state, record)
  tell({ event: 'taken', command_id, delegation_id, command_type, deadline })
  return true
}

async function passOver(bridge, record, { code, detail }) {
  await forget(bridge, record)
  bridge.tell({ event: 'passed_over', delegation_id: record.delegation_id, code, reason: detail })
}

/** The agent may have it already, or be done, when a kill came right after the file. */
export async function wasWritten({ fs, folders }, command_id) {
  const { commands, reports } = folders
  const paths = [
    join(commands.pending, `${command_id}.md`),
    join(commands.processed, `${command_id}.md`),
    ...namesOf(command_id).map((name) => join(reports.pending, name)),
  ]
  const there = await Promise.all(paths.map((path) => isThere(fs, path)))
  return there.includes(true)
}

/**
 * Renews the claim of an open command, and does what was left undone. A command that somebody else has by now is kept: the agent may be at
 * work on it, and the first report counts.
 */
export function renew(bridge, command_id) {
  return inTurn(bridge, command_id, async () => {
    const record = bridge.open.get(command_id)
    if (record !== undefined) await renewOpen(bridge, record)
  })
}

async function renewOpen(bridge, record) {
  const { command_id, delegation_id } = record
  const lease_s = leaseFor(record, bridge)
  if (lease_s === null) return
  // There is only one try, because the next renewal comes soon, and the renewals of other commands wait.
  const { kind, code, detail, reason, deadline } = await claim(bridge.client, delegation_id, { ...bridge, lease_s })
  if (deadline !== undefined) record.extended = deadline
  if (kind === 'settled') await settleElsewhere(bridge, record, code)
  else if (kind === 'again') bridge.tell({ event: 'trouble', what: `renewal of ${command_id}`, reason })
  else if (kind === 'held') {
    bridge.lost.delete(command_id)
    if (!record.written) await writeCommand(bridge, record)
  } else if (!record.written) await passOver(bridge, record, { code, detail })
  else if (!bridge.lost.has(command_id)) {
    bridge.lost.add(command_id)
    bridge.tell({ event: 'claim_lost', command_id, code, reason: detail })
  }
}
