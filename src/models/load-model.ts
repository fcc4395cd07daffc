/** Makes the model of the service from its configuration. */
import type { Model } from '../shell/ports.ts'
import { DEFAULT_ENDPOINT, endpointModel } from './endpoint-model.ts'
import { offlineModel } from './offline/index.ts'

interface ModelConfig {
  provider: 'offline' | 'openai'
  api_key: string | null
  base_url: string | null
  name: string | null
}

export function loadModel({ provider, api_key, base_url, name }: ModelConfig, fetch: typeof globalThis.fetch): Model {
  if (provider === 'offline') return offlineModel()
  return endpointModel({
    name: DEFAULT_ENDPOINT,
    wire: 'chat',
    base_url: base_url ?? 'https://api.openai.com/v1',
    api_key: api_key ?? '',
    model: name ?? '',
    binding: null,
    fetch,
  })
}
