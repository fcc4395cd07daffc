/** Tenants: made, listed, changed, disabled and deleted by operators. */
import * as z from 'zod'
import { NO_TENANT_LIMITS } from '../../../core/registry/limits.ts'
import { answerReply, emptyReply, endpoint, replayHeaders, replyTo } from '../../endpoint.ts'
import { bodyOf, emptyAnswer, IDEMPOTENCY_PROBLEMS, jsonAnswer } from '../../route-builders.ts'
import { ChangeTenant, CreateTenant } from '../../shapes/admin-requests.ts'
import { NoParams, NoQuery, pageLimit } from '../../shapes/fields.ts'
import { ADMIN_ROUTE, administer } from './admin-route.ts'

const TenantParams = z.object({ tenant: z.string().meta({ description: 'the name of the tenant', maxLength: 64 }) })
const TenantsQuery = z.strictObject({
  limit: pageLimit,
  after: z.string().max(64).default('').describe('next_cursor of the page before: the name of its last tenant'),
})

const TENANTS_ROUTE = { ...ADMIN_ROUTE, path: '/admin/tenants', params: NoParams } as const
const TENANT_ROUTE = { ...ADMIN_ROUTE, path: '/admin/tenants/{tenant}', params: TenantParams, query: NoQuery } as const

export const TENANT_ROUTES = {
  createTenant: endpoint(
    {
      ...TENANTS_ROUTE,
      method: 'post',
      summary: 'Make a tenant',
      description:
        'For operators. A tenant owns its tasks, files and secrets, and no key of another one reaches them. Nothing is made for it before its ' +
        'first request. A tenant that API_KEYS names is registered in the same way, to give it limits and keys.',
      query: NoQuery,
      body: bodyOf(CreateTenant, null, true),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The tenant', 'Tenant', 201, { Location: 'the path of the tenant' }),
      problems: ['operator_only', 'tenant_exists', 'too_many_tenants', ...IDEMPOTENCY_PROBLEMS],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => {
        const { name, limits } = call.body
        const answer = await admin.createTenant(by, { name, limits: { ...NO_TENANT_LIMITS, ...limits } })
        return replyTo(answer, ({ made, replayed }) => {
          const headers = { location: `/admin/tenants/${made.name}`, ...replayHeaders(replayed) }
          return {
            ...answerReply(made, async () => (await import('../../text/admin-text.ts')).tenantText(made), headers),
            status: 201,
          }
        })
      }),
  ),
  listTenants: endpoint(
    {
      ...TENANTS_ROUTE,
      method: 'get',
      summary: 'List the tenants',
      description: 'By name. A key with the scope `admin` sees its own tenant.',
      query: TenantsQuery,
      body: null,
      success: jsonAnswer('One page of tenants', 'TenantPage'),
      problems: [],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) =>
        replyTo(await admin.listTenants(by, call.query), (page) =>
          answerReply(page, async () => (await import('../../text/admin-text.ts')).tenantsText(page)),
        ),
      ),
  ),
  getTenant: endpoint(
    {
      ...TENANT_ROUTE,
      method: 'get',
      summary: 'Read a tenant',
      description: 'Its limits, and whether it is disabled.',
      body: null,
      success: jsonAnswer('The tenant', 'Tenant'),
      problems: ['tenant_not_found'],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) =>
        replyTo(await admin.getTenant(by, call.params.tenant), (tenant) =>
          answerReply(tenant, async () => (await import('../../text/admin-text.ts')).tenantText(tenant)),
        ),
      ),
  ),
  changeTenant: endpoint(
    {
      ...TENANT_ROUTE,
      method: 'patch',
      summary: 'Change or disable a tenant',
      description:
        'For operators. Within 60 s a disabled tenant is refused everywhere: its keys (those of API_KEYS too), its links and its schedules, and ' +
        'none of its tasks is driven. What it has stored stays, and goes on when it is enabled. Limits that are left out stay as they are.',
      body: bodyOf(ChangeTenant, null, true),
      headers: ['Idempotency-Key'],
      success: jsonAnswer('The tenant, changed', 'Tenant'),
      problems: ['operator_only', 'tenant_not_found', ...IDEMPOTENCY_PROBLEMS],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) =>
        replyTo(await admin.changeTenant(by, call.params.tenant, call.body), ({ made, replayed }) =>
          answerReply(
            made,
            async () => (await import('../../text/admin-text.ts')).tenantText(made),
            replayHeaders(replayed),
          ),
        ),
      ),
  ),
  deleteTenant: endpoint(
    {
      ...TENANT_ROUTE,
      method: 'delete',
      summary: 'Delete a tenant',
      description:
        'For operators, and only a disabled tenant. All its keys are revoked for good, and it is listed no more. Its name stays taken, because ' +
        'what is stored under the name would fall to whoever took it again. Its tasks are deleted when they have been idle for their ' +
        '`idle_ttl_s`, as always; to have them gone at once, delete them before.',
      body: null,
      success: emptyAnswer(204, 'It is gone'),
      problems: ['operator_only', 'tenant_not_found', 'tenant_enabled'],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => emptyReply(await admin.deleteTenant(by, call.params.tenant))),
  ),
}
