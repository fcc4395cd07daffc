/**
 * Tokens of a login as credentials, beside keys. What reads and verifies them is loaded by the first one, and neither it nor the issuer is
 * asked about a key.
 */
import type { LoginConfig } from '../../../config-login.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'
import { refuse } from '../../shapes/http-refusal.ts'
import type { KeyHolder, Verifier } from '../auth/key-holder.ts'
import type { SignIn } from '../../endpoint.ts'
import type { IssuerPorts } from './issuer.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface Logins {
  sign_in: SignIn
  /** Reads a token from Authorization. */
  verify: Verifier
  /** Reads the token that Cloudflare Access adds. null: there is none, or Access is not configured. */
  readAmbient: (request: Request) => Promise<HttpResult<KeyHolder> | null>
}

interface LoginPorts extends IssuerPorts {
  /** What links to the service begin with; null: the origin of the request. */
  public_url: string | null
}

/** Three parts in base64url. A key of API_KEYS may look so too, and is looked for before. */
const TOKEN_FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]*$/

const ACCESS_HEADER = 'cf-access-jwt-assertion'

export function loginsOf(config: LoginConfig, ports: LoginPorts): Logins {
  let loaded: { verifier: TokenVerifier; sign_in: SignIn } | null = null
  const load = async () => {
    const [{ issuerOf }, { tokenVerifier }, { signInOf }] = await Promise.all([
      import('./issuer.ts'),
      import('./verify-token.ts'),
      import('./sign-in.ts'),
    ])
    // Requests that come together load the modules together, and have to share what the issuer has said.
    if (loaded === null) {
      const issuer = issuerOf(config, ports)
      const verifier = tokenVerifier(config, issuer, ports.now_ms)
      loaded = { verifier, sign_in: signInOf({ config, client: config.client, issuer, verifier }, ports) }
    }
    return loaded
  }
  const holderOf = async (token: string) => (await load()).verifier.holderOf(token)
  return {
    sign_in: {
      methods: async () => (await load()).sign_in.methods(),
      exchange: async (of, address) => (await load()).sign_in.exchange(of, address),
      refresh: async (refresh_token, address) => (await load()).sign_in.refresh(refresh_token, address),
    },
    verify: async ({ token }) => (TOKEN_FORM.test(token) ? holderOf(token) : null),
    async readAmbient(request) {
      const token = config.is_access ? request.headers.get(ACCESS_HEADER) : null
      if (token === null) return null
      if (isFromElsewhere(request, ports.public_url))
        return refuse({ code: 'unauthorized', given: true, token: 'cross_site' })
      return holderOf(token)
    },
  }
}

/**
 * Whether a page of another site may have sent a request that acts. Browsers send the cookie of Access with it, so Access adds its token to
 * it too, and the person behind it knows nothing of it (CSRF). Reading is harmless, because such a page cannot read the answer of it; a socket it
 * could read. Programs send neither of these headers.
 */
function isFromElsewhere({ method, headers, url }: Request, public_url: string | null): boolean {
  const isReading = (method === 'GET' || method === 'HEAD') && headers.get('upgrade') === null
  if (isReading) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  const own = [url, public_url ?? url].map((address) => new URL(address).origin)
  return origin !== null && !own.includes(origin)
}
