/** The name of a bridge without a given one: it is made once and stored, so that its claims stay its own after a restart. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeWhole } from './folders.mjs'
import { readPlain } from './whole.mjs'

const NAME = 'worker'

export async function workerName(fs, state) {
  const kept = String((await readPlain(fs, join(state, NAME)))?.bytes ?? '').trim()
  if (/^bridge-[0-9a-f]{12}$/.test(kept)) return kept
  const made = `bridge-${randomBytes(6).toString('hex')}`
  await writeWhole(fs, state, NAME, `${made}\n`)
  return made
}
