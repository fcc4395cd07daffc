/** One report from reports/pending to the service and into reports/processed, or to where a refused one is kept with the reason. */
import { join } from 'node:path'
import { SETTLED } from '../delegations.mjs'
import { pause_ms } from '../delegations/patience.mjs'
import { keepSession } from './session-file.mjs'
import { settle } from './settling.mjs'
import { inTurn } from './turns.mjs'
import { checkFolder, isThere, move, statOf, writeWhole } from './folders.mjs'
import { commandOf, kindOf, refusedNames } from './report-names.mjs'
import { lookAt, readPlain, wholeFile } from './whole.mjs'

const TOO_LARGE = { kind: 'refused', code: 'payload_too_large', detail: 'A report is at most 1 MiB.' }
const CHANGED = { kind: 'changed' }

/** Resolves when nothing is left to do for the file: it was moved, or is gone, empty or not a plain file. */
export async function deliver(bridge, name) {
  const { fs, folders, stop } = bridge
  for (let failures = 0; ;) {
    await checkFolder(fs, folders.reports.pending)
    if ((await wholeFile(fs, join(folders.reports.pending, name), bridge)) === null) return leaveAlone(bridge, name)
    const outcome = await inTurn(bridge, commandOf(name), () => send(bridge, name))
    if (outcome.kind === 'done' || outcome.kind === 'refused') return
    if (outcome.kind === 'again') {
      const wait_ms = pause_ms(outcome, failures++)
      bridge.tell({ event: 'retrying', what: name, reason: outcome.reason, wait_ms })
      await bridge.wait(wait_ms, stop)
    }
  }
}

/** Sends the file and moves it away; `changed` if it was written to in the meantime. */
async function send(bridge, name) {
  const { client, fs, folders, open, tell } = bridge
  const path = join(folders.reports.pending, name)
  const record = open.get(commandOf(name))
  await checkFolder(fs, folders.reports.pending)
  if (record === undefined) return refuse(bridge, name, unknown(bridge, name))
  const report = await readPlain(fs, path)
  if (report === null) return CHANGED
  const { bytes, signature } = report
  const sent = { content_type: 'text/markdown', body: bytes }
  const outcome = bytes === null ? TOO_LARGE : await client.report(record.delegation_id, sent)
  if (outcome.kind === 'again') return outcome
  if ((await lookAt(fs, path)) !== signature) {
    // The sent text was not the whole file, so the file is not moved away.
    tell({ event: 'trouble', what: name, reason: 'was written to while it was sent' })
    return CHANGED
  }
  await answered(bridge, name, record, outcome)
  return outcome
}

/** The session is kept first, and the file is moved before the command is settled: a restart in between asks for the rest. */
async function answered(bridge, name, record, outcome) {
  const { tell } = bridge
  const { command_id, delegation_id } = record
  if (outcome.kind === 'refused') {
    await refuse(bridge, name, outcome)
    // For any other refusal a corrected report may come.
    if (SETTLED.has(outcome.code)) await settle(bridge, record, outcome.code)
    return
  }
  await keepSession(bridge, outcome.body)
  await putAway(bridge, name, name)
  tell({ event: 'reported', command_id, delegation_id, file: name })
  await settle(bridge, record, 'already_reported')
}

/** Reports each name once: files that are not reports, and links and folders that are named like one. */
export async function leaveAlone({ fs, folders, left, tell }, name) {
  const stat = await statOf(fs, join(folders.reports.pending, name))
  if (stat === null || (stat.isFile() && kindOf(name) === 'report') || left.has(name)) return
  left.add(name)
  const reason = stat.isFile() ? 'a report is named report-<command id>.md' : 'it is no plain file'
  tell({ event: 'left', file: name, reason })
}

function unknown({ settled }, name) {
  const reason = settled.get(commandOf(name))
  return {
    kind: 'refused',
    code: 'unknown_command',
    detail:
      reason === undefined
        ? 'No open command of this directory has the id in the name of this report: it was never handed out here, or was settled before.'
        : `The command was settled before this report came: ${reason}.`,
  }
}

async function refuse(bridge, name, outcome) {
  const { fs, folders, tell } = bridge
  const { code, detail } = outcome
  const { processed } = folders.reports
  const names = await refusedNames(name, (candidate) => isThere(fs, join(processed, candidate)))
  await writeWhole(fs, processed, names.reason, `${code}: ${detail}\n`)
  await putAway(bridge, name, names.report)
  tell({ event: 'refused', file: name, code, detail, kept_as: names.report })
  return outcome
}

async function putAway({ fs, folders }, name, as) {
  const { pending, processed } = folders.reports
  await checkFolder(fs, pending)
  await checkFolder(fs, processed)
  await move(fs, join(pending, name), join(processed, as))
}
