/** Brave Search API, web results: `GET /res/v1/web/search` with `X-Subscription-Token`. Its texts contain HTML entities. */
import * as z from 'zod'
import { endpointUrl, fetchJson, resultsOf } from './fetch-json.ts'
import { toHits } from './hits.ts'
import type { SearchMaker } from './search-config.ts'

const ORIGIN = 'https://api.search.brave.com'
const LANGUAGES = { en: 'en', zh: 'zh-hans' }
/** The API refuses a longer query with 422. */
const WORDS_MAX = 50

/** Without a match the reply has no `web`. */
const Reply = z.object({
  web: z
    .object({
      results: resultsOf(z.object({ title: z.string(), url: z.string(), description: z.string().nullish() })),
    })
    .nullish(),
})

export const braveSearch: SearchMaker =
  (config, fetch) =>
  async (query, { top_k, locale, timeout_ms }) => {
    const url = endpointUrl(config.base_url ?? ORIGIN, '/res/v1/web/search', {
      q: query.split(/\s+/).slice(0, WORDS_MAX).join(' '),
      count: top_k,
      search_lang: LANGUAGES[locale],
      result_filter: 'web',
      text_decorations: 'false',
    })
    const headers = { 'x-subscription-token': config.api_key ?? '' }
    const reply = await fetchJson(fetch, { url, timeout_ms, headers }, Reply)
    const raws = (reply.web?.results ?? []).map(({ title, description, url: link }) => ({
      title,
      summary: description,
      link,
      html: true,
    }))
    return toHits(raws, top_k)
  }
