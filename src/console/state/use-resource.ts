/** Something that is read and shown: asked for at once, again when told to, and every so often while the page is seen. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { later } from '../api/asker.ts'
import { pollerOf, type Poller } from '../api/poller.ts'
import { get, type ApiRequest } from '../api/request.ts'
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

/** `of`: what it is an answer of. */
type State<T> = Omit<Resource<T>, 'refresh'> & { of: string }
const fresh = <T>(of: string): State<T> => ({ of, value: null, headers: null, problem: null, loading: true })

/** `every_ms` null: not by itself. */
export const useResource = <T>(path: string, every_ms: number | null = null): Resource<T> =>
  useAsked(get(path), every_ms)

/** The same of a request that is none for a path alone; null: nothing is asked. */
export function useAsked<T>(request: ApiRequest | null, every_ms: number | null): Resource<T> {
  const client = useClient()
  const of = JSON.stringify(request)
  const [state, set] = useState<State<T>>(() => fresh(of))
  const poller = useRef<Poller | null>(null)
  const asked = useRef(request)
  asked.current = request
  useEffect(() => {
    const { current: request } = asked
    if (request === null) return
    let gone = false
    const ask = async () => {
      const answer = await client.send<T>(request)
      // One of something else that was asked before is not shown.
      if (gone) return
      set((before) =>
        answer.ok
          ? { of, value: answer.value, headers: answer.headers, problem: null, loading: false }
          : { ...(before.of === of ? before : fresh<T>(of)), problem: answer.problem, loading: false },
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
  }, [client, of, every_ms])
  const shown = state.of === of ? state : fresh<T>(of)
  const refresh = useCallback(() => poller.current?.now(), [])
  return { ...shown, refresh }
}
