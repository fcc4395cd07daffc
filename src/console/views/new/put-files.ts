/** Puts the files of a new task, one after the other; what is refused can be put again. */
import type { Client } from '../../api/client.ts'
import { ofTask, type ApiRequest } from '../../api/request.ts'
import type { Problem } from '../../api/wire.ts'

export interface Chosen {
  name: string
  file: File
}
export interface Upload extends Chosen {
  state: 'waiting' | 'sending' | 'there' | 'refused'
  problem: Problem | null
}
export const waiting = ({ name, file }: Chosen): Upload => ({ name, file, state: 'waiting', problem: null })

export const putOf = (id: string, { name, file }: Chosen): ApiRequest => ({
  method: 'PUT',
  path: ofTask(id, 'files', name),
  file,
})

/** Those that are not there yet; `tell` hears all of them after each change, and the last state is answered. */
export async function putFiles(
  client: Pick<Client, 'send'>,
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
    set(index, { state: 'sending', problem: null })
    const answer = await client.send(putOf(id, upload))
    set(index, answer.ok ? { state: 'there' } : { state: 'refused', problem: answer.problem })
  }
  return all
}
