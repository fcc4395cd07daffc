/** The sessions of the agent of a directory, kept in `.bridge/sessions`: after a restart the bridge still takes what belongs to them. */
import { join } from 'node:path'
import { remember } from '../delegations/sessions.mjs'
import { writeWhole } from './folders.mjs'
import { readPlain } from './whole.mjs'

const NAME = 'sessions'

/** Without this file only time is lost. */
export async function loadSessions(fs, state) {
  const text = String((await readPlain(fs, join(state, NAME)))?.bytes ?? '')
  return new Set(text.split('\n').filter((id) => id !== ''))
}

export async function keepSession({ fs, folders, sessions }, reported) {
  if (remember(sessions, reported)) await writeWhole(fs, folders.state, NAME, `${[...sessions].join('\n')}\n`)
}
