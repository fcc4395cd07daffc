/** How the reader is signed in. Only this tab stores it (session storage), and no address contains it. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useMemo, useRef, useState } from 'preact/hooks'
import { clientOf, type Client } from '../api/client.ts'
import { keyCredential, loginCredential, NO_CREDENTIAL, type Credential, type StoredLogin } from '../api/credential.ts'
import type { LoginToken } from '../api/sign-in.ts'
import { belongTo } from './drafts.ts'
import { refreshLogin, storedLoginOf } from './sign-in.ts'
import { storageSlot } from './storage.ts'

const keyStore = storageSlot(() => sessionStorage, 'loop-agent.key')
const loginStore = storageSlot(() => sessionStorage, 'loop-agent.login')

/** By a key, by a login of an issuer, or by a proxy that adds the login to each request (Cloudflare Access). */
type SignedIn = { kind: 'key'; key: string } | { kind: 'login'; login: StoredLogin } | { kind: 'access' }

interface Session {
  /** null: the reader is not signed in. */
  kind: SignedIn['kind'] | null
  client: Client
  /** What was in use when the service refused it; null: nothing was refused. */
  refused: SignedIn['kind'] | null
  enter: (key: string) => void
  enterLogin: (login: LoginToken) => void
  enterAccess: () => void
  leave: () => void
}
const Context = createContext<Session | null>(null)

const ACCESS_SIGN_OUT = '/cdn-cgi/access/logout'

function storedLogin(): StoredLogin | null {
  try {
    // The page itself has written it, and only this tab can.
    return JSON.parse(loginStore.read() ?? 'null') as StoredLogin | null
  } catch {
    return null
  }
}

function storedSession(): SignedIn | null {
  const key = keyStore.read()
  const login = storedLogin()
  const stored: SignedIn | null = key !== null ? { kind: 'key', key } : login === null ? null : { kind: 'login', login }
  belongTo(stored === null ? null : ownerOf(stored))
  return stored
}

/** Whose drafts are kept. A login is the same person after each refresh. */
function ownerOf(signed: SignedIn): string {
  if (signed.kind === 'key') return signed.key
  return signed.kind === 'login' ? signed.login.key_name : 'access'
}

const keepLogin = (login: StoredLogin) => loginStore.write(JSON.stringify(login))

function keepSession(signed: SignedIn | null): void {
  keyStore.remove()
  loginStore.remove()
  if (signed?.kind === 'key') keyStore.write(signed.key)
  if (signed?.kind === 'login') keepLogin(signed.login)
}

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [{ signed, refused }, set] = useState<{ signed: SignedIn | null; refused: Session['refused'] }>(() => ({
    signed: storedSession(),
    refused: null,
  }))
  const latest = useRef(signed)
  const session = useMemo<Session>(() => {
    const change = (next: SignedIn | null, lost: Session['refused'] = null) => {
      keepSession(next)
      latest.current = next
      set({ signed: next, refused: lost })
    }
    // A late refusal concerns what was sent, and another key or login may be in use since.
    const isInUse = () => latest.current === signed
    const arrive = (next: SignedIn) => {
      belongTo(ownerOf(next))
      change(next)
    }
    const credential = credentialOf(signed, (login) => isInUse() && keepLogin(login))
    return {
      kind: signed?.kind ?? null,
      refused,
      client: clientOf(credential, () => isInUse() && change(null, signed?.kind)),
      enter: (key) => arrive({ kind: 'key', key }),
      enterLogin: (login) => arrive({ kind: 'login', login: storedLoginOf(login) }),
      enterAccess: () => arrive({ kind: 'access' }),
      leave: () => {
        belongTo(null)
        change(null)
        if (signed?.kind === 'access') location.assign(ACCESS_SIGN_OUT)
      },
    }
  }, [signed, refused])
  return <Context.Provider value={session}>{children}</Context.Provider>
}

function credentialOf(signed: SignedIn | null, keep: (login: StoredLogin) => void): Credential {
  if (signed?.kind === 'key') return keyCredential(signed.key)
  if (signed?.kind !== 'login') return NO_CREDENTIAL
  return loginCredential(signed.login, { refresh: refreshLogin, keep, now_ms: Date.now })
}

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new Error('useSession outside of its provider')
  return session
}
export const useClient = () => useSession().client
