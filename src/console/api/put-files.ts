/** Puts files of the reader's into a task, one after the other, and tells how far each is; what is refused can be put again. */
import type { Client } from './client.ts'
import { ofTask, type ApiRequest } from './request.ts'
import type { Problem } from './wire.ts'

export interface Chosen {
  /** What it will be called. */
  name: string
  file: File
}
export interface Upload extends Chosen {
  state: 'waiting' | 'sending' | 'there' | 'refused'
  /** Of it is on its way; 1 is all. */
  share: number
  problem: Problem | null
}
export const waiting = ({ name, file }: Chosen): Upload => ({ name, file, state: 'waiting', share: 0, problem: null })

export const putOf = (id: string, { name, file }: Chosen): ApiRequest => ({
  method: 'PUT',
  path: ofTask(id, 'files', name),
  file,
})

/** Those that are not there yet; `tell` hears all of them after each change, and the last state is answered. */
export async function putFiles(
  client: Pick<Client, 'sendFile'>,
  id: string,
  uploads: readonly Upload[],
  tell: (uploads: readonly Upload[]) => void,
): Promise<readonly Upload[]> {
  let all = uploads
  const set = (index: number, change: Partial<Upload>) => {
    all = all.map((upload, at) => (at === index ? { ...upload, ...change } : upload))
    tell(all)
  }
  for (const [index, upload] of uploads.entries()) {
    if (upload.state === 'there') continue
    set(index, { state: 'sending', share: 0, problem: null })
    const answer = await client.sendFile(putOf(id, upload), (share) => set(index, { share }))
    set(index, answer.ok ? { state: 'there' } : { state: 'refused', problem: answer.problem })
  }
  return all
}
