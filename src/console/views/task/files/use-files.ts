/** The files of the task that is shown, read again when something has happened to it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { askerOf, startTimer, type Asker } from '../../../api/asker.ts'
import type { ApiAnswer, Client } from '../../../api/client.ts'
import { get, taskPath, queryText, type ApiRequest } from '../../../api/request.ts'
import type { FileView, Page, Problem } from '../../../api/wire.ts'
import { useClient } from '../../../state/session.tsx'
import { useTask } from '../task-context.tsx'

interface TaskFiles {
  /** null before the first answer. */
  files: readonly FileView[] | null
  problem: Problem | null
}

const PAGE = 100
export const filesPage = (id: string, after: string | null): ApiRequest =>
  get(taskPath(id, 'files') + queryText({ limit: PAGE, after }))

const NOTHING: TaskFiles = { files: null, problem: null }
/** A task that has ended tells of nothing any more: who could not read asks by itself. */
const RETRY_MS = 3_000

export function useFiles(): TaskFiles & { refresh: () => void } {
  const client = useClient()
  const { task, events } = useTask()
  const [state, set] = useState(NOTHING)
  const asker = useRef<Asker | null>(null)
  useEffect(() => {
    const made = reading(client, task.id, (change) => set((before) => ({ ...before, ...change })))
    asker.current = made
    return () => made.stop()
  }, [client, task.id])
  const last = events.at(-1)?.seq ?? 0
  useEffect(() => asker.current?.now(), [client, task.id, task.version, last])
  return { ...state, refresh: () => asker.current?.now() }
}

function reading(client: Client, id: string, changed: (change: Partial<TaskFiles>) => void): Asker {
  let stopped = false
  const asker = askerOf(async () => {
    const answer = await everyPage(client, id)
    if (stopped) return
    changed(answer)
    if (answer.problem !== null && mayPass(answer.problem)) asker.after(RETRY_MS)
  }, startTimer)
  const stop = () => {
    stopped = true
    asker.stop()
  }
  return { ...asker, stop }
}

type Answered = Partial<TaskFiles> & Pick<TaskFiles, 'problem'>
/** What is not there, or not for this key, will not be there by itself. */
const mayPass = ({ status }: Problem) => status !== 404 && status !== 401

/** A hundred that were put or written at most, and some documents: two pages. */
async function everyPage(client: Client, id: string): Promise<Answered> {
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
