/**
 * One connection to an MCP server for one effect. It is opened, used and closed within the time of the call, because isolates come and
 * go. What a server speaks is kept as a hint that saves a request.
 */
import { StreamableHTTPClientTransport, type PriorDiscovery } from '@modelcontextprotocol/client'
import type { Attempt } from '../../core/terms/attempt.ts'
import type { McpSource } from '../../core/terms/tools/client-tools.ts'
import type { SchemaValidator } from '../../core/terms/schema/answer-form.ts'
import { readAddress } from '../../shell/network/address.ts'
import { withDeadline } from '../../shell/network/bounded-fetch.ts'
import type { Files } from '../../shell/ports.ts'
import type { CallContext, Secrets, ToolContext } from '../../shell/tool-ports.ts'
import { clientCredentials } from './authorization.ts'
import { failureOf } from './failures.ts'
import { openNetwork, RESUMES_LOST_MAX, type McpNetwork, type NetworkPorts } from './network.ts'
import { secretFiller, type SecretFiller } from '../../shell/secrets/filler.ts'
import { openServer, type KeptSession, type McpServer } from './server.ts'
import { mcpFailure, type McpFailure } from './texts.ts'

/** What the MCP tools need from outside. */
export interface McpPorts extends NetworkPorts {
  secrets: Secrets
  files: Files
  fits: SchemaValidator
  /** Real time in ms since the epoch. */
  now_ms: () => number
}

export interface ConnectionOptions {
  /** Whether the server may send messages that belong to no request. */
  listens: boolean
  session?: KeptSession | null
}
/** What became of an effect. `called`: the server was asked to run a tool. */
export interface ConnectionResult<T> {
  outcome: Attempt<T, McpFailure>
  called: boolean
  /** Whether the revision of the server was a hint. */
  hinted: boolean
  texts: SecretFiller
}

/** How long the last words to a server may take: that a request is cancelled, that a session is over. */
const TIDY_MS = 1_000
const HINTS_MAX = 200
/** How long a hint is followed, so that a server that learns a newer revision is noticed. */
const HINT_MS = 600_000

interface Hint {
  prior: PriorDiscovery
  until_ms: number
}
/** What the servers of this isolate spoke last, by tenant and source. */
const hints = new Map<string, Hint>()

function keepHint(key: string, hint: Hint): void {
  hints.delete(key)
  hints.set(key, hint)
  const [oldest] = hints.keys()
  if (hints.size > HINTS_MAX && oldest !== undefined) hints.delete(oldest)
}

/** What a connection needs of its effect. */
export type ServerContext = CallContext & Pick<ToolContext, 'tenant' | 'locale'>

/** Runs `work` with an open connection. Never rejects. */
export async function withServer<T>(
  outside: McpPorts,
  source: McpSource,
  call: ServerContext,
  options: ConnectionOptions,
  work: (server: McpServer) => Promise<T>,
): Promise<ConnectionResult<T>> {
  const texts = secretFiller(outside.secrets, call)
  const address = readAddress(source.url, outside.reach)
  if (!address.ok) return { outcome: failed('address', address.error), called: false, hinted: false, texts }
  const key = JSON.stringify([call.tenant, source.url, source.headers, source.auth])
  let headers: ReturnType<typeof serverHeaders> | null = null
  const network = openNetwork(outside, {
    server: address.value,
    headers: () => (headers ??= serverHeaders(source, address.value, call, texts)),
    listens: options.listens,
    now_ms: outside.now_ms,
    redact: texts.redact,
  })
  const transport = newTransport(address.value, network, source, options, { outside, texts, key })
  const hint = hints.get(key)
  const prior = hint !== undefined && hint.until_ms > outside.now_ms() ? hint.prior : undefined
  let keeps_session = false
  const run = async (signal: AbortSignal): Promise<T> => {
    const timing = { signal, timeout: call.timeout_ms + TIDY_MS }
    const { server, found } = await openServer({ transport, texts, timing, prior, now_ms: outside.now_ms() })
    if (found !== null) keepHint(key, { prior: found, until_ms: outside.now_ms() + HINT_MS })
    const value = await work(server)
    keeps_session = server.keeps_session
    return value
  }
  const outcome = await withDeadline<Attempt<T, McpFailure>>(
    call.timeout_ms,
    failed('timed_out'),
    (signal) =>
      Promise.race([run(signal), network.broken]).then(
        (value) => ({ ok: true, value }),
        (error: unknown) => ({ ok: false, error: { ...failureOf(error), retry_after_ms: network.retryAfter() } }),
      ),
    call.stop && { signal: call.stop, stopped: failed('stopped') },
  )
  network.close()
  if (!outcome.ok) hints.delete(key)
  await tidy(transport, network, keeps_session && outcome.ok)
  return { outcome, called: network.hasCalled(), hinted: prior !== undefined, texts }
}

const failed = (kind: McpFailure['kind'], detail = '') => ({ ok: false as const, error: mcpFailure(kind, detail) })

function newTransport(
  address: URL,
  network: McpNetwork,
  { auth }: McpSource,
  { session }: ConnectionOptions,
  { outside, texts, key }: { outside: McpPorts; texts: SecretFiller; key: string },
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(address, {
    fetch: network.fetch,
    authProvider:
      auth?.kind === 'client_credentials' ? clientCredentials(auth, texts, { key, now_ms: outside.now_ms }) : undefined,
    maxStepUpRetries: 1,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: RESUMES_LOST_MAX + 1,
    },
    ...(session ? { sessionId: session.id, protocolVersion: session.revision } : {}),
  })
}

/** Tells the server that its session is over, and closes every stream. What it answers does not matter. */
async function tidy(transport: StreamableHTTPClientTransport, network: McpNetwork, keeps_session: boolean) {
  await withDeadline<unknown>(TIDY_MS, null, async () => {
    // The library sends its last word, that a request is cancelled, a moment after the abort.
    await new Promise((resolve) => setTimeout(resolve, 0))
    await network.idle()
    if (!keeps_session) await transport.terminateSession().catch(() => undefined)
  })
  await transport.close().catch(() => undefined)
}

/** The headers of the source, with their secrets, and the trace of the request that caused the call. */
async function serverHeaders(
  { headers, auth }: McpSource,
  address: URL,
  { traceparent }: ServerContext,
  texts: SecretFiller,
): Promise<Attempt<[string, string][], McpFailure>> {
  const all: [string, string][] = Object.entries(headers)
  if (auth?.kind === 'bearer') all.push(['authorization', `Bearer ${auth.token}`])
  const filled: [string, string][] = traceparent === null ? [] : [['traceparent', traceparent]]
  for (const [name, text] of all) {
    const value = await texts.fill(text, address)
    if (!value.ok) return failed('secret', value.error)
    // A literal token is a secret as well.
    if (name.toLowerCase() === 'authorization') texts.hide(value.value.slice(value.value.indexOf(' ') + 1))
    filled.push([name, value.value])
  }
  return { ok: true, value: filled }
}
