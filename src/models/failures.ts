/** Failed calls as events. Reasons are short and in our own words, so neither a raw body nor a key gets into the journal (F21 to F25). */
import * as z from 'zod'
import type { EventOf } from '../core/terms/effect.ts'
import { jsonOrNull } from '../core/terms/values/parse-json.ts'
import { retryAfterMs } from '../shell/network/retry-after.ts'
import { refusalText } from './wires/refusal-text.ts'

const MAYBE = z.unknown().optional()
const Refusal = z.object({ error: z.object({ code: MAYBE, type: MAYBE }) })

export function modelFailure(reason: string): EventOf<'model_failed'> {
  return { kind: 'model_failed', reason, status: null, retry_after_ms: null }
}

/** Some endpoints answer 400 to a wrong key. */
const OF_KEY = /api.?key not valid|(incorrect|invalid) api.?key/i

/** A missing or wrong key is an operator's mistake, so a task that pauses for it says so. */
function keyNotice({ status, text }: { status: number; text: string }, secret: string): string {
  if (secret === '') return status === 401 ? ': the endpoint wants a key' : ''
  const refusesKey = status === 401 || status === 403 || (status === 400 && OF_KEY.test(refusalText(text)))
  return refusesKey ? ': the endpoint refused the key' : ''
}

/** Describes an answer with an error status: the status, a harmless word of the endpoint, and when to try again. */
export function httpFailure(
  answer: { status: number; headers: Headers; text: string },
  secret: string,
  now_ms: number,
): EventOf<'model_failed'> {
  const redirect = answer.status >= 300 && answer.status < 400
  const detail = redirect ? 'redirect' : errorToken(answer.text, secret)
  const said = detail === null ? `HTTP ${answer.status}` : `HTTP ${answer.status} (${detail})`
  return {
    kind: 'model_failed',
    reason: `${said}${keyNotice(answer, secret)}`,
    status: answer.status,
    retry_after_ms: retryAfterMs(answer.headers, now_ms),
  }
}

/** `error.code`, else `error.type`, if it looks like an identifier and does not hold the key. */
function errorToken(body: string, secret: string): string | null {
  const refusal = Refusal.safeParse(jsonOrNull(body))
  if (!refusal.success) return null
  const { code, type } = refusal.data.error
  const fits = (word: unknown): word is string =>
    typeof word === 'string' && /^[a-z0-9_.-]{1,64}$/.test(word) && (secret === '' || !word.includes(secret))
  return [code, type].find(fits) ?? null
}
