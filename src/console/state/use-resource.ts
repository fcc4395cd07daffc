/** Something that is read and shown: asked for at once, again when told to, and every so often while the page is seen. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { later } from '../api/asker.ts'
import { pollerOf, type Poller } from '../api/poller.ts'
import { get } from '../api/request.ts'
import type { Problem } from '../api/wire.ts'
import { useClient } from './session.tsx'

export interface Resource<T> {
  /** null before the first answer; the last one stays while a later one fails. */
  value: T | null
  headers: Headers | null
  problem: Problem | null
  loading: boolean
  refresh(): void
}

/** `path`: what it is an answer of. */
type State<T> = Omit<Resource<T>, 'refresh'> & { path: string }
const fresh = <T>(path: string): State<T> => ({ path, value: null, headers: null, problem: null, loading: true })

/** `every_ms` null: not by itself. */
export function useResource<T>(path: string, every_ms: number | null = null): Resource<T> {
  const client = useClient()
  const [state, set] = useState<State<T>>(() => fresh(path))
  const poller = useRef<Poller | null>(null)
  useEffect(() => {
    let gone = false
    const ask = async () => {
      const answer = await client.send<T>(get(path))
      // One of a path that was left is not shown.
      if (gone) return
      set((before) =>
        answer.ok
          ? { path, value: answer.value, headers: answer.headers, problem: null, loading: false }
          : { ...(before.path === path ? before : fresh<T>(path)), problem: answer.problem, loading: false },
      )
    }
    const made = pollerOf(ask, every_ms, later, () => document.hidden)
    poller.current = made
    made.now()
    const shown = () => {
      if (every_ms !== null && !document.hidden) made.now()
    }
    document.addEventListener('visibilitychange', shown)
    return () => {
      gone = true
      made.stop()
      document.removeEventListener('visibilitychange', shown)
    }
  }, [client, path, every_ms])
  const shown = state.path === path ? state : fresh<T>(path)
  const refresh = useCallback(() => poller.current?.now(), [])
  return { ...shown, refresh }
}
