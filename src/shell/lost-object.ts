/** Recognises errors of a call to a stored object that say nothing of the call itself: the object restarted or moved (F17). */

/**
 * Whether the object was lost. The call may have been stored all the same, so only a safe call may be repeated, and not where the object is
 * overloaded.
 */
export const isLostObject = (error: unknown): boolean =>
  error instanceof Error &&
  (isMarked(error, 'retryable') || isMarked(error, 'durableObjectReset')) &&
  !isMarked(error, 'overloaded')

/** Marks are own properties that the platform sets. */
export const isMarked = (error: Error, mark: string): boolean =>
  Object.getOwnPropertyDescriptor(error, mark)?.value === true

/** Repeats a safe call once where the object was lost on the way. Each call takes a new stub, because a stub that failed stays broken. */
export async function onceMoreIfLost<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isLostObject(error)) throw error
    return await call()
  }
}
