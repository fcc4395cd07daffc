/** What the audit log says of a change, and of one that was refused: who, what, and about whom. Nothing in it is a secret. */
import { isRecord } from '../terms/plain/is-record.ts'
import type { Result } from '../terms/refusal.ts'
import type { AuditEntry } from './records.ts'
import type { RegistryCommand, RegistryCommandKind } from './registry-requests.ts'
import type { RegistryRows } from './registry-rows.ts'

/** The operations that the log has, by their names in the contract. */
export const ADMIN_ACTIONS = [
  'createTenant',
  'changeTenant',
  'deleteTenant',
  'getTenant',
  'listTenants',
  'createKey',
  'rotateKey',
  'revokeKey',
  'getKey',
  'listKeys',
  'listAudit',
] as const
type AdminAction = (typeof ADMIN_ACTIONS)[number]

export type ChangeKind = Exclude<RegistryCommandKind, 'look_up' | 'note_call'>

export function auditEntryOf(
  rows: RegistryRows,
  command: RegistryCommand<ChangeKind>,
  answer: Result<unknown>,
): Omit<AuditEntry, 'seq' | 'at'> {
  const { by, kind } = command
  const made = madeIn(answer)
  return {
    request_id: by.request_id,
    actor: by.key_name,
    actor_tenant: by.tenant,
    action: ACTIONS[kind],
    is_read: false,
    ...targetOf(rows, command, made?.id ?? null),
    outcome: answer.ok ? (made?.replayed === true ? 'replayed' : 'done') : answer.refusal.code,
    details: detailsOf(command, made?.id ?? null),
  }
}

const ACTIONS: { [K in ChangeKind]: AdminAction } = {
  create_tenant: 'createTenant',
  change_tenant: 'changeTenant',
  delete_tenant: 'deleteTenant',
  create_key: 'createKey',
  revoke_key: 'revokeKey',
  rotate_key: 'rotateKey',
}

/** What a change has made, or would have made but for an earlier request. null: nothing. */
function madeIn(answer: Result<unknown>): { replayed: boolean; id: string | null } | null {
  if (!answer.ok || !isRecord(answer.value) || !('made' in answer.value)) return null
  const { made, replayed } = answer.value
  const key = isRecord(made) && isRecord(made['key']) ? made['key'] : made
  return { replayed: replayed === true, id: isRecord(key) && typeof key['id'] === 'string' ? key['id'] : null }
}

/** What a call was about. The tenant of a key that the caller may not see is not told to the caller's own log. */
function targetOf(rows: RegistryRows, command: RegistryCommand<ChangeKind>, made: string | null) {
  const { by } = command
  switch (command.kind) {
    case 'create_tenant':
    case 'change_tenant':
    case 'delete_tenant':
      return { tenant: command.name, key: null }
    case 'create_key':
      return { tenant: command.wish.tenant ?? by.tenant, key: made }
    case 'revoke_key':
    case 'rotate_key': {
      const key = rows.key(command.id)
      const isSeen = key !== null && (by.tenant === null || by.tenant === key.tenant)
      return { tenant: isSeen ? key.tenant : by.tenant, key: command.id }
    }
  }
}

function detailsOf(command: RegistryCommand<ChangeKind>, made: string | null): Record<string, unknown> {
  switch (command.kind) {
    case 'create_tenant':
      return { limits: command.limits }
    case 'change_tenant':
      return { disabled: command.disabled, limits: command.limits }
    case 'delete_tenant':
    case 'revoke_key':
      return {}
    case 'create_key': {
      const { name, scopes, limits, expires } = command.wish
      return { name, scopes, limits, expires_at: timeOf(expires) }
    }
    case 'rotate_key':
      return { grace_s: command.grace_ms / 1000, expires_at: timeOf(command.expires), new_key: made }
  }
}

const timeOf = (ms: number | null | undefined) => (typeof ms === 'number' ? new Date(ms).toISOString() : ms)
