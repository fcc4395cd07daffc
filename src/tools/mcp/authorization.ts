/**
 * Access tokens by OAuth client credentials. The library finds the authorization server from the metadata of the MCP server. The client
 * secret is revealed for the address of the token endpoint only, so a server that names another one gets nothing.
 */
import type { OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client'
import type { McpSource } from '../../core/terms/tools/client-tools.ts'
import type { SecretFiller } from '../../shell/secrets/filler.ts'
import { failureError } from './failures.ts'
import { mcpFailure } from './texts.ts'

type ClientCredentials = Extract<NonNullable<McpSource['auth']>, { kind: 'client_credentials' }>

/** A token is taken as expired so much earlier, so that it lasts for the request. */
const EARLY_MS = 30_000
/** A server that does not say how long its token is good for is asked again after so long. */
const UNSAID_S = 300
/** However long a server says that its token is good for. */
const KEPT_S_MAX = 600
const TOKENS_MAX = 100

interface KeptToken {
  tokens: OAuthTokens
  until_ms: number
  /** The token endpoint that gave it, and the client secret for which it did. */
  endpoint: string
  secret: string
}
/** The tokens of this isolate, by tenant and source. They are never stored. */
const kept_tokens = new Map<string, KeptToken>()

function keep(key: string, token: KeptToken): void {
  kept_tokens.delete(key)
  kept_tokens.set(key, token)
  const [oldest] = kept_tokens.keys()
  if (kept_tokens.size > TOKENS_MAX && oldest !== undefined) kept_tokens.delete(oldest)
}

export function clientCredentials(
  auth: ClientCredentials,
  texts: SecretFiller,
  { key, now_ms }: { key: string; now_ms: () => number },
): OAuthClientProvider {
  const asked = { endpoint: '', secret: '' }
  const method = auth.client_secret === '' ? 'none' : 'client_secret_basic'
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: 'loop-agent',
      redirect_uris: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: method,
      scope: auth.scope ?? undefined,
    },
    clientInformation: (context) => ({ client_id: auth.client_id, issuer: context?.issuer }),
    async tokens() {
      const token = kept_tokens.get(key)
      if (token === undefined || token.until_ms <= now_ms()) return undefined
      // A secret that is deleted, has another value or other hosts counts at once.
      const secret = await texts.fill(auth.client_secret, new URL(token.endpoint))
      if (!secret.ok || secret.value !== token.secret) return undefined
      texts.hide(token.tokens.access_token)
      return token.tokens
    },
    saveTokens(tokens) {
      texts.hide(tokens.access_token)
      const seconds = Math.min(KEPT_S_MAX, tokens.expires_in ?? UNSAID_S)
      // One token is used at least once, however short it is said to last.
      keep(key, { ...asked, tokens, until_ms: now_ms() + Math.max(1_000, seconds * 1_000 - EARLY_MS) })
    },
    prepareTokenRequest(scope) {
      const wanted = auth.scope ?? scope ?? ''
      return new URLSearchParams({ grant_type: 'client_credentials', ...(wanted === '' ? {} : { scope: wanted }) })
    },
    async addClientAuthentication(headers, params, url, metadata) {
      const id = await fillFor(texts, auth.client_id, url)
      const secret = await fillFor(texts, auth.client_secret, url)
      texts.hide(secret)
      Object.assign(asked, { endpoint: new URL(url).href, secret })
      const methods = metadata?.token_endpoint_auth_methods_supported ?? []
      if (methods.length > 0 && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
        params.set('client_id', id)
        params.set('client_secret', secret)
        return
      }
      const basic = btoa(`${formEncoded(id)}:${formEncoded(secret)}`)
      texts.hide(basic)
      headers.set('authorization', `Basic ${basic}`)
    },
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens') kept_tokens.delete(key)
    },
    redirectToAuthorization() {
      throw failureError(mcpFailure('authorization', 'the server wants a person to sign in'))
    },
    saveCodeVerifier() {},
    codeVerifier: () => '',
  }
}

/** As RFC 6749 section 2.3.1 says; the result is ASCII. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

async function fillFor(texts: SecretFiller, text: string, url: string | URL): Promise<string> {
  const filled = await texts.fill(text, new URL(url))
  if (!filled.ok) throw failureError(mcpFailure('secret', filled.error))
  return filled.value
}
