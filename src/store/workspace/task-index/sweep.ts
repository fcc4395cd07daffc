/** Chooses the open tasks that are looked at next, each in its turn, because the index may have missed a change (shell/listing/mend.ts). */
import { ENDED_STATUSES, Status } from '../../../core/terms/status.ts'
import { ADMITTED_MS_MAX } from '../../../core/protocol/workspace-records.ts'
import type { OpenTaskLook } from '../handlers.ts'
import { OPEN } from './open-tasks.ts'

/** How often, and how many tasks: lists are requested every few seconds, and a look should cost little compared with them. */
export const LOOK: OpenTaskLook = { every_ms: 15_000, tasks: 20 }
/** A new task was refused, maybe because of tasks that ended long ago. */
export const LOOK_FOR_ROOM: OpenTaskLook = { every_ms: 1_000, tasks: 50 }

const OPEN_STATUSES = Status.options.filter((status) => !ENDED_STATUSES.has(status))

type Row = { id: string; position: number; told: number }

/** The position may be lost with the object; the round then begins anew. To be called in a transaction. */
export function openTaskSweep() {
  let looked_at = -Infinity
  let status = 0
  let after = 0
  return (sql: SqlStorage, now_ms: number, { every_ms, tasks }: OpenTaskLook): string[] => {
    if (Math.abs(now_ms - looked_at) < every_ms) return []
    looked_at = now_ms
    const rows: Row[] = []
    for (let looks = 0; looks < OPEN_STATUSES.length && rows.length < tasks; looks++) {
      const wanted = tasks - rows.length
      const next = nextOf(sql, OPEN_STATUSES[status] ?? '', after, wanted)
      rows.push(...next)
      const over = next.length < wanted
      after = over ? 0 : (next.at(-1)?.position ?? 0)
      if (over) status = (status + 1) % OPEN_STATUSES.length
    }
    // A task that has just reported needs no look.
    return rows.filter(({ told }) => Math.abs(now_ms - told) > ADMITTED_MS_MAX).map(({ id }) => id)
  }
}

function nextOf(sql: SqlStorage, status: string, after: number, limit: number): Row[] {
  const query = `SELECT tasks.id, tasks.position, max(tasks.at, coalesce(entries.as_of, 0)) AS told FROM tasks
    LEFT JOIN entries ON entries.position = tasks.position
    WHERE status = ? AND ${OPEN} AND tasks.position > ? ORDER BY tasks.position LIMIT ?`
  return sql.exec<Row>(query, status, after, limit).toArray()
}
