/** Tavily: `POST /search` with a bearer key. It is asked for plain results only, without its own answer or whole pages. */
import * as z from 'zod'
import { endpointUrl, fetchJson, resultsOf } from './fetch-json.ts'
import { toHits } from './hits.ts'
import type { SearchMaker } from './search-config.ts'

const ORIGIN = 'https://api.tavily.com'

const Reply = z.object({
  results: resultsOf(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
})

export const tavilySearch: SearchMaker =
  (config, fetch) =>
  async (query, { top_k, timeout_ms }) => {
    const url = endpointUrl(config.base_url ?? ORIGIN, '/search', {})
    const headers = { authorization: `Bearer ${config.api_key ?? ''}` }
    const body = {
      query,
      max_results: top_k,
      search_depth: 'basic',
      include_answer: false,
      include_raw_content: false,
    }
    const reply = await fetchJson(fetch, { url, timeout_ms, headers, body }, Reply)
    const raws = reply.results.map(({ title, content, url: link }) => ({ title, summary: content, link }))
    return toHits(raws, top_k)
  }
