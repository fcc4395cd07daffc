/**
 * Bytes of everything that is stored for a tenant. The workspace keeps one number for all of it; a task takes room in chunks ahead, so
 * that no step asks the workspace, and holds what it took until it is deleted. So what is counted is never less than what is stored, but
 * for the rows of one request and one effect of each task.
 */
import { refuse, type Result } from '../terms/refusal.ts'

/** Room that each entry of the index is counted with; a task has it without asking. */
export const FIRST_ROOM = 32_768
/** The least that a task takes further, and the part of its size that it takes when that is more. */
const ROOM_CHUNK = 65_536
const ROOM_SHARE = 4
/** Beyond its room by so much, a task refuses what clients say to it until it has room again. */
export const ROOM_SLACK = 65_536

/** Room for a task of so many bytes, with what it may grow by before it asks again. */
export const roomWithReserve = (bytes: number): number => bytes + Math.max(ROOM_CHUNK, Math.ceil(bytes / ROOM_SHARE))

/** The refusal of what a client says to a task that is far beyond its room; null: there is room. What goes on by itself is paused instead. */
export function roomRefusal({ bytes, room }: ReturnType<TaskRoom['size']>) {
  return bytes > room + ROOM_SLACK ? refuse({ code: 'quota_exceeded', bytes, bytes_max: room }) : null
}

/** The room of one task, as its own storage knows it. */
export interface TaskRoom {
  /** Bytes of all that is stored for the task, and how many it may take before it asks. */
  size(): { bytes: number; room: number }
  giveRoom(bytes: number): void
}
export interface RoomCall {
  task: string
  /** What the task takes now, and what it would have. */
  least: number
  most: number
}
/** What a tenant's workspace counts. */
export interface ByteMethods {
  /** Counts the task with the most there is room for, from `least` to `most`, in place of what it was counted with; answers with that. */
  holdRoom(call: RoomCall, max: number): Result<number>
  /** All that is counted for the tenant, the rows of the workspace among it. */
  usedBytes(): number
}
