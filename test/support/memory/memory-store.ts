/** The TaskStore port in memory: the same methods over rows that live in maps, for tests and simulation. */
import { ok, refuse, type Result } from '../../../src/core/terms/refusal.ts'
import type { ObjectContext } from '../../../src/core/protocol/advance.ts'
import { isCallOpen } from '../../../src/core/protocol/view/news.ts'
import { dueOf, needsRunSlot } from '../../../src/core/protocol/alarm-times.ts'
import type { RemoteTask, StoredTask } from '../../../src/core/replay/stored-task.ts'
import { listedText } from '../../../src/core/protocol/view/list-entry.ts'
import { type RunSlotRows } from '../../../src/core/workspace/run-slots.ts'
import type { RemoteWorkspace, StoredWorkspace } from '../../../src/core/protocol/workspace-requests.ts'
import type { TaskStore } from '../../../src/shell/ports.ts'
import { memoryRows } from '../../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../../src/store/task/task-methods.ts'
import { owedPage } from '../../../src/store/task/export-queries.ts'
import { remainsOf } from '../../../src/store/task/task-facts.ts'
import { refuseUnreadable } from '../../../src/store/task/refuse-unreadable.ts'
import { memoryRunSlots } from './memory-run-slots.ts'
import { memoryWorkspace } from './memory-workspace.ts'

/** `here` gives the time and the process that the objects see. */
export function memoryStore(
  here: () => ObjectContext,
  slots_max = 10,
  slot_rows: RunSlotRows = memoryRunSlots(),
): TaskStore & { rows: Map<string, ReturnType<typeof memoryRows>> } {
  const rows = new Map<string, ReturnType<typeof memoryRows>>()
  const workspaces = new Map<string, StoredWorkspace>()
  /** The current view of a task; in memory the index is updated at once. */
  const told = (tenant: string) => (id: string) => {
    const found = rows.get(JSON.stringify([tenant, id]))
    const seen = found === undefined ? null : refuseUnreadable(() => taskMethods(found, here).ask({ kind: 'view' }))
    return seen?.ok === true ? listedText(seen.value, here().now_ms) : null
  }
  const workspaceAt = (tenant: string, name: string): RemoteWorkspace => {
    const found =
      workspaces.get(name) ?? memoryWorkspace(() => here().now_ms, told(tenant), { max: slots_max, rows: slot_rows })
    workspaces.set(name, found)
    return remote(found) as RemoteWorkspace // what it answers comes later
  }
  return {
    rows,
    of(tenant, id) {
      const name = JSON.stringify([tenant, id])
      const found = rows.get(name) ?? memoryRows()
      const methods: Omit<StoredTask, 'retire'> = {
        ...taskMethods(found, here),
        relay: ({ journal_seq }, slice) => ({ open: isCallOpen(found, journal_seq, slice), watched: false }),
        driveLater: () => undefined,
        wake: () => {
          const needs = refuseUnreadable(() => ok(needsRunSlot(found, here())))
          return needs.ok && needs.value
        },
        remove() {
          const left = { ...remainsOf(found), ...owedPage(found, here().now_ms) }
          found.clear()
          return rows.delete(name) ? ok(left) : refuse({ code: 'task_not_found' })
        },
      }
      const retire: StoredTask['retire'] = () => {
        const at = dueOf(found, found.deliveries(), here()).retire
        return at !== null && at <= here().now_ms ? methods.remove() : refuse({ code: 'task_not_found' })
      }
      const create: StoredTask['create'] = (task, ticket) => {
        rows.set(name, found)
        return methods.create(task, ticket)
      }
      const fork: StoredTask['fork'] = (wish, ticket) => {
        const made = methods.fork(wish, ticket)
        if (made.ok) rows.set(name, found)
        return made
      }
      return remote({ ...methods, create, fork, retire }, refuseUnreadable) as RemoteTask // what it answers comes later
    },
    workspace: (tenant) => workspaceAt(tenant, tenant),
    pool: (tenant, pool) => workspaceAt(tenant, JSON.stringify([tenant, pool])),
  }
}

/** As structuredClone copies plain data, in a tenth of the time. What is no plain data is left to it, and it refuses functions. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (!isPlain(value)) return typeof value === 'object' || typeof value === 'function' ? structuredClone(value) : value
  const copy: Record<string, unknown> = {}
  for (const name in value) if (Object.hasOwn(value, name)) copy[name] = copied(value[name])
  return copy
}
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Calls as another process sees them: arguments and answers are copies, and answers come later. */
function remote<T extends object>(
  methods: T,
  guard: (decide: () => Result<unknown>) => unknown = (decide) => decide(),
): object {
  const entries = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      const answer: unknown = guard(() => method(...args.map(copied)))
      return answer instanceof Promise ? answer.then(copied) : Promise.resolve(copied(answer))
    },
  ])
  return Object.fromEntries(entries)
}
