/** Lists and calls of tools of one MCP server, as an effect of a task makes them. */
import type { ClientTool, McpSource } from '../../src/core/terms/tools/client-tools.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import type { HeldState, ToolContext } from '../../src/shell/tool-ports.ts'
import { fits } from '../../src/store/fits.ts'
import { abandonMcp, callMcp, listMcp, type McpPorts } from '../../src/tools/mcp/mcp-tools.ts'
import { SERVER_URL } from './mcp-stand-in.ts'

export const CALL: ToolContext = {
  timeout_ms: 20_000,
  traceparent: null,
  tenant: 'acme',
  task: 'task_1',
  key: 'task_1:4',
  now_ms: 0,
  timezone: 'UTC',
  locale: 'en',
  settings: DEFAULT_SETTINGS,
}
export const sourceAt = (url: string = SERVER_URL, more: Partial<McpSource> = {}): McpSource => ({
  kind: 'mcp',
  name: 'shop',
  url,
  headers: {},
  optional: false,
  auth: null,
  tools: null,
  on_lost: 'ask',
  ...more,
})
export const toolNamed = (tool: string, more: Partial<ClientTool> = {}, how: object = {}): ClientTool => ({
  name: `shop.${tool}`,
  description: '',
  parameters: { type: 'object' },
  url: SERVER_URL,
  idempotent: false,
  ...more,
  call: { kind: 'mcp', source: 0, tool, output_schema: null, ...how },
})

interface Written {
  name: string
  content: string | Uint8Array<ArrayBuffer>
}
/** `tenant`: servers are remembered by tenant, and each bench is one of its own. */
export interface Bench {
  outside: McpPorts
  written: Written[]
  list: (more?: Partial<McpSource>, call?: Partial<ToolContext>) => ReturnType<typeof listMcp>
  call: (
    tool: ClientTool,
    input?: object | string,
    call?: Partial<ToolContext> & { held?: HeldState },
    more?: Partial<McpSource>,
  ) => ReturnType<typeof callMcp>
  abandon: (held: HeldState, more?: Partial<McpSource>) => Promise<void>
}
let benches = 0

export function benchWith(fetch: typeof globalThis.fetch, more: Partial<McpPorts> = {}, url = SERVER_URL): Bench {
  const written: Written[] = []
  const tenant = `tenant-${(benches += 1)}`
  let now_ms = 1_000
  const outside: McpPorts = {
    fetch,
    reach: { loopback: true },
    secrets: { reveal: (_tenant, name) => Promise.resolve({ ok: false, error: `there is no secret ${name}` }) },
    files: {
      list: () => Promise.resolve({ ok: true, value: [] }),
      open: () => Promise.resolve({ ok: true, value: null }),
      write(_of, { name, content }) {
        written.push({ name, content })
        return Promise.resolve({ ok: true, value: 'written' })
      },
    },
    fits,
    now_ms: () => (now_ms += 1),
    ...more,
  }
  const at = (source: Partial<McpSource> = {}) => sourceAt(url, source)
  return {
    outside,
    written,
    list: (source, call) => listMcp({ source: at(source), position: 0 }, outside, { ...CALL, tenant, ...call }),
    call: (tool, input = {}, call = {}, source = {}) =>
      callMcp(
        tool,
        at(source),
        typeof input === 'string' ? input : JSON.stringify(input),
        { ...CALL, tenant, ...call },
        outside,
      ),
    abandon: (held, source) => abandonMcp(at(source), held, { ...CALL, tenant }, outside),
  }
}
