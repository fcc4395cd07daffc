/** Many keys of many tenants, each tried on what belongs to another tenant. */
import { expect, it } from 'vitest'
import { keyFrom, keyIdFrom, prefixOf, RANDOM_BYTES } from '../../src/core/registry/key-format.ts'
import { NO_KEY_LIMITS, NO_TENANT_LIMITS } from '../../src/core/registry/limits.ts'
import { Scope } from '../../src/core/registry/scopes.ts'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { sha256, toHex } from '../../src/shell/hex.ts'
import { memoryRegistry } from '../support/memory/memory-registry.ts'
import { memoryRegistryRows } from '../support/memory/memory-registry-rows.ts'
import { bearer, registryBench } from '../support/registry-bench.ts'

const TENANTS = 500
const KEYS_OF_EACH = 20

const taskOf = (tenant: string) => `task_${tenant.padEnd(20, 'x')}`
const bytes = () => crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))

it('KEY-16 of 10,000 keys none reaches a task, a key or a log of another tenant', { timeout: 300_000 }, async () => {
  const rows = memoryRegistryRows()
  const keys: { tenant: string; id: string; key: string }[] = []
  for (let at = 0; at < TENANTS; at++) {
    const tenant = `t${at}`
    rows.putTenant({ name: tenant, created: 0, disabled: null, deleted: null, limits: NO_TENANT_LIMITS })
    for (let one = 0; one < KEYS_OF_EACH; one++) {
      const [id, key] = [keyIdFrom(bytes()), keyFrom(bytes())]
      const record = { id, tenant, name: null, prefix: prefixOf(key), digest: toHex(await sha256(key)) }
      const ends = {
        created: 0,
        created_by: 'admin_key',
        expires: null,
        last_used: null,
        revoked: null,
        replaces: null,
      }
      rows.addKey({ ...record, ...ends, scopes: [...Scope.options], limits: NO_KEY_LIMITS })
      keys.push({ tenant, id, key })
    }
  }
  // A task is found by tenant and id together, as in the store.
  const { send } = registryBench({
    remote: memoryRegistry(() => 0, rows),
    answers: {
      getTask: async ({ tenant }, id) =>
        id === taskOf(tenant)
          ? ok({ task: { ...TASK_EXAMPLE, slice: null }, link_epoch: 0 })
          : refuse({ code: 'task_not_found' }),
    },
  })
  let [own, crossed] = [0, 0]
  for (const [at, { tenant, key }] of keys.entries()) {
    const other = keys[(at + KEYS_OF_EACH * (1 + (at % (TENANTS - 1)))) % keys.length]
    if (other === undefined || other.tenant === tenant) throw new Error('no other tenant')
    const attempts: [string, string][] = [
      ['GET', `/tasks/${taskOf(other.tenant)}`],
      ['DELETE', `/admin/keys/${other.id}`],
      ['GET', `/admin/tenants/${other.tenant}`],
    ]
    const [method, path] = attempts[at % attempts.length] ?? ['GET', '/']
    if ((await send(method, path, null, bearer(key))).status !== 404) crossed++
    if (at % 10 === 0 && (await send('GET', `/tasks/${taskOf(tenant)}`, null, bearer(key))).status === 200) own++
  }
  expect({ keys: keys.length, crossed, own }).toEqual({ keys: 10_000, crossed: 0, own: 1_000 })
  expect(keys.filter(({ id }) => rows.key(id)?.revoked !== null)).toEqual([])
})
