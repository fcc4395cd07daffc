/** The API key. Only this tab stores it (session storage), and no address contains it. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { clientOf, type Client } from '../api/client.ts'
import { belongTo } from './drafts.ts'
import { storageSlot } from './storage.ts'

const store = storageSlot(() => sessionStorage, 'loop-agent.key')

interface Session {
  key: string | null
  client: Client
  /** Whether the service has refused the key that was in use. */
  isRefused: boolean
  enter: (key: string) => void
  leave: () => void
}
const Context = createContext<Session | null>(null)

function storedSession(): { key: string | null; isRefused: boolean } {
  const key = store.read()
  belongTo(key)
  return { key, isRefused: false }
}

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [{ key, isRefused }, set] = useState(storedSession)
  const session = useMemo<Session>(() => {
    const forget = (isRefused: boolean) => {
      // A late refusal concerns the key that was sent, and another key may be in use since.
      if (store.read() !== key) return
      store.remove()
      set({ key: null, isRefused })
    }
    return {
      key,
      isRefused,
      client: clientOf(key ?? '', () => forget(true)),
      enter: (entered) => {
        belongTo(entered)
        store.write(entered)
        set({ key: entered, isRefused: false })
      },
      leave: () => {
        belongTo(null)
        forget(false)
      },
    }
  }, [key, isRefused])
  return <Context.Provider value={session}>{children}</Context.Provider>
}

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new Error('useSession outside of its provider')
  return session
}
export const useClient = () => useSession().client
