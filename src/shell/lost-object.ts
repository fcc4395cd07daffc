/** Errors of a call to a stored object that say nothing of the call itself: the object restarted or moved (F17). */

/** What it did may be stored all the same; a call that is safe to repeat may be, but not where it is overloaded. */
export const isLostObject = (error: unknown): boolean =>
  error instanceof Error &&
  (isMarked(error, 'retryable') || isMarked(error, 'durableObjectReset')) &&
  !isMarked(error, 'overloaded')

/** Marks are own properties that the platform sets. */
export const isMarked = (error: Error, mark: string): boolean =>
  Object.getOwnPropertyDescriptor(error, mark)?.value === true

/** Once more when the object was lost on the way; for what is safe to repeat. Each call takes a stub of its own: one that failed stays broken. */
export async function onceMoreIfLost<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isLostObject(error)) throw error
    return await call()
  }
}
