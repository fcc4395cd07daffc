/** How the doctor asks a service: with a time limit, and without following a redirect. */
const ANSWER_WITHIN_MS = 20_000
/** Clocks that differ by less do no harm. */
export const SKEW_MS_MAX = 30_000
/** Hosts whose traffic does not leave the machine. */
export const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Whether nobody reads a key on its way to this address. */
export const isPrivate = ({ protocol, hostname }) => protocol === 'https:' || LOOPBACK.test(hostname)

/** `key`: what each request carries, unless it says otherwise (`with_key`). */
export function client(origin, key) {
  return async (method, path, { body, text, within_ms = ANSWER_WITHIN_MS, with_key = key } = {}) => {
    const headers = with_key === null ? {} : { authorization: `Bearer ${with_key}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers,
      body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
      redirect: 'manual',
      signal: AbortSignal.timeout(within_ms),
    })
    const content = await answer.text()
    return { status: answer.status, headers: answer.headers, json: jsonIn(content) }
  }
}

function jsonIn(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Why no answer came, in a few words. */
export const reasonOf = (error) => String(error.cause?.code ?? error.cause?.message ?? error.message)
