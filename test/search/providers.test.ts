/** Each provider: what it asks over the wire, and what it makes of a reply in the shape the provider documents. */
import { describe, expect, it } from 'vitest'
import { createSearch, type SearchProvider } from '../../src/search/index.ts'
import type { Search } from '../../src/shell/ports.ts'
import { BRAVE, OPTIONS, SEARXNG, TAVILY, WIKIPEDIA, scriptedFetch } from './search-support.ts'

const BASE = 'https://search.example/base/'

function provider(name: SearchProvider, fetch: typeof globalThis.fetch, base_url: string | null = null): Search {
  const search = createSearch({ provider: name, base_url, api_key: 'k-canary' }, fetch, null)
  if ('error' in search) throw new Error(search.error)
  return search
}

describe('the request', () => {
  it.each<[SearchProvider, string | null, 'en' | 'zh', string, Record<string, string>]>([
    ['wikipedia', null, 'en', 'https://en.wikipedia.org/w/api.php', { gsrsearch: 'q&a 牛', gsrlimit: '5' }],
    ['wikipedia', null, 'zh', 'https://zh.wikipedia.org/w/api.php', { generator: 'search', prop: 'extracts|info' }],
    ['wikipedia', BASE, 'zh', 'https://search.example/base/w/api.php', { formatversion: '2', format: 'json' }],
    ['searxng', BASE, 'en', 'https://search.example/base/search', { q: 'q&a 牛', format: 'json', language: 'en' }],
    ['searxng', BASE, 'zh', 'https://search.example/base/search', { language: 'zh-CN' }],
    [
      'brave',
      null,
      'en',
      'https://api.search.brave.com/res/v1/web/search',
      { q: 'q&a 牛', count: '5', search_lang: 'en' },
    ],
    ['brave', BASE, 'zh', 'https://search.example/base/res/v1/web/search', { search_lang: 'zh-hans' }],
  ])('O0-13 %s with the base %s in %s asks %s', async (name, base_url, locale, address, query) => {
    const { asked, fetch } = scriptedFetch(() => Response.json({ results: [] }))
    await provider(name, fetch, base_url).search('q&a 牛', { ...OPTIONS, locale })
    expect(asked).toHaveLength(1)
    const { url, method, redirect } = asked[0] ?? {}
    expect({ method, redirect, address: `${url?.origin}${url?.pathname}` }).toEqual({
      method: 'GET',
      redirect: 'manual',
      address,
    })
    expect(Object.fromEntries(url?.searchParams ?? [])).toMatchObject(query)
  })
  it('O0-13 tavily posts the query and the number of results', async () => {
    const { asked, fetch } = scriptedFetch(() => Response.json({ results: [] }))
    await provider('tavily', fetch).search('牛', OPTIONS)
    expect(asked).toMatchObject([{ method: 'POST', redirect: 'manual', body: { query: '牛', max_results: 5 } }])
    expect(asked[0]?.url.href).toBe('https://api.tavily.com/search')
    expect(asked[0]?.headers.get('content-type')).toBe('application/json')
  })
  it.each<[SearchProvider, string, string | null]>([
    ['wikipedia', 'authorization', null],
    ['searxng', 'authorization', 'Bearer k-canary'],
    ['brave', 'x-subscription-token', 'k-canary'],
    ['tavily', 'authorization', 'Bearer k-canary'],
  ])('%s sends its key in %s, never in the address, and names the product', async (name, header, value) => {
    const { asked, fetch } = scriptedFetch(() => Response.json({ results: [] }))
    await provider(name, fetch, BASE).search('q', OPTIONS)
    expect(asked[0]?.headers.get(header)).toBe(value)
    expect(asked[0]?.headers.get('user-agent')).toMatch(/^loop-agent\//)
    expect(asked[0]?.url.href).not.toContain('canary')
  })
  it('searxng without a key sends none', async () => {
    const { asked, fetch } = scriptedFetch(() => Response.json({ results: [] }))
    const search = createSearch({ provider: 'searxng', base_url: BASE, api_key: null }, fetch, null)
    await ('search' in search && search.search('q', OPTIONS))
    expect(asked[0]?.headers.has('authorization')).toBe(false)
  })
  it('brave gets at most 50 words, since it refuses more', async () => {
    const { asked, fetch } = scriptedFetch(() => Response.json({}))
    await provider('brave', fetch).search('a '.repeat(80), OPTIONS)
    expect(asked[0]?.url.searchParams.get('q')).toBe('a '.repeat(50).trim())
  })
})

describe('the results', () => {
  it.each<[SearchProvider, unknown, unknown]>([
    [
      'wikipedia',
      WIKIPEDIA,
      [
        { title: 'Sydney Opera House', summary: '', link: 'https://en.wikipedia.org/wiki/Sydney_Opera_House' },
        {
          title: 'Jørn Utzon',
          summary: 'Jørn Oberg Utzon was a Danish architect. He designed the Sydney Opera House.',
          link: 'https://en.wikipedia.org/wiki/J%C3%B8rn_Utzon',
        },
      ],
    ],
    [
      'searxng',
      SEARXNG,
      [
        {
          title: 'Sydney Opera House',
          summary: 'Designed by Jørn Utzon & opened in 1973.',
          link: 'https://www.sydneyoperahouse.com/',
        },
        { title: 'Generics: Vec<T>', summary: '', link: 'https://example.org/a' },
      ],
    ],
    [
      'brave',
      BRAVE,
      [
        {
          title: 'Sydney Opera House & its architect',
          summary: "It was J&oslash;rn Utzon who won the competition; 'shells' followed.",
          link: 'https://example.org/opera',
        },
      ],
    ],
    [
      'tavily',
      TAVILY,
      [{ title: 'Utzon', summary: '# Jørn Utzon A Danish architect.', link: 'https://example.org/utzon' }],
    ],
  ])('O0-13 %s: title, plain summary and link, best first', async (name, reply, hits) => {
    const { fetch } = scriptedFetch(() => Response.json(reply))
    expect(await provider(name, fetch, BASE).search('sydney opera house', OPTIONS)).toEqual(hits)
  })
  it.each<[SearchProvider, unknown]>([
    ['wikipedia', { batchcomplete: true }],
    ['searxng', { ...SEARXNG, results: [] }],
    ['brave', { type: 'search', query: { original: 'x' } }],
    ['tavily', { ...TAVILY, results: [] }],
  ])('O0-13 %s without a match is an empty list, not a failure', async (name, reply) => {
    const { fetch } = scriptedFetch(() => Response.json(reply))
    expect(await provider(name, fetch, BASE).search('x', OPTIONS)).toEqual([])
  })
  it('no more than top_k results are given', async () => {
    const { fetch } = scriptedFetch(() => Response.json(SEARXNG))
    expect(await provider('searxng', fetch, BASE).search('x', { ...OPTIONS, top_k: 1 })).toHaveLength(1)
  })
  it('a result of another shape is left out, the rest stays', async () => {
    const reply = { results: [{ title: 7 }, null, ...TAVILY.results] }
    const { fetch } = scriptedFetch(() => Response.json(reply))
    expect(await provider('tavily', fetch).search('x', OPTIONS)).toHaveLength(1)
  })
  it('an error of wikipedia with status 200 is a failure', async () => {
    const { fetch } = scriptedFetch(() => Response.json({ error: { code: 'ratelimited', info: 'k-canary' } }))
    await expect(provider('wikipedia', fetch).search('x', OPTIONS)).rejects.toThrow(/^the provider refused the query$/)
  })
})

describe('cloudflare', () => {
  const searchOver = (reply: () => Response) => {
    const asked: object[] = []
    const websearch = (request: object) => {
      asked.push(request)
      return Promise.resolve(reply())
    }
    const search = createSearch({ provider: 'cloudflare', base_url: null, api_key: null }, NO_FETCH, { websearch })
    if ('error' in search) throw new Error(search.error)
    return { asked, run: () => search.search('q&a 牛', OPTIONS) }
  }
  const NO_FETCH = () => Promise.reject(new Error('nothing leaves by the network'))
  const ITEMS = [
    { url: 'https://example.org/a', title: 'A', description: 'first' },
    { url: 'https://example.org/b', title: 'B' },
    { title: 'of another shape' },
  ]
  const HITS = [
    { title: 'A', summary: 'first', link: 'https://example.org/a' },
    { title: 'B', summary: '', link: 'https://example.org/b' },
  ]

  it.each([
    ['plain', { items: ITEMS }],
    ['wrapped as REST answers are', { success: true, result: { items: ITEMS } }],
  ])('U48 is asked by the AI binding for as many results as are shown, and its reply is read %s', async (_, reply) => {
    const { asked, run } = searchOver(() => Response.json(reply))
    expect(await run()).toEqual(HITS)
    expect(asked).toEqual([{ gatewayId: 'default', query: 'q&a 牛', limit: 5 }])
  })
  it.each([
    ['HTTP 402', () => Response.json({}, { status: 402 })],
    ['reply is not JSON', () => new Response('<html>')],
    ['unexpected reply', () => Response.json({ hits: [] })],
    ['reply too large', () => new Response('x'.repeat(1_048_577))],
  ])('U48 fails in a few words: %s', async (reason, reply) => {
    await expect(searchOver(reply).run()).rejects.toThrow(reason)
  })
})
