/** The handlers of a workspace in memory; each part answers from its own maps. */
import type {
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../../src/core/protocol/workspace-requests.ts'

export type MemoryCommands<K extends WorkspaceCommandKind = WorkspaceCommandKind> = {
  [Kind in K]: (command: WorkspaceCommand<Kind>) => WorkspaceCommandAnswer<Kind>
}
export type MemoryQueries<K extends WorkspaceQueryKind = WorkspaceQueryKind> = {
  [Kind in K]: (query: WorkspaceQuery<Kind>) => WorkspaceQueryAnswer<Kind>
}
