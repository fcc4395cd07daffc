/** Every command and every query of a workspace with its handler. */
import type {
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'
import { AGENT_COMMANDS, AGENT_QUERIES } from './agents/sql-agents.ts'
import { BLOB_COMMANDS } from './blobs/sql-stored.ts'
import { BOOK_COMMANDS } from './book/sql-book.ts'
import { KEY_COMMANDS, KEY_QUERIES } from './book/sql-keys.ts'
import { delegationCommands, delegationQueries } from './delegations/delegations.ts'
import type { CommandHandlers, QueryHandlers, ReadContext, WriteContext } from './handlers.ts'
import { ROOM_COMMANDS, ROOM_QUERIES } from './quotas/sql-bytes.ts'
import { RATE_COMMANDS } from './quotas/sql-rates.ts'
import { SPEND_COMMANDS, SPEND_QUERIES } from './quotas/sql-spend.ts'
import { CALENDAR_QUERIES, REMINDER_COMMANDS } from './reminders/sql-reminders.ts'
import { SCHEDULE_COMMANDS, SCHEDULE_QUERIES } from './schedules/schedule-alarm.ts'
import { SLOT_COMMANDS } from './run-slots/slot-alarm.ts'
import { shardCommands } from './shards/shards.ts'
import { sqlShardRows } from './shards/sql-shard-rows.ts'
import { RECEIVER_COMMANDS, RECEIVER_QUERIES } from './sql-receivers.ts'
import { USAGE_COMMANDS, USAGE_QUERIES } from './sql-usage.ts'
import { DELIVERY_COMMANDS, DELIVERY_QUERIES } from './sql-deliveries.ts'
import { SECRET_COMMANDS, SECRET_QUERIES } from './sql-secrets.ts'
import { ADMISSION_COMMANDS, ADMISSION_QUERIES, delegationsIn } from './task-index/admissions.ts'
import { FEED_COMMANDS, FEED_QUERIES } from './task-index/feed.ts'
import { LIST_QUERIES } from './task-index/index-page.ts'
import { COST_QUERIES, POOL_QUERIES, STATUS_COMMANDS, TASK_CHANGE_COMMANDS } from './task-index/record-status.ts'
import { RESTORE_COMMANDS } from './task-index/restore.ts'

const COMMANDS: CommandHandlers<WorkspaceCommandKind> = {
  ...BOOK_COMMANDS,
  ...KEY_COMMANDS,
  ...REMINDER_COMMANDS,
  ...ADMISSION_COMMANDS,
  ...STATUS_COMMANDS,
  ...RESTORE_COMMANDS,
  ...FEED_COMMANDS,
  ...SPEND_COMMANDS,
  ...ROOM_COMMANDS,
  ...RATE_COMMANDS,
  ...BLOB_COMMANDS,
  ...delegationCommands<WriteContext>(delegationsIn),
  ...SLOT_COMMANDS,
  ...DELIVERY_COMMANDS,
  ...SECRET_COMMANDS,
  ...AGENT_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...shardCommands<WriteContext>(({ sql, has_shard_tables }) => sqlShardRows(sql, has_shard_tables)),
  ...TASK_CHANGE_COMMANDS,
  ...USAGE_COMMANDS,
  ...RECEIVER_COMMANDS,
}

const QUERIES: QueryHandlers<WorkspaceQueryKind> = {
  ...KEY_QUERIES,
  ...CALENDAR_QUERIES,
  ...LIST_QUERIES,
  ...FEED_QUERIES,
  ...ADMISSION_QUERIES,
  ...COST_QUERIES,
  ...POOL_QUERIES,
  ...SPEND_QUERIES,
  ...ROOM_QUERIES,
  ...delegationQueries<ReadContext>(delegationsIn),
  ...DELIVERY_QUERIES,
  ...SECRET_QUERIES,
  ...AGENT_QUERIES,
  ...SCHEDULE_QUERIES,
  ...USAGE_QUERIES,
  ...RECEIVER_QUERIES,
}

/** To be called in a transaction, as `askWorkspace`. */
export const tellWorkspace = <K extends WorkspaceCommandKind>(
  context: WriteContext,
  command: WorkspaceCommand<K>,
): WorkspaceCommandAnswer<K> => COMMANDS[command.kind](context, command)

export const askWorkspace = <K extends WorkspaceQueryKind>(
  context: ReadContext,
  query: WorkspaceQuery<K>,
): WorkspaceQueryAnswer<K> => QUERIES[query.kind](context, query)
