/** One delegation from its claim to its report. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claim } from '../delegations/claims.mjs'
import { patiently } from '../delegations/patience.mjs'
import { pendingDelegations } from '../delegations/pending.mjs'
import { isForAnother, remember } from '../delegations/sessions.mjs'
import { SETTLED } from '../delegations.mjs'
import { jsonReport } from './report.mjs'
import { reportFrom } from './run.mjs'

/** Waits for work and claims the oldest delegation; null if there was none, or others were faster. */
export async function claimNext(worker) {
  const { client, tell } = worker
  const outcome = await patiently('work', () => pendingDelegations(client), worker)
  if (outcome.kind === 'refused') {
    tell({ event: 'trouble', what: 'work', reason: outcome.detail })
    return null
  }
  for (const delegation of outcome.found) {
    if (worker.stop.aborted) return null
    if (isForAnother(delegation, worker)) continue
    const { id, command_id, command_type, deadline } = delegation
    const claimed = await patiently(`claim of ${command_id}`, () => claim(client, id, worker), worker)
    if (claimed.kind === 'held') {
      tell({ event: 'taken', command_id, delegation_id: id, command_type, deadline })
      return delegation
    }
    tell({ event: 'passed_over', delegation_id: id, code: claimed.code, reason: claimed.detail })
  }
  return null
}

/** Returns whether its report was recorded. */
export async function workOn(worker, delegation) {
  const { client, tell } = worker
  const { id, command_id } = delegation
  const file = await patiently(`file of ${command_id}`, () => client.command(id), worker)
  if (file.kind === 'refused') {
    tell({ event: 'passed_over', delegation_id: id, code: file.code, reason: file.detail })
    return false
  }
  const folder = await mkdtemp(join(tmpdir(), 'loop-agent-command-'))
  const over = new AbortController()
  try {
    const ended = await reportFrom(worker, delegation, { folder, command: file.body, over: over.signal })
    return ended !== null && (await post(worker, delegation, ended))
  } finally {
    over.abort()
    await rm(folder, { recursive: true, force: true })
  }
}

/** If the report is refused, a failure is reported, so that the task need not wait for its deadline. */
async function post(worker, { id, command_id }, { report, spent }) {
  const { client, tell } = worker
  const send = (body) => patiently(`report of ${command_id}`, () => client.report(id, body), worker)
  let outcome = await send(report)
  if (outcome.kind === 'refused' && !SETTLED.has(outcome.code)) {
    tell({ event: 'report_refused', command_id, code: outcome.code, detail: outcome.detail })
    outcome = await send(
      jsonReport('FAILED', `The report of the worker was refused (${outcome.code}): ${outcome.detail}`, spent),
    )
  }
  if (outcome.kind === 'refused') {
    tell({ event: 'report_refused', command_id, code: outcome.code, detail: outcome.detail })
    return false
  }
  remember(worker.sessions, outcome.body)
  tell({ event: 'reported', command_id, delegation_id: id })
  return true
}
