/** A source of tools of a client, and the server behind it, which gives the same list each time and these answers in order. */
import type { ClientTool, ToolSource } from '../../src/core/terms/tools/client-tools.ts'
import type { ClientTools, HeldCall, ToolResult } from '../../src/shell/tool-ports.ts'

export const TICKETS: Extract<ToolSource, { kind: 'mcp' }> = {
  kind: 'mcp',
  name: 'tickets',
  headers: {},
  optional: false,
  url: 'https://tickets.example.com/mcp',
  auth: null,
  tools: null,
  on_lost: 'skip',
}

/** A tool as the source lists it. Nobody has said whether it may be repeated. */
export const ticketTool = (name: string, more: Partial<ClientTool> = {}): ClientTool => ({
  name,
  description: `what ${name} does`,
  parameters: { type: 'object', properties: { title: { type: 'string' } } },
  url: TICKETS.url,
  idempotent: false,
  call: { kind: 'mcp', source: 0, tool: name, output_schema: null },
  ...more,
})

export type Answer = ToolResult | HeldCall
export interface TicketServer extends ClientTools {
  runs: { tool: string; input: string; held: unknown }[]
  /** The states of the calls that it was told to give up. */
  dropped: string[]
}

/** After the last answer every call is done. */
export function ticketServer(
  tools: ClientTool[],
  answers: Answer[] = [],
  more: Partial<ClientTools> = {},
): TicketServer {
  const server: TicketServer = {
    runs: [],
    dropped: [],
    run({ name: tool }, _sources, input, { held }) {
      server.runs.push({ tool, input, held })
      return Promise.resolve(answers.shift() ?? { ok: true, code: 'tool_result', text: `done ${server.runs.length}` })
    },
    list: () => Promise.resolve({ kind: 'tools_listed', tools, digest: 'the only list', notes: [] }),
    abandon({ state }) {
      server.dropped.push(state)
      return Promise.resolve()
    },
    ...more,
  }
  return server
}

export const waiting = (state = 'work 9', poll_ms = 5_000): HeldCall => ({
  kind: 'tool_waits',
  state,
  poll_ms,
  message: null,
})
export const asking = (state: string, schema: Record<string, unknown> | null, text = 'Which queue?'): HeldCall => ({
  kind: 'tool_asked',
  question: { text, schema },
  state,
})
