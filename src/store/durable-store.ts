/** The TaskStore port over RPC. Names carry the tenant, so no id of one tenant reaches an object of another. */
import type { StoredTask } from '../core/task-methods.ts'
import type { WorkspaceMethods } from '../core/workspace-methods.ts'
import type { Ports, Remote, TaskStore } from '../shell/ports.ts'
import { watchObject } from './durable-watch.ts'
import type { TaskObject } from './task-object.ts'
import type { WorkspaceObject } from './workspace-object.ts'

const nameOf = (tenant: string, id: string) => JSON.stringify([tenant, id])

export function durableStore(
  tasks: DurableObjectNamespace<TaskObject>,
  workspaces: DurableObjectNamespace<WorkspaceObject>,
): TaskStore {
  return {
    // The objects implement these interfaces; the stub's own type widens `unknown` members of results to `never`.
    of: (tenant, id) => tasks.getByName(nameOf(tenant, id)) as unknown as Remote<StoredTask>,
    workspace: (tenant) => workspaces.getByName(JSON.stringify([tenant])) as unknown as Remote<WorkspaceMethods>,
  }
}

export const durableWatch =
  (tasks: DurableObjectNamespace<TaskObject>): Ports['watch'] =>
  (tenant, id) =>
    watchObject(tasks.getByName(nameOf(tenant, id)))
