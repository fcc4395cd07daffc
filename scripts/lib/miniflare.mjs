/** Miniflare on stored data, on a port of its own that no client is told. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Answers its address. Miniflare is loaded here, because a start that is refused before should cost nothing, and by `require`, because `import`
 * reads its five megabytes a second time to find what they export.
 */
export async function startMiniflare(storage, workers) {
  const { Miniflare, convertV4MiniflareOptions } = require('miniflare')
  const options = {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: storage,
  }
  return new Miniflare(convertV4MiniflareOptions({ ...options, workers })).unsafeGetDirectURL()
}
