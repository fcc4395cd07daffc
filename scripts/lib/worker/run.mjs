/** The program at work on one command: it runs as long as the claim is ours and the deadline ahead. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claim, renewEvery_ms } from '../delegations/claims.mjs'
import { backoff_ms } from '../delegations/patience.mjs'
import { runProgram } from './program.mjs'
import { endOf, reportOf } from './report.mjs'

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** null: the program was killed, and there is nobody to report to. The claim is renewed until `over`. */
export async function reportFrom(worker, delegation, { folder, command, over }) {
  const { command_id } = delegation
  const paths = { command: join(folder, `${command_id}.md`), report: join(folder, `report-${command_id}.md`) }
  await writeFile(paths.command, command)
  const kill = killerOf(worker, delegation, over)
  const { exec, cwd, grace_ms } = worker
  const env = environment(worker.env, delegation, paths)
  const ended = await runProgram({ command: exec, cwd, env, input: paths.command, kill, grace_ms })
  if (kill.aborted) {
    worker.tell({ event: 'killed', command_id, reason: kill.reason })
    return null
  }
  worker.tell({ event: 'finished', command_id, ended: endOf(ended) })
  return reportOf({ ...ended, file: await textOf(paths.report) })
}

/** The program is text of others' making at work: it is not given the key. */
function environment(env, { id, command_id, command_type, session_id, deadline }, paths) {
  const { LOOP_AGENT_KEY: _, ...rest } = env
  return {
    ...rest,
    COMMAND_FILE: paths.command,
    REPORT_FILE: paths.report,
    COMMAND_ID: command_id,
    COMMAND_TYPE: command_type,
    SESSION_ID: session_id,
    DELEGATION_ID: id,
    DEADLINE: deadline,
  }
}

/** A signal that is aborted, with the reason, when the program is to end. */
function killerOf(worker, delegation, over) {
  const kill = new AbortController()
  const stopped = () => kill.abort('the worker was stopped')
  if (worker.stop.aborted) stopped()
  worker.stop.addEventListener('abort', stopped)
  over.addEventListener('abort', () => worker.stop.removeEventListener('abort', stopped))
  // Both end by themselves when the command is over.
  const quietly = (watching) => watching.then((reason) => kill.abort(reason)).catch(ignoreEnd(over, kill))
  void quietly(keepClaim(worker, delegation, over))
  void quietly(deadlineOf(worker, delegation, over))
  return kill.signal
}

function ignoreEnd(over, kill) {
  return (error) => {
    if (!over.aborted) kill.abort(error.message)
  }
}

/** Renews until the claim is lost, and resolves with the reason. */
async function keepClaim(worker, { id, command_id }, over) {
  const every_ms = renewEvery_ms(worker.lease_s)
  for (let failures = 0; ;) {
    await worker.wait(failures === 0 ? every_ms : Math.min(every_ms, backoff_ms(failures)), over)
    const { kind, code, detail, reason } = await claim(worker.client, id, worker)
    failures = kind === 'again' ? failures + 1 : 0
    if (kind === 'settled' || kind === 'claimed') return `${code}: ${detail}`
    if (kind !== 'held') worker.tell({ event: 'trouble', what: `renewal of ${command_id}`, reason: reason ?? detail })
  }
}

/**
 * Whose clock is ahead of the service's would end everything at once, and a timer that is too long does: in both cases the service is left
 * to say so, at a renewal.
 */
async function deadlineOf(worker, { deadline }, over) {
  const left_ms = Date.parse(deadline) - Date.now()
  if (!(left_ms > 0 && left_ms <= LONGEST_TIMER_MS)) return new Promise(() => undefined)
  await worker.wait(left_ms, over)
  return 'its deadline has passed'
}

async function textOf(path) {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
