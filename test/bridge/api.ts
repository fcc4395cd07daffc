/** The delegations of a service, played from a table in memory over real HTTP: enough of the contract for what works on them. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answered, isFree, listed, newRow, problem, type Answer, type Asked, type Row } from './api-table.ts'

/** Looks at a request before the table does: an answer takes its place, `drop` breaks the connection, null leaves it to the table. */
export type Fault = (asked: Asked) => Answer | 'drop' | null | Promise<Answer | 'drop' | null>

export interface Api {
  url: string
  rows: Row[]
  asked: Asked[]
  /** How many requests their callers have left before they were answered. */
  hungUp: number
  fault: Fault | null
  /** A new pending command. */
  add(changes?: Partial<Row>): Row
  /** What the service does by itself. */
  change(row: Row, changes: Partial<Row>): void
  /** Resolves once `check` holds; looked at after each request and change. */
  until(check: () => boolean): Promise<void>
  close(): Promise<void>
}
interface Manner {
  waits: boolean
  page: number
  changed: EventEmitter
  closing: AbortSignal
}

/** `waits` false: an empty list is answered at once, whatever the caller prefers; `page`: no page is longer. */
export async function startApi({ waits = true, page = 100 } = {}): Promise<Api> {
  const changed = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const api: Api = {
    // A server that listens on a port has an address of this kind.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows: [],
    asked: [],
    hungUp: 0,
    fault: null,
    add: (changes = {}) => {
      const row = newRow(api.rows.length + 1, changes)
      api.rows.push(row)
      changed.emit('change')
      return row
    },
    change: (row, changes) => {
      Object.assign(row, changes)
      changed.emit('change')
    },
    until: async (check) => {
      while (!check()) await once(changed, 'change')
    },
    close: async () => {
      closing.abort()
      changed.emit('change')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const manner = { waits, page, changed, closing: closing.signal }
  server.on('request', (request, response) => void serve(api, manner, request, response))
  return api
}

async function serve(api: Api, manner: Manner, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await read(request).catch(() => null)
  if (asked === null) return
  api.asked.push(asked)
  response.on('close', () => {
    if (!response.writableFinished) api.hungUp += 1
    manner.changed.emit('change')
  })
  manner.changed.emit('change')
  const answer = await answerOf(api, manner, asked)
  if (answer === 'drop') request.socket.destroy()
  else send(response, answer)
  manner.changed.emit('change')
}

async function answerOf(api: Api, { waits, page, changed, closing }: Manner, asked: Asked): Promise<Answer | 'drop'> {
  const faulty = (await api.fault?.(asked)) ?? null
  if (faulty !== null) return faulty
  if (asked.headers.authorization !== 'Bearer dev-key') return problem(401, 'unauthorized', 'Not a known key.')
  if (!asked.path.startsWith('/delegations?')) return answered(api.rows, asked)
  if (waits && /^wait=\d+$/.test(String(asked.headers['prefer'])))
    while (!api.rows.some(isFree) && !closing.aborted) await once(changed, 'change')
  return listed(api.rows, asked, page)
}

async function read(request: IncomingMessage): Promise<Asked> {
  const decoder = new TextDecoder()
  let body = ''
  for await (const chunk of request) body += decoder.decode(chunk, { stream: true })
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
}

function send(response: ServerResponse, { status, body = '', headers = {} }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}
