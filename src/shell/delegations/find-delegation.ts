/** Reads a delegation from its task by the delegation's id. */
import type { LinkedDelegation } from '../../core/terms/delegation.ts'
import { parseDelegationId } from '../../core/terms/delegation-id.ts'
import { hideRefusal, ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { Ports } from '../ports.ts'

/** Refuses with `task_not_found` where there is no task. With `chars` the texts are cut to that length. */
export async function askTask(
  { store }: Ports,
  tenant: string,
  id: string,
  chars?: number,
): Promise<Result<LinkedDelegation>> {
  const ref = parseDelegationId(id)
  if (ref === null) return refuse({ code: 'delegation_not_found' })
  const found = await store.of(tenant, ref.task).ask({ kind: 'delegation', seq: ref.seq, chars })
  return found.ok ? ok(withPool(found.value)) : found
}

/** While a deployment is rolled out, an object of the release before pools names none: its commands are in the default pool (OPS-09). */
export const withPool = <D extends { pool: string | null }>(delegation: D): D => ({
  ...delegation,
  pool: delegation.pool ?? null,
})

/** The same for a caller: unknown, foreign and malformed ids get the same refusal. */
export async function findDelegation(ports: Ports, tenant: string, id: string): Promise<Result<LinkedDelegation>> {
  return asDelegation(await askTask(ports, tenant, id))
}

export const asDelegation = <T>(result: Result<T>): Result<T> =>
  hideRefusal(result, 'task_not_found', 'delegation_not_found')
