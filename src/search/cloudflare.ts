/**
 * Cloudflare's Web Search API by the AI binding, through the AI Gateway `default` of the account, which bills it. Nothing leaves by the network of
 * the Worker, so there is neither an address nor a key.
 */
import * as z from 'zod'
import { readWhole } from '../shell/network/read-whole.ts'
import { resultsOf } from './fetch-json.ts'
import { toHits } from './hits.ts'
import type { Search } from '../shell/ports.ts'

/** The part of the AI binding that searches. */
export interface WebSearchBinding {
  websearch(request: { gatewayId: string; query: string; limit: number }): Promise<Response>
}

const GATEWAY = 'default'
const ANSWER_BYTES_MAX = 1_048_576

const Items = resultsOf(z.object({ title: z.string(), url: z.string(), description: z.string().nullish() }))
/** REST answers of Cloudflare wrap what is asked for as `result`. */
const Reply = z.union([
  z.object({ items: Items }),
  z.object({ result: z.object({ items: Items }) }).transform(({ result }) => result),
])

export const cloudflareSearch =
  (binding: WebSearchBinding): Search['search'] =>
  async (query, { top_k }) => {
    const response = await binding.websearch({ gatewayId: GATEWAY, query, limit: top_k })
    const bytes = await readWhole(response, ANSWER_BYTES_MAX)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    if (bytes === null) throw new Error('reply too large')
    const reply = Reply.safeParse(parsed(bytes))
    if (!reply.success) throw new Error('unexpected reply')
    const raws = reply.data.items.map(({ title, description, url: link }) => ({ title, summary: description, link }))
    return toHits(raws, top_k)
  }

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new Error('reply is not JSON')
  }
}
