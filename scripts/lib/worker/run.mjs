/** Runs the program on one command as long as the claim is ours and the deadline has not passed. */
import { lstat, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claim, leaseFor, renewEvery_ms } from '../delegations/claims.mjs'
import { backoff_ms } from '../delegations/patience.mjs'
import { environment } from './environment.mjs'
import { runProgram } from './program.mjs'
import { endOf, reportOf } from './report.mjs'
import { measured, statedIn } from './spent.mjs'

const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * `{ report, spent }`; null: the program was killed, and there is nobody to report to. Once it has ended by itself only the answer to its
 * report decides. The claim is renewed until `over`.
 */
export async function reportFrom(worker, delegation, { folder, command, over }) {
  const { command_id } = delegation
  const paths = {
    command: join(folder, `${command_id}.md`),
    report: join(folder, `report-${command_id}.md`),
    spent: join(folder, `spent-${command_id}.json`),
  }
  await writeFile(paths.command, command)
  const kill = killerOf(worker, delegation, over)
  const { exec, cwd, grace_ms, now } = worker
  const env = environment(worker.env, delegation, paths)
  const ended = await runProgram({ command: exec, cwd, env, input: paths.command, kill, grace_ms, now })
  if (ended.killed) {
    worker.tell({ event: 'killed', command_id, reason: kill.reason })
    return null
  }
  worker.tell({ event: 'finished', command_id, ended: endOf(ended) })
  const spent = { ...measured(delegation.budget, ended.took_ms), ...(await stated(worker, command_id, paths.spent)) }
  const report = reportOf({ ...ended, file: await reportFile(worker, command_id, paths.report), spent })
  if (report.unsaid) unsent(worker, command_id, 'the report has no front matter')
  return { report, spent }
}

async function stated(worker, command_id, path) {
  try {
    const text = await textOf(path)
    const read = text === null ? { ok: true, spent: {} } : statedIn(text)
    if (read.ok) return read.spent
    unsent(worker, command_id, `SPENT_FILE: ${read.reason}`)
  } catch (error) {
    unsent(worker, command_id, `SPENT_FILE: ${error.message}`)
  }
  return {}
}

function unsent({ tell }, command_id, reason) {
  tell({ event: 'trouble', what: `what ${command_id} has spent is not sent`, reason })
}

/** A signal that is aborted, with the reason, when the program is to end. */
function killerOf(worker, delegation, over) {
  const kill = new AbortController()
  const stopped = () => kill.abort('the worker was stopped')
  if (worker.stop.aborted) stopped()
  worker.stop.addEventListener('abort', stopped)
  over.addEventListener('abort', () => worker.stop.removeEventListener('abort', stopped))
  // Both end by themselves when the command is finished.
  const quietly = (watching) => watching.then((reason) => kill.abort(reason)).catch(ignoreEnd(over, kill))
  const kept = { deadline: delegation.deadline, extended: delegation.deadline }
  void quietly(keepClaim(worker, delegation, kept, over))
  void quietly(deadlineOf(worker, kept, over))
  return kill.signal
}

function ignoreEnd(over, kill) {
  return (error) => {
    if (!over.aborted) kill.abort(error.message)
  }
}

/** Renews the claim until it is lost, and resolves with the reason. A renewal may extend the deadline. */
async function keepClaim(worker, { id, command_id }, kept, over) {
  const every_ms = renewEvery_ms(worker.lease_s)
  for (let failures = 0; ;) {
    await worker.wait(failures === 0 ? every_ms : Math.min(every_ms, backoff_ms(failures)), over)
    const lease_s = leaseFor(kept, worker)
    if (lease_s === null) continue
    const { kind, code, detail, reason, deadline } = await claim(worker.client, id, { ...worker, lease_s })
    kept.extended = deadline ?? kept.extended
    failures = kind === 'again' ? failures + 1 : 0
    if (kind === 'settled' || kind === 'claimed') return `${code}: ${detail}`
    if (kind !== 'held') worker.tell({ event: 'trouble', what: `renewal of ${command_id}`, reason: reason ?? detail })
  }
}

/**
 * Whose clock is ahead of the service's would end everything at once, and a timer that is too long does: in both cases the service is left
 * to say so, at a renewal.
 */
async function deadlineOf(worker, kept, over) {
  for (;;) {
    const { extended } = kept
    const left_ms = Date.parse(extended) - Date.now()
    if (!(left_ms > 0 && left_ms <= LONGEST_TIMER_MS)) return new Promise(() => undefined)
    await worker.wait(left_ms, over)
    if (kept.extended === extended) return 'its deadline has passed'
  }
}

/** Longer than any report that is sent. */
const FILE_BYTES_MAX = 4_000_000

/** null: there is none. The program made it, so it may be a folder, a link, a pipe or far too long: it rejects. */
async function textOf(path) {
  const found = await lstat(path).catch(() => null)
  if (found === null) return null
  if (!found.isFile() || found.size > FILE_BYTES_MAX) throw new Error('it is no file of a report')
  return readFile(path, 'utf8')
}

/** Its report file; without one that can be read what it printed is the report. */
async function reportFile({ tell }, command_id, path) {
  return textOf(path).catch((error) => {
    tell({ event: 'trouble', what: `the report file of ${command_id} is not read`, reason: error.message })
    return null
  })
}
