/**
 * What tasks reserve of the totals of a tenant with several shards (SHARD-04). The ledger in the first shard counts; each shard holds a
 * pocket from which its tasks take their chunks, so that most of them need no call to the first shard.
 */
import { fundFor, leastFund } from '../../core/workspace/shards/pockets.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import { boundedAxes, dayOf, type SpendLimits } from '../../core/workspace/daily-totals.ts'
import type { AllowanceChunk, AllowanceRefund } from '../../core/terms/axes.ts'
import { FIRST_SHARD, shardsOf } from '../../core/workspace/shards/layout.ts'
import type { WorkspaceCommand } from '../../core/protocol/workspace-requests.ts'
import { tellShard, type ShardPlace } from './quota-calls.ts'

/** The times at which the pockets of a tenant were emptied. */
export type EmptyTimes = Map<string, number>
/** Near a bound, the pockets are emptied at most so often. */
const EMPTY_EVERY_MS = 1_000
const TENANTS_MAX = 10_000

interface TotalsPlace extends ShardPlace {
  tenant: string
  now_ms: () => number
  emptied: EmptyTimes
}

/** null: the shard does not know the task. `chunk` null: less is left of a total than the task lacks. */
export async function reserveInShard(
  place: TotalsPlace,
  shard: number,
  command: WorkspaceCommand<'reserve'>,
  only_known: boolean,
): Promise<{ chunk: AllowanceChunk | null } | null> {
  const { want } = command
  const take = async (fund: AllowanceChunk | null) => {
    const done = await tellShard(place, shard, { kind: 'reserve_in_shard', want, fund }, { only_known })
    for (const refund of done?.answer.returned ?? []) await giveToLedger(place, refund)
    return done === null ? null : { chunk: done.answer.chunk }
  }
  const held = await take(null)
  if (held === null || held.chunk !== null) return held
  const fund =
    (await fundShard(place, command)) ?? ((await emptyPockets(place)) ? await fundShard(place, command) : null)
  return fund === null ? held : take(fund)
}

/** Reserves a pocket at the ledger: enough for some tasks, or for this one alone where less is left. */
async function fundShard({ open, now_ms }: TotalsPlace, { want, ...limits }: WorkspaceCommand<'reserve'>) {
  const ledger = open(FIRST_SHARD)
  const whole = await ledger.tell({ ...limits, want: fundFor(want) })
  return whole ?? ledger.tell({ ...limits, want: leastFund(want, dayOf(now_ms())) })
}

/** False: the shard does not know the task. */
export async function giveBackToShard(
  place: TotalsPlace,
  shard: number,
  refund: AllowanceRefund,
  only_known: boolean,
): Promise<boolean> {
  const done = await tellShard(place, shard, { kind: 'give_back_to_shard', refund }, { only_known })
  if (done !== null && done.answer !== null) await giveToLedger(place, done.answer)
  return done !== null
}

/** How long an isolate believes that the totals have room, or have none. Reservations themselves are always exact. */
const CHECKED_MS = 1_000

/** Answers whether the totals have room for new work, and asks the ledger at most once in a second for each tenant. */
export function totalsCheck(
  { open, now_ms }: Pick<TotalsPlace, 'open' | 'now_ms'>,
  checks: TotalChecks,
  tenant: string,
) {
  return async ({ daily, monthly, key }: SpendLimits): Promise<Result<null>> => {
    const limits = { daily, monthly, key }
    const bounded = boundedAxes(limits)
    if (!bounded.tokens && !bounded.cost) return ok(null)
    const name = JSON.stringify([tenant, limits])
    const known = checks.get(name)
    if (known !== undefined && Math.abs(now_ms() - known.at) < CHECKED_MS) return known.answer
    const answer = await open(FIRST_SHARD).ask({ kind: 'check_totals', ...limits })
    if (checks.size >= TENANTS_MAX) checks.clear()
    checks.set(name, { at: now_ms(), answer })
    return answer
  }
}
export type TotalChecks = Map<string, { at: number; answer: Result<null> }>

const giveToLedger = ({ open }: TotalsPlace, refund: AllowanceRefund): Promise<void> =>
  open(FIRST_SHARD).tell({ kind: 'give_back', refund })

/** Brings back what no task holds. False: it was done just before. */
async function emptyPockets(place: TotalsPlace): Promise<boolean> {
  const { emptied, tenant, now_ms, open, shards } = place
  if (Math.abs(now_ms() - (emptied.get(tenant) ?? -Infinity)) < EMPTY_EVERY_MS) return false
  if (emptied.size >= TENANTS_MAX) emptied.clear()
  emptied.set(tenant, now_ms())
  const unused = await Promise.all(
    shardsOf({ count: shards, since: shards }).map((shard) => open(shard).tell({ kind: 'empty_pockets' })),
  )
  for (const refund of unused.flat()) await giveToLedger(place, refund)
  return true
}
