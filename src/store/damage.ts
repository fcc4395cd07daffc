/** How the runtime says that the file of an object is damaged: in words only. */
import { isMarked } from '../shell/lost-object.ts'

const DAMAGED = /SQLITE_(?:CORRUPT|NOTADB)\b/

/** SQLite has read something that it did not write. */
export const isDamaged = (error: unknown): error is Error => error instanceof Error && DAMAGED.test(error.message)

/** An object whose file cannot be opened runs no code of ours, and its caller is told no reason. A passing failure looks the same. */
export const isOpaque = (error: unknown): error is Error =>
  error instanceof Error &&
  error.message.startsWith('internal error') &&
  !['durableObjectReset', 'retryable', 'overloaded'].some((mark) => isMarked(error, mark))
