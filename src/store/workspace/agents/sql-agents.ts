/** The agents of a tenant and their versions, in tables that the first agent makes. */
import type { StoredAgent } from '../../../core/workspace/agents/agent.ts'
import { hasTable } from '../../has-table.ts'
import type { QueryHandlers, ReadContext, WriteContext } from '../handlers.ts'
import { writeWithin } from '../quotas/sql-bytes.ts'
import { OPEN } from '../task-index/open-tasks.ts'
import { agentCommands, agentQueries, type AgentQuery, type AgentRows, type OpenTasksOf } from './agents.ts'

const TABLES = [
  `CREATE TABLE IF NOT EXISTS agents (name TEXT PRIMARY KEY, latest INTEGER NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS agent_versions (name TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, definition TEXT NOT NULL,
     PRIMARY KEY (name, version)) WITHOUT ROWID`,
] as const
const AGENT = `SELECT agents.name, version, latest, created, at, definition FROM agents
  JOIN agent_versions ON agent_versions.name = agents.name`

type Row = Omit<StoredAgent, 'definition'> & { definition: string } & Record<string, SqlStorageValue>

/** Only `add` writes definitions, as objects. */
const agentIn = ({ definition, ...rest }: Row): StoredAgent => ({
  ...rest,
  definition: JSON.parse(definition) as StoredAgent['definition'],
})

/** To be called in a transaction. */
function sqlAgents(sql: SqlStorage): AgentRows {
  const isMade = () => hasTable(sql, 'agents')
  const agents = (query: string, ...values: SqlStorageValue[]): StoredAgent[] =>
    isMade()
      ? sql
          .exec<Row>(`${AGENT} ${query}`, ...values)
          .toArray()
          .map(agentIn)
      : []
  return {
    find: (name, version) =>
      (version === null
        ? agents('WHERE agents.name = ? AND version = latest', name)
        : agents('WHERE agents.name = ? AND version = ?', name, version)
      )[0] ?? null,
    list: (after, limit) =>
      agents('WHERE agents.name > ? AND version = latest ORDER BY agents.name LIMIT ?', after, limit),
    names() {
      if (!isMade()) return []
      const rows = sql.exec<{ name: string }>('SELECT name FROM agents ORDER BY name').toArray()
      return rows.map(({ name }) => name)
    },
    count: () => (isMade() ? sql.exec<{ n: number }>('SELECT count(*) AS n FROM agents').one().n : 0),
    versions: (name, before, limit) =>
      before === 0
        ? agents('WHERE agents.name = ? ORDER BY version DESC LIMIT ?', name, limit)
        : agents('WHERE agents.name = ? AND version < ? ORDER BY version DESC LIMIT ?', name, before, limit),
    add({ name, version, at, definition }, created, dropped) {
      for (const table of TABLES) sql.exec(table)
      sql.exec('INSERT OR REPLACE INTO agents (name, latest, created) VALUES (?, ?, ?)', name, version, created)
      const query = 'INSERT INTO agent_versions (name, version, at, definition) VALUES (?, ?, ?, ?)'
      sql.exec(query, name, version, at, JSON.stringify(definition))
      sql.exec('DELETE FROM agent_versions WHERE name = ? AND version <= ?', name, dropped)
    },
    drop(name) {
      sql.exec('DELETE FROM agents WHERE name = ?', name)
      sql.exec('DELETE FROM agent_versions WHERE name = ?', name)
    },
  }
}

const openTasksIn =
  ({ sql }: Pick<ReadContext, 'sql'>): OpenTasksOf =>
  (agent, ids_max) => {
    const open = `FROM tasks WHERE ${OPEN} AND agent = ?`
    const { tasks } = sql.exec<{ tasks: number }>(`SELECT count(*) AS tasks ${open}`, agent).one()
    const newest = sql.exec<{ id: string }>(`SELECT id ${open} ORDER BY position DESC LIMIT ?`, agent, ids_max)
    return { tasks, ids: newest.toArray().map(({ id }) => id) }
  }

const rowsIn = ({ sql }: Pick<ReadContext, 'sql'>) => sqlAgents(sql)
export const AGENT_COMMANDS = agentCommands<WriteContext>(rowsIn, openTasksIn, ({ sql, bytes_max }, write) =>
  writeWithin(sql, bytes_max, write),
)
export const AGENT_QUERIES: QueryHandlers<AgentQuery | 'open_tasks_of_agent'> = {
  ...agentQueries<ReadContext>(rowsIn),
  open_tasks_of_agent: (context, { agent, limit }) => openTasksIn(context)(agent, limit),
}
