/** The receiver of callbacks: it refuses some tries, answers some late, and writes down each of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { TaskView } from '../../../src/core/terms/view.ts'
import { withoutFiles } from '../known.ts'
import { roll } from '../script/rolls.ts'
import { checkSigned, textOf, type Handler, type Shared } from './shared.ts'

/** One message, however often it was tried. */
export interface Told {
  task: string
  /** The row that the message is about, from its id. */
  row: number
  status: string
  text: string
  tries: number
  /** Whether one of its tries was accepted. */
  taken: boolean
  /** The times of its first and its latest try. */
  since: number
  at: number
}
export interface Receiver {
  /** The messages by `webhook-id`, in the order of their first arrival. */
  told: Map<string, Told>
  under_way(): number
}

const Message = z.object({ type: z.string(), timestamp: z.string(), data: TaskView.omit({ slice: true }) })
/** The percentage of refused tries; only first tries are refused, so that no message waits for minutes. */
const REFUSED = 15

export function newReceiver(shared: Shared): { receiver: Receiver; serve: Handler } {
  const told: Receiver['told'] = new Map()
  const { tally } = shared
  let open = 0
  const serve: Handler = async (request, response, url) => {
    const text = await textOf(request)
    const id = String(request.headers['webhook-id'])
    const read = Message.safeParse(JSON.parse(text))
    tally.demand(read.success, 'a message is a task', () => `${id}: ${read.error?.message} ${text.slice(0, 300)}`)
    if (!read.success) return void response.writeHead(400).end()
    const { type, data } = read.data
    checkSigned(shared, url.pathname.split('/').at(-1) ?? '', text, request.headers, data.id)
    const named = type === `task.${data.status}` && id.startsWith(`${data.id}_`)
    tally.demand(named, 'a message is named for what it tells', () => `${id} ${type} ${data.status}`, data.id)
    const message = note(shared, told, id, data, text)
    open += 1
    response.on('close', () => (open -= 1))
    shared.moments.tell('hook')
    const thrown = roll(100, shared.seed, id, message.tries)
    if (!shared.quiet) await sleep(thrown < 10 ? 200 : thrown % 30)
    if (response.destroyed) return
    if (thrown < REFUSED && message.tries < 3 && !message.taken) {
      tally.seen('callback refused')
      return void response.writeHead(503, { 'retry-after': '1' }).end()
    }
    message.taken = true
    response.writeHead(204).end()
  }
  return { receiver: { told, under_way: () => open }, serve }
}

type Data = z.infer<typeof Message>['data']

/** Messages come in order, one at a time, and each try has the same content. */
function note({ tally }: Shared, all: Map<string, Told>, id: string, { id: task, status }: Data, text: string): Told {
  const row = Number(id.slice(task.length + 1))
  const known = all.get(id)
  const at = Date.now()
  if (known !== undefined) {
    const same = withoutFiles(known.text) === withoutFiles(text)
    tally.demand(same, 'a message says the same on each try', () => `${known.text}\n  ${text}`, task)
    tally.seen('callback tried again')
    known.tries += 1
    known.at = at
    return known
  }
  for (const earlier of all.values()) {
    if (earlier.task !== task) continue
    const inOrder = earlier.taken && earlier.row < row
    const shown = () => `row ${row} after row ${earlier.row}, ${earlier.taken ? '' : 'not '}taken`
    tally.demand(inOrder, 'messages of a task come in order', shown, task)
  }
  const fresh: Told = { task, row, status, text, tries: 1, taken: false, since: at, at }
  all.set(id, fresh)
  return fresh
}
