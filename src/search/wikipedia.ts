/**
 * Wikipedia, the provider that needs no key: full-text search of the MediaWiki Action API, with the plain introduction of each page. The language
 * follows the task; a configured base address replaces the origin for both languages.
 */
import * as z from 'zod'
import { endpointUrl, fetchJson, resultsOf } from './fetch-json.ts'
import { toHits } from './hits.ts'
import type { SearchMaker } from './search-config.ts'

const ORIGINS = { en: 'https://en.wikipedia.org', zh: 'https://zh.wikipedia.org' }

/** Errors have status 200; a query without a match has no `query`. */
const Reply = z.object({
  error: z.object({ code: z.string() }).optional(),
  query: z
    .object({
      pages: resultsOf(
        z.object({ title: z.string(), index: z.int(), extract: z.string().optional(), fullurl: z.string() }),
      ),
    })
    .optional(),
})

export const wikipediaSearch: SearchMaker =
  (config, fetch) =>
  async (query, { top_k, locale, timeout_ms }) => {
    const url = endpointUrl(config.base_url ?? ORIGINS[locale], '/w/api.php', parameters(query, top_k))
    const reply = await fetchJson(fetch, { url, timeout_ms }, Reply)
    if (reply.error !== undefined) throw new Error('the provider refused the query')
    // Pages are sorted by their number; `index` is their rank.
    const pages = (reply.query?.pages ?? []).toSorted((a, b) => a.index - b.index)
    const raws = pages.map(({ title, extract, fullurl }) => ({ title, summary: extract, link: fullurl }))
    return toHits(raws, top_k)
  }

function parameters(query: string, top_k: number): Record<string, string | number> {
  return {
    action: 'query',
    format: 'json',
    formatversion: 2,
    generator: 'search',
    gsrsearch: query,
    gsrnamespace: 0,
    gsrlimit: top_k,
    prop: 'extracts|info',
    exintro: 1,
    explaintext: 1,
    exchars: 400,
    exlimit: top_k,
    inprop: 'url',
  }
}
