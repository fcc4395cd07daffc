/** A model behind an endpoint of the Messages wire, as the service makes it. */
import { endpointModel } from '../../src/models/endpoint-model.ts'
import type { Model } from '../../src/shell/ports.ts'

export const messagesModel = (
  config: { api_key?: string; base_url: string; model: string },
  { fetch = globalThis.fetch }: { fetch?: typeof globalThis.fetch } = {},
): Model =>
  endpointModel({ api_key: 'sk-ant-test', ...config, name: 'default', wire: 'messages', binding: null, fetch })
