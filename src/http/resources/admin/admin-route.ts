/** What all routes of administrators have in common. */
import type { AdminCall, AdminService } from '../../../shell/registry/admin-service.ts'
import { refusalReply, type AdmittedCall, type Ports, type Reply } from '../../endpoint.ts'
import { countAdminCall } from '../../gate/rate-limit.ts'

/** The routes are for ADMIN_KEY, and within one tenant for its keys with the scope `admin`. */
export const ADMIN_ROUTE = { tag: 'Administration', open: false, scope: 'admin', headers: [], also: [] } as const

/** Calls the service for an administrator, unless its tenant has called too often. */
export async function administer(
  { admin, count_request }: Ports,
  { caller }: AdmittedCall,
  call: (service: AdminService, by: AdminCall) => Promise<Reply>,
): Promise<Reply> {
  // The requests of operators were counted when they were admitted.
  const refusal = caller.is_operator === true ? null : await countAdminCall(count_request, caller.tenant)
  return refusal === null ? call(admin, { caller, request_id: caller.request_id ?? '' }) : refusalReply(refusal)
}
