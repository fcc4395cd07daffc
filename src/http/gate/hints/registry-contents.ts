/** The details of problems about tenants and keys, a part of the table in problem-content.ts. */
import type { HttpRefusal, ProblemCode } from '../../shapes/http-refusal.ts'

type Contents<C extends ProblemCode> = {
  [Code in C]: (refusal: Extract<HttpRefusal, { code: Code }>) => {
    detail: string
    headers?: Record<string, string>
    members?: Record<string, unknown>
  }
}

/** The key is known, and is not enough (RFC 6750). */
const FORBIDDEN = { 'www-authenticate': 'Bearer realm="loop-agent", error="insufficient_scope"' }

export const REGISTRY_CONTENTS: Contents<
  | 'operator_only'
  | 'grant_exceeded'
  | 'tenant_disabled'
  | 'tenant_not_found'
  | 'tenant_exists'
  | 'tenant_enabled'
  | 'too_many_tenants'
  | 'too_many_keys'
  | 'key_not_found'
  | 'key_ended'
> = {
  operator_only: () => ({
    detail: 'Only ADMIN_KEY may do this. A key with the scope admin administers the keys of its own tenant.',
    headers: FORBIDDEN,
  }),
  grant_exceeded: ({ errors }) => ({
    detail: `A key has at most what yours has: ${errors.map(({ message }) => message).join('; ')}.`,
    headers: FORBIDDEN,
    members: { errors },
  }),
  tenant_disabled: () => ({
    detail: 'This tenant is disabled: its keys and links open nothing. Ask whoever runs the service.',
    headers: FORBIDDEN,
  }),
  tenant_not_found: ({ hint }) => ({
    detail:
      hint === ''
        ? 'There is no such tenant; GET /admin/tenants lists those there are.'
        : `There is no such tenant${hint}`,
  }),
  tenant_exists: ({ name, is_deleted }) => ({
    detail: is_deleted
      ? `There was a tenant "${name}", which was deleted. Its name stays taken, because what was stored under it would fall to the new one.`
      : `There is a tenant "${name}" already: PATCH /admin/tenants/${name} changes it.`,
  }),
  tenant_enabled: ({ name }) => ({
    detail: `"${name}" is served still: disable it first, by PATCH /admin/tenants/${name} with {"disabled": true}.`,
  }),
  too_many_tenants: ({ max }) => ({ detail: `There may be at most ${max} tenants; delete one first.` }),
  too_many_keys: ({ max }) => ({ detail: `A tenant has at most ${max} live keys; revoke one first.` }),
  key_not_found: () => ({ detail: 'There is no such key; GET /admin/keys lists those there are.' }),
  key_ended: ({ id, state, successor }) => ({
    detail:
      state === 'replaced'
        ? `${successor ?? 'Another key'} has taken the place of ${id}: rotate that one, or revoke it first.`
        : `The key ${id} ${state === 'revoked' ? 'was revoked' : 'has expired'}.`,
  }),
}
