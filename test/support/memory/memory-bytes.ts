/** The bytes of a tenant's blobs and tasks, in memory; the first bytes of each task and the workspace itself are not counted. */
import { FIRST_ROOM } from '../../../src/core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../../../src/core/terms/refusal.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memoryBytes(isKnown: (task: string) => boolean) {
  const rooms = new Map<string, number>()
  let used = 0
  const take = (bytes: number, max: number, own = 0): Result<null> => {
    const others = used - own
    if (bytes > 0 && used + bytes > max) return refuse({ code: 'quota_exceeded', bytes: others, bytes_max: max })
    used += bytes
    return ok(null)
  }
  const queries: MemoryQueries<'used_bytes'> = { used_bytes: () => used }
  const commands: MemoryCommands<'hold_room'> = {
    hold_room({ task, least, most, max }) {
      if (!isKnown(task)) return refuse({ code: 'task_not_found' })
      const before = rooms.get(task) ?? FIRST_ROOM
      const room = Math.max(least, Math.min(most, max - used + before), before)
      const taken = take(room - before, max, before)
      if (!taken.ok) return taken
      rooms.set(task, room)
      return ok(room)
    },
  }
  const leave = (task: string) => {
    used -= (rooms.get(task) ?? FIRST_ROOM) - FIRST_ROOM
    rooms.delete(task)
  }
  return { commands, queries, take, leave }
}
