/** Something that is read and shown: asked for at once, again when told to, and every so often while the page is seen. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
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
  const asked = useRef(0)
  const ask = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    const answer = await client.send<T>(get(path))
    // One that was overtaken by a later question is not shown.
    if (mine !== asked.current) return
    set((before) =>
      answer.ok
        ? { path, value: answer.value, headers: answer.headers, problem: null, loading: false }
        : { ...(before.path === path ? before : fresh<T>(path)), problem: answer.problem, loading: false },
    )
  }, [client, path])
  useEffect(() => {
    void ask()
    const again = () => {
      if (!document.hidden) void ask()
    }
    const timer = every_ms === null ? null : setInterval(again, every_ms)
    if (every_ms !== null) document.addEventListener('visibilitychange', again)
    return () => {
      asked.current += 1
      if (timer !== null) clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [ask, every_ms])
  const shown = state.path === path ? state : fresh<T>(path)
  return { ...shown, refresh: () => void ask() }
}
