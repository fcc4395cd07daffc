/** Which open tasks are looked at next, all of them in turn, for what their entries may have missed (shell/listing/mend.ts). */
import { ENDED_STATUSES, Status } from '../../../core/terms/status.ts'
import { ADMITTED_MS_MAX } from '../../../core/protocol/workspace-methods.ts'
import { OPEN } from './open-tasks.ts'

/** How often, and how many: a list is asked for every few seconds, and looks should cost little beside it. */
export const LOOK = { every_ms: 15_000, tasks: 20 }
/** Somebody is refused a new task, maybe by tasks that have long ended. */
export const LOOK_FOR_ROOM = { every_ms: 1_000, tasks: 50 }

const OPEN_STATUSES = Status.options.filter((status) => !ENDED_STATUSES.has(status))

type Row = { id: string; position: number; told: number }

/** What it remembers may be lost with its object: the round then begins anew. To be called in a transaction. */
export function openTaskSweep() {
  let looked_at = -Infinity
  let status = 0
  let after = 0
  return (sql: SqlStorage, now_ms: number, { every_ms, tasks }: typeof LOOK): string[] => {
    if (Math.abs(now_ms - looked_at) < every_ms) return []
    looked_at = now_ms
    const found: Row[] = []
    for (let turns = 0; turns < OPEN_STATUSES.length && found.length < tasks; turns++) {
      const wanted = tasks - found.length
      const next = nextOf(sql, OPEN_STATUSES[status] ?? '', after, wanted)
      found.push(...next)
      const over = next.length < wanted
      after = over ? 0 : (next.at(-1)?.position ?? 0)
      if (over) status = (status + 1) % OPEN_STATUSES.length
    }
    // Whoever told the index a moment ago is alive.
    return found.filter(({ told }) => Math.abs(now_ms - told) > ADMITTED_MS_MAX).map(({ id }) => id)
  }
}

function nextOf(sql: SqlStorage, status: string, after: number, limit: number): Row[] {
  const query = `SELECT tasks.id, tasks.position, max(tasks.at, coalesce(entries.as_of, 0)) AS told FROM tasks
    LEFT JOIN entries ON entries.position = tasks.position
    WHERE status = ? AND ${OPEN} AND tasks.position > ? ORDER BY tasks.position LIMIT ?`
  return sql.exec<Row>(query, status, after, limit).toArray()
}
