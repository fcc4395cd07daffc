/**
 * The tools of MCP servers (docs/tools.md): lists them, calls them, and gives held calls up. Loaded on first use, because the client library is
 * large. Nothing rejects.
 */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { ClientTool, McpSource } from '../../core/terms/tools/client-tools.ts'
import type { EventOf } from '../../core/terms/effect.ts'
import type { HeldCall, HeldState, ToolContext, ToolResult } from '../../shell/tool-ports.ts'
import { readArguments } from '../tool-arguments.ts'
import { callTool, type McpRequest } from './call.ts'
import {
  withServer,
  type ServerContext,
  type ConnectionOptions,
  type ConnectionResult,
  type McpPorts,
} from './connection.ts'
import type { McpServer } from './server.ts'
import { mayBeRevision } from './failures.ts'
import { readState } from './held-state.ts'
import { listTools } from './list.ts'
import { MAY_HAVE_ACTED, MCP_TEXTS, mcpFailure, NOT_ACTED, type McpFailure } from './texts.ts'

export type { McpPorts } from './connection.ts'

/** How long a server may take to learn that a call is given up. */
const ABANDON_MS = 5_000

export async function listMcp(
  listing: { source: McpSource; position: number },
  outside: McpPorts,
  call: ToolContext,
): Promise<EventOf<'tools_listed'> | EventOf<'tools_unlisted'>> {
  const { source } = listing
  const { outcome, texts } = await connect(outside, source, call, { listens: false }, (server) =>
    listTools(server, listing),
  )
  if (outcome.ok) return texts.redactAll({ kind: 'tools_listed' as const, ...outcome.value })
  const { kind, detail, retry_after_ms = null } = outcome.error
  const { text, passing } = MCP_TEXTS[kind]
  return texts.redactAll({
    kind: 'tools_unlisted' as const,
    reason: text[call.locale](detail),
    passing,
    retry_after_ms,
  })
}

/**
 * Codes of results: `success`, and `tool_error` where the server says so; `usage_error`, `not_called` where nothing was done; `no_answer`,
 * `bad_answer`.
 */
export async function callMcp(
  tool: ClientTool,
  source: McpSource,
  input: string,
  call: ToolContext & { held?: HeldState | undefined },
  outside: McpPorts,
): Promise<ToolResult | HeldCall> {
  const request = readRequest(tool, source, input, call, outside)
  if (!request.ok) return failedResult(request.error, false, call)
  const { state } = request.value
  const options = { listens: true, session: state?.kind === 'task' ? state.session : null }
  const { outcome, called, texts } = await connect(outside, source, call, options, (server) =>
    callTool(server, request.value, outside, call),
  )
  return texts.redactAll(
    outcome.ok ? outcome.value : failedResult(outcome.error, called || state?.kind === 'task', call),
  )
}

/** Cancels what the server still works on. */
export async function abandonMcp(
  source: McpSource,
  held: Pick<HeldState, 'state'>,
  call: ServerContext,
  outside: McpPorts,
): Promise<void> {
  const state = readState(held.state)
  if (state?.kind !== 'task') return
  const { id, session } = state
  const timeout_ms = Math.min(call.timeout_ms, ABANDON_MS)
  await withServer(outside, source, { ...call, timeout_ms }, { listens: false, session }, (server) =>
    server.request('tasks/cancel', { taskId: id }),
  )
}

function readRequest(
  tool: ClientTool,
  source: McpSource,
  input: string,
  call: ToolContext & { held?: HeldState | undefined },
  outside: McpPorts,
): Attempt<McpRequest, McpFailure> {
  const how = tool.call
  const state = call.held === undefined ? null : readState(call.held.state)
  if (how?.kind !== 'mcp' || (call.held !== undefined && state === null))
    return { ok: false, error: mcpFailure('state') }
  const args = readArguments(outside.fits, tool, input, call.checks)
  if (!args.ok) return { ok: false, error: args.error }
  return { ok: true, value: { tool, how, source, args: args.value, state, answer: call.held?.answer ?? null } }
}

/** A server that speaks another revision than last time is asked once more, without the hint. It has done nothing then. */
async function connect<T>(
  outside: McpPorts,
  source: McpSource,
  call: ToolContext,
  options: ConnectionOptions,
  work: (server: McpServer) => Promise<T>,
): Promise<ConnectionResult<T>> {
  const first = await withServer(outside, source, call, options, work)
  const { outcome, hinted, called } = first
  // A call that was sent may have acted. The ledger alone repeats it.
  if (outcome.ok || !hinted || called || options.session || !mayBeRevision(outcome.error)) return first
  return withServer(outside, source, call, options, work)
}

function failedResult({ kind, detail }: McpFailure, called: boolean, { locale }: ToolContext): ToolResult {
  const { code, text } = MCP_TEXTS[kind]
  const reason = text[locale](detail)
  if (code === 'sent')
    return called
      ? { ok: false, code: 'no_answer', text: `${reason}${MAY_HAVE_ACTED[locale]}` }
      : { ok: false, code: 'not_called', text: `${NOT_ACTED[locale]}${reason}` }
  const is_uncalled = code === 'not_called' && !called
  return { ok: false, code, text: is_uncalled ? `${NOT_ACTED[locale]}${reason}` : reason }
}
