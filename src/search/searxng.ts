/**
 * A SearXNG instance at its base address: `GET /search?format=json`. The instance must allow the json format (`search.formats` in its settings),
 * else it answers 403. A key, when given, is sent as a bearer token for a proxy.
 */
import * as z from 'zod'
import { endpointUrl, fetchJson, resultsOf } from './fetch-json.ts'
import { toHits } from './hits.ts'
import type { SearchMaker } from './search-config.ts'

const LANGUAGES = { en: 'en', zh: 'zh-CN' }

const Reply = z.object({
  results: resultsOf(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
})

export const searxngSearch: SearchMaker =
  (config, fetch) =>
  async (query, { top_k, locale, timeout_ms }) => {
    const parameters = { q: query, format: 'json', language: LANGUAGES[locale], pageno: 1 }
    const url = endpointUrl(config.base_url ?? '', '/search', parameters)
    const headers: Record<string, string> = config.api_key === null ? {} : { authorization: `Bearer ${config.api_key}` }
    const reply = await fetchJson(fetch, { url, timeout_ms, headers }, Reply)
    // The API has no parameter for the number of results.
    const raws = reply.results.map(({ title, content, url: link }) => ({ title, summary: content, link }))
    return toHits(raws, top_k)
  }
