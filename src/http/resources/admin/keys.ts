/** Keys of tenants: made and shown once, listed, rotated and revoked. */
import * as z from 'zod'
import { Scope } from '../../../core/registry/scopes.ts'
import type { NewKeyView } from '../../../core/shown/registry-views.ts'
import { answerReply, emptyReply, endpoint, replayHeaders, replyTo } from '../../endpoint.ts'
import { bodyOf, emptyAnswer, IDEMPOTENCY_PROBLEMS, jsonAnswer } from '../../route-builders.ts'
import { CreateKey, expiryOf, RotateKey } from '../../shapes/admin-requests.ts'
import { NoParams, NoQuery, pageRange } from '../../shapes/fields.ts'
import { ADMIN_ROUTE, administer } from './admin-route.ts'

const SECOND_MS = 1000

const KeyParams = z.object({ id: z.string().meta({ description: 'the id of the key', maxLength: 64 }) })
const KeysQuery = z.strictObject({
  tenant: z.string().max(64).optional().describe('only those of this tenant'),
  ...pageRange,
})

const KEYS_ROUTE = { ...ADMIN_ROUTE, path: '/admin/keys', params: NoParams } as const
const KEY_ROUTE = { ...ADMIN_ROUTE, path: '/admin/keys/{id}', params: KeyParams, query: NoQuery } as const
const GRANT_PROBLEMS = ['grant_exceeded', 'too_many_keys', 'key_ended', ...IDEMPOTENCY_PROBLEMS] as const

/** A key whose secret leaves here, or has left before. */
function newKeyReply<V extends NewKeyView>({ made, replayed }: { made: V; replayed: boolean }) {
  const headers = { location: `/admin/keys/${made.id}`, ...replayHeaders(replayed) }
  return {
    ...answerReply(made, async () => (await import('../../text/admin-text.ts')).newKeyText(made), headers),
    status: 201 as const,
  }
}

export const KEY_ROUTES = {
  createKey: endpoint(
    {
      ...KEYS_ROUTE,
      method: 'post',
      summary: 'Make a key',
      description:
        'The answer has the key, this once: only its SHA-256 is stored. With the scope `admin` a key makes keys of its own tenant, which have at ' +
        'most its own scopes, limits and time. The same Idempotency-Key again answers the same key of the registry, without the key itself.',
      query: NoQuery,
      body: bodyOf(CreateKey, null, true),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The key, shown once', 'NewKey', 201, { Location: 'the path of the key' }),
      problems: ['tenant_not_found', ...GRANT_PROBLEMS],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => {
        const { tenant = null, name, limits } = call.body
        // Each once, in the order of the contract.
        const scopes = Scope.options.filter((scope) => call.body.scopes.includes(scope))
        const wish = { tenant, name, scopes, limits, expires: expiryOf(call.body, ports.now()) }
        return replyTo(await admin.createKey(by, wish), newKeyReply)
      }),
  ),
  listKeys: endpoint(
    {
      ...KEYS_ROUTE,
      method: 'get',
      summary: 'List the keys',
      description:
        'Newest first, with revoked and expired ones, of which the newest 1000 of a tenant are kept: prefix, scopes, last use and expiry. No keys.',
      query: KeysQuery,
      body: null,
      success: jsonAnswer('One page of keys', 'KeyPage'),
      problems: [],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => {
        const { tenant = null, after, limit } = call.query
        return replyTo(await admin.listKeys(by, { tenant, before: after, limit }), (page) =>
          answerReply(page, async () => (await import('../../text/admin-text.ts')).keysText(page)),
        )
      }),
  ),
  getKey: endpoint(
    {
      ...KEY_ROUTE,
      method: 'get',
      summary: 'Read a key',
      description: 'What it may do, and its last use. The key itself cannot be read.',
      body: null,
      success: jsonAnswer('The key, without the key itself', 'Key'),
      problems: ['key_not_found'],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) =>
        replyTo(await admin.getKey(by, call.params.id), (key) =>
          answerReply(key, async () => (await import('../../text/admin-text.ts')).keyText(key)),
        ),
      ),
  ),
  revokeKey: endpoint(
    {
      ...KEY_ROUTE,
      method: 'delete',
      summary: 'Revoke a key',
      description:
        'For good. It is refused everywhere within 60 s, and streams that it has opened end. Tasks that it has made go on: they belong to its tenant.',
      body: null,
      success: emptyAnswer(204, 'It is revoked'),
      problems: ['key_not_found', 'key_ended'],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => emptyReply(await admin.revokeKey(by, call.params.id))),
  ),
  rotateKey: endpoint(
    {
      ...KEY_ROUTE,
      method: 'post',
      path: '/admin/keys/{id}/rotate',
      summary: 'Rotate a key',
      description:
        'Makes a key with the same tenant, name, scopes and limits, and lets the other one expire after `grace_s`: until then both work. Without ' +
        '`expires_at` or `expires_in_s` the new one expires when the other one would have. A key that has been rotated is not rotated again ' +
        'while its successor is live.',
      body: bodyOf(RotateKey, null, false),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The new key, shown once, and the other one', 'RotatedKey', 201, {
        Location: 'the path of the new key',
      }),
      problems: ['key_not_found', ...GRANT_PROBLEMS],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => {
        const wish = { grace_ms: call.body.grace_s * SECOND_MS, expires: expiryOf(call.body, ports.now()) }
        return replyTo(await admin.rotateKey(by, call.params.id, wish), newKeyReply)
      }),
  ),
}
