/** A task as it goes on (api/live.ts), for as long as a view shows it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { later } from '../api/asker.ts'
import { follow, type Follower, type Live, type Surroundings } from '../api/live.ts'
import type { TaskView } from '../api/wire.ts'
import { useClient } from './session.tsx'

const BROWSER: Surroundings = {
  open: (url) => new EventSource(url),
  later,
  hidden: () => document.hidden,
  onShown: (told) => {
    document.addEventListener('visibilitychange', told)
    return () => document.removeEventListener('visibilitychange', told)
  },
  onOnline: (told) => {
    window.addEventListener('online', told)
    return () => window.removeEventListener('online', told)
  },
}
const NOTHING: Live = { task: null, etag: null, events: [], connection: 'connecting', problem: null }

export interface LiveTask extends Live {
  take(task: TaskView, etag: string | null): void
  refresh(): void
}

export function useLiveTask(id: string): LiveTask {
  const client = useClient()
  const [live, set] = useState<Live>(NOTHING)
  const follower = useRef<Follower | null>(null)
  useEffect(() => {
    set(NOTHING)
    const made = follow(client, id, BROWSER, set)
    follower.current = made
    return () => made.stop()
  }, [client, id])
  return {
    ...live,
    take: (task, etag) => follower.current?.take(task, etag),
    refresh: () => follower.current?.refresh(),
  }
}
