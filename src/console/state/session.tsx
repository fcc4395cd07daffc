/** The key: kept by this tab alone (session storage), gone when it is closed, never part of an address. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { clientOf, type Client } from '../api/client.ts'

const STORE = 'loop-agent.key'

interface Session {
  key: string | null
  client: Client
  /** Whether the service has refused the key that was in use. */
  refused: boolean
  enter: (key: string) => void
  leave: () => void
}
const Context = createContext<Session | null>(null)

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [{ key, refused }, set] = useState({ key: sessionStorage.getItem(STORE), refused: false })
  const session = useMemo<Session>(() => {
    const forget = (refused: boolean) => {
      sessionStorage.removeItem(STORE)
      set({ key: null, refused })
    }
    return {
      key,
      refused,
      client: clientOf(key ?? '', () => forget(true)),
      enter: (entered) => {
        sessionStorage.setItem(STORE, entered)
        set({ key: entered, refused: false })
      },
      leave: () => forget(false),
    }
  }, [key, refused])
  return <Context.Provider value={session}>{children}</Context.Provider>
}

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new Error('useSession outside of its provider')
  return session
}
export const useClient = () => useSession().client
