/** Delegations as short lines for curl (`Accept: text/plain`). */
import type { DelegationView, DelegationViewByLink, PoolView } from '../../core/shown/delegation-view.ts'
import { oneLine } from '../../core/shown/line-text.ts'
import type { Page } from '../../shell/caller.ts'
import { withCursorLine } from './plain.ts'

/** The holder of a link does not see who has claimed the delegation, and in which pool it is. */
type DelegationSummary = DelegationViewByLink & Partial<Pick<DelegationView, 'claim' | 'pool'>>

export const delegationsText = (page: Page<DelegationView>): string[] =>
  withCursorLine(page.data.map(delegationLine), page.next_cursor)

export const poolsText = (page: Page<PoolView>): string[] =>
  withCursorLine(
    page.data.map(
      ({ name, pending, claimed, waiting }) =>
        `${name ?? '(default)'}  ${pending} pending  ${claimed} claimed  ${waiting} waiting`,
    ),
    page.next_cursor,
  )

/** A shortened link would not work, so even long ones are shown whole. */
const URL_SHOWN = 2_000

export function delegationText(delegation: DelegationSummary): string[] {
  const { session_id, report, report_url } = delegation
  const parts: [string, string | null | undefined][] = [
    ['session', session_id],
    ['report to', report_url],
    ['report', report?.status],
    ['results', report?.results],
    ['pitfalls', report?.pitfalls],
    ['next steps', report?.next_steps],
  ]
  const lines = parts.flatMap(([name, text]) =>
    text === null || text === undefined ? [] : [`${name}: ${oneLine(text, URL_SHOWN)}`],
  )
  return [delegationLine(delegation), ...lines]
}

function delegationLine({ id, status, command_type, command_id, deadline, claim, pool }: DelegationSummary): string {
  const worker = claim === null || claim === undefined ? '' : `${oneLine(claim.worker)} until ${claim.expires_at}`
  const place = pool === null || pool === undefined ? '' : `pool ${pool}`
  const parts = [id, status, command_type, command_id, `due ${deadline}`, worker, place]
  return parts.filter((part) => part !== '').join('  ')
}
