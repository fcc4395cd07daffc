/** What a search provider needs is said at start, not at the first search. */
import { expect, it } from 'vitest'
import { SEARCH_PROVIDERS, createSearch, type SearchProvider } from '../../src/search/index.ts'

const BASE = 'https://search.example'
const NO_FETCH = () => Promise.reject(new Error('no network'))
const BINDING = { websearch: NO_FETCH }
const create = (provider: SearchProvider, base_url: string | null, api_key: string | null) =>
  createSearch({ provider, base_url, api_key }, NO_FETCH, BINDING)

it('wikipedia comes first and needs nothing', () => {
  expect(SEARCH_PROVIDERS[0]).toBe('wikipedia')
  expect(create('wikipedia', null, null)).toMatchObject({ name: 'wikipedia' })
})
it.each(SEARCH_PROVIDERS.map((name) => [name]))('%s starts with an address and a key, under its own name', (name) => {
  expect(create(name, BASE, 'key')).toMatchObject({ name })
})
it.each<[SearchProvider, string | null, string | null, string]>([
  ['searxng', null, 'key', 'SEARCH_PROVIDER=searxng needs SEARCH_BASE_URL'],
  ['searxng', ' ', 'key', 'SEARCH_PROVIDER=searxng needs SEARCH_BASE_URL'],
  ['brave', BASE, null, 'SEARCH_PROVIDER=brave needs SEARCH_API_KEY'],
  ['tavily', null, '', 'SEARCH_PROVIDER=tavily needs SEARCH_API_KEY'],
])('%s with the address %j and the key %j is refused at start', (name, base_url, api_key, error) => {
  expect(create(name, base_url, api_key)).toEqual({ error })
})
it.each([
  'search.example',
  'ftp://search.example',
  'https://u:p@search.example',
  'https://search.example/?q=',
  '/search',
])('the address %s is refused at start', (base_url) => {
  expect(create('wikipedia', base_url, null)).toMatchObject({ error: expect.stringContaining('SEARCH_BASE_URL') })
})
it.each(['a b', 'a\nb', 'ключ'])('the key %j is refused at start and not repeated', (api_key) => {
  const refused = create('brave', null, api_key)
  expect(refused).toMatchObject({ error: expect.stringContaining('SEARCH_API_KEY') })
  expect(JSON.stringify(refused)).not.toContain(JSON.stringify(api_key).slice(1, -1))
})
it('cloudflare without the AI binding is refused at start', () => {
  const config = { provider: 'cloudflare', base_url: null, api_key: null } as const
  expect(createSearch(config, NO_FETCH, null)).toEqual({
    error: 'SEARCH_PROVIDER=cloudflare needs the AI binding (wrangler.toml)',
  })
})
