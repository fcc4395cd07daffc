/**
 * The store, with room for what tasks write. A task that has outgrown its room says so in its answer. It then gets more of its tenant's
 * bytes, or is paused where there are none. A client's message to a task without room is refused before it is written.
 */
import { roomWithReserve } from '../../core/workspace/stored-bytes.ts'
import type { Refusal, Result } from '../../core/terms/refusal.ts'
import type { TaskCommand } from '../../core/protocol/commands.ts'
import type { AnswerResult, InputResult, ReportResult, StepResult } from '../../core/protocol/task-answers.ts'
import type { RemoteTask } from '../../core/replay/stored-task.ts'
import type {
  RemoteWorkspace,
  WorkspaceCommand,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'
import type { TaskStore } from '../ports.ts'
import type { bytesMaxOf } from './limits-of.ts'

/** Answers of the methods that write rows; each holds what came of it, or says that nothing was written. */
type Answer = Result<InputResult | AnswerResult | ReportResult>
type Method = (...args: unknown[]) => Promise<Answer>

type BytesMax = Awaited<ReturnType<typeof bytesMaxOf>>

/** What writes rows of the workspace, and is refused where there is no room for them. */
const WRITES_OF_WORKSPACE: ReadonlySet<WorkspaceCommandKind | WorkspaceQueryKind> = new Set([
  'admit',
  'run_command',
  'recall',
  'put_secret',
  'put_agent',
  'put_schedule',
  'pause_schedule',
  'decide_ticks',
  'request_run',
  'settle_run',
] as const)

/** The workspace with the most bytes of its tenant in each request that may need room. */
function workspaceWithin(workspace: RemoteWorkspace, bytesMax: () => Promise<BytesMax>): RemoteWorkspace {
  const bounded = async <R extends WorkspaceCommand | WorkspaceQuery>(request: R): Promise<R> => {
    if (!WRITES_OF_WORKSPACE.has(request.kind)) return request
    const { bytes_max, is_registered } = await bytesMax()
    return is_registered ? { ...request, bytes_max } : request
  }
  return {
    // The request is the same with one member more, so its answer is the same.
    tell: async (command) => workspace.tell((await bounded(command as WorkspaceCommand)) as typeof command),
    ask: async (query) => workspace.ask((await bounded(query as WorkspaceQuery)) as typeof query),
    tellInShard: (call) => workspace.tellInShard(call),
    awaitDelegation: (wait_ms) => workspace.awaitDelegation(wait_ms),
  }
}

const WRITES: ReadonlySet<string | symbol> = new Set(['create', 'begin', 'commit', 'tell', 'fork'])

/** A canceled task writes no more, so it needs no more room. */
const isCancel = ([command]: unknown[]): boolean => (command as Partial<TaskCommand> | undefined)?.kind === 'cancel'

/** `bytesMax` answers the most bytes of a tenant. */
export function storeWithRoom(store: TaskStore, bytesMax: (tenant: string) => Promise<BytesMax>): TaskStore {
  return {
    workspace: (tenant, shard) => workspaceWithin(store.workspace(tenant, shard), () => bytesMax(tenant)),
    pool: (tenant, pool) => store.pool(tenant, pool),
    of: (tenant, id) => {
      const task = store.of(tenant, id)
      const grow = async (bytes: number): Promise<Result<number>> => {
        const { bytes_max } = await bytesMax(tenant)
        const room = { task: id, least: bytes, most: roomWithReserve(bytes), max: bytes_max }
        const held = await store.workspace(tenant).tell({ kind: 'hold_room', ...room })
        if (held.ok) await task.upkeep({ kind: 'give_room', bytes: held.value })
        return held
      }
      return new Proxy(task, {
        get(_, name) {
          // A promise is recognised by its `then`. This is none, and an `await` of it would wait for ever.
          if (name === 'then') return undefined
          // A stub makes its methods when they are called. The methods of `WRITES` answer an `Answer`.
          const call: Method = (...args) =>
            (task as unknown as Record<string | symbol, Method>)[name]?.(...args) as Promise<Answer>
          return !WRITES.has(name)
            ? call
            : (...args: unknown[]) => (isCancel(args) ? call(...args) : withRoom(task, call, args, grow))
        },
      })
    },
  }
}

async function withRoom(
  task: RemoteTask,
  call: Method,
  args: unknown[],
  grow: (bytes: number) => Promise<Result<number>>,
): Promise<Answer> {
  const first = await call(...args)
  const lacking = first.ok ? null : lackedBytes(first.refusal)
  if (lacking !== null) {
    // Nothing was written, so the call is repeated after the task got room.
    const grown = await grow(lacking)
    return grown.ok ? call(...args) : grown
  }
  const advanced = advancedIn(first)
  if (advanced?.outgrown === undefined) return first
  const grown = await grow(advanced.outgrown)
  if (grown.ok || grown.refusal.code !== 'quota_exceeded') return first
  const stalled = await task.upkeep({ kind: 'stall' })
  // With an effect under way the pause is queued until the effect is over. Otherwise the answer shows the pause.
  if (!stalled.ok || advanced.assignment !== null || advanced.earlier !== null) return first
  const { task: shown, status, events } = stalled.value
  const paused: StepResult = { ...advanced, task: shown, status, wants: null, events: [...advanced.events, ...events] }
  return first.ok && hasRecord(first.value)
    ? { ok: true, value: { ...first.value, advanced: paused } }
    : { ok: true, value: paused }
}

/** The bytes of a task that refused a write for want of room; null for any other refusal. */
const lackedBytes = (refusal: Refusal): number | null =>
  refusal.code === 'quota_exceeded' && 'bytes' in refusal ? refusal.bytes : null

/** An answer about something that is recorded once holds the record beside the result of the step. */
const hasRecord = (value: InputResult | AnswerResult | ReportResult): value is AnswerResult | ReportResult =>
  typeof value === 'object' && ('recorded' in value || 'delegation' in value)

function advancedIn(answer: Answer): StepResult | null {
  if (!answer.ok || typeof answer.value === 'string') return null
  return hasRecord(answer.value) ? answer.value.advanced : answer.value
}
