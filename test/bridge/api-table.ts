/** The table behind the played service: its rows, and what the contract says of claims and reports. */
import type { IncomingMessage } from 'node:http'

export interface Row {
  id: string
  command_id: string
  command_type: string
  session_id: string
  status: 'pending' | 'reported' | 'expired' | 'canceled'
  deadline: string
  created_at: string
  budget: { tokens: number | null; cost_usd: string | null; seconds: number | null } | null
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

const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
const fileOf = (id: string, type: string, session: string) =>
  `---\nid: ${id}\ncreated_at: 2030-01-01T00:00:00Z\nsession_id: ${session}\ncommand_type: ${type}\n---\n\n## 任务描述\nDo it.\n\n---\nnot the end\n`

/** A pending command, the n-th. */
export function newRow(n: number, changes: Partial<Row>): Row {
  const command_id = changes.command_id ?? `task-${uuid(n)}`
  const { command_type = 'new', session_id = 'auto' } = changes
  return {
    id: `delegation_abc_${n}`,
    command_id,
    command_type,
    session_id,
    status: 'pending',
    deadline: new Date(Date.now() + 600_000).toISOString(),
    created_at: new Date(1_900_000_000_000 + n).toISOString(),
    budget: null,
    claim: null,
    report: null,
    file: fileOf(command_id, command_type, session_id),
    ...changes,
  }
}

export const isFree = ({ status, claim }: Row) => status === 'pending' && !isHeld(claim)

/** Newest first, and the cursor is the place behind the last one of the page. */
export function listed(rows: Row[], { path }: Asked, longest: number): Answer {
  const query = new URL(path, 'http://api').searchParams
  const entries = rows.filter(isFree).toReversed()
  const from = Number(query.get('after') ?? 0)
  const to = from + Math.min(Number(query.get('limit') ?? 20), longest)
  const has_more = to < entries.length
  const data = entries.slice(from, to).map(shown)
  return { status: 200, body: { data, has_more, next_cursor: has_more ? String(to) : null } }
}

/** Of all routes but the list. */
export function answered(rows: Row[], asked: Asked): Answer {
  const [, id = '', action = ''] = /^\/delegations\/([^/?]+)(?:\/(\w+))?/.exec(asked.path) ?? []
  const row = rows.find((candidate) => candidate.id === decodeURIComponent(id))
  if (row === undefined) return problem(404, 'delegation_not_found', 'There is no such delegation.')
  if (action === 'claim') return claim(row, asked)
  if (action === 'report') return report(row, asked)
  return { status: 200, body: asked.headers.accept === 'text/markdown' ? row.file : shown(row) }
}

/** In JSON as in front matter. */
const sessionIn = (report: string) =>
  /^session_id: (\S+)$|"session_id":"(\S+?)"/m.exec(report)?.slice(1).find(Boolean) ?? null
const isHeld = (claim: Row['claim']) => claim !== null && Date.parse(claim.until) > Date.now()
const shown = ({ file: _file, ...row }: Row) => ({
  ...row,
  report: row.report === null ? null : { session_id: sessionIn(row.report) },
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
