/**
 * Performs one effect and answers one event. Never rejects: every failure of the world becomes an event (docs/contributing/design.md
 * "Failures").
 */
import type { Assignment, PendingWork } from '../../core/engine/assignment.ts'
import { ASK_USER } from '../../core/mode/ask-user.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import { contractOfCall } from '../../core/engine/contracts.ts'
import { Event, type EventOf } from '../../core/terms/effect.ts'
import { type Locale } from '../../core/terms/locale.ts'
import { cut } from '../../core/terms/text.ts'
import { withDeadline } from '../network/bounded-fetch.ts'
import type { Ports } from '../ports.ts'
import type { CallContext, ClientTools, HeldCall, ToolContext, ToolResult } from '../tool-ports.ts'
import { loadWithin } from './load-images.ts'

/** Longer results are cut before they are stored; the largest `observation_char_limit` still fits. */
const RESULT_CHARS_MAX = 100_000

export async function performEffect(
  ports: Pick<Ports, 'model' | 'tools' | 'client_tools' | 'files'>,
  tenant: string,
  assignment: Assignment,
  traceparent: string | null,
  { checks, ...live }: Pick<ToolContext, 'checks'> & Pick<CallContext, 'stop' | 'onWords'> = {},
): Promise<Event> {
  const call: CallContext = { timeout_ms: assignment.timeout_ms, traceparent }
  const { work } = assignment
  if (work.kind === 'call_model') return callModel(ports, tenant, assignment, work, { ...call, ...live })
  const { stop } = live
  const own = stop === undefined ? call : { ...call, stop }
  if (work.kind === 'list_tools') {
    const { source, position } = work
    return listSource(ports.client_tools, { source, position }, contextOf(tenant, assignment, work, own))
  }
  return runTool(ports, tenant, assignment, work, { ...own, checks })
}

/** What a tool knows of its call. */
function contextOf(
  tenant: string,
  { task, key }: Assignment,
  { wall_ms, begun_ms, timezone, locale, settings }: Exclude<PendingWork, { kind: 'call_model' }>,
  call: CallContext,
): ToolContext {
  return { ...call, tenant, task, key, now_ms: wall_ms, begun_ms, timezone, locale, settings }
}

type Listing = EventOf<'tools_listed'> | EventOf<'tools_unlisted'>

/** Another try may list them. */
const unlisted = (reason: string): Listing => ({ kind: 'tools_unlisted', reason, passing: true, retry_after_ms: null })

/** Lists one source within the time of the call. Never rejects. */
export async function listSource(
  client_tools: Pick<ClientTools, 'list'>,
  listing: Parameters<ClientTools['list']>[0],
  call: ToolContext,
): Promise<Listing> {
  try {
    const listed = await withDeadline<Listing>(call.timeout_ms, unlisted('no answer in time'), () =>
      client_tools.list(listing, call),
    )
    return asStored(listed)
  } catch (error) {
    return unlisted(`the tools could not be listed: ${nameOf(error)}`)
  }
}

/**
 * An event that holds JSON of others, as its row will be read: a schema with a member `__proto__` loses it then, and a replay would see
 * another tool than the task has seen. An event keeps its kind.
 */
const asStored = <E extends Event>(event: E): E => Event.parse(event) as E

/** What a failed call has used that was not made. */
const UNUSED = { input_tokens: 0, output_tokens: 0 }

async function callModel(
  { model, files }: Pick<Ports, 'model' | 'files'>,
  tenant: string,
  assignment: Assignment,
  work: Extract<PendingWork, { kind: 'call_model' }>,
  call: CallContext,
): Promise<Event> {
  if (model === null)
    return { kind: 'model_failed', reason: 'no model is configured', status: null, retry_after_ms: null }
  const { task, mode, seq } = assignment
  const { phase, messages, tools, one_call, offered, form, temperature, max_output_tokens, silence_ms } = work
  const contract = contractOfCall(mode, work, offered, work.output_schema ?? null)
  const loaded = await loadWithin(call.timeout_ms, files, { tenant, task }, messages)
  if (loaded === null)
    return {
      kind: 'model_failed',
      reason: 'an image could not be loaded',
      status: null,
      retry_after_ms: null,
      usage: UNUSED,
    }
  try {
    return await model.complete(
      {
        model: work.model,
        messages,
        ...(loaded.images.size === 0 ? {} : { images: loaded.images }),
        form,
        temperature,
        reasoning_effort: work.reasoning_effort,
        max_output_tokens,
        tools,
        one_call,
        contract,
        metadata: { task, mode, phase, seq },
      },
      { ...call, silence_ms, timeout_ms: loaded.timeout_ms },
    )
  } catch (error) {
    return {
      kind: 'model_failed',
      reason: `the model adapter failed: ${nameOf(error)}`,
      status: null,
      retry_after_ms: null,
    }
  }
}

async function runTool(
  { tools, client_tools }: Pick<Ports, 'tools' | 'client_tools'>,
  tenant: string,
  assignment: Assignment,
  work: Extract<PendingWork, { kind: 'run_tool' }>,
  call: CallContext & Pick<ToolContext, 'checks'>,
): Promise<Event> {
  if (work.refused !== undefined) return { kind: 'tool_returned', ok: false, code: 'refused', text: work.refused }
  const { remote, sources, held, input } = work
  const tool = tools.get(work.tool)
  const run =
    remote !== null
      ? (context: ToolContext) => client_tools.run(remote, sources, input, { ...context, held })
      : tool === undefined
        ? null
        : (context: ToolContext) => tool.run(input, context)
  if (run === null || !work.offered.includes(work.tool)) {
    // Every mode whose model names tools offers this one as well. No runner has it.
    const offered = [...new Set([...work.offered, ASK_USER])]
    const text = `the tool "${cut(work.tool, 80)}" is not offered; offered: ${offered.join(', ')}${nameHint(work.tool, offered)}`
    return { kind: 'tool_returned', ok: false, code: 'not_offered', text }
  }
  return runCall({ ...contextOf(tenant, assignment, work, call), checks: call.checks }, run)
}

/** Runs a call of a tool within its time. Never rejects. */
export async function runCall(
  context: ToolContext,
  run: (context: ToolContext) => Promise<ToolResult | HeldCall>,
): Promise<EventOf<'tool_returned'> | HeldCall> {
  try {
    // The deadline holds even for a tool that ignores it.
    const late: ToolResult = { ok: false, code: 'timed_out', text: TIMED_OUT[context.locale] }
    const result = await withDeadline<ToolResult | HeldCall>(context.timeout_ms, late, () => run(context))
    if ('kind' in result) return asStored(result)
    const { ok, code, images, list_changed } = result
    const shown = {
      ...(images === undefined ? {} : { images }),
      ...(list_changed === undefined ? {} : { list_changed }),
    }
    return { kind: 'tool_returned', ok, code, text: cut(result.text, RESULT_CHARS_MAX), ...shown }
  } catch (error) {
    return { kind: 'tool_returned', ok: false, code: 'tool_error', text: `the tool failed: ${nameOf(error)}` }
  }
}

/** A tool that timed out may have acted, so the text does not say that it failed. */
const TIMED_OUT: Record<Locale, string> = {
  en: 'the tool timed out: it may or may not have had its effect',
  zh: '工具未在时限内返回：其操作可能已生效，也可能没有',
}

/** Only the class of an error is told: its message may quote what must not be stored. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown error')
