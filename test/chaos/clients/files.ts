/** Files that clients put and read back, byte for byte. */
import { contentTypeOf } from '../../../src/core/terms/files/file-types.ts'
import { ask, getReply } from '../ask.ts'
import type { Known } from '../known.ts'
import { roll } from '../script/rolls.ts'
import { asking, view, type Client } from './asking.ts'

export const salesOf = (of: string) => {
  const rows = Array.from({ length: 8 }, (_, index) => `2026-01-0${index + 1},${roll(900, of, index)},${of}`)
  return `day,amount,of\n${rows.join('\n')}\n`
}

/** Each name is uploaded by one client at a time. */
export async function putFile(client: Client, known: Known, name: string, text: string): Promise<boolean> {
  const { bench } = client
  const { files } = bench.acks
  const named = files.get(known.id) ?? new Map<string, { stands: string | null; maybe: string[] }>()
  files.set(known.id, named)
  const file = named.get(name) ?? { stands: null, maybe: [] }
  named.set(name, file)
  file.maybe.push(text)
  const plain = asking(client, 'put', `/tasks/${known.id}/files/${name}`, {})
  const asked = { ...plain, method: 'PUT' as const, key: null, body: text, task: known.id }
  bench.moments.tell('put')
  const answered = await ask(bench, { ...asked, headers: { 'content-type': contentTypeOf(name) } }, false)
  if (answered === null || answered.status >= 300) return false
  Object.assign(file, { stands: text, maybe: [] })
  bench.tally.seen('file put')
  return true
}

/** Each client uploads files under its own name. */
export async function changeFile(client: Client, known: Known): Promise<boolean> {
  const name = `of-${client.serial().split('-')[0]}.csv`
  return putFile(client, known, name, salesOf(client.serial()))
}

/** Puts the file that a task waits for. A task whose PUT was answered waits for it no longer. */
export async function putAwaited(client: Client, known: Known): Promise<boolean> {
  const { bench } = client
  const { pending } = known.view
  if (pending?.kind !== 'file') return false
  const { request_id, name } = pending
  bench.moments.tell('awaited put')
  const put = await putFile(client, known, name ?? 'sales.csv', salesOf(known.id))
  // Another client may have deleted the task since.
  if (!(await view(bench, known.tenant, known.id))) return put
  const waits = known.view.pending?.kind === 'file' && known.view.pending.request_id === request_id
  const shown = () => `${request_id}: ${name}, ${JSON.stringify(known.view).slice(0, 2_000)}`
  bench.tally.demand(!put || !waits, 'a task does not wait for a file that lies there', shown, known.id)
  return put
}

export async function checkFiles(client: Client, known: Known): Promise<void> {
  const { bench } = client
  for (const [name, file] of bench.acks.files.get(known.id) ?? []) {
    if (file.stands === null) continue
    const before = [file.stands, ...file.maybe]
    const reply = await getReply(bench, known.tenant, `/tasks/${known.id}/files/${name}`)
    if (reply === null) continue
    const may = [...before, file.stands, ...file.maybe]
    const shown = () => `${name}: ${reply.text.slice(0, 200)}\n  put ${file.stands?.slice(0, 200)}`
    bench.tally.demand(may.includes(reply.text), 'a file is what was put', shown, known.id)
    bench.tally.seen('file read back')
  }
}
