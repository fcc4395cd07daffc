/** Files on their way into a task that has been made: they go on whatever view is shown, and what is refused waits here to be put again. */
import type { Client } from '../../api/client.ts'
import { putFiles, type Upload } from '../../api/put-files.ts'
import { drafts } from '../../state/drafts.ts'

export interface Job {
  /** Of the task. */
  id: string
  uploads: readonly Upload[]
  busy: boolean
}
/** Until all of them are there they are kept as drafts are: leaving the page would lose them. */
export const JOB = 'uploads'

export async function begin(client: Client, id: string, uploads: readonly Upload[]): Promise<void> {
  drafts.keep(JOB, { id, uploads, busy: true } satisfies Job)
  // Another key has taken the place of this one: nothing of it is told under that.
  const isMine = () => (drafts.read(JOB) as Job | undefined)?.id === id // nothing else is kept there
  const all = await putFiles(client, id, uploads, (told) => {
    if (isMine()) drafts.keep(JOB, { id, uploads: told, busy: true } satisfies Job)
  })
  if (!isMine()) return
  if (all.every(({ state }) => state === 'there')) drafts.drop(JOB)
  else drafts.keep(JOB, { id, uploads: all, busy: false } satisfies Job)
}
