/** A delegation as workers see it: with its claim and, outside of lists, a signed link to report it by (U23). */
import * as z from 'zod'
import type { Delegation, LinkedDelegation } from '../../core/terms/delegation.ts'
import type { Claim } from '../../core/workspace/delegation-index.ts'
import type { DelegationView, DelegationViewByLink } from '../../core/shown/delegation-view.ts'
import { amountsView } from '../../core/terms/budget-share.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import type { CommandFile } from '../../delegations/command-file.ts'
import type { Links } from './signed-links.ts'

const REPORT = 'report'
/** The link is made of values that never change, so it is always the same. */
export async function delegationWithLink(
  links: Links,
  tenant: string,
  delegation: LinkedDelegation,
  claim: Claim | null,
): Promise<DelegationView> {
  const view = viewOf(delegation, claim)
  const { id, status, created, origin, link_epoch } = delegation
  if (status !== 'pending') return view
  const token = await links.sign(REPORT, [tenant, id, created, link_epoch])
  return { ...view, report_url: `${origin}/reports/${token}` }
}

/** A list shows no report link: a worker reads the delegation before it reports. */
export const delegationWithoutLink = (delegation: Delegation, claim: Claim | null): DelegationView =>
  viewOf(delegation, claim)

export function reportedView(view: DelegationView): DelegationViewByLink {
  const { task_id: _task, item_id: _item, pool: _pool, claim: _claim, ...reported } = view
  return reported
}

function viewOf(delegation: Delegation, claim: Claim | null): DelegationView {
  const { id, task, command_id, command, status, deadline, created, report, share, pool } = delegation
  const held = status === 'pending' ? claim : null
  return {
    id,
    task_id: task,
    item_id: command.item_id,
    command_id,
    command_type: command.type,
    session_id: command.session_id,
    status: held === null ? status : 'claimed',
    deadline: rfc3339(deadline),
    created_at: rfc3339(created),
    pool,
    report,
    claim: held === null ? null : { worker: held.worker, expires_at: rfc3339(held.until) },
    budget: share === null ? null : amountsView(share),
    report_url: null,
  }
}

/** The content of the command file (S2-12). */
export function commandFile({ command, share }: Delegation, view: DelegationView): CommandFile {
  const { command_id: id, created_at, session_id, command_type, report_url } = view
  const { task, constraints, expected_output } = command
  return { id, created_at, session_id, command_type, report_url, budget: share, task, constraints, expected_output }
}

const Claims = z.tuple([z.string(), z.string(), z.int(), z.int().optional()])

/** The delegation that a token names, and when it was dispatched; null for a foreign token. */
export async function readReportLink(
  links: Links,
  token: string,
): Promise<{ tenant: string; id: string; created: number; link_epoch: number } | null> {
  const read = Claims.safeParse(await links.open(REPORT, token))
  if (!read.success) return null
  const [tenant, id, created, link_epoch = 0] = read.data
  return { tenant, id, created, link_epoch }
}
