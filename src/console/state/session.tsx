/** The key: kept by this tab alone (session storage), gone when it is closed, never part of an address. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { clientOf, type Client } from '../api/client.ts'
import { belongTo } from './drafts.ts'
import { keptIn } from './storage.ts'

const store = keptIn(() => sessionStorage, 'loop-agent.key')

interface Session {
  key: string | null
  client: Client
  /** Whether the service has refused the key that was in use. */
  refused: boolean
  enter: (key: string) => void
  leave: () => void
}
const Context = createContext<Session | null>(null)

function begun(): { key: string | null; refused: boolean } {
  const key = store.read()
  belongTo(key)
  return { key, refused: false }
}

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [{ key, refused }, set] = useState(begun)
  const session = useMemo<Session>(() => {
    const forget = (refused: boolean) => {
      // A late refusal is of the key that was sent, and says nothing of the one entered since.
      if (store.read() !== key) return
      store.remove()
      set({ key: null, refused })
    }
    return {
      key,
      refused,
      client: clientOf(key ?? '', () => forget(true)),
      enter: (entered) => {
        belongTo(entered)
        store.write(entered)
        set({ key: entered, refused: false })
      },
      leave: () => {
        belongTo(null)
        forget(false)
      },
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
