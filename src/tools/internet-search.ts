/**
 * The tool `internet_search`: a numbered list of up to `search_top_k` results of a search provider (O0-13, U48). Any error is one failed observation in the language of
 * the task, and the provider is asked once.
 */
import type { Locale } from '../core/terms/locale.ts'
import { withDeadline } from '../shell/network/bounded-fetch.ts'
import type { Search, SearchHit } from '../shell/ports.ts'
import type { Tool, ToolContext } from '../shell/tool-ports.ts'

const QUERY_CHARS_MAX = 400
const TIMEOUT_MS_MAX = 15_000

const TEXTS: Record<Locale, { blank: string; none: (query: string) => string; failed: (reason: string) => string }> = {
  en: {
    blank: 'Usage: internet_search needs words to search for.',
    none: (query) => `No results for "${query}".`,
    failed: (reason) => `The search failed: ${reason}.`,
  },
  zh: {
    blank: '用法: internet_search 需要搜索词。',
    none: (query) => `没有找到“${query}”的搜索结果。`,
    failed: (reason) => `搜索失败：${reason}。`,
  },
}

/** Codes: `search_results`; `usage_error` (blank query), `no_results`, `search_failed` (any failure, time-outs too). */
export function internetSearch(search: Search): Tool {
  return {
    name: 'internet_search',
    run: async (input, call) => {
      const texts = TEXTS[call.locale]
      const query = [...input.toWellFormed().replace(/\s+/g, ' ').trim()].slice(0, QUERY_CHARS_MAX).join('').trim()
      if (query === '') return { ok: false, code: 'usage_error', text: texts.blank }
      const outcome = await hitsOf(search, query, call)
      if ('reason' in outcome) return { ok: false, code: 'search_failed', text: texts.failed(outcome.reason) }
      if (outcome.hits.length === 0) return { ok: false, code: 'no_results', text: texts.none(query) }
      return { ok: true, code: 'search_results', text: listHits(outcome.hits.slice(0, call.settings.search_top_k)) }
    },
  }
}

type SearchOutcome = { hits: SearchHit[] } | { reason: string }

/** Keeps the deadline as well, because a provider that ignores it must not hold up the task. */
async function hitsOf(search: Search, query: string, call: ToolContext): Promise<SearchOutcome> {
  const timeout_ms = Math.min(call.timeout_ms, TIMEOUT_MS_MAX)
  const options = { top_k: call.settings.search_top_k, locale: call.locale, timeout_ms }
  try {
    return await withDeadline<SearchOutcome>(timeout_ms, { reason: 'timed out' }, async () => ({
      hits: await search.search(query, options),
    }))
  } catch (error) {
    return { reason: error instanceof Error && error.message !== '' ? error.message : 'unknown failure' }
  }
}

function listHits(hits: SearchHit[]): string {
  return hits
    .map(
      ({ title, summary, link }, index) => `${index + 1}. ${title}\n   ${summary === '' ? '-' : summary}\n   ${link}`,
    )
    .join('\n')
}
