/** Reads the list of files of the shown task, and reads it again after each change of the task. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { askerOf, startTimer, type Asker } from '../../../api/asker.ts'
import type { ApiAnswer, Client } from '../../../api/client.ts'
import { get, taskPath, queryText, type ApiRequest } from '../../../api/request.ts'
import type { FileView, Page, Problem } from '../../../api/wire.ts'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'

interface TaskFiles {
  /** The files; null before the first answer. */
  files: readonly FileView[] | null
  problem: Problem | null
}

const PAGE = 100
export const filesPage = (id: string, after: string | null): ApiRequest =>
  get(taskPath(id, 'files') + queryText({ limit: PAGE, after }))

const NOTHING: TaskFiles = { files: null, problem: null }
/** A task that has ended sends no events, so a failed request is repeated after this time. */
const RETRY_MS = 3_000

export function useFiles(): TaskFiles & { refresh: () => void } {
  const client = useClient()
  const { task, events } = useTask()
  const [state, set] = useState(NOTHING)
  const asker = useRef<Asker | null>(null)
  useEffect(() => {
    const current = filesAsker(client, task.id, (change) => set((before) => ({ ...before, ...change })))
    asker.current = current
    return () => current.stop()
  }, [client, task.id])
  const last = events.at(-1)?.seq ?? 0
  useEffect(() => asker.current?.now(), [client, task.id, task.version, last])
  return { ...state, refresh: () => asker.current?.now() }
}

function filesAsker(client: Client, id: string, onChange: (change: Partial<TaskFiles>) => void): Asker {
  const asker = askerOf(async (isStopped) => {
    const answer = await readAllPages(client, id)
    if (isStopped()) return
    onChange(answer)
    if (answer.problem !== null && mayPass(answer.problem)) asker.after(RETRY_MS)
  }, startTimer)
  return asker
}

type FilesChange = Partial<TaskFiles> & Pick<TaskFiles, 'problem'>
/** A task that is gone, or is not for this key, does not come back. */
const mayPass = ({ status }: Problem) => status !== 404 && status !== 401

/** Reads all pages. A task has at most two, because it has about a hundred files at most. */
async function readAllPages(client: Client, id: string): Promise<FilesChange> {
  const files: FileView[] = []
  for (let after: string | null = null; ;) {
    const answer: ApiAnswer<Page<FileView>> = await client.send(filesPage(id, after))
    if (!answer.ok) return { problem: answer.problem }
    files.push(...answer.value.data)
    const next: string | null = answer.value.has_more ? answer.value.next_cursor : null
    if (next === null) return { files, problem: null }
    after = next
  }
}
