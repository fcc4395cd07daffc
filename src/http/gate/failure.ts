/** What was thrown, as the answer to the caller and the one line of the log: never a stack outside, never a secret in either. */
import { HTTPException } from 'hono/http-exception'
import { isLostObject, isMarked } from '../../shell/lost-object.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'

/** SQLite says so in words only; the transaction has been rolled back (F56). Whoever runs the service reads it in the log. */
const NO_ROOM = /SQLITE_FULL|SQLITE_TOOBIG|database or disk is full|string or blob too big|ENOSPC|EFBIG|EDQUOT/

export interface Failure {
  refusal: HttpRefusal
  /** null: nothing of ours went wrong. */
  log: { error: string; message: string; at: string } | null
}

/** `secrets` are blotted out of the log line wherever they stand. */
export function failureOf(error: Error, secrets: readonly (string | null)[]): Failure {
  if (error instanceof HTTPException && error.status < 500) return { refusal: refusalOf(error.status), log: null }
  // An object whose write failed is reset, too: what it lacked is what its caller can do something about.
  const full = NO_ROOM.test(error.message)
  if (!full && isMarked(error, 'overloaded')) return { refusal: { code: 'unavailable', retry_after_s: 10 }, log: null }
  if (!full && isLostObject(error)) return { refusal: { code: 'unavailable', retry_after_s: 1 }, log: null }
  const { name, message, stack = '' } = error
  const away = isMarked(error, 'blobs_away')
  const blot = (text: string) => withoutSecrets(text, secrets)
  const at = stack
    .split('\n')
    .slice(1, 4)
    .map((line) => line.trim())
    .join(' < ')
  return {
    refusal:
      away && !full ? { code: 'unavailable', retry_after_s: 5 } : { code: full ? 'storage_full' : 'internal_error' },
    log: { error: name, message: blot(message).slice(0, 300), at: blot(at) },
  }
}

function withoutSecrets(text: string, secrets: readonly (string | null)[]): string {
  const known = secrets.filter((secret) => secret !== null && secret !== '')
  const without = known.reduce<string>((rest, secret) => rest.replaceAll(String(secret), '***'), text)
  // Of a link to read or to answer: whoever has the token has what it opens.
  return without.replaceAll(/bearer\s+\S+/gi, 'Bearer ***').replaceAll(/token=[^\s&"']+/gi, 'token=***')
}

/** Hono's own refusals: a library of ours that throws one means the request, not us. */
function refusalOf(status: number): HttpRefusal {
  if (status === 404) return { code: 'not_found' }
  return { code: 'validation_failed', errors: [{ pointer: '', message: 'the request cannot be read' }] }
}
