/** Compares every entry of a tenant's index with its task, as the workspace does for a few of them at a time. */
import { mendIndex } from '../../src/shell/listing/mend.ts'
import type { Ports } from '../../src/shell/ports.ts'

const EVERY = { status: null, mode: null, metadata: {}, q: null, outcome: null }

export async function mendAll(ports: Ports, tenant: string): Promise<void> {
  const { entries } = await ports.store.workspace(tenant).ask({ kind: 'list', filter: EVERY, before: 0, limit: 1_000 })
  await mendIndex(
    ports,
    tenant,
    entries.map(({ id }) => id),
  )
}
