/** A fetch that answers from a list and keeps what it was asked, and replies in the shape of each provider. */

export interface Asked {
  url: URL
  method: string
  headers: Headers
  body: unknown
  redirect: string | undefined
}

export function scriptedFetch(reply: () => Response | Promise<Response>) {
  const asked: Asked[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : null
    const url = new URL(input instanceof Request ? input.url : String(input))
    const redirect = init?.redirect
    asked.push({ url, method: init?.method ?? 'GET', headers: new Headers(init?.headers), body, redirect })
    return reply()
  }
  return { asked, fetch }
}

export const OPTIONS = { top_k: 5, locale: 'en' as const, timeout_ms: 1_000 }

/** Sorted by page id as MediaWiki sends them; the rank is in `index`. */
export const WIKIPEDIA = {
  batchcomplete: true,
  continue: { gsroffset: 2, continue: 'gsroffset||' },
  query: {
    pages: [
      {
        pageid: 17_000,
        ns: 0,
        title: 'Jørn Utzon',
        index: 2,
        extract: 'Jørn Oberg Utzon was a Danish architect.\nHe designed the Sydney Opera House.',
        contentmodel: 'wikitext',
        pagelanguage: 'en',
        fullurl: 'https://en.wikipedia.org/wiki/J%C3%B8rn_Utzon',
        editurl: 'https://en.wikipedia.org/w/index.php?title=J%C3%B8rn_Utzon&action=edit',
        canonicalurl: 'https://en.wikipedia.org/wiki/J%C3%B8rn_Utzon',
      },
      {
        pageid: 28_222,
        ns: 0,
        title: 'Sydney Opera House',
        index: 1,
        contentmodel: 'wikitext',
        pagelanguage: 'en',
        fullurl: 'https://en.wikipedia.org/wiki/Sydney_Opera_House',
        canonicalurl: 'https://en.wikipedia.org/wiki/Sydney_Opera_House',
      },
    ],
  },
}

export const SEARXNG = {
  query: 'sydney opera house',
  number_of_results: 0,
  results: [
    {
      url: 'https://www.sydneyoperahouse.com/',
      title: 'Sydney Opera House',
      content: 'Designed by Jørn Utzon & opened in 1973.',
      engine: 'duckduckgo',
      parsed_url: ['https', 'www.sydneyoperahouse.com', '/', '', '', ''],
      engines: ['duckduckgo', 'brave'],
      positions: [1, 1],
      score: 4,
      category: 'general',
      publishedDate: null,
    },
    { url: 'https://example.org/a', title: 'Generics: Vec<T>', content: null, engine: 'brave' },
  ],
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: [['google', 'timeout']],
}

export const BRAVE = {
  type: 'search',
  query: { original: 'sydney opera house', more_results_available: true },
  web: {
    type: 'search',
    family_friendly: true,
    results: [
      {
        title: 'Sydney Opera House &amp; its architect',
        url: 'https://example.org/opera',
        is_source_local: false,
        description: 'It was <strong>J&oslash;rn Utzon</strong> who won the competition; &#x27;shells&#39; followed.',
        language: 'en',
        meta_url: { scheme: 'https', hostname: 'example.org', path: '› opera' },
      },
    ],
  },
}

export const TAVILY = {
  query: 'sydney opera house',
  follow_up_questions: null,
  answer: null,
  images: [],
  results: [
    {
      url: 'https://example.org/utzon',
      title: 'Utzon',
      content: '# Jørn Utzon\n\nA Danish architect.',
      score: 0.91,
      raw_content: null,
    },
  ],
  response_time: 1.09,
  request_id: '123e4567-e89b-12d3-a456-426614174111',
}
