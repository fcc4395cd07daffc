/** Stored state that cannot be read: thrown where it is met, caught by the store alone, so that one task fails closed. */
const NAME = 'StateUnreadable'

export function unreadable(detail: string): Error {
  const error = new Error(detail)
  error.name = NAME
  return error
}

export const isUnreadable = (error: unknown): error is Error => error instanceof Error && error.name === NAME
