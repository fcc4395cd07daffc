/** The delegations of a service, played from a table in memory over real HTTP: enough of the contract for what works on them. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Row {
  id: string
  command_id: string
  command_type: string
  session_id: string
  status: 'pending' | 'reported' | 'expired' | 'canceled'
  deadline: string
  created_at: string
  claim: { worker: string; until: string } | null
  /** The body as it came. */
  report: string | null
  file: string
}
export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}
export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}
/** Looks at a request before the table does: an answer takes its place, `drop` breaks the connection, null leaves it to the table. */
export type Fault = (asked: Asked) => Answer | 'drop' | null | Promise<Answer | 'drop' | null>

export interface Api {
  url: string
  rows: Row[]
  asked: Asked[]
  /** A new pending command. */
  add(changes?: Partial<Row>): Row
  /** What the service does by itself. */
  change(row: Row, changes: Partial<Row>): void
  fault: Fault | null
  /** Resolves once `check` holds; looked at after each request and change. */
  until(check: () => boolean): Promise<void>
  close(): Promise<void>
}

const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
const fileOf = (id: string, type: string, session: string) =>
  `---\nid: ${id}\ncreated_at: 2030-01-01T00:00:00Z\nsession_id: ${session}\ncommand_type: ${type}\n---\n\n## 任务描述\nDo it.\n\n---\nnot the end\n`

/** `waits` false: an empty list is answered at once, whatever the caller prefers; `page`: no page is longer. */
export async function startApi({ waits = true, page = 100 } = {}): Promise<Api> {
  const changed = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  const api: Api = {
    url: '',
    rows: [],
    asked: [],
    fault: null,
    add: (changes = {}) => {
      const n = api.rows.length + 1
      const command_id = changes.command_id ?? `task-${uuid(n)}`
      const { command_type = 'new', session_id = 'auto' } = changes
      const row: Row = {
        id: `delegation_abc_${n}`,
        command_id,
        command_type,
        session_id,
        status: 'pending',
        deadline: new Date(Date.now() + 600_000).toISOString(),
        created_at: new Date(1_900_000_000_000 + n).toISOString(),
        claim: null,
        report: null,
        file: fileOf(command_id, command_type, session_id),
        ...changes,
      }
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
  const free = () => api.rows.filter(({ status, claim }) => status === 'pending' && !isHeld(claim))
  const list = async (asked: Asked): Promise<Answer> => {
    const query = new URL(asked.path, 'http://api').searchParams
    const wait = waits && /^wait=\d+$/.test(String(asked.headers['prefer']))
    if (wait) while (free().length === 0 && !closing.signal.aborted) await once(changed, 'change')
    // Newest first, and the cursor is the place of the last one of the page before.
    const entries = free().toReversed()
    const from = Number(query.get('after') ?? 0)
    const to = from + Math.min(Number(query.get('limit') ?? 20), page)
    const has_more = to < entries.length
    const body = { data: entries.slice(from, to).map(shown), has_more, next_cursor: has_more ? String(to) : null }
    return { status: 200, body }
  }
  const answer = async (asked: Asked): Promise<Answer | 'drop'> => {
    const faulty = (await api.fault?.(asked)) ?? null
    if (faulty !== null) return faulty
    if (asked.headers.authorization !== 'Bearer dev-key') return problem(401, 'unauthorized', 'Not a known key.')
    const [, id = '', action = ''] = /^\/delegations(?:\/([^/?]+))?(?:\/(\w+))?/.exec(asked.path) ?? []
    if (id === '') return list(asked)
    const row = api.rows.find((candidate) => candidate.id === decodeURIComponent(id))
    if (row === undefined) return problem(404, 'delegation_not_found', 'There is no such delegation.')
    if (action === 'claim') return claim(row, asked)
    if (action === 'report') return report(row, asked)
    return asked.headers.accept === 'text/markdown'
      ? { status: 200, body: row.file }
      : { status: 200, body: shown(row) }
  }
  const server = createServer((request, response) => void serve(request, response))
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = await read(request).catch(() => null)
    if (asked === null) return
    api.asked.push(asked)
    changed.emit('change')
    const answered = await answer(asked)
    if (answered === 'drop') request.socket.destroy()
    else send(response, answered)
    changed.emit('change')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return api
}

const isHeld = (claim: Row['claim']) => claim !== null && Date.parse(claim.until) > Date.now()
const shown = ({ file: _file, ...row }: Row) => ({
  ...row,
  status: row.status === 'pending' && isHeld(row.claim) ? 'claimed' : row.status,
})

export function problem(status: number, code: string, detail: string, headers: Record<string, string> = {}): Answer {
  return { status, body: { type: 'about:blank', status, code, detail, title: code }, headers }
}

const SETTLED = {
  reported: problem(409, 'already_reported', 'Another report was recorded for this command, and stands.'),
  expired: problem(409, 'delegation_expired', 'Its deadline has passed.'),
  canceled: problem(409, 'delegation_canceled', 'This command was withdrawn.'),
}

function claim(row: Row, { body }: Asked): Answer {
  // What the programs under test send; another shape fails below.
  const { worker, lease_s } = JSON.parse(body) as { worker: string; lease_s: number }
  if (row.status !== 'pending') return SETTLED[row.status]
  if (isHeld(row.claim) && row.claim?.worker !== worker)
    return problem(409, 'delegation_claimed', `${row.claim?.worker} works on it.`, { 'retry-after': '30' })
  row.claim = { worker, until: new Date(Date.now() + lease_s * 1_000).toISOString() }
  return { status: 200, body: shown(row) }
}

function report(row: Row, { body }: Asked): Answer {
  const about = /^command_id: (\S+)$/m.exec(body)?.[1] ?? row.command_id
  if (about !== row.command_id) return problem(409, 'wrong_command', `The report is about ${about}.`)
  if (row.status === 'reported' && row.report === body) return { status: 200, body: shown(row) }
  if (row.status !== 'pending') return SETTLED[row.status]
  Object.assign(row, { status: 'reported', report: body })
  return { status: 200, body: shown(row) }
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
