/**
 * Chooses the network by which a request leaves. `npm start` in production has two. The internet reaches public addresses only, judged after
 * name resolution. The other has no such bound and serves hosts that the operator names. Elsewhere there is one network, which the platform
 * bounds.
 */
import { isListedHost } from './address.ts'
import { UNREACHED } from './bounded-fetch.ts'

type Fetch = typeof globalThis.fetch

interface Networks {
  internet: Fetch
  /** null where there is one network for all requests. */
  unbounded: Fetch | null
}

/** The hosts that the operator has configured. */
interface OperatorHosts {
  allowed_hosts: ReadonlySet<string>
  /** The addresses of the model, the search and the runner; null where not configured. */
  own: readonly (string | null)[]
}

/**
 * `tenants` serves addresses that tenants name. `service` serves those that the operator configured, whose hosts need no other permission.
 */
export function chooseNetworks(
  { internet, unbounded }: Networks,
  { allowed_hosts, own }: OperatorHosts,
): { tenants: Fetch; service: Fetch } {
  if (unbounded === null) return { tenants: internet, service: internet }
  const origins = new Set(own.flatMap((address) => originOf(address)))
  const bounded = explainErrors(internet)
  const isAllowed = (url: URL) => isListedHost(url, allowed_hosts)
  const leave =
    (isUnbounded: (url: URL) => boolean): Fetch =>
    (input, init) =>
      (isUnbounded(urlOf(input)) ? unbounded : bounded)(input, init)
  return { tenants: leave(isAllowed), service: leave((url) => isAllowed(url) || origins.has(url.origin)) }
}

const urlOf = (input: RequestInfo | URL) => new URL(input instanceof Request ? input.url : input)

function originOf(address: string | null): string[] {
  const url = address === null ? null : URL.parse(address)
  return url === null ? [] : [url.origin]
}

/** workerd reports a refused address, an unknown name and a refused certificate alike: as an internal error with a number. */
const explainErrors =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (error) {
      const refused = error instanceof Error && error.message.startsWith('internal error')
      throw refused ? new Error(UNREACHED, { cause: error }) : error
    }
  }
