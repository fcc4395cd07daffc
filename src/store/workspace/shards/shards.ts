/** What one of several shards of a tenant does beside its requests, over the rows of any store (core/workspace/shards). */
import type {
  LedgerAnswer,
  ShardAnswer,
  ShardCall,
  ShardCommandTypes,
  TaskStanding,
} from '../../../core/protocol/shard-requests.ts'
import type { AllowanceRequest } from '../../../core/terms/axes.ts'
import { assignFreeSlots, freeSlot, type RunSlotRows } from '../../../core/workspace/run-slots.ts'
import { dayOf } from '../../../core/workspace/daily-totals.ts'
import { ENDED_STATUSES } from '../../../core/terms/status.ts'
import { FIRST_SHARD } from '../../../core/workspace/shards/layout.ts'
import {
  emptyPockets,
  fillPocket,
  giveToPocket,
  takeFromPocket,
  type PocketRows,
} from '../../../core/workspace/shards/pockets.ts'
import {
  amountOf,
  growShare,
  handedOut,
  handOutSlots,
  keyAxesToCheck,
  leftOf,
  newerShare,
  settleShare,
  shareIn,
  shrunkShare,
  waitingShards,
  type KeyAxis,
  type Lack,
  type Ledger,
  type Share,
  type ShareAxis,
  type ToldShare,
} from '../../../core/workspace/shards/shares.ts'
import type {
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
} from '../../../core/protocol/workspace-requests.ts'
import type { Afterwards, CommandHandlers, QuotaPart } from '../handlers.ts'

export interface ShardRows {
  loadShare(): Share
  saveShare(share: Share): void
  ledger: Ledger
  slots: RunSlotRows
  pockets: PocketRows
  /** What the shard uses itself. */
  used(axis: ShareAxis): number
  /** Whether a key has an open task here. */
  isUsed(axis: KeyAxis): boolean
  /** Who was admitted for the entry of a task. null: there is no entry. */
  admittedFor(task: string): string | null
  standingOf(task: string): TaskStanding | null
  isTied(task: string): boolean
  tie(task: string): void
  untie(task: string): void
  noteChunk(task: string, now_ms: number): void
  forgetChunk(task: string): void
  dropDouble(task: string): void
}
interface ShardContext {
  now_ms: number
  /** How many run slots the tenant has. */
  slots_max: number
  /** Whether other shards may be asked for what they do not use of an axis. Each ask counts. */
  mayAsk(axis: ShareAxis): boolean
  after: Pick<Afterwards, 'wakeHolder'>
}

export function quotaPart(rows: ShardRows, shard: number, lacks: Lack[]): QuotaPart {
  return {
    of(axis, max) {
      const is_first = shard === FIRST_SHARD
      // A slot that is free goes to whoever waits longest, in whatever shard. The ledger decides that.
      if (axis === 'slots' && isScarce(rows, shard)) return 0
      return is_first ? max - handedOut(rows.ledger, axis) : Math.min(max, amountOf(rows.loadShare().amounts, axis))
    },
    lacks: (lack) => void lacks.push(lack),
  }
}

const isScarce = (rows: ShardRows, shard: number): boolean =>
  shard === FIRST_SHARD ? waitingShards(rows.ledger).length > 0 : rows.loadShare().is_scarce

const waits = ({ slots }: ShardRows): boolean => slots.firstWaiting() !== null

/** Runs a command in a shard. `run` does it with the part of the quotas that the shard has. */
export function runInShard<K extends WorkspaceCommandKind>(
  rows: ShardRows,
  context: ShardContext,
  { shard, command, task, only_known, is_untied, share }: ShardCall<WorkspaceCommand<K>>,
  run: (quota: QuotaPart) => WorkspaceCommandAnswer<K>,
): ShardAnswer<WorkspaceCommandAnswer<K> | null> {
  if (share !== null) giveShare(rows, context, shard, share)
  const drops = droppedBy(command)
  // A create, which needs neither, costs no further look.
  const is_drop = command.kind === 'drop'
  const admitted = task !== null && (only_known || is_drop) ? rows.admittedFor(task) : null
  if (only_known && admitted === null) return { is_known: false }
  const leaves = admitted !== null && drops.includes(admitted)
  // An entry that stays belongs to a later task of the id, and so does what the first shard keeps.
  const stays = is_drop && admitted !== null && !leaves
  const is_tied = task !== null && !stays && mayBeTied(command) && rows.isTied(task)
  if (is_tied && leaves && !is_untied) return { is_known: true, answer: null, lacks: [], told: null, is_tied }
  const lacks: Lack[] = []
  const answer = run(quotaPart(rows, shard, lacks))
  if (leaves && task !== null) rows.untie(task)
  return { is_known: true, answer, lacks, told: toldAfter(rows, context, shard, lacks), is_tied }
}

/** Whether what the first shard keeps for a task matters to a command. */
function mayBeTied(command: { kind: WorkspaceCommandKind }): boolean {
  if (command.kind === 'set_status') return ENDED_STATUSES.has((command as WorkspaceCommand<'set_status'>).status)
  return TIED_KINDS.has(command.kind)
}
const TIED_KINDS: ReadonlySet<WorkspaceCommandKind> = new Set(['reopen', 'begin_removal', 'drop'])

/** The admissions with which a task is dropped; none by other commands. */
function droppedBy(command: { kind: WorkspaceCommandKind }): readonly string[] {
  return command.kind === 'drop' ? (command as WorkspaceCommand<'drop'>).admitted : []
}

/** What the ledger has to know after a command: what is lacking, and the slots that became free while others wait. */
function toldAfter(
  rows: ShardRows,
  { slots_max }: ShardContext,
  shard: number,
  lacks: readonly Lack[],
): ToldShare | null {
  if (shard === FIRST_SHARD) {
    const is_free = waitingShards(rows.ledger).length > 0 && leftOf(rows.ledger, 'slots', slots_max) > 0
    return lacks.length > 0 || is_free ? { shard, number: 0, amounts: {}, is_scarce: false, waits: waits(rows) } : null
  }
  const own = rows.loadShare()
  // Whoever goes to the ledger anyway gives back what ended keys have left.
  const idle = lacks.length === 0 ? [] : keyAxesToCheck(own).filter((axis) => !rows.isUsed(axis))
  const kept = shrunkShare(own, own.is_scarce ? [...idle, 'slots'] : idle, rows.used)
  if (kept !== own) rows.saveShare(kept)
  return lacks.length > 0 || kept !== own ? toldBy(rows, shard, kept) : null
}

const toldBy = (rows: ShardRows, shard: number, share: Share): ToldShare => ({
  ...share,
  shard,
  waits: waits(rows),
})

/** Takes over a newer share. Free slots go to the tasks that wait here. Answers what the ledger has to know. */
function giveShare(rows: ShardRows, context: ShardContext, shard: number, share: Share): ToldShare | null {
  const own = newerShare(rows.loadShare(), share)
  rows.saveShare(own)
  const { now_ms } = context
  context.after.wakeHolder(assignFreeSlots(rows.slots, { max: amountOf(own.amounts, 'slots'), now_ms }))
  return waits(rows) ? toldBy(rows, shard, own) : null
}

function settleShares(
  rows: ShardRows,
  { now_ms, mayAsk, after }: ShardContext,
  { shards, told, lacks, slots_max }: ShardCommandTypes['settle_shares'][0],
): LedgerAnswer {
  const { ledger } = rows
  for (const one of told) settleShare(ledger, one, now_ms)
  const wanted = lacks?.of.filter(({ axis }) => axis !== 'slots') ?? []
  const asking = lacks?.shard ?? FIRST_SHARD
  const grown = wanted.filter((lack) =>
    asking === FIRST_SHARD
      ? leftOf(ledger, lack.axis, lack.max) >= lack.amount
      : growShare(ledger, asking, lack, shards),
  )
  const given = handOutSlots(ledger, slots_max, shards, () => {
    const max = rows.slots.countHeld() + 1
    after.wakeHolder(assignFreeSlots(rows.slots, { max, now_ms }))
  })
  const lacking = (lacks?.of ?? []).filter((lack) =>
    lack.axis === 'slots' ? !given.includes(asking) : !grown.includes(lack),
  )
  const axes = lacking.map(({ axis }) => axis).filter((axis) => mayAsk(axis))
  const changed = new Set(given.filter((shard) => shard !== FIRST_SHARD))
  if (lacks !== null && asking !== FIRST_SHARD) changed.add(asking)
  // A shard that knows less than the ledger is told the rest.
  for (const one of told) {
    const { number, is_scarce } = shareIn(ledger, one.shard)
    if (one.shard !== FIRST_SHARD && (number > one.number || is_scarce !== one.is_scarce)) changed.add(one.shard)
  }
  return {
    is_granted: lacking.length === 0,
    shares: [...changed].map((shard) => ({ shard, share: shareIn(ledger, shard) })),
    to_ask: holdersOf(ledger, axes, asking),
    used: lacking.map(({ axis, max }) => ({ axis, max, amount: ledger.used(axis) + handedOut(ledger, axis) })),
  }
}

const holdersOf = (ledger: Ledger, axes: readonly ShareAxis[], asking: number): number[] =>
  ledger
    .all()
    .filter(({ shard, entry }) => shard !== asking && axes.some((axis) => amountOf(entry.amounts, axis) > 0))
    .map(({ shard }) => shard)

type ShardCommand = Exclude<keyof ShardCommandTypes, 'tie_to_pool' | 'note_task_change'>

/** The handlers over the rows of any store. */
export const shardCommands = <C extends ShardContext>(
  rowsOf: (context: C) => ShardRows,
): CommandHandlers<ShardCommand, C> => ({
  settle_shares: (context, call) => settleShares(rowsOf(context), context, call),
  give_share: (context, { shard, share }) => giveShare(rowsOf(context), context, shard, share),
  shrink_share(context, { shard, axes, is_scarce }) {
    const rows = rowsOf(context)
    const own = rows.loadShare()
    const shrunk = shrunkShare({ ...own, is_scarce: is_scarce || own.is_scarce }, axes, rows.used)
    rows.saveShare(shrunk)
    return toldBy(rows, shard, shrunk)
  },
  tie_task(context, { task }) {
    const rows = rowsOf(context)
    const standing = rows.standingOf(task)
    if (standing !== null && !rows.isTied(task)) rows.tie(task)
    return standing
  },
  reserve_in_shard(context, { want, fund }) {
    const rows = rowsOf(context)
    const day = dayOf(context.now_ms)
    if (fund !== null) fillPocket(rows.pockets, fund, keyOf(want))
    const returned = fund === null ? [] : emptyPockets(rows.pockets, (pocket) => pocket.day !== day)
    const chunk = takeFromPocket(rows.pockets, want, day)
    if (chunk !== null && want.task !== undefined) rows.noteChunk(want.task, context.now_ms)
    return { chunk, returned }
  },
  give_back_to_shard(context, { refund }) {
    const rows = rowsOf(context)
    if (refund.task !== undefined) rows.forgetChunk(refund.task)
    return giveToPocket(rows.pockets, refund, dayOf(context.now_ms))
  },
  empty_pockets: (context) => emptyPockets(rowsOf(context).pockets, () => true),
  drop_double(context, { id, is_double }) {
    if (is_double !== true) return
    const rows = rowsOf(context)
    rows.dropDouble(id)
    // The ledger hands the slot on.
    freeSlot(rows.slots, id, Infinity, { max: 0, now_ms: context.now_ms })
  },
})

const keyOf = (want: AllowanceRequest & { key?: string }): string => want.key ?? ''

/** What became unused in another shard within this time may be overlooked. */
const ASK_EVERY_MS = 1_000

/** Whether an axis may be asked about now. Each yes counts. The times are lost with the object, and it then asks once more. */
export function askAgain(now: () => number): (axis: ShareAxis) => boolean {
  const asked_at = new Map<ShareAxis, number>()
  return (axis) => {
    if (Math.abs(now() - (asked_at.get(axis) ?? -Infinity)) < ASK_EVERY_MS) return false
    asked_at.set(axis, now())
    return true
  }
}
