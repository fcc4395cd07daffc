/** What requests authenticate themselves with: a key as it is, a login whose token is renewed, or nothing where a proxy adds it. */

export interface Credential {
  /** The token for the header Authorization; null: none is sent. */
  token(): Promise<string | null>
  /** A token in place of one that was refused; null: there is no other. */
  renew(refused: string | null): Promise<string | null>
}

export const keyCredential = (key: string): Credential => ({ token: async () => key, renew: async () => null })
export const NO_CREDENTIAL: Credential = { token: async () => null, renew: async () => null }

/** A login as the tab keeps it. */
export interface StoredLogin {
  token: string
  /** Milliseconds since the epoch, by the clock of this machine. */
  expires_ms: number
  refresh_token: string | null
  /** The same for each token of one person. */
  key_name: string
}

interface LoginPorts {
  /** Asks for a newer token; null: the issuer gives none. It rejects if no answer came. */
  refresh(refresh_token: string): Promise<StoredLogin | null>
  /** Keeps the login that is in use from now on. */
  keep(login: StoredLogin): void
  now_ms(): number
}

/** Renewed so long before its end, a token is still good when its request arrives. */
const RENEW_BEFORE_MS = 60_000

/** Requests that need a new token at the same time share one renewal, because a refresh token may be good for one time only. */
export function loginCredential(first: StoredLogin, { refresh, keep, now_ms }: LoginPorts): Credential {
  let login = first
  let renewal: Promise<boolean> | null = null
  const renewOnce = async (refresh_token: string): Promise<boolean> => {
    const newer = await refresh(refresh_token)
    if (newer === null) return false
    login = newer
    keep(newer)
    return true
  }
  /** Whether there is a newer token. */
  const renew = async (): Promise<boolean> => {
    const { refresh_token } = login
    if (refresh_token === null) return false
    renewal ??= renewOnce(refresh_token).finally(() => (renewal = null))
    return renewal
  }
  return {
    async token() {
      // If nothing newer comes, the service decides about the old one.
      if (login.expires_ms - now_ms() < RENEW_BEFORE_MS) await renew().catch(() => false)
      return login.token
    },
    async renew(refused) {
      if (login.token !== refused) return login.token
      return (await renew()) ? login.token : null
    },
  }
}
