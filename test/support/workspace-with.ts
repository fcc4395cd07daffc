/** A workspace of which a test answers some requests. */
import type {
  RemoteWorkspace,
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../src/core/protocol/workspace-requests.ts'

type OwnCommands = {
  [K in WorkspaceCommandKind]: (command: WorkspaceCommand<K>) => Promise<WorkspaceCommandAnswer<K>>
}
type OwnQueries = { [K in WorkspaceQueryKind]: (query: WorkspaceQuery<K>) => Promise<WorkspaceQueryAnswer<K>> }
export type OwnAnswers = Partial<OwnCommands & OwnQueries>

export function workspaceWith(real: RemoteWorkspace, own: OwnAnswers): RemoteWorkspace {
  const commands: Partial<OwnCommands> = own
  const queries: Partial<OwnQueries> = own
  return {
    tell: (command) => (commands[command.kind] ?? real.tell)(command),
    ask: (query) => (queries[query.kind] ?? real.ask)(query),
    tellInShard: (call) => real.tellInShard(call),
    awaitDelegation: (wait_ms) => real.awaitDelegation(wait_ms),
  }
}
