/** Sends one request and reads what its answer means: done, refused for good, or to be tried again. */

/** The time limit of a request that does not wait for work. */
const ANSWER_WITHIN_MS = 30_000
const RETRY_AFTER_MAX_MS = 3_600_000
/** The codes of conflicts that end by themselves. */
const PASSING = new Set(['task_busy', 'request_in_progress', 'lease_lost'])

export async function exchange(fetch, url, { within_ms = ANSWER_WITHIN_MS, stop, ...request }) {
  const limit = timeLimit(within_ms, stop)
  let response
  let body
  try {
    // A redirect would turn a POST into a GET.
    response = await fetch(url, { ...request, redirect: 'manual', signal: limit.signal })
    body = Buffer.from(await response.arrayBuffer())
  } catch (error) {
    stop?.throwIfAborted()
    return again(limit.signal.aborted ? `no answer within ${within_ms / 1_000} s` : wordsOf(error))
  } finally {
    limit.end()
  }
  return response.ok ? { kind: 'done', body } : failure(response, body)
}

/** AbortSignal.any is not used, because `stop` would keep each of its signals as long as the program runs. */
function timeLimit(within_ms, stop) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, within_ms)
  if (stop?.aborted) abort()
  stop?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', abort)
    },
  }
}

function failure({ status, headers }, body) {
  const { code, detail } = problemOf(status, body)
  if (status === 401 || status === 403) throw denied(status, detail)
  const passes = status === 408 || status === 429 || status >= 500 || PASSING.has(code)
  // An answer that is not a problem document comes from something between, and not from the service.
  if (code !== null && !passes) return { kind: 'refused', status, code, detail }
  return again(
    code === null ? `answered ${status}, and not as the service would: is the address right?` : `${status} ${code}`,
    retryAfter_ms(headers.get('retry-after')),
  )
}

function problemOf(status, body) {
  const { code, detail, title } = parse(body) ?? {}
  const said = [detail, title].find((text) => typeof text === 'string') ?? `status ${status}`
  if (typeof code === 'string') return { code, detail: said }
  // A proxy may have its own limit, and a repeat does not help.
  return { code: status === 413 ? 'payload_too_large' : null, detail: said }
}

function denied(status, detail) {
  const what = status === 401 ? 'The key was refused' : 'The key may not be used for this'
  const error = new Error(`${what} (${status}: ${detail}). Set --key or LOOP_AGENT_KEY to a key of API_KEYS.`)
  return Object.assign(error, { code: 'denied' })
}

export function jsonOf(outcome) {
  if (outcome.kind !== 'done') return outcome
  const body = parse(outcome.body)
  return body === null ? again('answered something that is not JSON') : { kind: 'done', body }
}

/** null if the text is not a JSON object. */
function parse(body) {
  try {
    const value = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function again(reason, retry_after_ms = null) {
  return { kind: 'again', reason, retry_after_ms }
}

/** The header is in seconds, or a date. */
function retryAfter_ms(header) {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS)
}

/** fetch says "fetch failed" and gives the reason as its cause: of the system, as ECONNREFUSED, or in its own words. */
function wordsOf({ cause, message }) {
  return /^E[A-Z]+$/.test(cause?.code) ? cause.code : (cause?.message ?? message)
}
