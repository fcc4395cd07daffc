/**
 * Which shard of a tenant a request goes to (SHARD-02): that of a task, the first one for what is about the tenant, or all of them. A new kind
 * of request needs its line here.
 */
import type {
  WorkspaceCommand,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'

/** `tenant`: the first shard. `shard`: the shard that the caller names. */
type Route<Request> = ((request: Request) => string) | 'tenant' | 'shard'
type CommandRoutes = { [Kind in WorkspaceCommandKind]: Route<WorkspaceCommand<Kind>> }
type QueryRoutes = { [Kind in WorkspaceQueryKind]: Route<WorkspaceQuery<Kind>> | 'all' }

/** An effect key is `task:seq`. */
export const taskOfEffect = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf(':')))

export const COMMAND_ROUTES: CommandRoutes = {
  admit: ({ entry }) => entry.id,
  reopen: ({ id }) => id,
  set_status: ({ id }) => id,
  begin_removal: ({ id }) => id,
  drop: ({ id }) => id,
  restore: ({ entry }) => entry.id,
  hold_room: ({ task }) => task,
  hold_bytes: ({ task }) => task,
  release_bytes: ({ task }) => task,
  renew_holds: ({ task }) => task,
  settle_blobs: ({ task }) => task,
  acquire_slot: ({ task }) => task,
  release_slot: ({ task }) => task,
  note_delivery: ({ record }) => record.task,
  count_usage: ({ task }) => task,
  tie_task: ({ task }) => task,
  tie_to_pool: ({ task }) => task,
  reserve_in_shard: ({ want }) => want.task ?? '',
  give_back_to_shard: ({ refund }) => refund.task ?? '',
  recount: 'shard',
  confirm_feed: 'shard',
  restart_feed: 'shard',
  take_overdue_blobs: 'shard',
  take_holders_to_wake: 'shard',
  give_share: 'shard',
  shrink_share: 'shard',
  empty_pockets: 'shard',
  drop_double: 'shard',
  settle_shares: 'tenant',
  note_task_change: 'tenant',
  // The ledger of the totals. What a task reserves goes through its shard (shell/shards/totals.ts).
  reserve: 'tenant',
  give_back: 'tenant',
  // Isolates take permits in chunks, so that few calls are made.
  take_permits: 'tenant',
  run_command: 'tenant',
  remind: 'tenant',
  keep: 'tenant',
  enter_delegation: 'tenant',
  claim_delegation: 'tenant',
  settle_delegation: 'tenant',
  put_secret: 'tenant',
  drop_secret: 'tenant',
  note_secret_use: 'tenant',
  put_agent: 'tenant',
  drop_agent: 'tenant',
  put_schedule: 'tenant',
  drop_schedule: 'tenant',
  pause_schedule: 'tenant',
  decide_ticks: 'tenant',
  request_run: 'tenant',
  settle_run: 'tenant',
  put_receiver: 'tenant',
  note_receiver_failure: 'tenant',
}

export const QUERY_ROUTES: QueryRoutes = {
  admission: ({ id }) => id,
  // A delivery id is `task_seq`.
  delivery: ({ id }) => id.slice(0, Math.max(0, id.lastIndexOf('_'))),
  list: 'all',
  listed: 'shard',
  feed_batch: 'shard',
  finished: 'all',
  may_come_back: 'all',
  used_bytes: 'all',
  limit_use: 'all',
  deliveries: 'all',
  usage: 'all',
  pools: 'all',
  open_tasks_of_agent: 'shard',
  check_totals: 'tenant',
  unsettled_run: 'tenant',
  entries: 'tenant',
  recall: 'tenant',
  claim: 'tenant',
  delegations: 'tenant',
  pool_counts: 'tenant',
  secret: 'tenant',
  secrets: 'tenant',
  secret_names: 'tenant',
  agent: 'tenant',
  agents: 'tenant',
  agent_names: 'tenant',
  agent_versions: 'tenant',
  schedule: 'tenant',
  schedules: 'tenant',
  schedule_names: 'tenant',
  open_runs: 'tenant',
  schedule_runs: 'tenant',
  due_schedules: 'tenant',
  receiver: 'tenant',
  receiver_failure: 'tenant',
}

/** The task that a command is about. null: it is about the tenant, or about one shard. */
export function taskOfCommand<K extends WorkspaceCommandKind>(command: WorkspaceCommand<K>): string | null {
  // The table has a route for each kind, which takes the command of that kind.
  const route = COMMAND_ROUTES[command.kind] as Route<WorkspaceCommand<K>>
  return typeof route === 'function' ? route(command) : null
}
