/**
 * Bing Web Search API v7: `GET /v7.0/search` with `Ocp-Apim-Subscription-Key`. Microsoft closed its own address in August 2025; this provider
 * serves installations that reach a compatible service through their own base address.
 */
import * as z from 'zod'
import { endpointUrl, fetchJson, resultsOf } from './fetch-json.ts'
import { toHits } from './hits.ts'
import type { SearchMaker } from './search-config.ts'

const ORIGIN = 'https://api.bing.microsoft.com'
const MARKETS = { en: 'en-US', zh: 'zh-CN' }

/** Without a match the reply has no `webPages`. */
const Reply = z.object({
  webPages: z
    .object({ value: resultsOf(z.object({ name: z.string(), url: z.string(), snippet: z.string().nullish() })) })
    .nullish(),
})

export const bingSearch: SearchMaker =
  (config, fetch) =>
  async (query, { top_k, locale, timeout_ms }) => {
    const url = endpointUrl(config.base_url ?? ORIGIN, '/v7.0/search', {
      q: query,
      count: top_k,
      mkt: MARKETS[locale],
      responseFilter: 'Webpages',
      textFormat: 'Raw',
    })
    const headers = { 'ocp-apim-subscription-key': config.api_key ?? '' }
    const reply = await fetchJson(fetch, { url, timeout_ms, headers }, Reply)
    const raws = (reply.webPages?.value ?? []).map((hit) => ({ title: hit.name, summary: hit.snippet, link: hit.url }))
    return toHits(raws, top_k)
  }
