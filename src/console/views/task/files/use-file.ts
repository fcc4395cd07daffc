/** Reads the content of a file of the task. After a failure it can be read again. */
import { useEffect, useState } from 'preact/hooks'
import { taskPath } from '../../../api/request.ts'
import type { Problem } from '../../../api/wire.ts'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'

interface FileContent {
  /** The content; null before it is read. */
  blob: Blob | null
  problem: Problem | null
  /** Whether the file is being read. A problem stays until the next answer. */
  busy: boolean
  again(): void
}
const READING = { blob: null, problem: null, busy: true }
const IDLE = { ...READING, busy: false }

export function useFile(name: string): FileContent {
  const client = useClient()
  const { task } = useTask()
  const [state, setState] = useState<Omit<FileContent, 'again'>>(READING)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const answer = await client.fetchFile(taskPath(task.id, 'files', name))
      if (isGone) return
      setState(answer.ok ? { ...IDLE, blob: answer.value } : { ...IDLE, problem: answer.problem })
    }
    setState((before) => ({ ...READING, problem: before.problem }))
    void read()
    return () => {
      isGone = true
    }
  }, [client, task.id, name, attempt])
  return { ...state, again: () => setAttempt(attempt + 1) }
}
