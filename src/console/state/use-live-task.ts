/** A task as it goes on (`api/task-follower.ts`), for as long as a view shows it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { startTimer } from '../api/asker.ts'
import { UNREAD_TASK, type BrowserPort, type LiveState } from '../api/live-state.ts'
import { followTask, type TaskFollower } from '../api/task-follower.ts'
import { useClient } from './session.tsx'

const BROWSER: BrowserPort = {
  open: (url) => new EventSource(url),
  startTimer,
  isHidden: () => document.hidden,
  onVisibility: (listener) => {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
  onOnline: (listener) => {
    window.addEventListener('online', listener)
    return () => window.removeEventListener('online', listener)
  },
}

export type LiveTask = LiveState & Pick<TaskFollower, 'accept' | 'refresh'>

export function useLiveTask(id: string): LiveTask {
  const client = useClient()
  const [live, setLive] = useState(UNREAD_TASK)
  const current = useRef<TaskFollower | null>(null)
  useEffect(() => {
    setLive(UNREAD_TASK)
    const follower = followTask(client, id, BROWSER, setLive)
    current.current = follower
    return () => follower.stop()
  }, [client, id])
  return {
    ...live,
    accept: (task, etag) => current.current?.accept(task, etag),
    refresh: () => current.current?.refresh(),
  }
}
