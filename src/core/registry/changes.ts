/** What each change of the registry does: who may make it, what it writes, and why it is refused. */
import { ok, refuse, type Result } from '../terms/refusal.ts'
import { nameHint } from '../terms/values/known-names.ts'
import type { ChangeKind } from './audit-entry.ts'
import { grantErrors, inheritedLimits, totalErrors, type Grantor } from './grants.ts'
import { isKeyId } from './key-format.ts'
import { NO_KEY_LIMITS } from './limits.ts'
import { ENDED_KEYS_MAX, KEYS_MAX, stateOf, TENANTS_MAX, type KeyRecord, type TenantRecord } from './records.ts'
import type { AdminActor, AdminRequestKey, RegistryCommand, RegistryCommandAnswer } from './registry-requests.ts'
import type { RegistryRows } from './registry-rows.ts'
import { Scope } from './scopes.ts'

export interface RegistryContext {
  rows: RegistryRows
  now_ms: number
}
type Handler<K extends ChangeKind> = (
  context: RegistryContext,
  command: RegistryCommand<K>,
  by: Grantor,
) => RegistryCommandAnswer<K>

/** An Idempotency-Key is remembered this long at least. */
const REQUEST_MS = 24 * 60 * 60_000
/** Names that a message about an unknown one is compared with. */
const HINT_NAMES_MAX = 1_000

/** Makes a change, if its caller may still change anything. */
export function changeRegistry(
  context: RegistryContext,
  command: RegistryCommand<ChangeKind>,
): RegistryCommandAnswer<ChangeKind> {
  const by = grantorOf(context, command.by)
  // The table has a handler of exactly this kind.
  const handler = CHANGES[command.kind] as Handler<ChangeKind>
  return by.ok ? handler(context, command, by.value) : by
}

/** What the caller may hand out. A key of the registry is looked up again: it may have ended since this isolate looked. */
function grantorOf({ rows, now_ms }: RegistryContext, { key_name, scopes, tenant }: AdminActor): Result<Grantor> {
  if (tenant === null) return ok({ scopes: Scope.options, limits: NO_KEY_LIMITS, expires: null })
  if (!isKeyId(key_name)) return ok({ scopes, limits: NO_KEY_LIMITS, expires: null })
  const own = rows.key(key_name)
  if (own === null) return refuse({ code: 'key_not_found' })
  const state = stateOf(own, now_ms)
  if (state !== 'live') return refuse({ code: 'key_ended', id: key_name, state, successor: null })
  if (rows.tenant(own.tenant)?.disabled !== null) return refuse({ code: 'tenant_disabled' })
  return ok(own)
}

const CHANGES: { [K in ChangeKind]: Handler<K> } = {
  create_tenant: (context, command) =>
    changeTenant(context, command, () => {
      const { rows, now_ms } = context
      const { name, limits } = command
      const known = rows.tenant(name)
      if (known !== null) return refuse({ code: 'tenant_exists', name, is_deleted: known.deleted !== null })
      if (rows.countTenants() >= TENANTS_MAX) return refuse({ code: 'too_many_tenants', max: TENANTS_MAX })
      const tenant: TenantRecord = { name, created: now_ms, disabled: null, deleted: null, limits }
      rows.putTenant(tenant)
      return ok({ id: name, made: tenant })
    }),
  change_tenant: (context, command) =>
    changeTenant(context, command, () => {
      const { rows, now_ms } = context
      const { name, disabled, limits } = command
      const known = tenantIn(rows, name, null)
      if (!known.ok) return known
      const { value } = known
      const since = disabled === undefined ? value.disabled : disabled ? (value.disabled ?? now_ms) : null
      const tenant = { ...value, disabled: since, limits: { ...value.limits, ...limits } }
      rows.putTenant(tenant)
      return ok({ id: name, made: tenant })
    }),
  delete_tenant({ rows, now_ms }, { by, name }) {
    const refusal = operatorOnly(by)
    if (refusal !== null) return refusal
    const known = tenantIn(rows, name, null)
    if (!known.ok) return known
    if (known.value.disabled === null) return refuse({ code: 'tenant_enabled', name })
    rows.revokeAll(name, now_ms)
    rows.putTenant({ ...known.value, deleted: now_ms })
    return ok(null)
  },
  create_key: (context, command, by) =>
    once(
      context,
      command,
      (id) => context.rows.key(id),
      () => {
        const { rows, now_ms } = context
        const { fresh, wish } = command
        const within = command.by.tenant
        const name = wish.tenant ?? within
        if (name === null) return invalid('/tenant', 'tenant is needed: whose key it is')
        const tenant = tenantIn(rows, name, within)
        if (!tenant.ok) return tenant
        const wanted = {
          scopes: wish.scopes,
          limits: inheritedLimits(by, wish.limits),
          expires: wish.expires === undefined ? by.expires : wish.expires,
        }
        const refusal = keyRefusal(context, by, wanted, name)
        if (refusal !== null) return refusal
        const made = { ...fresh, ...wanted, tenant: name, name: wish.name, replaces: null }
        return ok({ id: fresh.id, made: addKey(rows, made, command.by, now_ms) })
      },
    ),
  revoke_key({ rows, now_ms }, { by, id }) {
    const known = keyIn(rows, id, by.tenant)
    if (!known.ok || known.value.revoked !== null) return known
    rows.changeKey(id, { revoked: now_ms })
    return ok({ ...known.value, revoked: now_ms })
  },
  rotate_key: (context, command, by) => {
    const { rows, now_ms } = context
    const { id, fresh, grace_ms } = command
    const known = keyIn(rows, id, command.by.tenant)
    if (!known.ok) return known
    const pairOf = (new_id: string) => {
      const [key, replaced] = [rows.key(new_id), rows.key(id)]
      return key === null || replaced === null ? null : { key, replaced }
    }
    return once(context, command, pairOf, () => {
      const old = known.value
      const ended = endedRefusal(context, old)
      if (ended !== null) return ended
      const { scopes, limits, tenant, name } = old
      const wanted = { scopes, limits, expires: command.expires === undefined ? old.expires : command.expires }
      const refusal = keyRefusal(context, by, wanted, tenant)
      if (refusal !== null) return refusal
      const key = addKey(rows, { ...fresh, ...wanted, tenant, name, replaces: id }, command.by, now_ms)
      const expires = Math.min(old.expires ?? Number.POSITIVE_INFINITY, now_ms + grace_ms)
      rows.changeKey(id, { expires })
      return ok({ id: fresh.id, made: { key, replaced: { ...old, expires } } })
    })
  },
}

const changeTenant = (
  context: RegistryContext,
  command: { by: AdminActor; request: AdminRequestKey | null },
  make: () => Result<{ id: string; made: TenantRecord }>,
) => operatorOnly(command.by) ?? once(context, command, (name) => context.rows.tenant(name), make)

const operatorOnly = ({ tenant }: AdminActor) => (tenant === null ? null : refuse({ code: 'operator_only' }))
const invalid = (pointer: string, message: string) =>
  refuse({ code: 'validation_failed', errors: [{ pointer, message }] })

/** `within`: the only tenant that the caller may see. Any other is answered like an unknown one (API1). */
export function tenantIn(rows: RegistryRows, name: string, within: string | null): Result<TenantRecord> {
  const tenant = within === null || within === name ? rows.tenant(name) : null
  if (tenant !== null && tenant.deleted === null) return ok(tenant)
  const known = within === null ? rows.tenants({ after: '', limit: HINT_NAMES_MAX }).map((one) => one.name) : [within]
  return refuse({ code: 'tenant_not_found', hint: nameHint(name, known) })
}

export function keyIn(rows: RegistryRows, id: string, within: string | null): Result<KeyRecord> {
  const key = rows.key(id)
  return key === null || (within !== null && key.tenant !== within) ? refuse({ code: 'key_not_found' }) : ok(key)
}

/** Why a new key is refused: it could get round its own limits, would have more than its maker, has ended already, or is one too many. */
function keyRefusal(
  { rows, now_ms }: RegistryContext,
  by: Grantor,
  wanted: Pick<KeyRecord, 'scopes' | 'limits' | 'expires'>,
  tenant: string,
) {
  if (wanted.expires !== null && wanted.expires <= now_ms)
    return invalid('/expires_at', `expires_at is in the past: it is ${new Date(now_ms).toISOString()} here`)
  const totals = totalErrors(wanted)
  if (totals.length > 0) return refuse({ code: 'validation_failed', errors: totals })
  const errors = grantErrors(by, wanted)
  if (errors.length > 0) return refuse({ code: 'grant_exceeded', errors })
  return rows.countLive(tenant, now_ms) >= KEYS_MAX ? refuse({ code: 'too_many_keys', max: KEYS_MAX }) : null
}

/** Two keys are live while one takes the place of the other. A third would leave nobody sure of which one ends when. */
function endedRefusal({ rows, now_ms }: RegistryContext, key: KeyRecord) {
  const state = stateOf(key, now_ms)
  const successor = rows.successorOf(key.id)
  const isReplaced = successor !== null && stateOf(successor, now_ms) === 'live'
  if (state === 'live' && !isReplaced) return null
  return refuse({
    code: 'key_ended',
    id: key.id,
    state: state === 'live' ? 'replaced' : state,
    successor: isReplaced ? successor.id : null,
  })
}

function addKey(
  rows: RegistryRows,
  key: Omit<KeyRecord, 'created' | 'created_by' | 'last_used' | 'revoked' | 'position'>,
  by: AdminActor,
  now_ms: number,
): KeyRecord {
  rows.dropEnded(key.tenant, now_ms, ENDED_KEYS_MAX - 1)
  return rows.addKey({ ...key, created: now_ms, created_by: by.key_name, last_used: null, revoked: null })
}

/** Does a change once for an Idempotency-Key. What it has made is answered again as it is now, and a key of the registry without the key. */
function once<T>(
  { rows, now_ms }: RegistryContext,
  { by, request }: { by: AdminActor; request: AdminRequestKey | null },
  find: (made: string) => T | null,
  make: () => Result<{ id: string; made: T }>,
): Result<{ made: T; replayed: boolean }> {
  const owner = by.tenant ?? ''
  const earlier = request === null ? null : rows.earlierChange(owner, request, now_ms - REQUEST_MS)
  if (earlier !== null && earlier.digest !== request?.digest) return refuse({ code: 'idempotency_key_reused' })
  const found = earlier === null ? null : find(earlier.made)
  if (found !== null) return ok({ made: found, replayed: true })
  const made = make()
  if (!made.ok) return made
  if (request !== null) rows.keepChange(owner, request, made.value.id, now_ms, now_ms - REQUEST_MS)
  return ok({ made: made.value.made, replayed: false })
}
