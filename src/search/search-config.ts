/** The address and the key of a search provider; null where the configuration names none. */
export interface SearchConfig {
  /** Replaces the provider's own address. It is http or https, and may have a path. */
  base_url: string | null
  api_key: string | null
}
