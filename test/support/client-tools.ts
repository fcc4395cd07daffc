/** The tools of clients over a network in memory, with public addresses only. */
import { fits } from '../../src/store/fits.ts'
import { clientTools, FILES_OF_NO_TASK } from '../../src/tools/client-tools.ts'

type ClientToolPorts = Parameters<typeof clientTools>[0]

export const toolsOver = (fetch: typeof globalThis.fetch, more: Partial<ClientToolPorts> = {}) =>
  clientTools({
    fetch,
    loopback: false,
    signing: new Map(),
    fits,
    now_ms: () => 0,
    secrets: { reveal: async () => ({ ok: false, error: 'there is none' }) },
    hosts_of: async () => null,
    files: FILES_OF_NO_TASK,
    pause: async () => {},
    ...more,
  })
