/**
 * A command in one shard of a tenant (SHARD-03). A shard that lacks a part of a quota gets more from the ledger in the first shard, which asks
 * the others for what they do not use when too little is left. Then the command is done again.
 */
import type { LedgerAnswer, ShardAnswer } from '../../core/protocol/shard-requests.ts'
import type {
  RemoteWorkspace,
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
} from '../../core/protocol/workspace-requests.ts'
import { taskOfCommand } from './routes.ts'
import { FIRST_SHARD } from '../../core/workspace/shards/layout.ts'
import type { Lack, Share, ShareAxis, ToldShare } from '../../core/workspace/shards/shares.ts'

export interface ShardPlace {
  open: (shard: number) => RemoteWorkspace
  /** How many shards there are. */
  shards: number
  /** How many run slots the tenant has, and how many bytes. */
  slots_max: number
  bytes_max: number
}
interface TellTerms {
  only_known?: boolean
  is_untied?: boolean
}
type Known<K extends WorkspaceCommandKind> = Extract<ShardAnswer<WorkspaceCommandAnswer<K>>, { is_known: true }>

/** Each try needs news of the ledger, and more than two happen only in a race. */
const TRIES_MAX = 4

/** null: the shard does not know the task. */
export async function tellShard<K extends WorkspaceCommandKind>(
  place: ShardPlace,
  shard: number,
  command: WorkspaceCommand<K>,
  { only_known = false, is_untied = false }: TellTerms = {},
): Promise<Known<K> | null> {
  let share: Share | null = null
  for (let tries = 1; ; tries++) {
    const call = { shard, command, task: taskOfCommand(command), only_known, is_untied, share }
    const done: ShardAnswer<WorkspaceCommandAnswer<K>> = await place.open(shard).tellInShard(call)
    if (!done.is_known) return null
    const lacks =
      done.lacks.length > 0 ? done.lacks : lacksBytes(command.bytes_max ?? place.bytes_max, shard, done.answer)
    if (done.told === null && lacks.length === 0) return done
    const more = await askLedger(place, done.told === null ? [] : [done.told], { shard, of: lacks })
    if (lacks.length === 0 || tries === TRIES_MAX) return done
    if (!more.is_granted) return { ...done, answer: withTotals(done.answer, more.used) }
    share = more.share
  }
}

/** A change of todos, agents and the like is rolled back where it makes the first shard too large, and then says only that. */
function lacksBytes(bytes_max: number, shard: number, answer: unknown): Lack[] {
  const refused = answer as { ok?: boolean; refusal?: { code?: string; bytes?: number } } | null | undefined
  const is_over = shard === FIRST_SHARD && refused?.ok === false && refused.refusal?.code === 'quota_exceeded'
  return is_over && refused.refusal?.bytes !== undefined ? [{ axis: 'bytes', amount: GROWTH, max: bytes_max }] : []
}
/** More than one such change adds to the file of the shard. */
const GROWTH = 262_144

interface LedgerResult {
  is_granted: boolean
  /** The share of the shard that lacked something. */
  share: Share | null
  used: LedgerAnswer['used']
}

/** Tells the ledger, and hands on what it gives to other shards. */
async function askLedger(
  place: ShardPlace,
  told: ToldShare[],
  lacking: { shard: number; of: Lack[] },
): Promise<LedgerResult> {
  const { shards, slots_max, open } = place
  const lacks = lacking.of.length === 0 ? null : lacking
  const given = new Map<number, Share>()
  const settle = async (news: ToldShare[], asked: typeof lacks) => {
    const answer = await open(FIRST_SHARD).tell({ kind: 'settle_shares', shards, told: news, lacks: asked, slots_max })
    for (const { shard, share } of answer.shares) given.set(shard, share)
    return answer
  }
  let answer = await settle(told, lacks)
  if (answer.to_ask.length > 0) {
    const axes = answer.used.map(({ axis }) => axis)
    answer = await settle(await Promise.all(answer.to_ask.map((shard) => shrinkShare(place, shard, axes))), lacks)
  }
  // A shard that lacked something is given its share with the command that is done again.
  const own = lacks === null || !answer.is_granted ? null : (given.get(lacking.shard) ?? null)
  if (own !== null) given.delete(lacking.shard)
  for (let rounds = 0; given.size > 0 && rounds < ROUNDS_MAX; rounds++) {
    const shares = [...given]
    given.clear()
    const answers = await Promise.all(
      shares.map(([shard, share]) => open(shard).tell({ kind: 'give_share', shard, share })),
    )
    // A shard that got a slot, and in which more tasks wait, waits again behind the others.
    const waiting = answers.flatMap((one) => one ?? [])
    if (waiting.length > 0) await settle(waiting, null)
  }
  return { is_granted: answer.is_granted, share: own, used: answer.used }
}
/** What is not handed on by then is handed on when a shard asks again. */
const ROUNDS_MAX = 4

const shrinkShare = ({ open }: ShardPlace, shard: number, axes: ShareAxis[]): Promise<ToldShare> =>
  open(shard).tell({ kind: 'shrink_share', shard, axes, is_scarce: axes.includes('slots') })

/** A refusal names what the tenant uses, and not what its shard does. */
function withTotals<T>(answer: T, used: LedgerAnswer['used']): T {
  const refused = answer as { ok?: boolean; refusal?: Record<string, unknown> } | null | undefined
  const refusal = refused?.refusal
  if (refused?.ok !== false || refusal?.code !== 'quota_exceeded') return answer
  const one = used.find(({ axis }) => ('bytes' in refusal ? axis === 'bytes' : axis !== 'bytes' && axis !== 'slots'))
  if (one === undefined) return answer
  const totals = 'bytes' in refusal ? { bytes: one.amount, bytes_max: one.max } : { open: one.amount, max: one.max }
  // Only members that the refusal has are replaced, by numbers as before.
  return { ok: false, refusal: { ...refusal, ...totals } } as T
}
