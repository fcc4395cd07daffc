/** What a search provider is made from. */
import type { Search } from '../shell/ports.ts'

/** The address and the key of a search provider; null where the configuration names none. */
export interface SearchConfig {
  /** Replaces the provider's own address. It is http or https, and may have a path. */
  base_url: string | null
  api_key: string | null
}
/** What each provider exports. */
export type SearchMaker = (config: SearchConfig, fetch: typeof globalThis.fetch) => Search['search']
