/** Reserves an allowance for a slice from the totals that bound its task, and waits a short time for what other tasks hold of it (U16). */
import type { AllowanceChunk, AllowanceRequest } from '../../core/terms/axes.ts'
import { boundedAxes, type SpendLimits } from '../../core/workspace/daily-totals.ts'
import type { Ports } from '../ports.ts'
import type { Caller } from '../caller.ts'

/** All waits of a request take at most 300 ms. A client that has to wait longer is told when to come again. */
const WAITS_MAX = 3
const WAIT_MS = 100
/** The delay after which a request without an allowance is repeated. */
export const FUND_RETRY_MS = 1_000

/** What a slice knows of the daily total. */
export interface DayTotal {
  /** The total was scarce when the slice took a chunk, so the task gives the rest back at the end of the slice. */
  scarce: boolean
  waits_left: number
}
export const newDayTotal = (): DayTotal => ({ scarce: false, waits_left: WAITS_MAX })

interface Claimant {
  ports: Ports
  caller: Caller
  id: string
  total: DayTotal
}

/** A task that holds a chunk does not wait here: it returns that chunk first, because others may wait for it. */
export async function reserveAllowance(
  { ports, caller, id, total }: Claimant,
  wants: AllowanceRequest,
  limits: SpendLimits,
): Promise<{ allowance: AllowanceChunk | null; later: boolean }> {
  const workspace = ports.store.workspace(caller.tenant)
  const bounded = boundedAxes(limits)
  // The task only had to know that nothing bounds it.
  if (!bounded.tokens && !bounded.cost) return { allowance: null, later: false }
  for (;;) {
    const allowance = await workspace.tell({ kind: 'reserve', want: wants, ...limits })
    if (allowance?.scarce === true) total.scarce = true
    if (allowance !== null) return { allowance, later: false }
    const later = await workspace.ask({ kind: 'may_come_back', task: id })
    const holds = (wants.held?.day ?? '') !== ''
    if (!later || holds || total.waits_left === 0 || caller.gone()) return { allowance, later }
    total.waits_left -= 1
    await ports.wait(WAIT_MS)
  }
}
