/** The name of a bridge that was given none: made once and kept, so that after a restart its claims are still its own. */
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
