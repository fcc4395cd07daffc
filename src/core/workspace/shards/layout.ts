/**
 * How the workspace of a tenant is divided into shards, and which of them knows a task (SHARD-01, SHARD-02). The first shard is the object
 * that every tenant has. Numbers of shards are powers of two, so that a growth moves no task between two shards that were there before, and
 * the earlier homes of a task follow from its id alone.
 */
import { fingerprint } from '../../terms/values/hash.ts'

/** A list asks each shard, so their number is bounded. */
export const SHARDS_MAX = 64
/** The number of the shard that keeps what is about the tenant, and the ledger of its quotas. */
export const FIRST_SHARD = 0

export interface ShardLayout {
  /** The shards of today. */
  count: number
  /** The fewest shards that the tenant has had since its oldest task was made. */
  since: number
}
export const ONE_SHARD: ShardLayout = { count: 1, since: 1 }

export const isShardCount = (count: number): boolean =>
  Number.isInteger(count) && count >= 1 && count <= SHARDS_MAX && (count & (count - 1)) === 0

/** The shards that may know a task: where it would be entered today, and then where it was entered under fewer shards. */
export function homesOf(task: string, { count, since }: ShardLayout): [number, ...number[]] {
  const hash = hashOf(task)
  const homes = new Set<number>()
  for (let shards = count; shards >= Math.min(since, count) && shards >= 1; shards /= 2) homes.add(hash & (shards - 1))
  const [newest = FIRST_SHARD, ...earlier] = homes
  return [newest, ...earlier]
}

/** The low bits of the fingerprint. Ids are random or an HMAC, so any bits would do. */
const hashOf = (task: string): number => Number.parseInt(fingerprint(task).slice(-4), 16)

export const shardsOf = ({ count }: ShardLayout): number[] => Array.from({ length: count }, (_, number) => number)
