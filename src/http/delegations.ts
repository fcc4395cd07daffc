/** The routes of delegations: what each asks of the service, and how its answer looks. */
import type { CommandFile } from '../delegations/command-file.ts'
import type { ReportedView } from '../core/shown/delegation-view.ts'
import type { Worked } from '../shell/delegations/delegations.ts'
import type { Routes } from './contract.ts'
import { delegationsText, delegationText } from './delegation-text.ts'
import type { Outcome } from './errors.ts'
import { waitOf } from './prefer.ts'
import { sentReport } from './report-body.ts'
import { refused, REPLAYED, type Handler, type Reply } from './route.ts'

/** New ones come before the first page, and on no other: only that is waited for. */
export const listDelegations: Handler<Routes['listDelegations']> = async ({ service }, { caller, query, request }) => {
  const { status = null, limit, after } = query
  const wait_s = status === 'pending' && after === 0 ? waitOf(request.headers.get('prefer')) : null
  const page = await service.listDelegations(caller, status, { limit, after }, (wait_s ?? 0) * 1000)
  if (!page.ok) return refused(page.refusal)
  const headers: Record<string, string> = wait_s === null ? {} : { 'preference-applied': `wait=${wait_s}` }
  return { kind: 'answer', status: 200, json: page.value, lines: () => delegationsText(page.value), headers }
}

export const getDelegation: Handler<Routes['getDelegation']> = async ({ service }, { caller, params, form }) => {
  const found = await service.getDelegation(caller, params.id)
  if (!found.ok) return refused(found.refusal)
  const { delegation, command } = found.value
  if (form === 'text/markdown') return { kind: 'document', response: await fileOf(command) }
  return { kind: 'answer', status: 200, json: delegation, lines: () => delegationText(delegation) }
}

/** Its writer is loaded by the first one that is asked for. */
async function fileOf(command: CommandFile): Promise<Response> {
  const { commandFileName, writeCommand } = await import('../delegations/command-file.ts')
  const headers = {
    'content-type': 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="${commandFileName(command.id)}"`,
  }
  return new Response(writeCommand(command), { headers })
}

export const claimDelegation: Handler<Routes['claimDelegation']> = async ({ service }, { caller, params, body }) => {
  const { worker, lease_s } = body
  return workedReply(await service.claimDelegation(caller, params.id, { worker, lease_ms: lease_s * 1000 }))
}

export const reportDelegation: Handler<Routes['reportDelegation']> = async ({ service }, call) => {
  const { caller, params, body, request } = call
  const sent = await sentReport(body, request)
  return sent.ok ? workedReply(await service.reportDelegation(caller, params.id, sent.value)) : refused(sent.refusal)
}

export const postReport: Handler<Routes['postReport']> = async ({ service }, { caller, params, body, request }) => {
  const sent = await sentReport(body, request)
  return sent.ok ? workedReply(await service.reportByLink(caller, params.token, sent.value)) : refused(sent.refusal)
}

function workedReply(worked: Outcome<Worked<ReportedView>>): Reply {
  if (!worked.ok) return refused(worked.refusal)
  const { delegation, replayed } = worked.value
  const headers: Record<string, string> = replayed ? REPLAYED : {}
  return { kind: 'answer', status: 200, json: delegation, lines: () => delegationText(delegation), headers }
}
