/** The TaskStore port over RPC. Object names contain the tenant, so an id of one tenant never reaches an object of another. */
import type { RemoteTask } from '../core/replay/stored-task.ts'
import { refuse } from '../core/terms/refusal.ts'
import type { Draining } from '../lifecycle/draining.ts'
import type { RemoteWorkspace } from '../core/protocol/workspace-requests.ts'
import { FIRST_SHARD } from '../core/workspace/shards/layout.ts'
import type { Ports, TaskStore } from '../shell/ports.ts'
import { isUnopenable, readableObject, readableTask, UNOPENABLE, type ObjectFiles } from './readable-task.ts'
import { watchObject } from './durable-watch.ts'
import type { TaskObject } from './task/task-object.ts'
import { poolObjectName, workspaceName } from './workspace/owner.ts'
import type { WorkspaceObject } from './workspace/workspace-object.ts'

const nameOf = (tenant: string, id: string) => JSON.stringify([tenant, id])

export function durableStore(
  tasks: DurableObjectNamespace<TaskObject>,
  workspaces: DurableObjectNamespace<WorkspaceObject>,
  /** Null where the process cannot reach the files. */
  files: ObjectFiles | null = null,
): TaskStore {
  const workspaceAt = (name: string) =>
    readableObject(() => workspaces.getByName(name) as unknown as RemoteWorkspace, files)
  return {
    of(tenant, id) {
      const name = nameOf(tenant, id)
      // The objects implement these interfaces; the stub's own type widens `unknown` members of results to `never`.
      const open = () => tasks.getByName(name) as unknown as RemoteTask
      const setAside = () => files?.setAside(tasks.idFromName(name).toString()) ?? Promise.resolve(false)
      return readableTask(open, files === null ? null : { setAside, isFull: () => files.isFull() })
    },
    workspace: (tenant, shard = FIRST_SHARD) => workspaceAt(workspaceName(tenant, shard)),
    pool: (tenant, pool) => workspaceAt(poolObjectName(tenant, pool)),
  }
}

/** Watches end when the process drains. Their readers come again with the last id that they saw. */
export const durableWatch =
  (tasks: DurableObjectNamespace<TaskObject>, { onBegin }: Pick<Draining, 'onBegin'>): Ports['watch'] =>
  async (tenant, id, link) => {
    const open = () => tasks.getByName(nameOf(tenant, id))
    try {
      return await watchObject(open(), onBegin, link)
    } catch (error) {
      if (await isUnopenable(error, open as unknown as () => RemoteTask)) return refuse(UNOPENABLE)
      throw error
    }
  }
