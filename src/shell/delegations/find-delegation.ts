/** What a task says of one of its commands, by the id of that. */
import type { LinkedDelegation } from '../../core/terms/delegation.ts'
import { parseDelegationId } from '../../core/terms/delegation-id.ts'
import { refuse, type Result } from '../../core/terms/refusal.ts'
import type { Ports } from '../ports.ts'

/** `task_not_found` where there is no task; with `chars` its texts are cut to so many. */
export async function askTask(
  { store }: Ports,
  tenant: string,
  id: string,
  chars?: number,
): Promise<Result<LinkedDelegation>> {
  const ref = parseDelegationId(id)
  return ref === null ? refuse({ code: 'delegation_not_found' }) : store.of(tenant, ref.task).delegation(ref.seq, chars)
}

/** The same for whoever named it: unknown, foreign and malformed ids are all alike. */
export async function findDelegation(ports: Ports, tenant: string, id: string): Promise<Result<LinkedDelegation>> {
  return asDelegation(await askTask(ports, tenant, id))
}

export function asDelegation<T>(result: Result<T>): Result<T> {
  const unknown = !result.ok && result.refusal.code === 'task_not_found'
  return unknown ? refuse({ code: 'delegation_not_found' }) : result
}
