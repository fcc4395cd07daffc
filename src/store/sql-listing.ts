/** A page of the index of a workspace, newest first. To be called in a transaction. */
import { folded } from '../core/sought.ts'
import type { Status } from '../core/status.ts'
import type { IndexFilter, IndexPage } from '../core/workspace-methods.ts'

type Entry = { id: string; position: number; status: Status; admitted_at: number }

export function listed(sql: SqlStorage, filter: IndexFilter, before: number, limit: number): IndexPage {
  const { where, values } = conditionsOf(filter, before)
  const query = `SELECT id, position, status, at AS admitted_at FROM tasks WHERE ${where} ORDER BY position DESC LIMIT ?`
  const found = sql.exec<Entry>(query, ...values, limit + 1).toArray()
  return { entries: found.slice(0, limit), has_more: found.length > limit }
}

function conditionsOf(filter: IndexFilter, before: number): { where: string; values: (string | number)[] } {
  const terms: [string, ...(string | number)[]][] = [['1 = 1']]
  if (before > 0) terms.push(['position < ?', before])
  if (filter.status !== null) terms.push(['status = ?', filter.status])
  if (filter.mode !== null) terms.push(['mode = ?', filter.mode])
  // Not LIKE: nothing of what is sought has a meaning of its own, and its folding ends with ASCII.
  if (filter.q !== null) {
    const sought = folded(filter.q)
    terms.push(['(instr(goal, ?) > 0 OR instr(lower(id), ?) > 0)', sought, sought])
  }
  for (const [key, value] of Object.entries(filter.metadata)) {
    // Keys are letters, digits and ._- only, but the path is bound as a value all the same.
    terms.push(['json_extract(metadata, ?) = ?', `$."${key}"`, value])
  }
  return {
    where: terms.map(([condition]) => condition).join(' AND '),
    values: terms.flatMap(([, ...bound]) => bound),
  }
}
