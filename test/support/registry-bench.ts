/** The HTTP API with a real registry over memory, as one or several isolates see it. Time stands still unless a test moves it. */
import type { RemoteRegistry } from '../../src/core/registry/registry-requests.ts'
import { ADMIN_KEY, fixture, type Fixture, type FixtureOptions } from './http-fixture.ts'
import { memoryRegistry } from './memory/memory-registry.ts'

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
export const OPERATOR = bearer(ADMIN_KEY)

interface MadeKey {
  id: string
  key: string
}
export interface RegistryBench extends Fixture {
  clock: { now: number }
  remote: RemoteRegistry
  /** A further isolate on the same registry. It knows nothing yet. */
  isolate(options?: FixtureOptions): Fixture
  makeTenant(name: string, limits?: object): Promise<void>
  makeKey(tenant: string, wish?: object, headers?: Record<string, string>): Promise<MadeKey>
}

export function registryBench(options: FixtureOptions = {}): RegistryBench {
  const clock = { now: Date.UTC(2026, 10, 28, 12) }
  const now = () => clock.now
  const { remote = memoryRegistry(now) } = options
  const isolate = (more: FixtureOptions = {}) => fixture({ now, ...options, ...more, remote: more.remote ?? remote })
  const own = isolate()
  return {
    ...own,
    clock,
    remote,
    isolate,
    async makeTenant(name, limits = {}) {
      const response = await own.post('/admin/tenants', { name, limits })
      if (response.status !== 201) throw new Error(`no tenant: ${await response.text()}`)
    },
    async makeKey(tenant, wish = {}, headers = {}) {
      const response = await own.post('/admin/keys', { tenant, ...wish }, headers)
      const made: unknown = await response.json()
      if (response.status !== 201) throw new Error(`no key: ${JSON.stringify(made)}`)
      // The contract of the answer was checked.
      return made as MadeKey
    },
  }
}
