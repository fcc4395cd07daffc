/** The names in reports/pending: which are reports, of which command, and the name for a refused one. */
import { isCommandId } from '../delegations/pending.mjs'

const REPORT = /^report-.+\.md$/s
/** The names of temporary files of editors and of careful writers. */
const UNFINISHED = /^\.|\.(?:tmp|part|swp)$|~$/
/** Most file systems allow names of 255 bytes, and our additions need some of them. */
const STEM_BYTES_MAX = 200

/** An `unfinished` file is ignored silently; an `other` file is not a report, and stays where it is. */
export function kindOf(name) {
  if (UNFINISHED.test(name)) return 'unfinished'
  return REPORT.test(name) ? 'report' : 'other'
}

/** `report-<command id>.md`, or with the bare uuid for its id: the seed has both (S2-13). null: of no command. */
export function commandOf(name) {
  const [, id = ''] = /^report-(.+)\.md$/.exec(name) ?? []
  return [id, `task-${id}`].find((candidate) => isCommandId(candidate)) ?? null
}

export function namesOf(command_id) {
  return [`report-${command_id}.md`, `report-${command_id.slice('task-'.length)}.md`]
}

/** Names for a refused report and for the reason: an earlier one is not written over. `taken` says whether a name is in use. */
export async function refusedNames(name, taken) {
  const stem = cut(name.replace(/\.md$/, ''))
  for (let number = 1; ; number += 1) {
    const base = `${stem}.refused${number === 1 ? '' : `-${number}`}`
    if (!(await taken(`${base}.md`))) return { report: `${base}.md`, reason: `${base}.txt` }
  }
}

function cut(stem) {
  let short = stem
  while (Buffer.byteLength(short) > STEM_BYTES_MAX) short = short.slice(0, -1)
  return short.toWellFormed()
}
