/** Miniflare on stored data, on a port of its own that no client is told. */

/** Answers its address. Miniflare is loaded here, because a start that is refused before should cost nothing. */
export async function startMiniflare(storage, workers) {
  const { Miniflare, convertV4MiniflareOptions } = await import('miniflare')
  const options = {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: storage,
  }
  return new Miniflare(convertV4MiniflareOptions({ ...options, workers })).unsafeGetDirectURL()
}
