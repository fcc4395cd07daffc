/** The registry of search providers: one line each, with the setting that each requires. */
import type { Search } from '../shell/ports.ts'
import { braveSearch } from './brave.ts'
import { cloudflareSearch, type WebSearchBinding } from './cloudflare.ts'
import type { SearchConfig, SearchMaker } from './search-config.ts'
import { searxngSearch } from './searxng.ts'
import { tavilySearch } from './tavily.ts'
import { wikipediaSearch } from './wikipedia.ts'

/** The order is that of the documentation; the first is the default. */
export const SEARCH_PROVIDERS = ['wikipedia', 'searxng', 'brave', 'tavily', 'cloudflare'] as const
export type SearchProvider = (typeof SEARCH_PROVIDERS)[number]

interface RegistryEntry {
  needs: keyof SearchConfig | null
  make: SearchMaker
}
const REGISTRY: Readonly<Record<Exclude<SearchProvider, 'cloudflare'>, RegistryEntry>> = {
  wikipedia: { needs: null, make: wikipediaSearch },
  searxng: { needs: 'base_url', make: searxngSearch },
  brave: { needs: 'api_key', make: braveSearch },
  tavily: { needs: 'api_key', make: tavilySearch },
}
const VARIABLES = { base_url: 'SEARCH_BASE_URL', api_key: 'SEARCH_API_KEY' }

/** Creates the configured provider, or says at start what is wrong with the configuration. An empty value counts as missing. */
export function createSearch(
  config: SearchConfig & { provider: SearchProvider },
  fetch: typeof globalThis.fetch,
  binding: WebSearchBinding | null,
): Search | { error: string } {
  if (config.provider === 'cloudflare') {
    if (binding === null) return { error: 'SEARCH_PROVIDER=cloudflare needs the AI binding (wrangler.toml)' }
    return { name: config.provider, search: cloudflareSearch(binding) }
  }
  const { needs, make } = REGISTRY[config.provider]
  const base_url = config.base_url?.trim() || null
  const api_key = config.api_key?.trim() || null
  if (needs !== null && { base_url, api_key }[needs] === null) {
    return { error: `SEARCH_PROVIDER=${config.provider} needs ${VARIABLES[needs]}` }
  }
  if (base_url !== null && !isWebAddress(base_url)) {
    return { error: 'SEARCH_BASE_URL must be an http or https address without user, query or fragment' }
  }
  if (api_key !== null && !/^[\x21-\x7e]+$/.test(api_key)) {
    return { error: 'SEARCH_API_KEY must be printable ASCII without spaces' }
  }
  return { name: config.provider, search: make({ base_url, api_key }, fetch) }
}

function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password, search, hash } = new URL(address)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}
