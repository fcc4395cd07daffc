/** Turns a thrown error into a refusal and a line of the log. The caller never sees a stack, and neither of them shows a secret. */
import { HTTPException } from 'hono/http-exception'
import { isLostObject, isMarked } from '../../shell/lost-object.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'

/** SQLite reports a full disk only by its message. The transaction has then been rolled back (F56). */
const NO_ROOM = /SQLITE_FULL|SQLITE_TOOBIG|database or disk is full|string or blob too big|ENOSPC|EFBIG|EDQUOT/

interface Failure {
  refusal: HttpRefusal
  /** null: the error is not a fault of the service. */
  log: { error: string; message: string; at: string } | null
}

/** `secrets` are removed from the log line. */
export function failureOf(error: Error, secrets: readonly (string | null)[]): Failure {
  if (error instanceof HTTPException && error.status < 500) return { refusal: refusalOf(error.status), log: null }
  // An object whose write failed is reset too. The full disk is reported first, because the caller can do something about it.
  const full = NO_ROOM.test(error.message)
  if (!full && isMarked(error, 'overloaded')) return { refusal: { code: 'unavailable', retry_after_s: 10 }, log: null }
  if (!full && isLostObject(error)) return { refusal: { code: 'unavailable', retry_after_s: 1 }, log: null }
  const { name, message, stack = '' } = error
  const blobsAway = isMarked(error, 'blobs_away')
  const redact = (text: string) => withoutSecrets(text, secrets)
  const at = stack
    .split('\n')
    .slice(1, 4)
    .map((line) => line.trim())
    .join(' < ')
  return {
    refusal:
      blobsAway && !full
        ? { code: 'unavailable', retry_after_s: 5 }
        : { code: full ? 'storage_full' : 'internal_error' },
    log: { error: name, message: redact(message).slice(0, 300), at: redact(at) },
  }
}

function withoutSecrets(text: string, secrets: readonly (string | null)[]): string {
  const known = secrets.filter((secret) => secret !== null && secret !== '')
  const without = known.reduce<string>((rest, secret) => rest.replaceAll(String(secret), '***'), text)
  // The token of a link is a secret too, because it opens what the link opens.
  return without.replaceAll(/bearer\s+\S+/gi, 'Bearer ***').replaceAll(/token=[^\s&"']+/gi, 'token=***')
}

/** The refusal for an HTTP status that Hono throws because it cannot read the request. */
function refusalOf(status: number): HttpRefusal {
  if (status === 404) return { code: 'not_found' }
  return { code: 'validation_failed', errors: [{ pointer: '', message: 'the request cannot be read' }] }
}
