/**
 * What one isolate knows of the registry. Every answer is kept for half a minute, so that a request rarely waits for the one object that all
 * tenants share. A key that is revoked is therefore refused everywhere after KNOWN_MS at the latest, also where the registry cannot be reached.
 */
import { isKeyId } from '../../core/registry/key-format.ts'
import type { TenantRecord } from '../../core/registry/records.ts'
import type { FoundKey, RemoteRegistry } from '../../core/registry/registry-requests.ts'
import type { RegisteredTenant, Registry } from '../ports.ts'
import { lookUpIn } from './look-up.ts'

/** An answer is not asked for again before. */
const FRESH_MS = 30_000
/** Where the registry cannot be reached, what was known of a key counts so long. No revocation may take longer to be heeded. */
export const KNOWN_MS = 60_000
/** What is there, and what is not, so that invented keys do not push out real ones. */
const KNOWN_MAX = 10_000
const UNKNOWN_MAX = 2_000

/** What requests need of the registry. `findKey` and `findTenant` reject with a marked error where it cannot be reached and nothing is known. */
export interface Directory extends Registry {
  /** By the SHA-256 of the key in hex. */
  findKey(digest: string): Promise<FoundKey | null>
  /** What is administered: not kept, and asked at every call. null: there is no registry. */
  remote: RemoteRegistry | null
}

interface DirectoryPorts {
  remote: RemoteRegistry
  now_ms: () => number
  wait: (ms: number) => Promise<void>
}
interface Known<T> {
  value: T
  /** When the answer was asked for: what has changed since then it does not say. */
  asked: number
}

export function directoryOf({ remote, now_ms, wait }: DirectoryPorts): Directory {
  const lookUp = lookUpIn(remote, { now_ms, wait })
  const tenants = memory(now_ms, async (name) => registered((await lookUp({ of: 'tenant', name })).tenant))
  const keys = memory<FoundKey>(now_ms, async (name) => {
    const asked = now_ms()
    const { key, tenant } = await lookUp({ of: 'key', name })
    // Whoever looks up a key asks for its tenant next, and for its limits by its id.
    if (tenant !== null) tenants.keep(tenant.name, registered(tenant), asked)
    if (key !== null) keys.keep(key.id, key, asked)
    return key
  })
  return {
    remote,
    findKey: keys.find,
    findTenant: tenants.find,
    tenantOf: (name) => tenants.find(name).catch(() => tenants.last(name)),
    async keyLimitsOf(name) {
      if (!isKeyId(name)) return null
      const key = await keys.find(name).catch(() => keys.last(name))
      return key === null ? null : key.limits
    },
  }
}

/** Where there is no registry. */
export const NO_DIRECTORY: Directory = {
  remote: null,
  findKey: async () => null,
  findTenant: async () => null,
  tenantOf: async () => null,
  keyLimitsOf: async () => null,
}

/** A deleted tenant is one that is not served, and never will be. */
const registered = (record: TenantRecord | null): RegisteredTenant | null =>
  record && {
    name: record.name,
    is_disabled: record.disabled !== null || record.deleted !== null,
    limits: record.limits,
  }

/** Answers by name, for as long as they hold. */
function memory<T>(now_ms: () => number, ask: (name: string) => Promise<T | null>) {
  const there = new Map<string, Known<T>>()
  const missing = new Map<string, Known<null>>()
  const knownOf = (name: string): Known<T | null> | undefined => there.get(name) ?? missing.get(name)
  // A clock that was set back makes an answer old, and never younger.
  const isWithin = ({ asked }: Known<unknown>, ms: number) => now_ms() >= asked && now_ms() - asked < ms
  const keep = (name: string, value: T | null, asked: number) => {
    there.delete(name)
    missing.delete(name)
    if (value === null) keepNewest(missing, UNKNOWN_MAX, name, { value, asked })
    else keepNewest(there, KNOWN_MAX, name, { value, asked })
  }
  return {
    keep,
    async find(name: string): Promise<T | null> {
      const known = knownOf(name)
      if (known !== undefined && isWithin(known, FRESH_MS)) return known.value
      const asked = now_ms()
      try {
        const value = await ask(name)
        keep(name, value, asked)
        return value
      } catch (error) {
        if (known !== undefined && isWithin(known, KNOWN_MS)) return known.value
        throw error
      }
    },
    /** What was known last, however old it is. */
    last: (name: string): T | null => there.get(name)?.value ?? null,
  }
}

/** The entry that was looked up longest ago makes room for a new one. */
function keepNewest<V>(entries: Map<string, V>, max: number, name: string, entry: V): void {
  entries.set(name, entry)
  const oldest = entries.size > max ? entries.keys().next() : null
  if (oldest !== null && oldest.done !== true) entries.delete(oldest.value)
}
