/** Files on their way into tasks that have been made: they go on whatever view is shown, and what is refused waits here to be put again. */
import type { Client } from '../../api/client.ts'
import { uploadFiles, type FileUpload } from '../../api/upload-files.ts'
import { drafts } from '../../state/drafts.ts'

export interface UploadJob {
  /** Of the task. */
  id: string
  uploads: readonly FileUpload[]
  busy: boolean
}
/** Until all files of a task are there they are kept as drafts are: leaving the page would lose them. */
export const UPLOAD_JOBS = 'uploads'
export const NO_JOBS: UploadJob[] = []

const jobs = () => (drafts.read(UPLOAD_JOBS) ?? NO_JOBS) as UploadJob[] // nothing else is kept there
function set(others: UploadJob[]): void {
  if (others.length === 0) drafts.drop(UPLOAD_JOBS)
  else drafts.keep(UPLOAD_JOBS, others)
}

/** Forgets it: what is on its way arrives, what is not there is not put again. */
export const forgetJob = (id: string) => set(jobs().filter((job) => job.id !== id))

export async function beginJob(client: Client, id: string, uploads: readonly FileUpload[]): Promise<void> {
  set([...jobs().filter((job) => job.id !== id), { id, uploads, busy: true }])
  // One that has been left, or was of another key, is told of no more.
  const tell = (uploads: readonly FileUpload[], busy: boolean) =>
    set(jobs().map((job) => (job.id === id ? { id, uploads, busy } : job)))
  const all = await uploadFiles(client, id, uploads, (told) => tell(told, true))
  if (all.every(({ state }) => state === 'there')) forgetJob(id)
  else tell(all, false)
}
