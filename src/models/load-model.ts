/** The models of the service: the endpoints by their names, or the built-in model. A call loads what it needs, so that a start pays for none. */
import { DEFAULT_ENDPOINT } from '../core/terms/values/endpoint-name.ts'
import type { Model, ModelRequest } from '../shell/ports.ts'
import type { CallContext } from '../shell/tool-ports.ts'
import type { EndpointModel, LearnedDialect } from './endpoint-model.ts'
import type { Endpoint } from './wires/wire.ts'

type NamedEndpoint = Omit<Endpoint, 'fetch' | 'binding'>
interface ModelsConfig {
  provider: 'offline' | 'endpoints'
  /** The default one comes first. */
  endpoints: readonly NamedEndpoint[]
}

export interface LoadedModels extends Model {
  /** What the endpoints have refused since this isolate started. */
  learned(): (LearnedDialect & { endpoint: string })[]
}

/** `binding` is that of Workers AI. null: it is not there. */
export function loadModel(
  { provider, endpoints }: ModelsConfig,
  { fetch, binding }: Pick<Endpoint, 'fetch' | 'binding'>,
): LoadedModels {
  const made = new Map<string, EndpointModel>()
  const modelAt = async (endpoint: NamedEndpoint): Promise<EndpointModel> => {
    const known = made.get(endpoint.name)
    // To import again what is loaded costs the runtime a twentieth of a step.
    if (known !== undefined) return known
    const { endpointModel } = await import('./endpoint-model.ts')
    const isBound = endpoint.wire === 'workers_ai'
    // Two first calls at the same time get the same model, because nothing is awaited from here on.
    const model = made.get(endpoint.name) ?? endpointModel({ ...endpoint, fetch, binding: isBound ? binding : null })
    made.set(endpoint.name, model)
    return model
  }
  return {
    async complete(request, call) {
      if (provider === 'offline') return completeOffline(request, call)
      const { model: name } = request
      const named = endpoints.find((one) => one.name === name)
      const endpoint = named ?? endpoints[0]
      if (endpoint === undefined) throw new Error('no endpoint is configured')
      const isOwn = named !== undefined || name === DEFAULT_ENDPOINT
      return (await modelAt(endpoint)).complete({ ...request, model: isOwn ? null : name }, call)
    },
    learned: () =>
      [...made].flatMap(([endpoint, model]) => model.learned().map((learned) => ({ endpoint, ...learned }))),
  }
}

let offline: Model | null = null
async function completeOffline(request: ModelRequest, call: CallContext) {
  offline ??= (await import('./offline/index.ts')).offlineModel()
  return offline.complete(request, call)
}
