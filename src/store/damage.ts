/** Recognises by its message that the file of an object is damaged: the runtime says it in words only. */
import { isMarked } from '../shell/lost-object.ts'

const DAMAGED = /SQLITE_(?:CORRUPT|NOTADB)\b/

/** SQLite has read data that it did not write. */
export const isDamaged = (error: unknown): error is Error => error instanceof Error && DAMAGED.test(error.message)

/** An object whose file cannot be opened does not run, and its caller gets no reason. A passing failure looks the same. */
export const isOpaque = (error: unknown): error is Error =>
  error instanceof Error &&
  error.message.startsWith('internal error') &&
  !['durableObjectReset', 'retryable', 'overloaded'].some((mark) => isMarked(error, mark))
