/** Records the report of a worker, who has a key or the link of the command file. No effect begins. */
import { parseDelegationId } from '../../core/terms/delegation-id.ts'
import type { ReportResult } from '../../core/protocol/task-answers.ts'
import type { SentReport } from '../../core/terms/delegation.ts'
import type { DelegationViewByLink } from '../../core/shown/delegation-view.ts'
import { hideRefusal, ok, refuse, type Refusal, type Result } from '../../core/terms/refusal.ts'
import type { DelegationAnswer } from './delegation-service.ts'
import { asDelegation, findDelegation, withPool } from './find-delegation.ts'
import { openPool } from '../pools/pools.ts'
import type { Ports } from '../ports.ts'
import type { Caller } from '../caller.ts'
import { delegationWithoutLink, readReportLink, reportedView } from '../links/delegation-with-links.ts'
import { openIdleSlice, runSlice } from '../slice/slice.ts'

/** A driven task goes on by its alarm, any other at its next request. */
export async function recordReport(
  ports: Ports,
  caller: Caller,
  id: string,
  sent: SentReport,
): Promise<Result<DelegationAnswer>> {
  const ref = parseDelegationId(id)
  if (ref === null) return refuse({ code: 'delegation_not_found' })
  const { run, ticket } = openIdleSlice(ports, caller, ref.task)
  const told = await ports.store.of(caller.tenant, ref.task).tell({ kind: 'report', seq: ref.seq, sent }, ticket)
  const answer = told.ok ? ok({ ...told.value, delegation: withPool(told.value.delegation) }) : told
  await settle(ports, caller.tenant, id, answer)
  if (!answer.ok) return asDelegation(answer)
  const { delegation, advanced } = answer.value
  const shown = advanced === null ? null : await runSlice(run, ok(advanced))
  if (shown?.ok === false) return shown
  const replayed = shown === null || shown.value.replayed === true
  // A settled delegation has no report link.
  return ok({ delegation: delegationWithoutLink(delegation, null), replayed })
}

const STATUS_BY_REFUSAL: Partial<Record<Refusal['code'], 'reported' | 'expired' | 'canceled'>> = {
  already_reported: 'reported',
  delegation_expired: 'expired',
  delegation_canceled: 'canceled',
}

/**
 * Settles the delegation in its pool, so that no worker claims it. This comes before anything that can fail, and a refusal names the status
 * too.
 */
async function settle(ports: Ports, tenant: string, id: string, told: Result<ReportResult>): Promise<void> {
  const status = told.ok ? 'reported' : STATUS_BY_REFUSAL[told.refusal.code]
  if (status === undefined) return
  // A refusal does not say in which pool it is.
  const found = told.ok ? ok(told.value.delegation) : await findDelegation(ports, tenant, id)
  if (!found.ok) return
  await openPool(ports.store, { tenant, pool: found.value.pool }).tell({ kind: 'settle_delegation', id, status })
}

export async function reportByLink(
  ports: Ports,
  caller: Omit<Caller, 'tenant'>,
  token: string,
  sent: SentReport,
): Promise<Result<DelegationAnswer<DelegationViewByLink>>> {
  const link = await readReportLink(ports.links, token)
  if (link === null) return refuse({ code: 'link_not_found' })
  const { tenant, id, created, link_epoch } = link
  const found = hideTask(await findDelegation(ports, tenant, id))
  if (!found.ok) return found
  // A task that was made again under the same id has dispatched another command. Links can also be ended.
  if (found.value.created !== created || found.value.link_epoch !== link_epoch)
    return refuse({ code: 'link_not_found' })
  // The scope of a key is stored, so it names the command and not the token.
  const key = caller.key === null ? null : { ...caller.key, scope: `POST /reports of ${found.value.seq}` }
  const answer = hideTask(await recordReport(ports, { ...caller, tenant, key }, id, sent))
  return answer.ok ? ok({ ...answer.value, delegation: reportedView(answer.value.delegation) }) : answer
}

/** The holder of a link must not learn whether a task was deleted or never existed. */
const hideTask = <T>(result: Result<T>) => hideRefusal(result, 'delegation_not_found', 'link_not_found')
