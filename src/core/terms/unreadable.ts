/**
 * The error about stored state that cannot be read. Only the store catches it. So one task fails closed, and the others go
 * on.
 */
const NAME = 'StateUnreadable'

export function unreadable(detail: string): Error {
  const error = new Error(detail)
  error.name = NAME
  return error
}

export const isUnreadable = (error: unknown): error is Error => error instanceof Error && error.name === NAME
