/**
 * Counts the bytes that are stored for a tenant. The workspace keeps one number. A task reserves room in chunks, so that
 * steps need no call to the workspace, and keeps its room until it is deleted. So the number is never too small, except for
 * the rows of one request and one effect per task.
 */
import { refuse } from '../terms/refusal.ts'

/** Each entry of the index is counted with this room, which a task has without a call. */
export const FIRST_ROOM = 32_768
/** A task reserves at least this much more, or a quarter of its size if that is more. */
const ROOM_CHUNK = 65_536
const ROOM_SHARE = 4
/** A task that exceeds its room by more than this refuses requests of clients until it has room again. */
export const ROOM_SLACK = 65_536

/** The room of a task of this size, with a reserve for its growth. */
export const roomWithReserve = (bytes: number): number => bytes + Math.max(ROOM_CHUNK, Math.ceil(bytes / ROOM_SHARE))

/**
 * The refusal of a client's request to a task that is far beyond its room. null: there is room. A background task is paused
 * instead.
 */
export function roomRefusal({ bytes, room }: ReturnType<TaskRoom['size']>) {
  return bytes > room + ROOM_SLACK ? refuse({ code: 'quota_exceeded', bytes, bytes_max: room }) : null
}

/** The room of one task, as the storage of the task knows it. */
export interface TaskRoom {
  /** The bytes that are stored for the task, and the bytes that it may take without a call. */
  size(): { bytes: number; room: number }
  giveRoom(bytes: number): void
}
