/** Turns a thrown error into a refusal and a line of the log. The caller never sees a stack, and neither of them shows its message. */
import { HTTPException } from 'hono/http-exception'
import { isLostObject, isMarked } from '../../shell/lost-object.ts'
import { errorFacts, framesOf, NO_ROOM } from '../../telemetry/error-facts.ts'
import type { ErrorFacts } from '../../telemetry/log.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'

interface Failure {
  refusal: HttpRefusal
  /** null: the error is not a fault of the service. */
  log: (ErrorFacts & { at: string }) | null
}

/** SQLite reports a full disk only by its message. The transaction has then been rolled back (F56). */
export function failureOf(error: Error): Failure {
  if (error instanceof HTTPException && error.status < 500) return { refusal: refusalOf(error.status), log: null }
  // An object whose write failed is reset too. The full disk is reported first, because the caller can do something about it.
  const full = NO_ROOM.test(error.message)
  if (!full && isMarked(error, 'overloaded')) return { refusal: { code: 'unavailable', retry_after_s: 10 }, log: null }
  if (!full && isLostObject(error)) return { refusal: { code: 'unavailable', retry_after_s: 1 }, log: null }
  const refusal: HttpRefusal = isMarked(error, 'registry_away')
    ? { code: 'unavailable', retry_after_s: 5, what: 'registry' }
    : isMarked(error, 'blobs_away')
      ? { code: 'unavailable', retry_after_s: 5 }
      : { code: 'internal_error' }
  return {
    refusal: full ? { code: 'storage_full' } : refusal,
    log: { ...errorFacts(error), at: framesOf(error) },
  }
}

/** The refusal for an HTTP status that Hono throws because it cannot read the request. */
function refusalOf(status: number): HttpRefusal {
  if (status === 404) return { code: 'not_found' }
  return { code: 'validation_failed', errors: [{ pointer: '', message: 'the request cannot be read' }] }
}
