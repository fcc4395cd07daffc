/** What clients do with their secrets: put, look up, list and delete them. No answer has a value. */
import type { SecretView } from '../../core/shown/secret-view.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import { SECRETS_MAX, type SecretRecord } from '../../core/workspace/secrets.ts'
import type { Caller, Page } from '../caller.ts'
import type { TaskStore } from '../ports.ts'
import type { Sealing } from '../seal.ts'

/** A secret as a client sends it. `hosts` are as `readSecretHost` has read them. */
interface SentSecret {
  name: string
  value: string
  hosts: readonly string[]
}

export interface SecretService {
  /** Puts a secret in place of any other of its name. */
  putSecret(caller: Caller, secret: SentSecret): Promise<Result<{ secret: SecretView; created: boolean }>>
  getSecret(caller: Caller, name: string): Promise<Result<SecretView>>
  /** By name; `after` is a name, or empty. */
  listSecrets(caller: Caller, paging: { limit: number; after: string }): Promise<Result<Page<SecretView>>>
  deleteSecret(caller: Caller, name: string): Promise<Result<null>>
  /** Those of the names that no secret of the tenant has. `hint` is the end of a message, with the name that was probably meant. */
  unknownSecrets(caller: Caller, names: readonly string[]): Promise<Result<{ name: string; hint: string }[]>>
}

interface SecretPorts {
  store: Pick<TaskStore, 'workspace'>
  sealing: Sealing
}

export function secretService({ store, sealing }: SecretPorts): SecretService {
  const namesOf = (tenant: string) => store.workspace(tenant).ask({ kind: 'secret_names' })
  const notFound = async (tenant: string, name: string) =>
    refuse({ code: 'secret_not_found', hint: nameHint(name, await namesOf(tenant)) })
  return {
    async putSecret({ tenant }, { name, value, hosts }) {
      // The seal holds the hosts in the order in which they are stored.
      const sorted = [...new Set(hosts)].toSorted()
      const sealed = await sealing.seal({ tenant, name, hosts: sorted }, value)
      const secret = { name, hosts: sorted, ...sealed }
      const put = await store.workspace(tenant).tell({ kind: 'put_secret', secret, secrets_max: SECRETS_MAX })
      return put.ok ? ok({ secret: viewOf(put.value.record), created: put.value.created }) : put
    },
    async getSecret({ tenant }, name) {
      const stored = await store.workspace(tenant).ask({ kind: 'secret', name })
      return stored === null ? notFound(tenant, name) : ok(viewOf(stored))
    },
    async listSecrets({ tenant }, { limit, after }) {
      const found = await store.workspace(tenant).ask({ kind: 'secrets', after, limit: limit + 1 })
      const has_more = found.length > limit
      const data = found.slice(0, limit).map(viewOf)
      return ok({ data, has_more, next_cursor: has_more ? (data.at(-1)?.name ?? null) : null })
    },
    async deleteSecret({ tenant }, name) {
      const was_there = await store.workspace(tenant).tell({ kind: 'drop_secret', name })
      return was_there ? ok(null) : notFound(tenant, name)
    },
    async unknownSecrets({ tenant }, names) {
      const known = await namesOf(tenant)
      const unknown = [...new Set(names)].filter((name) => !known.includes(name))
      return ok(unknown.map((name) => ({ name, hint: nameHint(name, known) })))
    },
  }
}

const viewOf = ({ name, hosts, created, updated, last_used }: SecretRecord): SecretView => ({
  name,
  hosts,
  created_at: rfc3339(created),
  updated_at: rfc3339(updated),
  last_used_at: last_used === null ? null : rfc3339(last_used),
})
