/** A model behind an endpoint of chat completions, as the service makes it. */
import { endpointModel } from '../../src/models/endpoint-model.ts'
import type { Model } from '../../src/shell/ports.ts'

export const chatModel = (
  config: { api_key: string; base_url: string; model: string },
  { fetch = globalThis.fetch }: { fetch?: typeof globalThis.fetch } = {},
): Model => endpointModel({ ...config, name: 'default', wire: 'chat', binding: null, fetch })
