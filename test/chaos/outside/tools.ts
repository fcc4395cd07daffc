/** The targets of acts outside: a search, and two tools of the clients, of which one may be called once and one may be repeated under its key. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { markIn, roll } from '../script/rolls.ts'
import { checkSigned, enter, textOf, type Handler, type Shared } from './shared.ts'

/** A call of a client's own tool as it arrived. */
export interface Ring {
  task: string
  tool: string
  key: string
  at: number
}
export interface Tools {
  /** How often each mark was searched for. */
  searches: Map<string, number>
  /** By mark. */
  rings: Map<string, Ring[]>
  under_way(): { searches: number; rings: number }
}

const Body = z.object({
  task_id: z.string(),
  call_id: z.string(),
  tool: z.string(),
  arguments: z.object({ mark: z.string() }),
})

export function newTools(shared: Shared): { tools: Tools; search: Handler; ring: Handler } {
  const searches: Tools['searches'] = new Map()
  const rings: Tools['rings'] = new Map()
  const open = { searches: 0, rings: 0 }
  const search: Handler = async (_request, response, url) => {
    const query = url.searchParams.get('q') ?? ''
    searches.set(query, (searches.get(query) ?? 0) + 1)
    open.searches += 1
    response.on('close', () => (open.searches -= 1))
    shared.moments.tell('search')
    if (!shared.quiet) await sleep(20 + (query.length % 7) * 15)
    const results = [{ title: 'a page', url: 'https://example.org/', content: `about ${query.slice(-8)}` }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  }
  const ring: Handler = async (request, response, url) => {
    const text = await textOf(request)
    const { task_id: task, call_id: key, tool, arguments: given } = Body.parse(JSON.parse(text))
    checkSigned(shared, url.pathname.split('/').at(-1) ?? '', text, request.headers, task)
    const same = key === request.headers['idempotency-key'] && key === request.headers['webhook-id']
    shared.tally.demand(same, 'a call of a tool has one key', () => `${key} ${JSON.stringify(request.headers)}`, task)
    rings.set(given.mark, [...(rings.get(given.mark) ?? []), { task, tool, key, at: Date.now() }])
    enter(shared, task, given.mark, response)
    open.rings += 1
    response.on('close', () => (open.rings -= 1))
    shared.moments.tell('ring')
    const thrown = roll(100, shared.seed, given.mark)
    if (!shared.quiet) await sleep(thrown < 20 ? 150 + thrown : 5 + thrown / 2)
    if (thrown >= 97 && !shared.quiet) return void response.writeHead(500).end()
    const status = thrown >= 90 ? 'error' : 'success'
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status, of: markIn(given.mark)?.seq }))
  }
  return { tools: { searches, rings, under_way: () => ({ ...open }) }, search, ring }
}
