/** What a workspace keeps of the usage of its tenant, and of where the tenant wants the spans of its tasks. */
import type { RowUsage, UsageGroup, UsageSum } from '../terms/values/usage-sums.ts'

/** Where spans go, beside the receiver of the service. */
export interface StoredReceiver {
  endpoint: string
  protocol: 'http/protobuf' | 'http/json'
  /** A value may name a secret of the tenant: `Bearer secret:NAME`. */
  headers: Record<string, string>
  /** Prompts and results are sent too. */
  capture_content: boolean
  /** When it was put, in ms since the epoch. */
  updated: number
}
/** The latest failure to send spans there. */
export interface ReceiverFailure {
  at: number
  detail: string
}

/** The commands about both. */
export interface UsageCommandTypes {
  /**
   * Adds what rows of a task have used to the usage of the tenant, once for each row of an incarnation. `key` is empty where the service made
   * the task. Nothing is added for a task that the index does not know.
   */
  count_usage: [{ task: string; incarnation: string; mode: string; key: string; rows: readonly RowUsage[] }, void]
  /** Keeps where the tenant wants its spans. null: nowhere of its own. */
  put_receiver: [{ receiver: Omit<StoredReceiver, 'updated'> | null }, StoredReceiver | null]
  /** Notes that spans could not be sent to the receiver of the tenant. */
  note_receiver_failure: [{ detail: string }, void]
}

/** The queries. */
export interface UsageQueryTypes {
  /** The usage of these days, both included, summed by these members. */
  usage: [{ from: string; to: string; group_by: readonly UsageGroup[]; limit: number }, UsageSum[]]
  /** Where the tenant wants its spans. null: it has not said. */
  receiver: [object, StoredReceiver | null]
  receiver_failure: [object, ReceiverFailure | null]
}
