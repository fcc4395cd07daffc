/**
 * The tools that clients bring: how each kind is called, and how sources are listed. What performs a kind is loaded by its first call, so
 * that a start pays for none.
 */
import type { EventOf } from '../core/terms/effect.ts'
import { ok } from '../core/terms/refusal.ts'
import type { Locale } from '../core/terms/locale.ts'
import { utf8Bytes } from '../core/terms/text.ts'
import { nameList } from '../core/terms/values/known-names.ts'
import {
  LIST_BYTES_MAX,
  LISTED_TOOLS_MAX,
  type McpSource,
  type OpenApiSource,
  type ToolSource,
} from '../core/terms/tools/client-tools.ts'
import { readAddress, type Reach } from '../shell/network/address.ts'
import { guardedFetch } from '../shell/network/guarded-fetch.ts'
import type { Files } from '../shell/ports.ts'
import { secretFiller, type SecretFiller } from '../shell/secrets/filler.ts'
import type { ClientTools, Secrets, ToolContext } from '../shell/tool-ports.ts'
import { httpTool, type HttpToolPorts } from './http-tool.ts'
import type { McpPorts } from './mcp/mcp-tools.ts'

interface ClientToolPorts extends Omit<HttpToolPorts, 'secrets'> {
  /** `whsec_…` by tenant: signed tools are called with them. */
  signing: HttpToolPorts['secrets']
  secrets: Secrets
  files: Files
  /** The only hosts that addresses of a tenant may name. null: as `Reach` says for all. */
  hosts_of: (tenant: string) => Promise<ReadonlySet<string> | null>
  /** Lets other requests be served while a large document is read. */
  pause: () => Promise<void>
}

type Listing = EventOf<'tools_listed'> | EventOf<'tools_unlisted'>

/** For calls outside of any task: nothing is there, and what is written is kept nowhere. */
export const FILES_OF_NO_TASK: Files = {
  list: () => Promise.resolve(ok([])),
  open: () => Promise.resolve(ok(null)),
  write: () => Promise.resolve(ok('written')),
}

export function clientTools(ports: ClientToolPorts): ClientTools {
  const { fetch, loopback, allowed_hosts, denied_hosts, fits, now_ms, secrets, files } = ports
  // Asked at each call, because the hosts of a tenant may change while its task runs.
  const reachOf = async ({ tenant }: { tenant: string }): Promise<Reach> => ({
    loopback,
    allowed_hosts,
    denied_hosts,
    tenant_hosts: await ports.hosts_of(tenant),
  })
  const mcpPorts = (reach: Reach): McpPorts => ({ fetch, reach, secrets, files, fits, now_ms })
  return {
    async run(tool, sources, input, call) {
      const { call: how } = tool
      const reach = await reachOf(call)
      if (how === undefined) return httpTool({ ...ports, ...reach, secrets: ports.signing }, tool).run(input, call)
      if (how.kind === 'http') {
        const { httpCallTool } = await import('./http/http-call-tool.ts')
        return httpCallTool({ ...reach, fetch, fits, secrets, now_ms }, tool, how).run(input, call)
      }
      const source = serverAt(sources, how.source)
      if (source === null) return { ok: false, code: 'not_called', text: NO_SOURCE[call.locale] }
      const { callMcp } = await import('./mcp/mcp-tools.ts')
      return callMcp(tool, source, input, call, mcpPorts(reach))
    },
    async list({ source, position }, call) {
      const reach = await reachOf(call)
      if (source.kind === 'openapi')
        return boundList(await listDocument(ports, reach, source, position, call), source.operations)
      const { listMcp } = await import('./mcp/mcp-tools.ts')
      return boundList(await listMcp({ source, position }, mcpPorts(reach), call), source.tools)
    },
    async abandon({ tool, sources, state, locale }, call) {
      const source = tool.call?.kind === 'mcp' ? serverAt(sources, tool.call.source) : null
      if (source === null) return
      const { abandonMcp } = await import('./mcp/mcp-tools.ts')
      await abandonMcp(source, { state }, { ...call, locale }, mcpPorts(await reachOf(call)))
    },
  }
}

const NO_SOURCE: Record<Locale, string> = {
  en: 'not called: the task has no such source any more',
  zh: '未调用：本任务已没有该来源',
}

function serverAt(sources: readonly ToolSource[], position: number): McpSource | null {
  const source = sources[position]
  return source?.kind === 'mcp' ? source : null
}

const DOCUMENT_REDIRECTS = 3

/** A document may be somewhere else than its address says. What follows a redirect gets no secret. */
async function listDocument(
  { fetch, secrets, files, pause }: ClientToolPorts,
  reach: Reach,
  source: OpenApiSource,
  position: number,
  call: ToolContext,
): Promise<Listing> {
  const [{ listOpenApi }, { DOCUMENT_BYTES_MAX }] = await Promise.all([
    import('./openapi/list.ts'),
    import('./openapi/document.ts'),
  ])
  const filler = secretFiller(secrets, call)
  const listed = await listOpenApi(
    { source, position },
    {
      files,
      pause,
      checkAddress: (url) => readAddress(url, reach),
      async fetchDocument(url, texts) {
        const address = readAddress(url, reach)
        if (!address.ok) return { kind: 'unanswered', failure: 'address', reason: address.error }
        const headers = await filler.fillAll(texts, address.value)
        if (!headers.ok) return { kind: 'unanswered', failure: 'address', reason: headers.error }
        const bounds = {
          reach,
          timeout_ms: call.timeout_ms,
          bytes_max: DOCUMENT_BYTES_MAX,
          redirects: DOCUMENT_REDIRECTS,
        }
        const answer = await guardedFetch(
          fetch,
          url,
          { headers: headers.value },
          call.stop ? { ...bounds, stop: call.stop } : bounds,
        )
        // Names of tools and arguments are made of its text, and no spelling of a value may become one.
        return answer.kind === 'answered' ? { ...answer, body: await redactBody(answer.body, filler, pause) } : answer
      },
    },
    call,
  )
  return filler.redactAll(listed)
}

/** The same bytes where they hold no secret that was sent. */
async function redactBody(
  body: Uint8Array<ArrayBuffer>,
  { redactLong }: SecretFiller,
  pause: ClientToolPorts['pause'],
): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextDecoder().decode(body)
  const redacted = await redactLong(text, pause)
  return redacted === text ? body : new Uint8Array(new TextEncoder().encode(redacted))
}

/** The list within the bounds that the forecast counts with. What is left out is named. Tools that the source names have to fit. */
function boundList(listing: Listing, wanted: readonly string[] | null): Listing {
  if (listing.kind === 'tools_unlisted') return listing
  let [bytes, count] = [0, 0]
  const kept = listing.tools.filter(({ name, description, parameters, call }) => {
    const shape = call?.kind === 'mcp' ? call.output_schema : null
    const more = utf8Bytes(JSON.stringify([name, description, parameters, shape]))
    if (count === LISTED_TOOLS_MAX || bytes + more > LIST_BYTES_MAX) return false
    bytes += more
    count += 1
    return true
  })
  const lost = listing.tools.filter((tool) => !kept.includes(tool)).map(({ name }) => name)
  if (lost.length === 0) return listing
  const what = `a list has at most ${LISTED_TOOLS_MAX} tools and ${LIST_BYTES_MAX} bytes: ${nameList(lost)}`
  if (wanted !== null)
    return {
      kind: 'tools_unlisted',
      reason: `${lost.length} of the tools that it names do not fit, because ${what}`,
      passing: false,
      retry_after_ms: null,
    }
  return { ...listing, tools: kept, notes: [...listing.notes, `${lost.length} tools are left out, because ${what}`] }
}
