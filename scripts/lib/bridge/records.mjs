/** The data that a bridge needs after a restart: for each open command a file `.bridge/<command id>.json`, which is deleted when it is settled. */
import { join } from 'node:path'
import { delegationOf, isCommandId } from '../delegations/pending.mjs'
import { writeWhole } from './folders.mjs'
import { readPlain } from './whole.mjs'

const SUFFIX = '.json'
const BROKEN_OFF = /^\.task-.+\.json\.tmp$/

/**
 * `{ delegation_id, command_id, command_type, deadline, written }`. `written` says that the command file was there once: an agent that takes
 * it away for good is not handed it again.
 */
export async function saveRecord(fs, state, record) {
  await writeWhole(fs, state, `${record.command_id}${SUFFIX}`, `${JSON.stringify(record)}\n`)
}

export async function removeRecord(fs, state, command_id) {
  await fs.rm(join(state, `${command_id}${SUFFIX}`), { force: true })
}

/** The records of an earlier run; `damaged` has the names of unreadable files. The rest of an interrupted write is removed. */
export async function loadRecords(fs, state) {
  const records = []
  const damaged = []
  for (const name of await fs.readdir(state)) {
    if (BROKEN_OFF.test(name)) await fs.rm(join(state, name))
    const command_id = name.slice(0, -SUFFIX.length)
    if (!name.endsWith(SUFFIX) || !isCommandId(command_id)) continue
    const record = recordOf((await readPlain(fs, join(state, name)))?.bytes)
    if (record?.command_id === command_id) records.push(record)
    else damaged.push(name)
  }
  return { records, damaged }
}

function recordOf(bytes) {
  try {
    const value = JSON.parse(String(bytes))
    const delegation = delegationOf({ ...value, id: value.delegation_id })
    if (delegation === null) return null
    const { id, command_id, command_type, deadline } = delegation
    return { delegation_id: id, command_id, command_type, deadline, written: value.written === true }
  } catch {
    return null
  }
}
