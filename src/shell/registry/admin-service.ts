/** What administrators do: tenants, keys and the audit log. A key is made here, leaves once, and only its SHA-256 goes on to the registry. */
import { keyFrom, keyIdFrom, prefixOf, RANDOM_BYTES } from '../../core/registry/key-format.ts'
import type { TenantLimits } from '../../core/registry/limits.ts'
import type { AdminActor, KeyWish, RegistryQuery, RemoteRegistry } from '../../core/registry/registry-requests.ts'
import {
  auditView,
  keyView,
  tenantView,
  type AuditView,
  type KeyView,
  type NewKeyView,
  type RotatedKeyView,
  type TenantView,
} from '../../core/shown/registry-views.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { Caller, Page } from '../caller.ts'
import { sha256, toHex } from '../hex.ts'

/** Who calls, and in which request. */
export interface AdminCall {
  caller: Caller
  request_id: string
}
interface Replayable<T> {
  made: T
  replayed: boolean
}
export interface AdminPorts {
  /** null: there is no registry. */
  remote: RemoteRegistry | null
  now_ms: () => number
  random_bytes: (count: number) => Uint8Array
}

export interface AdminService {
  createTenant(call: AdminCall, wish: { name: string; limits: TenantLimits }): Promise<Result<Replayable<TenantView>>>
  changeTenant(
    call: AdminCall,
    name: string,
    change: { disabled?: boolean | undefined; limits?: Partial<TenantLimits> | undefined },
  ): Promise<Result<Replayable<TenantView>>>
  deleteTenant(call: AdminCall, name: string): Promise<Result<null>>
  getTenant(call: AdminCall, name: string): Promise<Result<TenantView>>
  listTenants(call: AdminCall, range: { after: string; limit: number }): Promise<Result<Page<TenantView>>>
  createKey(call: AdminCall, wish: KeyWish): Promise<Result<Replayable<NewKeyView>>>
  rotateKey(
    call: AdminCall,
    id: string,
    wish: { grace_ms: number; expires?: number | null | undefined },
  ): Promise<Result<Replayable<RotatedKeyView>>>
  revokeKey(call: AdminCall, id: string): Promise<Result<KeyView>>
  getKey(call: AdminCall, id: string): Promise<Result<KeyView>>
  /** Newest first; `tenant` null: of all that the caller may see. */
  listKeys(
    call: AdminCall,
    range: { tenant: string | null; before: number; limit: number },
  ): Promise<Result<Page<KeyView>>>
  listAudit(
    call: AdminCall,
    range: { tenant: string | null; action: string | null; before: number; limit: number },
  ): Promise<Result<Page<AuditView>>>
}

const NO_REGISTRY = refuse({ code: 'not_configured', reasons: ['ADMIN_KEY is not set, so there is no registry'] })

export function adminService(ports: AdminPorts): AdminService {
  const { remote, now_ms } = ports
  if (remote === null) return refusing()
  const shownKey = (key: Parameters<typeof keyView>[0]) => keyView(key, now_ms())
  const read = readerOf(remote)
  return {
    async createTenant({ caller, request_id }, { name, limits }) {
      const by = actorOf(caller, request_id)
      const answer = await remote.tell({ kind: 'create_tenant', by, request: caller.key, name, limits })
      return answer.ok ? ok({ ...answer.value, made: tenantView(answer.value.made) }) : answer
    },
    async changeTenant({ caller, request_id }, name, { disabled, limits }) {
      const by = actorOf(caller, request_id)
      const answer = await remote.tell({ kind: 'change_tenant', by, request: caller.key, name, disabled, limits })
      return answer.ok ? ok({ ...answer.value, made: tenantView(answer.value.made) }) : answer
    },
    deleteTenant: ({ caller, request_id }, name) =>
      remote.tell({ kind: 'delete_tenant', by: actorOf(caller, request_id), name }),
    async getTenant(call, name) {
      const found = await read(call, 'getTenant', { kind: 'tenant', name, within: withinOf(call) })
      return found.ok ? ok(tenantView(found.value)) : found
    },
    async listTenants(call, { after, limit }) {
      const query = { kind: 'tenants', after, limit: limit + 1, within: withinOf(call) } as const
      const found = (await read(call, 'listTenants', query)).map(tenantView)
      return ok(pageOf(found, limit, ({ name }) => name))
    },
    async createKey({ caller, request_id }, wish) {
      const { key, fresh } = await freshKey(ports)
      const by = actorOf(caller, request_id)
      const answer = await remote.tell({ kind: 'create_key', by, request: caller.key, fresh, wish })
      if (!answer.ok) return answer
      const { made, replayed } = answer.value
      return ok({ made: { ...shownKey(made), key: replayed ? null : key }, replayed })
    },
    async rotateKey({ caller, request_id }, id, wish) {
      const { key, fresh } = await freshKey(ports)
      const by = actorOf(caller, request_id)
      const answer = await remote.tell({ kind: 'rotate_key', by, request: caller.key, id, fresh, ...wish })
      if (!answer.ok) return answer
      const { made, replayed } = answer.value
      const shown = { ...shownKey(made.key), key: replayed ? null : key, replaced: shownKey(made.replaced) }
      return ok({ made: shown, replayed })
    },
    async revokeKey({ caller, request_id }, id) {
      const answer = await remote.tell({ kind: 'revoke_key', by: actorOf(caller, request_id), id })
      return answer.ok ? ok(shownKey(answer.value)) : answer
    },
    async getKey(call, id) {
      const found = await read(call, 'getKey', { kind: 'key', id, within: withinOf(call) })
      return found.ok ? ok(shownKey(found.value)) : found
    },
    async listKeys(call, { tenant, before, limit }) {
      const within = withinOf(call) ?? tenant
      // Another tenant has no keys that the caller may see.
      if (tenant !== null && within !== tenant) return ok(pageOf([], limit, String))
      const found = await read(call, 'listKeys', { kind: 'keys', within, before, limit: limit + 1 })
      const page = pageOf(found, limit, ({ position }) => String(position))
      return ok({ ...page, data: page.data.map(shownKey) })
    },
    async listAudit(call, { tenant, action, before, limit }) {
      const within = withinOf(call) ?? tenant
      if (tenant !== null && within !== tenant) return ok(pageOf([], limit, String))
      const as_operator = call.caller.is_operator === true
      const range = { within, as_operator, action, before, limit: limit + 1 }
      const found = await read(call, 'listAudit', { kind: 'audit', ...range })
      return ok(pageOf(found.map(auditView), limit, ({ seq }) => String(seq)))
    },
  }
}

/** Every method refuses: nobody can have registered anything. */
function refusing(): AdminService {
  const refusal = async () => NO_REGISTRY
  return {
    createTenant: refusal,
    changeTenant: refusal,
    deleteTenant: refusal,
    getTenant: refusal,
    listTenants: refusal,
    createKey: refusal,
    rotateKey: refusal,
    revokeKey: refusal,
    getKey: refusal,
    listKeys: refusal,
    listAudit: refusal,
  }
}

/** Asks, and notes in the audit log that it was asked. */
function readerOf(remote: RemoteRegistry) {
  return async <Q extends RegistryQuery>({ caller, request_id }: AdminCall, action: string, query: Q) => {
    const answer = await remote.ask<Q['kind']>(query as RegistryQuery<Q['kind']>)
    const { key_name, tenant } = actorOf(caller, request_id)
    const entry = {
      request_id,
      actor: key_name,
      actor_tenant: tenant,
      action,
      is_read: true,
      tenant: query.kind === 'tenant' ? query.name : 'within' in query ? query.within : null,
      key: query.kind === 'key' ? query.id : null,
      outcome: isRefusal(answer) ? answer.refusal.code : 'done',
      details: {},
    }
    await remote.tell({ kind: 'note_call', entry })
    return answer
  }
}

const isRefusal = (answer: unknown): answer is { ok: false; refusal: { code: string } } =>
  typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false

const withinOf = ({ caller }: AdminCall): string | null => (caller.is_operator === true ? null : caller.tenant)

/** A caller without a name has no scope, so none comes here. */
const actorOf = (caller: Caller, request_id: string): AdminActor => ({
  key_name: caller.key_name ?? '',
  scopes: caller.scopes,
  tenant: caller.is_operator === true ? null : caller.tenant,
  request_id,
})

async function freshKey({ random_bytes }: AdminPorts) {
  const key = keyFrom(random_bytes(RANDOM_BYTES))
  const digest = toHex(await sha256(key))
  return { key, fresh: { id: keyIdFrom(random_bytes(RANDOM_BYTES)), prefix: prefixOf(key), digest } }
}

/** `found` has one entry more than the page where there is a next one. */
function pageOf<T>(found: T[], limit: number, cursorOf: (entry: T) => string): Page<T> {
  const data = found.slice(0, limit)
  const last = data.at(-1)
  const has_more = found.length > limit && last !== undefined
  return { data, has_more, next_cursor: has_more ? cursorOf(last) : null }
}
