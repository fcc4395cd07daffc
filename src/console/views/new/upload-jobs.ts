/** Uploads of files into new tasks. They go on in every view, and refused files wait here to be sent again. */
import type { Client } from '../../api/client.ts'
import { uploadFiles, type FileUpload } from '../../api/upload-files.ts'
import { drafts } from '../../state/drafts.ts'

export interface UploadJob {
  /** The id of the task. */
  id: string
  uploads: readonly FileUpload[]
  busy: boolean
}
/** Unfinished uploads are stored as drafts, because they are lost when the page is left. */
export const UPLOAD_JOBS = 'uploads'
export const NO_JOBS: UploadJob[] = []

const jobs = () => (drafts.read(UPLOAD_JOBS) ?? NO_JOBS) as UploadJob[] // only jobs are stored there
function set(others: UploadJob[]): void {
  if (others.length === 0) drafts.drop(UPLOAD_JOBS)
  else drafts.keep(UPLOAD_JOBS, others)
}

/** Forgets a job. A file that is being sent arrives; the others are not sent again. */
export const forgetJob = (id: string) => set(jobs().filter((job) => job.id !== id))

export async function beginJob(client: Client, id: string, uploads: readonly FileUpload[]): Promise<void> {
  set([...jobs().filter((job) => job.id !== id), { id, uploads, busy: true }])
  // A job that was forgotten meanwhile is not stored again.
  const report = (uploads: readonly FileUpload[], busy: boolean) =>
    set(jobs().map((job) => (job.id === id ? { id, uploads, busy } : job)))
  const all = await uploadFiles(client, id, uploads, (uploads) => report(uploads, true))
  if (all.every(({ state }) => state === 'there')) forgetJob(id)
  else report(all, false)
}
