/**
 * The store, with room for what tasks write. A task that has outgrown its room says so in what it answers; it is then given more from its
 * tenant's bytes, or paused where there is none. What a client says to a task without room is refused before it is written.
 */
import { roomFor } from '../../core/workspace/stored-bytes.ts'
import type { Refusal, Result } from '../../core/terms/refusal.ts'
import type { StepResult } from '../../core/protocol/task-methods.ts'
import type { StoredTask } from '../../core/replay/stored-task.ts'
import type { Remote, TaskStore } from '../ports.ts'

/** Answers of the methods that write rows; each holds what came of it, or says that nothing was written. */
type Answer = Result<StepResult | { recorded: string; advanced: StepResult | null } | 'command' | 'reopens'>
type Method = (...args: unknown[]) => Promise<Answer>

const WRITES: ReadonlySet<string | symbol> = new Set<keyof StoredTask>([
  'create',
  'begin',
  'commit',
  'input',
  'answer',
  'report',
  'topUp',
  'editPlan',
  'fund',
  'pause',
  'resume',
  'tend',
  'fork',
])

export function storeWithRoom(store: TaskStore, max_bytes: number): TaskStore {
  return {
    workspace: store.workspace,
    of: (tenant, id) => {
      const task = store.of(tenant, id)
      const grow = async (bytes: number): Promise<Result<number>> => {
        const call = { task: id, least: bytes, most: roomFor(bytes) }
        const held = await store.workspace(tenant).holdRoom(call, max_bytes)
        if (held.ok) await task.giveRoom(held.value)
        return held
      }
      return new Proxy(task, {
        get(_, name) {
          // A promise is recognised by its `then`, and this is none: whoever awaits it would wait for ever.
          if (name === 'then') return undefined
          // A stub makes its methods when they are called; those of `WRITES` answer an `Answer`.
          const call: Method = (...args) =>
            (task as unknown as Record<string | symbol, Method>)[name]?.(...args) as Promise<Answer>
          return WRITES.has(name) ? (...args: unknown[]) => withRoom(task, call, args, grow) : call
        },
      })
    },
  }
}

async function withRoom(
  task: Remote<StoredTask>,
  call: Method,
  args: unknown[],
  grow: (bytes: number) => Promise<Result<number>>,
): Promise<Answer> {
  const first = await call(...args)
  const lacking = first.ok ? null : lackedBytes(first.refusal)
  if (lacking !== null) {
    // Nothing was written: it is asked again where there is room now.
    const grown = await grow(lacking)
    return grown.ok ? call(...args) : grown
  }
  const advanced = advancedIn(first)
  if (advanced?.outgrown === undefined) return first
  const grown = await grow(advanced.outgrown)
  if (grown.ok || grown.refusal.code !== 'quota_exceeded') return first
  const stalled = await task.stall()
  // With an effect under way the pause is kept until that is over; otherwise the answer shows it.
  if (!stalled.ok || advanced.assignment !== null || advanced.earlier !== null) return first
  const { task: shown, status, events } = stalled.value
  const paused: StepResult = { ...advanced, task: shown, status, wants: null, events: [...advanced.events, ...events] }
  return first.ok && typeof first.value === 'object' && 'recorded' in first.value
    ? { ok: true, value: { ...first.value, advanced: paused } }
    : { ok: true, value: paused }
}

/** How much a task takes that refuses more for want of room. */
const lackedBytes = (refusal: Refusal): number | null =>
  refusal.code === 'quota_exceeded' && 'bytes' in refusal ? refusal.bytes : null

function advancedIn(answer: Answer): StepResult | null {
  if (!answer.ok || typeof answer.value === 'string') return null
  return 'recorded' in answer.value ? answer.value.advanced : answer.value
}
