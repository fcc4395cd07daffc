/** Uploads files into a task, one after the other, and reports how far each is. A refused file can be sent again. */
import type { Client } from './client.ts'
import { taskPath, type ApiRequest } from './request.ts'
import type { Problem } from './wire.ts'

export interface ChosenFile {
  /** The name that the file will have in the task. */
  name: string
  file: File
}
export interface FileUpload extends ChosenFile {
  state: 'waiting' | 'sending' | 'there' | 'refused'
  /** The share that is sent, from 0 to 1. */
  share: number
  problem: Problem | null
}
export const newUpload = ({ name, file }: ChosenFile): FileUpload => ({
  name,
  file,
  state: 'waiting',
  share: 0,
  problem: null,
})

export const uploadRequest = (id: string, { name, file }: ChosenFile): ApiRequest => ({
  method: 'PUT',
  path: taskPath(id, 'files', name),
  file,
})

/** Sends the files that are not there yet. `report` gets all uploads after each change; the last state is returned. */
export async function uploadFiles(
  client: Pick<Client, 'sendFile'>,
  id: string,
  uploads: readonly FileUpload[],
  report: (uploads: readonly FileUpload[]) => void,
): Promise<readonly FileUpload[]> {
  let all = uploads
  const set = (index: number, change: Partial<FileUpload>) => {
    all = all.map((upload, at) => (at === index ? { ...upload, ...change } : upload))
    report(all)
  }
  for (const [index, upload] of uploads.entries()) {
    if (upload.state === 'there') continue
    set(index, { state: 'sending', share: 0, problem: null })
    const answer = await client.sendFile(uploadRequest(id, upload), (share) => set(index, { share }))
    set(index, answer.ok ? { state: 'there' } : { state: 'refused', problem: answer.problem })
  }
  return all
}
