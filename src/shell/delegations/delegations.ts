/**
 * The delegations that workers list, read and claim. Their pool knows the claims, and each task knows the status of its delegations; where they
 * differ the task is right. A list, a claim or a report corrects the pool then, and a read writes nothing.
 */
import type { Delegation, DelegationStatus } from '../../core/terms/delegation.ts'
import type { Claim, IndexedDelegation } from '../../core/workspace/delegation-index.ts'
import type { DelegationView, PoolView } from '../../core/shown/delegation-view.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import { claimDelegation } from './claims.ts'
import { dropMissing } from '../delete-task.ts'
import type { DelegationFilter, DelegationService, FoundDelegation } from './delegation-service.ts'
import { askTask, findDelegation } from './find-delegation.ts'
import { isLostObject } from '../lost-object.ts'
import { enterPending, openPool, tellPool, type PoolRef } from '../pools/pools.ts'
import type { Ports } from '../ports.ts'
import { recordReport, reportByLink } from './reports.ts'
import type { Caller, Page, Paging } from '../caller.ts'
import { commandFile, delegationWithoutLink, delegationWithLink } from '../links/delegation-with-links.ts'

export const delegationService = (ports: Ports): DelegationService => ({
  listDelegations: (caller, filter, paging, wait_ms) => listDelegations(ports, caller, filter, paging, wait_ms),
  listPools: (caller, paging) => listPools(ports, caller, paging),
  getDelegation: (caller, id) => getDelegation(ports, caller, id),
  claimDelegation: (caller, id, lease) => claimDelegation(ports, caller, id, lease),
  reportDelegation: (caller, id, sent) => recordReport(ports, caller, id, sent),
  reportByLink: (caller, token, sent) => reportByLink(ports, caller, token, sent),
})

/** One delegation wakes many callers, and only one of them gets it. A task that cannot be read would wake all of them without end. */
const WAKES_MAX = 10

async function listDelegations(
  ports: Ports,
  caller: Caller,
  filter: DelegationFilter,
  paging: Paging,
  wait_ms: number,
): Promise<Result<Page<DelegationView>>> {
  const until = ports.clock.now_ms() + wait_ms
  let page = await pageOf(ports, caller, filter, paging)
  for (let wakes = 0; page.data.length === 0 && wakes < WAKES_MAX; wakes++) {
    const left = until - ports.clock.now_ms()
    if (left <= 0 || caller.gone() || ports.draining.hasBegun()) break
    await awaitOne(ports, { tenant: caller.tenant, pool: filter.pool }, left)
    if (caller.gone()) break
    page = await pageOf(ports, caller, filter, paging)
  }
  return ok(page)
}

/** An object that restarts has released all its waiters. The next look goes to the new object. */
async function awaitOne({ store, draining }: Ports, place: PoolRef, wait_ms: number): Promise<void> {
  let stopListening = () => {}
  const ending = new Promise<void>((resolve) => (stopListening = draining.onBegin(resolve)))
  try {
    await Promise.race([openPool(store, place).awaitDelegation(wait_ms), ending])
  } catch (error) {
    if (!isLostObject(error)) throw error
  } finally {
    stopListening()
  }
}

async function pageOf(
  ports: Ports,
  caller: Caller,
  { status, pool }: DelegationFilter,
  { after, limit }: Paging,
): Promise<Page<DelegationView>> {
  const place = { tenant: caller.tenant, pool }
  const page = { kind: 'delegations', status, before: after, limit } as const
  const { entries, has_more } = await openPool(ports.store, place).ask(page)
  const found = await Promise.all(entries.map((entry) => lookUp(ports, caller, place, entry)))
  const data = found.flatMap((one) => (one === null || (status !== null && one.status !== status) ? [] : [one]))
  const last = entries.at(-1)?.position
  return { data, has_more, next_cursor: has_more && last !== undefined ? String(last) : null }
}

/**
 * In a list a report is a hint, and the delegation itself has the whole text. The task cuts it, because a hundred whole reports are too much
 * here.
 */
const LISTED_CHARS = 2_000

const SETTLED_STATUSES: ReadonlySet<DelegationStatus> = new Set(['reported', 'expired', 'canceled'])

/** null where the task does not have the delegation, or cannot be read. */
async function lookUp(
  ports: Ports,
  caller: Caller,
  place: PoolRef,
  entry: IndexedDelegation,
): Promise<DelegationView | null> {
  const found = await askTask(ports, caller.tenant, entry.id, LISTED_CHARS)
  if (!found.ok) {
    if (found.refusal.code === 'task_not_found') await forget(ports, caller, place, entry.task)
    return null
  }
  const { value: delegation } = found
  if (delegation.pool !== place.pool) {
    await moveToPool(ports, place, delegation, entry.claim)
    return null
  }
  if (delegation.status === 'pending') {
    if (SETTLED_STATUSES.has(entry.status)) await enterPending(ports.store, place, delegation)
  } else if (delegation.status !== entry.status)
    await openPool(ports.store, place).tell({ kind: 'settle_delegation', id: entry.id, status: delegation.status })
  return delegationWithoutLink(delegation, entry.status === 'claimed' ? entry.claim : null)
}

/** A Worker of an earlier release knows no pools, and enters every command in the default one, where another may have claimed it. */
async function moveToPool(
  { store }: Ports,
  place: PoolRef,
  delegation: Delegation,
  claim: Claim | null,
): Promise<void> {
  const { id, status, pool } = delegation
  if (status === 'pending') await enterPending(store, { ...place, pool }, delegation, claim)
  await openPool(store, place).tell({
    kind: 'settle_delegation',
    id,
    status: status === 'pending' ? 'canceled' : status,
  })
}

/** A task that is gone loses its delegations, but not one that is being made under the same id. */
async function forget(ports: Ports, caller: Caller, place: PoolRef, task: string): Promise<void> {
  await dropMissing(ports, caller, task)
  const at = ports.clock.now_ms()
  const workspace = ports.store.workspace(caller.tenant)
  if (place.pool === null) await workspace.tell({ kind: 'drop', id: task, admitted: [] })
  else if ((await workspace.ask({ kind: 'admission', id: task })) === null)
    await tellPool(ports.store, place, task, { change: 'gone', at })
}

async function getDelegation(ports: Ports, { tenant }: Caller, id: string): Promise<Result<FoundDelegation>> {
  const found = await findDelegation(ports, tenant, id)
  if (!found.ok) return found
  const { value: delegation } = found
  const pool = openPool(ports.store, { tenant, pool: delegation.pool })
  const claim = delegation.status === 'pending' ? await pool.ask({ kind: 'claim', id }) : null
  const shown = await delegationWithLink(ports.links, tenant, delegation, claim)
  return ok({ delegation: shown, command: commandFile(delegation, shown) })
}

/** The cursor behind the default pool: no name comes before it. */
const BEHIND_DEFAULT = '*'

/**
 * The pools of a tenant, each with the counts of its own object, which is asked for each entry (POOL-07).
 * The default pool has no name, so it comes before all others.
 */
async function listPools(
  { store }: Ports,
  { tenant }: Caller,
  { after, limit }: { after: string; limit: number },
): Promise<Result<Page<PoolView>>> {
  const named = await store.workspace(tenant).ask({ kind: 'pools', after, limit: limit + 1 })
  const names = after === '' ? [null, ...named] : named
  const data = await Promise.all(
    names.slice(0, limit).map(async (name) => ({
      name,
      ...(await openPool(store, { tenant, pool: name }).ask({ kind: 'pool_counts' })),
    })),
  )
  const has_more = names.length > limit
  return ok({ data, has_more, next_cursor: has_more ? (data.at(-1)?.name ?? BEHIND_DEFAULT) : null })
}
