/** The audit log: who changed or read which tenant and which key, and in which request. */
import * as z from 'zod'
import { ADMIN_ACTIONS } from '../../../core/registry/audit-entry.ts'
import { answerReply, endpoint, replyTo } from '../../endpoint.ts'
import { jsonAnswer } from '../../route-builders.ts'
import { NoParams, pageRange } from '../../shapes/fields.ts'
import { ADMIN_ROUTE, administer } from './admin-route.ts'

const AuditQuery = z.strictObject({
  tenant: z.string().max(64).optional().describe('only calls about this tenant, or by it'),
  action: z.enum(ADMIN_ACTIONS).optional().describe('only calls of this operation'),
  ...pageRange,
})

export const AUDIT_ROUTES = {
  listAudit: endpoint(
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: '/admin/audit',
      summary: 'Read the audit log',
      description:
        'Calls of the routes under /admin that got as far as the registry, newest first, also those that it refused. It never has a key. Of each ' +
        'tenant, and of the operators, the newest 10000 changes and 1000 reads are kept, for 400 days at most.',
      params: NoParams,
      query: AuditQuery,
      body: null,
      success: jsonAnswer('One page of the log', 'AuditPage'),
      problems: [],
    },
    (ports, call) =>
      administer(ports, call, async (admin, by) => {
        const { tenant = null, action = null, after, limit } = call.query
        return replyTo(await admin.listAudit(by, { tenant, action, before: after, limit }), (page) =>
          answerReply(page, async () => (await import('../../text/admin-text.ts')).auditText(page)),
        )
      }),
  ),
}
