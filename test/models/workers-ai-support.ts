/** A model of Workers AI, as the service makes it. */
import { endpointModel } from '../../src/models/endpoint-model.ts'
import type { Endpoint } from '../../src/models/wires/wire.ts'
import type { Model } from '../../src/shell/ports.ts'

export const workersAiModel = (binding: Endpoint['binding'], model: string): Model =>
  endpointModel({
    name: 'default',
    wire: 'workers_ai',
    // The binding has no address and wants no key.
    base_url: '',
    api_key: '',
    model,
    binding,
    fetch: () => Promise.reject(new Error('nothing is fetched here')),
  })
