/** The requests of workers to the service, one try each. Every answer is a value; only a refused key is thrown, as `denied`. */
import { exchange, jsonOf } from './delegations/exchange.mjs'

/** Extra time, because the service may end a wait late. */
const WAIT_MARGIN_MS = 15_000
const PAGE = 100

/** The codes that say that nothing is left to do for this delegation. */
export const SETTLED = new Set([
  'already_reported',
  'delegation_expired',
  'delegation_canceled',
  // The task of the delegation was deleted.
  'delegation_not_found',
])

/**
 * Outcomes: `{ kind: 'done', body }`, `{ kind: 'refused', status, code, detail }` – trying again would not help – and
 * `{ kind: 'again', reason, retry_after_ms }`. `stop` ends the wait for work; any other request under way is finished. `pool` undefined: the default pool.
 */
export function delegationClient({ url, key, stop, pool, fetch = globalThis.fetch }) {
  const listed = { status: 'pending', limit: PAGE, ...(pool === undefined ? {} : { pool }) }
  const ask = (method, path, { headers = {}, ...options } = {}) =>
    exchange(fetch, `${url.replace(/(?<!\/)\/+$/, '')}/delegations${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json', ...headers },
      ...options,
    })
  return {
    /** One page, newest first: `{ data, has_more, next_cursor }`. Waits up to so many seconds for the first pending one. */
    page: async (after, wait_s) => {
      const query = new URLSearchParams({ ...listed, ...(after === null ? {} : { after }) })
      const wait = { headers: { prefer: `wait=${wait_s}` }, within_ms: wait_s * 1_000 + WAIT_MARGIN_MS }
      return jsonOf(await ask('GET', `?${query}`, { ...(wait_s > 0 ? wait : {}), stop }))
    },
    /** The command file, as bytes. */
    command: (id) => ask('GET', `/${id}`, { headers: { accept: 'text/markdown' } }),
    /** Repeated by the same worker it renews the lease. */
    claim: async (id, { worker, lease_s }) =>
      jsonOf(
        await ask('POST', `/${id}/claim`, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ worker, lease_s }),
        }),
      ),
    report: async (id, { content_type, body }) =>
      jsonOf(await ask('POST', `/${id}/report`, { headers: { 'content-type': content_type }, body })),
  }
}
