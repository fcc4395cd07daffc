/** Files on their way into tasks that have been made: they go on whatever view is shown, and what is refused waits here to be put again. */
import type { Client } from '../../api/client.ts'
import { putFiles, type Upload } from '../../api/put-files.ts'
import { drafts } from '../../state/drafts.ts'

export interface Job {
  /** Of the task. */
  id: string
  uploads: readonly Upload[]
  busy: boolean
}
/** Until all files of a task are there they are kept as drafts are: leaving the page would lose them. */
export const JOBS = 'uploads'
export const NONE: Job[] = []

const jobs = () => (drafts.read(JOBS) ?? NONE) as Job[] // nothing else is kept there
function set(others: Job[]): void {
  if (others.length === 0) drafts.drop(JOBS)
  else drafts.keep(JOBS, others)
}

/** Forgets it: what is on its way arrives, what is not there is not put again. */
export const leave = (id: string) => set(jobs().filter((job) => job.id !== id))

export async function begin(client: Client, id: string, uploads: readonly Upload[]): Promise<void> {
  set([...jobs().filter((job) => job.id !== id), { id, uploads, busy: true }])
  // One that has been left, or was of another key, is told of no more.
  const tell = (uploads: readonly Upload[], busy: boolean) =>
    set(jobs().map((job) => (job.id === id ? { id, uploads, busy } : job)))
  const all = await putFiles(client, id, uploads, (told) => tell(told, true))
  if (all.every(({ state }) => state === 'there')) leave(id)
  else tell(all, false)
}
