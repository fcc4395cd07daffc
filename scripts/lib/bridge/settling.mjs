/** The end of a command: its files are removed, and its record is deleted. */
import { join } from 'node:path'
import { checkFolder, move, temporaryOf } from './folders.mjs'
import { removeRecord } from './records.mjs'
import { namesOf } from './report-names.mjs'
import { lookAt } from './whole.mjs'

/** Reasons are kept for reports that come after the end; no more than a day of work would make. */
const REMEMBERED_MAX = 1_000
const REASONS = {
  already_reported: 'its report was recorded',
  delegation_expired: 'its deadline has passed',
  delegation_canceled: 'it was withdrawn',
  delegation_not_found: 'its task was deleted',
}

/** An existing report is handled on its own. */
export async function settleElsewhere(bridge, record, code) {
  if ((await reportOf(bridge, record.command_id)) === null) await settle(bridge, record, code)
}

/** The name of its report in reports/pending; null: there is none, or an empty one. */
export async function reportOf({ fs, folders }, command_id) {
  for (const name of namesOf(command_id))
    if ((await lookAt(fs, join(folders.reports.pending, name))) !== null) return name
  return null
}

/** Nothing more is to be done for it: its file is cleared away (S2-14), then forgotten. */
export async function settle(bridge, record, code) {
  const { fs, folders, settled } = bridge
  const { command_id, delegation_id } = record
  const reason = REASONS[code] ?? code
  const name = `${command_id}.md`
  await checkFolder(fs, folders.commands.pending)
  await checkFolder(fs, folders.commands.processed)
  await move(fs, join(folders.commands.pending, name), join(folders.commands.processed, name))
  await forget(bridge, record)
  settled.set(command_id, reason)
  if (settled.size > REMEMBERED_MAX) settled.delete(settled.keys().next().value)
  bridge.tell({ event: 'settled', command_id, delegation_id, code, reason })
}

export async function forget({ fs, folders, heard, open, lost }, { command_id }) {
  await fs.rm(temporaryOf(folders.commands.pending, `${command_id}.md`), { force: true })
  await removeRecord(fs, folders.state, command_id)
  lost.delete(command_id)
  open.delete(command_id)
  heard.emit('forgotten')
}
