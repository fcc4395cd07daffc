/** A part of the composition root: what a deployment knows of tenants and keys that are made while it runs. */
import type { Config } from './config.ts'
import type { RemoteRegistry } from './core/registry/registry-requests.ts'
import { lazyAdmin } from './shell/lazy-services.ts'
import type { AdminService } from './shell/registry/admin-service.ts'
import { directoryOf, NO_DIRECTORY, type Directory } from './shell/registry/directory.ts'

interface ComposedRegistry {
  ports: { registry: Directory; admin: AdminService }
  /** One sentence for each thing that is missing. */
  errors: string[]
}

/** Nobody is registered where operators have no key to register anybody with, and then nothing is asked. `remote` null: no object is bound. */
export function composeRegistry(
  remote: RemoteRegistry | null,
  { admin_keys }: Pick<Config, 'admin_keys'>,
  wait: (ms: number) => Promise<void>,
): ComposedRegistry {
  if (admin_keys.length === 0) return { ports: portsOf(NO_DIRECTORY), errors: [] }
  if (remote === null)
    return { ports: portsOf(NO_DIRECTORY), errors: ['ADMIN_KEY needs the Durable Object binding REGISTRY'] }
  return { ports: portsOf(directoryOf({ remote, now_ms: Date.now, wait })), errors: [] }
}

function portsOf(registry: Directory): ComposedRegistry['ports'] {
  const random_bytes = (count: number) => crypto.getRandomValues(new Uint8Array(count))
  return { registry, admin: lazyAdmin({ remote: registry.remote, now_ms: Date.now, random_bytes }) }
}
