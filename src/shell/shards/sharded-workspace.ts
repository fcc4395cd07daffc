/**
 * The workspace of a tenant with several shards, as its callers see it (SHARD-02). What is about a task goes to the shard that knows the
 * task: the one where it would be entered today, or one of earlier layouts. Everything else goes to the first shard.
 */
import type { TaskChange } from '../../core/protocol/shard-requests.ts'
import type {
  RemoteWorkspace,
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'
import { COMMAND_ROUTES, QUERY_ROUTES, taskOfCommand, taskOfEffect } from './routes.ts'

import type { Result } from '../../core/terms/refusal.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'
import type { SpendLimits } from '../../core/workspace/daily-totals.ts'
import { FIRST_SHARD, homesOf, shardsOf, type ShardLayout } from '../../core/workspace/shards/layout.ts'
import { isMerged, MERGED_QUERIES } from './merged-queries.ts'
import { tellShard, type ShardPlace } from './quota-calls.ts'
import { giveBackToShard, reserveInShard, type EmptyTimes } from './totals.ts'

interface ShardedTenant extends ShardPlace {
  tenant: string
  layout: ShardLayout
  now_ms: () => number
  emptied: EmptyTimes
  /** Whether new work is refused because a total is used up. The answer may be a second old. */
  checkTotals: (limits: SpendLimits) => Promise<Result<null>>
  /** Whether there is a task of this id. */
  isThere: (task: string) => Promise<boolean>
}

type Flow<K extends WorkspaceCommandKind> = (
  of: ShardedTenant,
  command: WorkspaceCommand<K>,
  alone: number,
) => Promise<WorkspaceCommandAnswer<K>>
type Flows = { [K in WorkspaceCommandKind]?: Flow<K> }

/** With `alone`, requests that name no task go to this shard. */
export function shardedWorkspace(of: ShardedTenant, alone: number = FIRST_SHARD): RemoteWorkspace {
  return {
    async tell<K extends WorkspaceCommandKind>(command: WorkspaceCommand<K>) {
      const flow = FLOWS[command.kind as K] as Flow<K> | undefined
      if (flow !== undefined) return flow(of, command, alone)
      if (taskOfCommand(command) !== null) return (await tellHome(of, command)).answer
      const shard = COMMAND_ROUTES[command.kind] === 'shard' ? alone : FIRST_SHARD
      return answerOf(await tellShard(of, shard, command))
    },
    ask: (query) => askShards(of, query, alone),
    tellInShard: (call) => of.open(call.shard).tellInShard(call),
    awaitDelegation: (wait_ms) => of.open(FIRST_SHARD).awaitDelegation(wait_ms),
  }
}

function answerOf<T>(done: { answer: T } | null): T {
  // A shard says that it does not know a task only where it is asked whether it does.
  if (done === null) throw new Error('a shard did not do a command')
  return done.answer
}

interface ToldAtHome<K extends WorkspaceCommandKind> {
  shard: number
  answer: WorkspaceCommandAnswer<K>
  is_tied: boolean
}

/** Tells the shard that knows the task, the newest first. If none knows it, the newest one does what it does for an unknown task. */
async function tellHome<K extends WorkspaceCommandKind>(
  of: ShardedTenant,
  command: WorkspaceCommand<K>,
  is_untied = false,
): Promise<ToldAtHome<K>> {
  for (const { shard, only_known } of homesToTry(taskOfCommand(command) ?? '', of.layout)) {
    const done = await tellShard(of, shard, command, { only_known, is_untied })
    if (done !== null) return { shard, ...done }
  }
  throw new Error('no shard did a command')
}

/** Each home is asked whether it knows the task. If none does, the newest does what a shard does for an unknown task. */
function homesToTry(task: string, layout: ShardLayout): { shard: number; only_known: boolean }[] {
  const homes = homesOf(task, layout)
  const asked = homes.length === 1 ? [] : homes.map((shard) => ({ shard, only_known: true }))
  return [...asked, { shard: homes[0], only_known: false }]
}

const noteChange = ({ open }: ShardedTenant, task: string, change: TaskChange): Promise<void> =>
  open(FIRST_SHARD).tell({ kind: 'note_task_change', task, ...change })

/** What takes more than one call. */
const FLOWS: Flows = {
  async admit(of, command) {
    const { entry } = command
    const totals = await of.checkTotals(command)
    const [newest, ...earlier] = homesOf(entry.id, of.layout)
    // A task that was made under fewer shards stays where it is. Whether there is one, its own object knows.
    const may_exist = earlier.length > 0 && entry.is_fresh !== true && (await of.isThere(entry.id))
    if (may_exist) return (await tellHome(of, command)).answer
    const admitted = await tellShard(of, newest, command, { only_known: !totals.ok })
    if (admitted === null) return totals
    if (admitted.answer.ok && entry.is_scheduled === true && newest !== FIRST_SHARD) await tieTask(of, entry.id)
    return admitted.answer
  },
  async reopen(of, command) {
    const totals = await of.checkTotals(command)
    if (!totals.ok) return totals
    const { answer, is_tied } = await tellHome(of, command)
    if (is_tied && answer.ok && answer.value !== null && 'until' in answer.value)
      await noteChange(of, command.id, { change: 'reopened', until: answer.value.until })
    return answer
  },
  async set_status(of, command) {
    const { is_tied } = await tellHome(of, command)
    if (is_tied && ENDED_STATUSES.has(command.status))
      await noteChange(of, command.id, { change: 'ended', until: command.version })
  },
  async begin_removal(of, command) {
    const { answer, is_tied } = await tellHome(of, command)
    if (answer === null || !is_tied) return answer
    return { ...answer, unsettled: await of.open(FIRST_SHARD).ask({ kind: 'unsettled_run', task: command.id }) }
  },
  /** The entry is forgotten last: it is the reminder of what is left to do. */
  async drop(of, command) {
    const at = of.now_ms()
    const { is_tied } = await tellHome(of, command)
    if (!is_tied) return
    await noteChange(of, command.id, { change: 'gone', at })
    await tellHome(of, command, true)
  },
  /** Two requests under different layouts may both have entered a task. The newer shard has the right entry. */
  async drop_double(of, { kind, id }, alone) {
    const homes = homesOf(id, of.layout)
    for (const newer of homes.slice(0, Math.max(0, homes.indexOf(alone))))
      if ((await of.open(newer).ask({ kind: 'admission', id })) !== null)
        return answerOf(await tellShard(of, alone, { kind, id, is_double: true }))
  },
  async enter_delegation(of, command) {
    const { standing, shard } = await tieTask(of, command.entry.task)
    if (standing === null) return
    const foreign = shard === FIRST_SHARD ? {} : { standing }
    await of.open(FIRST_SHARD).tell({ ...command, ...foreign })
  },
  async run_command(of, command) {
    // The effect keys of a task are deleted with it, also where another shard knows the task. Nobody remembers that a task is tied: another
    // isolate may have deleted it, and its id may have a new life.
    const task = command.key === null ? '' : taskOfEffect(command.key)
    if (task !== '') await tieTask(of, task)
    return answerOf(await tellShard(of, FIRST_SHARD, command))
  },
  async drop_agent(of, command) {
    const { count } = of.layout
    const found = await Promise.all(
      shardsOf({ count, since: count })
        .filter((shard) => shard !== FIRST_SHARD)
        .map((shard) => of.open(shard).ask({ kind: 'open_tasks_of_agent', agent: command.name, limit: NAMED_MAX })),
    )
    const elsewhere = {
      tasks: found.reduce((sum, { tasks }) => sum + tasks, 0),
      ids: found.flatMap(({ ids }) => ids).slice(0, NAMED_MAX),
    }
    return of.open(FIRST_SHARD).tell({ ...command, elsewhere })
  },
  async reserve(of, command) {
    const { task } = command.want
    if (task === undefined) return of.open(FIRST_SHARD).tell(command)
    for (const { shard, only_known } of homesToTry(task, of.layout)) {
      // The first shard is the ledger.
      if (shard === FIRST_SHARD) return of.open(FIRST_SHARD).tell(command)
      const reserved = await reserveInShard(of, shard, command, only_known)
      if (reserved !== null) return reserved.chunk
    }
    return null
  },
  async give_back(of, command) {
    const { task } = command.refund
    if (task === undefined) return of.open(FIRST_SHARD).tell(command)
    for (const { shard, only_known } of homesToTry(task, of.layout)) {
      if (shard === FIRST_SHARD) return of.open(FIRST_SHARD).tell(command)
      if (await giveBackToShard(of, shard, command.refund, only_known)) return
    }
  },
}
/** The open tasks of an agent that a refusal names. */
const NAMED_MAX = 3

async function tieTask(of: ShardedTenant, task: string) {
  const { answer, shard } = await tellHome(of, { kind: 'tie_task', task })
  return { standing: answer, shard }
}

async function askShards<K extends WorkspaceQueryKind>(
  of: ShardedTenant,
  query: WorkspaceQuery<K>,
  alone: number,
): Promise<WorkspaceQueryAnswer<K>> {
  const { open, layout } = of
  const { kind } = query
  if (isMerged(kind)) {
    const merge = MERGED_QUERIES[kind] as (shards: object, asked: WorkspaceQuery<K>) => Promise<WorkspaceQueryAnswer<K>>
    return merge({ numbers: shardsOf(layout), open }, query)
  }
  const route = QUERY_ROUTES[kind] as ((asked: WorkspaceQuery<K>) => string) | 'tenant' | 'shard'
  if (typeof route !== 'function') return open(route === 'shard' ? alone : FIRST_SHARD).ask(query)
  const [newest, ...earlier] = homesOf(route(query), layout)
  let answer = await open(newest).ask(query)
  for (const shard of earlier) if (answer === null) answer = await open(shard).ask(query)
  return answer
}
