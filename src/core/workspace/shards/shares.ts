/**
 * The quotas of a tenant over its shards (SHARD-03). The first shard keeps the ledger: how much of each bound it has handed to which other
 * shard, as that shard's share. The first shard uses what it has not handed out. So the sum never exceeds the bound, whatever is lost.
 *
 * A share has a number that each change raises, on either side. The higher number is the newer one. With equal numbers the shard is right,
 * because it takes no share with the number that it has. So a message that is lost, doubled or late costs no more than a question.
 */

/** `open`: open tasks. `open <key>`: those that one key has made. `bytes`: stored bytes. `slots`: run slots. */
export type ShareAxis = 'open' | 'bytes' | 'slots' | KeyAxis
export type KeyAxis = `open ${string}`
export type Amounts = { [Axis in ShareAxis]?: number }

export interface Share {
  number: number
  amounts: Amounts
  /** Other shards wait for run slots, so that each slot that becomes free goes back to the ledger. */
  is_scarce: boolean
}
export const NO_SHARE: Share = { number: 0, amounts: {}, is_scarce: false }

/** What a shard says of its share. */
export interface ToldShare {
  shard: number
  number: number
  amounts: Amounts
  is_scarce: boolean
  /** Whether a task there waits for a run slot. */
  waits: boolean
}

/** What the ledger knows of a shard. */
export interface LedgerEntry {
  number: number
  amounts: Amounts
  /** Since when a task there waits for a run slot, in ms since the epoch. null: none does. */
  waits_since: number | null
}
const NO_ENTRY: LedgerEntry = { number: 0, amounts: {}, waits_since: null }

/** What a shard lacks: so much more of an axis, whose bound for the tenant is `max`. */
export interface Lack {
  axis: ShareAxis
  amount: number
  max: number
}

/** The ledger of one tenant, in its first shard. */
export interface Ledger {
  find(shard: number): LedgerEntry | null
  save(shard: number, entry: LedgerEntry): void
  all(): { shard: number; entry: LedgerEntry }[]
  /** How much the first shard uses itself. */
  used(axis: ShareAxis): number
}

export const amountOf = (amounts: Amounts, axis: ShareAxis): number => amounts[axis] ?? 0

/** How much of a bound the other shards hold. */
export const handedOut = (ledger: Pick<Ledger, 'all'>, axis: ShareAxis): number =>
  ledger.all().reduce((sum, { entry }) => sum + amountOf(entry.amounts, axis), 0)

/** How much of a bound is left to hand out. It is negative where the bound was lowered. */
export const leftOf = (ledger: Ledger, axis: ShareAxis, max: number): number =>
  max - ledger.used(axis) - handedOut(ledger, axis)

/** Takes over what a shard says, unless the ledger knows better. */
export function settleShare(ledger: Ledger, { shard, number, amounts, waits }: ToldShare, now_ms: number): void {
  const known = ledger.find(shard) ?? NO_ENTRY
  const waits_since = waits ? (known.waits_since ?? now_ms) : null
  const entry = number >= known.number ? { number, amounts } : { number: known.number, amounts: known.amounts }
  ledger.save(shard, { ...entry, waits_since })
}

/** One chunk is at most this part of what each shard could get if all of the rest were divided. */
const CHUNK_SHARE = 2

/**
 * Hands a shard at least what it lacks, and ahead of that a part of what is left. So chunks become small where little is left. False: there
 * is less.
 */
export function growShare(ledger: Ledger, shard: number, { axis, amount, max }: Lack, shards: number): boolean {
  const left = leftOf(ledger, axis, max)
  if (left < amount) return false
  const chunk = Math.max(amount, Math.floor(left / (shards * CHUNK_SHARE)))
  addTo(ledger, shard, axis, chunk)
  return true
}

function addTo(ledger: Ledger, shard: number, axis: ShareAxis, amount: number): void {
  const { number, amounts, waits_since } = ledger.find(shard) ?? NO_ENTRY
  const more = { ...amounts, [axis]: amountOf(amounts, axis) + amount }
  ledger.save(shard, { number: number + 1, amounts: more, waits_since })
}

/** The shards that wait for run slots, the one that has waited longest first. */
export const waitingShards = (ledger: Pick<Ledger, 'all'>): number[] =>
  ledger
    .all()
    .flatMap(({ shard, entry: { waits_since } }) => (waits_since === null ? [] : [{ shard, waits_since }]))
    .toSorted((a, b) => a.waits_since - b.waits_since || a.shard - b.shard)
    .map(({ shard }) => shard)

/**
 * Hands free run slots to the shards that wait for them, in their order, one each. A single shard that waits gets a chunk. `first` takes a
 * slot for the first shard, whose slots are in no share. Answers the shards that got some.
 */
export function handOutSlots(ledger: Ledger, max: number, shards: number, first: () => void): number[] {
  const given: number[] = []
  const waiting = waitingShards(ledger)
  for (const shard of waiting) {
    const left = leftOf(ledger, 'slots', max)
    if (left < 1) break
    const entry = ledger.find(shard) ?? NO_ENTRY
    ledger.save(shard, { ...entry, waits_since: null })
    if (shard === 0) first()
    else addTo(ledger, shard, 'slots', waiting.length > 1 ? 1 : Math.max(1, Math.floor(left / (shards * CHUNK_SHARE))))
    given.push(shard)
  }
  return given
}

/** The share of a shard as the ledger knows it. */
export const shareIn = (ledger: Pick<Ledger, 'find' | 'all'>, shard: number): Share => {
  const { number, amounts } = ledger.find(shard) ?? NO_ENTRY
  return { number, amounts, is_scarce: waitingShards(ledger).length > 0 }
}

/** The share after news of the ledger. */
export const newerShare = (own: Share, told: Share): Share =>
  told.number > own.number ? told : { ...own, is_scarce: told.is_scarce }

const isKeyAxis = (axis: string): axis is KeyAxis => axis.startsWith('open ')

/** The parts of so many keys are kept though nothing uses them, because their next task will. */
const KEYS_KEPT = 16
const KEYS_LOOKED_AT = 32

/** Some axes of keys, to see whether anything uses them: other ones with each number. None where there are few. Keys end, and many may. */
export function keyAxesToCheck({ number, amounts }: Share): KeyAxis[] {
  const axes = Object.keys(amounts).filter(isKeyAxis)
  if (axes.length <= KEYS_KEPT) return []
  const from = number % axes.length
  return [...axes.slice(from), ...axes.slice(0, from)].slice(0, Math.min(KEYS_LOOKED_AT, axes.length - KEYS_KEPT))
}

/** The share without what the shard does not use of some axes. The same share where it uses everything. An axis of which nothing is left goes. */
export function shrunkShare(own: Share, axes: readonly ShareAxis[], used: (axis: ShareAxis) => number): Share {
  const amounts = { ...own.amounts }
  for (const axis of axes) {
    const kept = Math.min(amountOf(amounts, axis), Math.max(0, used(axis)))
    if (kept > 0) amounts[axis] = kept
    else delete amounts[axis]
  }
  const is_same = axes.every((axis) => amountOf(amounts, axis) === amountOf(own.amounts, axis))
  return is_same ? own : { ...own, number: own.number + 1, amounts }
}
