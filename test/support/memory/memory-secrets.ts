/** The secrets of a tenant in memory, for tests and simulation. */
import { ok, refuse } from '../../../src/core/terms/refusal.ts'
import { isUseDue, type StoredSecret } from '../../../src/core/workspace/secrets.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memorySecrets(now: () => number) {
  const kept = new Map<string, StoredSecret>()
  const recordOf = ({ name, hosts, created, updated, last_used }: StoredSecret) => ({
    name,
    hosts,
    created,
    updated,
    last_used,
  })
  const commands: MemoryCommands<'put_secret' | 'drop_secret' | 'note_secret_use'> = {
    put_secret({ secret, secrets_max }) {
      const known = kept.get(secret.name)
      if (known === undefined && kept.size >= secrets_max) return refuse({ code: 'too_many_secrets', max: secrets_max })
      const { created, last_used } = known ?? { created: now(), last_used: null }
      const stored = { ...secret, created, updated: now(), last_used }
      kept.set(secret.name, stored)
      return ok({ record: recordOf(stored), created: known === undefined })
    },
    drop_secret: ({ name }) => kept.delete(name),
    note_secret_use({ name, used, resealed }) {
      const known = kept.get(name)
      if (known === undefined) return
      const last_used = isUseDue(known.last_used, now()) ? now() : known.last_used
      const fits = known.key_id === used.key_id && known.sealed === used.sealed
      kept.set(name, { ...known, last_used, ...(resealed !== null && fits ? resealed : {}) })
    },
  }
  const byName = () => [...kept.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const queries: MemoryQueries<'secret' | 'secrets' | 'secret_names'> = {
    secret: ({ name }) => kept.get(name) ?? null,
    secrets: ({ after, limit }) =>
      byName()
        .filter(({ name }) => name > after)
        .slice(0, limit)
        .map(recordOf),
    secret_names: () => byName().map(({ name }) => name),
  }
  return { commands, queries }
}
