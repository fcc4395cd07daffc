/** Where a search provider is and how to sign in there; null where the configuration names nothing. */
export interface SearchConfig {
  /** Replaces the provider's own address; http or https, may carry a path. */
  base_url: string | null
  api_key: string | null
}
