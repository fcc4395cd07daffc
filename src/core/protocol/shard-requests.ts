/** What the shards of one tenant are told beside the requests of a workspace (core/workspace/shards). */
import type { AllowanceChunk, AllowanceRefund, AllowanceRequest } from '../terms/axes.ts'
import type { Status } from '../terms/status.ts'
import type { Claim, DelegationEntry } from '../workspace/delegation-index.ts'
import type { Lack, Share, ShareAxis, ToldShare } from '../workspace/shards/shares.ts'

/** A command for one shard. */
export interface ShardCall<Command> {
  shard: number
  command: Command
  /** The task that the command is about. null: it is about none. */
  task: string | null
  /** The command is done only if the shard knows the task. */
  only_known: boolean
  /** What the first shard keeps for the task is forgotten already, so that the task may be dropped. */
  is_untied: boolean
  /** The newest share of the shard, which counts before the command. null: nothing new. */
  share: Share | null
}
export type ShardAnswer<Answer> =
  | { is_known: false }
  | {
      is_known: true
      answer: Answer
      /** What the shard lacked. The command may be done again with more. */
      lacks: Lack[]
      /** What the ledger has to know of the share. null: nothing. */
      told: ToldShare | null
      /** Whether the first shard keeps something for the task. Such a task is not dropped, unless `is_untied`. */
      is_tied: boolean
    }

/** What shards say to the ledger, and what one of them lacks. */
interface LedgerCall {
  /** How many shards there are. */
  shards: number
  told: ToldShare[]
  lacks: { shard: number; of: Lack[] } | null
  /** How many run slots the tenant has. */
  slots_max: number
}
export interface LedgerAnswer {
  /** Whether the shard got all that it lacked. */
  is_granted: boolean
  /** Shares that have changed, without that of the first shard. */
  shares: { shard: number; share: Share }[]
  /** The shards that may not use all they hold. They were not asked for it lately. */
  to_ask: number[]
  /** How much of the axes that are lacking is used by the tenant, or held by its shards. */
  used: { axis: ShareAxis; amount: number; max: number }[]
}

/** What a shard knows of a task for which the first shard keeps something. */
export interface TaskStanding {
  status: Status
  /** A time before all that is known of the task, in ms since the epoch. */
  since: number
}

/** A delegation for the object that keeps it. */
export interface EnterCall {
  entry: DelegationEntry
  /** Another object has the index that knows the task. */
  standing?: TaskStanding
  /** The task says now that it waits for this one, so a settled one is opened again. `claim`: the lease that a worker has on it at another object. */
  pending?: { claim: Claim | null }
}

/**
 * What has become of a task, and up to where that is so: a word may come late, and the task may have gone on since. `until` is the last row
 * that the end speaks of. What came after `at`, in ms since the epoch, belongs to a later task of the id.
 */
export type TaskChange = { change: 'ended' | 'reopened'; until: number } | { change: 'gone'; at: number }

/** The parameters and the answer of each kind of command, as in `WorkspaceCommandTypes`. */
export interface ShardCommandTypes {
  /** Told to the first shard: takes over what shards say of their shares, hands out what they lack, and hands free run slots to those that wait. */
  settle_shares: [LedgerCall, LedgerAnswer]
  /** Gives a shard its newest share. Tasks that wait for a run slot get those that are free. Answers what the ledger has to know; null: nothing. */
  give_share: [{ shard: number; share: Share }, ToldShare | null]
  /** Takes from a share what the shard does not use of some axes. With `is_scarce`, each run slot that becomes free goes back from now on. */
  shrink_share: [{ shard: number; axes: ShareAxis[]; is_scarce: boolean }, ToldShare]
  /** Notes that the first shard keeps something for the task. null: the shard does not know the task. */
  tie_task: [{ task: string }, TaskStanding | null]
  /** Notes that the object of this pool keeps delegations of the task. null: the task is not known, so that nothing may be kept for it. */
  tie_to_pool: [{ task: string; pool: string }, TaskStanding | null]
  /**
   * Told to the first shard, or to the object of a pool: what has become of a task for which it keeps something. A Worker of the release before
   * names no bound.
   */
  note_task_change: [{ task: string; change: TaskChange['change']; until?: number; at?: number }, void]
  /**
   * Reserves for a task from what the shard holds of the totals. `fund` is added before: what the ledger has reserved for the shard. `chunk`
   * null: the shard holds less than the task lacks. `returned` goes back to the ledger: what the shard held for earlier days.
   */
  reserve_in_shard: [
    { want: AllowanceRequest; fund: AllowanceChunk | null },
    { chunk: AllowanceChunk | null; returned: AllowanceRefund[] },
  ]
  /** Takes back what a task does not use. Answers what goes back to the ledger. null: the shard keeps it for others. */
  give_back_to_shard: [{ refund: AllowanceRefund }, AllowanceRefund | null]
  /** Gives up what the shard holds of the totals and no task does. */
  empty_pockets: [object, AllowanceRefund[]]
  /**
   * Forgets the entry of a task that a newer shard knows too, which `is_double` says; without it nothing is done. The task itself stays as it
   * is.
   */
  drop_double: [{ id: string; is_double?: true }, void]
}
