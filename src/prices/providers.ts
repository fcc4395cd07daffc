/** Who is behind the address of an endpoint. */
import type { WireName } from '../core/terms/effect.ts'

/** How an endpoint is asked, and where. */
export interface PricedAddress {
  wire: WireName
  base_url: string
}

/**
 * The providers by host, as the table names them. A provider has no default prices where it bills in another currency (api.moonshot.cn), where its
 * customers name the models (Azure), where a region has its own prices, or where the table has none of it (DashScope).
 */
const PROVIDERS: Record<string, string> = {
  'api.anthropic.com': 'anthropic',
  'api.cerebras.ai': 'cerebras',
  'api.deepseek.com': 'deepseek',
  'api.fireworks.ai': 'fireworks',
  'api.groq.com': 'groq',
  'api.minimax.io': 'minimax',
  'api.mistral.ai': 'mistral',
  'api.moonshot.ai': 'moonshotai',
  'api.openai.com': 'openai',
  'api.together.xyz': 'together',
  'api.x.ai': 'x-ai',
  'api.z.ai': 'zai',
  'generativelanguage.googleapis.com': 'google',
  'openrouter.ai': 'openrouter',
}

/** Workers AI, over its binding or over HTTP. */
const WORKERS_AI = 'cloudflare'

/** null: nobody knows who answers there. */
export function providerOf({ wire, base_url }: PricedAddress): string | null {
  if (wire === 'workers_ai') return WORKERS_AI
  if (!URL.canParse(base_url)) return null
  const { protocol, host, pathname } = new URL(base_url)
  if (protocol !== 'https:') return null
  // As in /client/v4/accounts/1234/ai/v1. Other paths of this host lead to no models.
  if (host === 'api.cloudflare.com') return pathname.split('/')[5] === 'ai' ? WORKERS_AI : null
  return Object.hasOwn(PROVIDERS, host) ? (PROVIDERS[host] ?? null) : null
}

/** The providers that the GenAI conventions of OpenTelemetry call otherwise than the table. */
const CONVENTIONAL: Record<string, string> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  'x-ai': 'x_ai',
}
/** Whose form the requests of a wire have, where nobody knows who answers. */
const FORMATS: Record<WireName, string> = {
  chat: 'openai',
  responses: 'openai',
  messages: 'anthropic',
  workers_ai: WORKERS_AI,
}

/**
 * Who answers the calls of this name, as the GenAI conventions of OpenTelemetry call it. A name that no endpoint has is a model of the default
 * endpoint; null is the default endpoint itself.
 */
export function providerNameOf(
  { provider, endpoints }: { provider: string; endpoints: readonly (PricedAddress & { name: string })[] },
  name: string | null,
): string {
  const endpoint = endpoints.find((one) => one.name === name) ?? endpoints[0]
  if (provider === 'offline' || endpoint === undefined) return 'loop_agent'
  const found = providerOf(endpoint)
  return found === null ? FORMATS[endpoint.wire] : (CONVENTIONAL[found] ?? found)
}
