/** The content of a file of the task, fetched with the key; one that could not be read can be read again. */
import { useEffect, useState } from 'preact/hooks'
import { taskPath } from '../../../api/request.ts'
import type { Problem } from '../../../api/wire.ts'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'

interface FileContent {
  /** null before it is there. */
  blob: Blob | null
  problem: Problem | null
  /** Whether it is being read; a problem stays until that is over. */
  busy: boolean
  again(): void
}
const NOTHING = { blob: null, problem: null, busy: true }
const STILL = { ...NOTHING, busy: false }

export function useFile(name: string): FileContent {
  const client = useClient()
  const { task } = useTask()
  const [state, set] = useState<Omit<FileContent, 'again'>>(NOTHING)
  const [turn, next] = useState(0)
  useEffect(() => {
    let gone = false
    const read = async () => {
      const answer = await client.fetchFile(taskPath(task.id, 'files', name))
      if (gone) return
      set(answer.ok ? { ...STILL, blob: answer.value } : { ...STILL, problem: answer.problem })
    }
    set((before) => ({ ...NOTHING, problem: before.problem }))
    void read()
    return () => {
      gone = true
    }
  }, [client, task.id, name, turn])
  return { ...state, again: () => next(turn + 1) }
}
