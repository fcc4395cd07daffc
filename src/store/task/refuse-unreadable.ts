/** The answer of a task whose stored state cannot be read. */
import { refuse, type Result } from '../../core/terms/refusal.ts'
import { isUnreadable } from '../../core/terms/unreadable.ts'
import { isDamaged } from '../damage.ts'

/** Refuses what one unreadable task is asked for and leaves its rows as they are, so that other tasks are unaffected. */
export function refuseUnreadable<T>(decide: () => Result<T>): Result<T> {
  try {
    return decide()
  } catch (error) {
    if (isUnreadable(error) || isDamaged(error)) return refuse({ code: 'state_unreadable', detail: error.message })
    throw error
  }
}
