/** Every entry of a tenant's index is held against its task, as the workspace has it done for a few of them at a time. */
import { mendIndex } from '../../src/shell/listing/mend.ts'
import type { Ports } from '../../src/shell/ports.ts'

const EVERY = { status: null, mode: null, metadata: {}, q: null }

export async function mendAll(ports: Ports, tenant: string): Promise<void> {
  const { entries } = await ports.store.workspace(tenant).list(EVERY, 0, 1_000)
  await mendIndex(
    ports,
    tenant,
    entries.map(({ id }) => id),
  )
}
