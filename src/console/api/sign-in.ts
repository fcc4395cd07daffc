/** The sign-in with an issuer of logins: the code flow of OpenID Connect with PKCE. The page keeps no secret of a client. */

export interface OidcLogin {
  kind: 'oidc'
  issuer: string
  client_id: string
  scope: string
  audience: string | null
  /** null: the issuer cannot be reached now. */
  authorization_endpoint: string | null
}
/** The answer of `GET /auth`. */
export interface SignInMethods {
  login: OidcLogin | { kind: 'cloudflare_access' } | null
}
/** The answer of `POST /auth/token` and `POST /auth/refresh`. */
export interface LoginToken {
  token: string
  /** Seconds. */
  expires_in: number
  refresh_token: string | null
  key_name: string
}

/** A sign-in that has begun. The tab keeps it while the person is at the issuer. */
export interface PendingSignIn {
  state: string
  nonce: string
  code_verifier: string
  issuer: string
  redirect_uri: string
  /** The view to come back to. */
  fragment: string
  begun_ms: number
}
/** How the person has come back: with a code, refused by the issuer, or from a sign-in that this tab has not begun. */
export type Arrival =
  | { kind: 'code'; code: string; pending: PendingSignIn }
  | { kind: 'refused'; error: string }
  | { kind: 'foreign' }

/** Codes live for ten minutes at most (RFC 6749, 4.1.2), and a person needs a while at the issuer. */
const PENDING_MS = 3_600_000
/** As RFC 7636 recommends; the same is plenty for state and nonce. */
const SECRET_BYTES = 32

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const newSecret = () => base64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

/** Whether this page can compute what PKCE needs. A page over plain http in a LAN cannot. */
export const canSignIn = () => globalThis.crypto?.subtle !== undefined

/** The sign-in to keep, and the address at the issuer to go to. null: it is no address that a person may be sent to. */
export async function beginSignIn(
  login: OidcLogin,
  page: { origin: string; fragment: string },
  now_ms: number,
): Promise<{ pending: PendingSignIn; address: string } | null> {
  const address = URL.parse(login.authorization_endpoint ?? '')
  if (address === null || !/^https?:$/.test(address.protocol)) return null
  const pending: PendingSignIn = {
    state: newSecret(),
    nonce: newSecret(),
    code_verifier: newSecret(),
    issuer: login.issuer,
    redirect_uri: `${page.origin}/`,
    fragment: page.fragment,
    begun_ms: now_ms,
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.code_verifier))
  const asked = {
    response_type: 'code',
    client_id: login.client_id,
    redirect_uri: pending.redirect_uri,
    scope: login.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(login.audience === null ? {} : { audience: login.audience }),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  return { pending, address: address.href }
}

/**
 * Reads the query of the address to which the issuer has sent the person. null: it is no answer of an issuer. An answer without the `state` of this
 * tab may be a link of somebody else, who wants the reader to work under a foreign login.
 */
export function arrivalOf(search: string, pending: PendingSignIn | null, now_ms: number): Arrival | null {
  const query = new URLSearchParams(search)
  const [state, code, error, issuer] = ['state', 'code', 'error', 'iss'].map((name) => query.get(name))
  if (code === null && error === null) return null
  const isOurs = pending !== null && state === pending.state && now_ms - pending.begun_ms < PENDING_MS
  // An issuer that names itself in its answer (RFC 9207) is the one that was asked.
  if (!isOurs || (issuer !== null && issuer !== pending.issuer)) return { kind: 'foreign' }
  if (typeof code === 'string' && code !== '') return { kind: 'code', code, pending }
  return { kind: 'refused', error: (error ?? '').slice(0, 80) }
}

/** The pending sign-in of a text that the tab has kept; null: it is none. */
export function pendingOf(text: string | null): PendingSignIn | null {
  try {
    // The page itself has written it, and only this tab can.
    return JSON.parse(text ?? 'null') as PendingSignIn | null
  } catch {
    return null
  }
}
