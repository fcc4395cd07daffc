/** Reads something from the service: at once, on demand, and at intervals while the page is shown. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { startTimer } from '../api/asker.ts'
import { pollerOf, type Poller } from '../api/poller.ts'
import { get, type ApiRequest } from '../api/request.ts'
import type { Problem } from '../api/wire.ts'
import { useClient } from './session.tsx'

export interface Resource<T> {
  /** The latest value; null before the first answer. It stays while a later request fails. */
  value: T | null
  problem: Problem | null
  /** A read is under way that is the first, or that `refresh` asked for. */
  loading: boolean
  refresh(): void
}

/** `of` names the request that the state belongs to. */
type ResourceState<T> = Omit<Resource<T>, 'refresh'> & { of: string }
const fresh = <T>(of: string): ResourceState<T> => ({ of, value: null, problem: null, loading: true })

/** `every_ms` null: it is read again on demand only. */
export const useResource = <T>(path: string, every_ms: number | null = null): Resource<T> =>
  useRequest(get(path), every_ms)

/** Does the same for a request with a body; null asks nothing. */
export function useRequest<T>(request: ApiRequest | null, every_ms: number | null): Resource<T> {
  const client = useClient()
  const of = JSON.stringify(request)
  const [state, set] = useState<ResourceState<T>>(() => fresh(of))
  const poller = useRef<Poller | null>(null)
  const latest = useRef(request)
  latest.current = request
  useEffect(() => {
    const { current: request } = latest
    if (request === null) return
    let isGone = false
    const ask = async () => {
      const answer = await client.send<T>(request)
      // An answer to an earlier request is not shown.
      if (isGone) return
      set((before) =>
        answer.ok
          ? { of, value: answer.value, problem: null, loading: false }
          : { ...(before.of === of ? before : fresh<T>(of)), problem: answer.problem, loading: false },
      )
    }
    const current = pollerOf(ask, every_ms, startTimer, () => document.hidden)
    poller.current = current
    current.now()
    const onVisibility = () => {
      if (every_ms !== null && !document.hidden) current.now()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      isGone = true
      current.stop()
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [client, of, every_ms])
  const shown = state.of === of ? state : fresh<T>(of)
  const refresh = useCallback(() => {
    if (poller.current === null) return
    set((before) => ({ ...before, loading: true }))
    poller.current.now()
  }, [])
  return { ...shown, refresh }
}
