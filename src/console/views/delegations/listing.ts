/** What the list of delegations shows: the pools that can be chosen, and the delegations that stay in sight. */
import type { DelegationView, PoolView } from '../../api/wire.ts'

export const STATUSES = ['pending', 'claimed', 'reported', 'expired', 'canceled']
/** How often the list is read again. */
export const READ_AGAIN_MS = 2_000
/** More pools cannot be chosen here. They are read less often, because each of them is an object that is asked. */
export const POOLS = '/pools?limit=100'
export const POOLS_AGAIN_MS = 10_000

/** A choice of a select field. The default pool is ''. */
type PoolOption = [value: string, text: string]
type ListedPool = Pick<PoolView, 'name' | 'pending'>

/** Each pool has its number of pending delegations. */
function optionOf({ name, pending }: ListedPool, default_name: string): PoolOption {
  const text = name ?? default_name
  return [name ?? '', pending === 0 ? text : `${text} (${pending})`]
}

/** The default pool is always there. A pool that is chosen stays, even when its last task was deleted. */
export function poolOptions(pools: readonly ListedPool[], chosen: string, default_name: string): PoolOption[] {
  const listed = pools.map((pool) => optionOf(pool, default_name))
  const isListed = (value: string) => listed.some(([name]) => name === value)
  const known: PoolOption[] = isListed('') ? listed : [['', default_name], ...listed]
  return chosen === '' || isListed(chosen) ? known : [...known, [chosen, chosen]]
}

/** Adds opened delegations that the filter hides now, because something may have been typed into them. */
export function withOpened(listed: DelegationView[], opened: DelegationView[]): DelegationView[] {
  const missing = opened.filter(({ id }) => listed.every((other) => other.id !== id))
  const all = [...listed, ...missing]
  return all.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
}
