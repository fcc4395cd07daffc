/**
 * Tools outside of any task: what a list of entries would offer, and one call of one tool (docs/tools.md "Try tools before a task"). Nothing is
 * kept but the answer under an Idempotency-Key. What goes wrong outside is an answer.
 */
import { LIST_TIMEOUT_MS } from '../core/engine/tools/tool-lists.ts'
import type { RequestKey } from '../core/protocol/advance.ts'
import { clientEntry, sourceEntry } from '../core/protocol/view/task-tools.ts'
import type { TaskTools, ToolTrial } from '../core/shown/tool-view.ts'
import type { EventOf } from '../core/terms/effect.ts'
import type { Locale } from '../core/terms/locale.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import { looseName, resolveToolName, type ClientTool, type ToolSource } from '../core/terms/tools/client-tools.ts'
import type { Caller } from './caller.ts'
import { withDeadline } from './network/bounded-fetch.ts'
import type { Ports } from './ports.ts'
import { listSource, runCall } from './slice/perform-effect.ts'
import type { HeldCall, ToolContext } from './tool-ports.ts'

/** Tools as entries name them, in their order. */
interface NamedTools {
  tools: readonly ClientTool[]
  sources: readonly ToolSource[]
  locale: Locale
}
interface SentTrial extends NamedTools {
  name: string
  /** The arguments as JSON. */
  input: string
}
/** `unknown`: the names of all tools, where none has the given one. */
type TrialAnswer = { trial: ToolTrial; replayed: boolean } | { unknown: string[] }

export interface ToolTrials {
  /** Lists every source once, and tells what a task with these tools would be offered beside the built-in ones. */
  previewTools(caller: Caller, named: NamedTools): Promise<Result<TaskTools>>
  /** Makes one call. */
  tryTool(caller: Caller, sent: SentTrial): Promise<Result<TrialAnswer>>
}

/** How long all lists of a request may take together. */
const LISTS_MS = 60_000
const CALL_MS = 30_000
/** How long the server of a call that is given up may take to hear of it. */
const ABANDON_MS = 3_000

type Listing = EventOf<'tools_listed'> | EventOf<'tools_unlisted'>
/** A list, with the position of its source. */
interface SourceList {
  position: number
  listing: Listing
}

export async function previewTools(ports: Ports, caller: Caller, named: NamedTools): Promise<Result<TaskTools>> {
  const { tools, sources } = named
  const context = contextOf(ports, caller, named.locale, ports.random_id())
  const lists = await listSources(ports, caller, sources, [...sources.keys()], context)
  const entryOf = (source: ToolSource, position: number) =>
    sourceEntry(source, lists.find((one) => one.position === position)?.listing ?? null, false)
  return ok({
    data: [...tools, ...toolsIn(lists)].map((tool) => clientEntry(tool, sources)),
    sources: sources.map(entryOf),
  })
}

export async function tryTool(ports: Ports, caller: Caller, sent: SentTrial): Promise<Result<TrialAnswer>> {
  const { key } = caller
  const earlier = await earlierAnswer(ports, caller.tenant, key)
  if (!earlier.ok) return earlier
  if (earlier.value !== null) return ok({ trial: earlier.value, replayed: true })
  // With a key the key of the effect follows from it, so a tool that knows it acts once.
  const id = key === null ? ports.random_id() : await ports.task_id_of(caller.tenant, key.key)
  const context = contextOf(ports, caller, sent.locale, id)
  const found = await findTool(ports, caller, sent, context)
  if (!('tool' in found)) return ok(found)
  const { tool } = found
  if (key === null || tool.idempotent) return keepAnswer(ports, caller, await callOnce(ports, tool, sent, context))
  const claimed = await claim(ports, caller.tenant, key)
  if (!claimed.ok) return claimed
  if (claimed.value === 'lost') {
    const lost = { ok: false, code: 'outcome_unknown', text: OUTCOME_UNKNOWN[sent.locale] }
    return keepAnswer(ports, caller, lost)
  }
  return keepAnswer(ports, caller, await callOnce(ports, tool, sent, context))
}

const OUTCOME_UNKNOWN: Record<Locale, string> = {
  en: 'outcome unknown: the call of an earlier request with this key was lost; it may or may not have had its effect',
  zh: '结果未知：使用同一键的先前请求的调用已丢失，其操作可能已生效，也可能没有',
}

function contextOf({ clock, ...ports }: Ports, caller: Caller, locale: Locale, id: string): ToolContext {
  const task = `trial_${id}`
  const settings = ports.default_settings
  return {
    timeout_ms: CALL_MS,
    traceparent: caller.traceparent,
    tenant: caller.tenant,
    task,
    key: `${task}:1`,
    now_ms: clock.wall_ms(),
    begun_ms: clock.now_ms(),
    timezone: ports.timezone,
    locale,
    settings,
  }
}

/** One after the other, as a task lists them: large documents take memory. A source whose turn does not come is not listed. */
async function listSources(
  { trial_tools, clock }: Pick<Ports, 'trial_tools' | 'clock'>,
  caller: Caller,
  sources: readonly ToolSource[],
  positions: readonly number[],
  context: ToolContext,
): Promise<SourceList[]> {
  const lists: SourceList[] = []
  const end = clock.now_ms() + LISTS_MS
  for (const position of positions) {
    const source = sources[position]
    const timeout_ms = Math.min(LIST_TIMEOUT_MS, end - clock.now_ms())
    if (source === undefined || timeout_ms <= 0 || caller.gone()) break
    lists.push({ position, listing: await listSource(trial_tools, { source, position }, { ...context, timeout_ms }) })
  }
  return lists
}

const toolsIn = (lists: readonly SourceList[]): ClientTool[] =>
  lists.flatMap(({ listing }) => (listing.kind === 'tools_listed' ? listing.tools : []))

/** A tool of an entry needs no list, and one of a source only that of its source. A name that is like none makes all sources be listed. */
async function findTool(
  ports: Ports,
  caller: Caller,
  { tools, sources, name, locale }: SentTrial,
  context: ToolContext,
): Promise<{ tool: ClientTool } | { trial: ToolTrial; replayed: false } | { unknown: string[] }> {
  const own = named(tools, name)
  if (own !== undefined) return { tool: own }
  const positions = [...sources.keys()]
  const likely = positions.filter((at) => looseName(name).startsWith(looseName(sources[at]?.name ?? '')))
  const lists = await listSources(ports, caller, sources, likely.length === 0 ? positions : likely, context)
  const listed = toolsIn(lists)
  const tool = named(listed, name)
  if (tool !== undefined) return { tool }
  const failed = lists.find(({ listing }) => listing.kind === 'tools_unlisted')
  if (failed?.listing.kind === 'tools_unlisted') {
    const text = NOT_LISTED[locale](sources[failed.position]?.name ?? '', failed.listing.reason)
    return { trial: { ok: false, code: 'tools_unavailable', text }, replayed: false }
  }
  return { unknown: [...tools, ...listed].map((one) => one.name) }
}

const named = (tools: readonly ClientTool[], given: string): ClientTool | undefined => {
  const name = resolveToolName(tools, given)
  return tools.find((tool) => tool.name === name)
}

const NOT_LISTED: Record<Locale, (source: string, reason: string) => string> = {
  en: (source, reason) => `not called: the tools of ${source} could not be listed: ${reason}`,
  zh: (source, reason) => `未调用：无法列出来源 ${source} 的工具：${reason}`,
}

async function callOnce(
  { trial_tools }: Pick<Ports, 'trial_tools'>,
  tool: ClientTool,
  { sources, input, locale }: SentTrial,
  context: ToolContext,
): Promise<ToolTrial> {
  const result = await runCall(context, (call) => trial_tools.run(tool, sources, input, call))
  if (result.kind === 'tool_returned') {
    const { ok, code, text, images } = result
    if (images === undefined) return { ok, code, text }
    return { ok, code, text, images: images.map(({ digest: _digest, ...image }) => image) }
  }
  const dropped = { tool, sources, state: result.state, locale }
  const call = { ...context, timeout_ms: ABANDON_MS }
  await withDeadline(ABANDON_MS, undefined, () => trial_tools.abandon(dropped, call)).catch(() => undefined)
  return heldTrial(result)
}

const heldTrial = (held: HeldCall): ToolTrial => ({
  held:
    held.kind === 'tool_asked'
      ? { kind: 'asked', question: held.question }
      : { kind: 'outside', message: held.message },
})

// --- Answers under an Idempotency-Key ---

async function earlierAnswer(ports: Ports, tenant: string, key: RequestKey | null): Promise<Result<ToolTrial | null>> {
  if (key === null) return ok(null)
  const kept = await ports.store.workspace(tenant).ask({ kind: 'recall', request: key })
  if (!kept.ok || kept.value === null) return kept.ok ? ok(null) : kept
  const { ToolTrial } = await import('../core/shown/tool-view.ts')
  return ok(ToolTrial.parse(JSON.parse(kept.value)))
}

async function keepAnswer(ports: Ports, { tenant, key }: Caller, trial: ToolTrial): Promise<Result<TrialAnswer>> {
  if (key !== null)
    await ports.store.workspace(tenant).tell({ kind: 'keep', request: key, answer: JSON.stringify(trial) })
  return ok({ trial, replayed: false })
}

/** After this time a call that has left no answer is lost. */
const CLAIM_MS = CALL_MS + ABANDON_MS + 7_000

/**
 * A call that may not be repeated is claimed before it is made: of two requests with one key only the first acts. `lost`: an earlier one
 * was lost with its worker.
 */
async function claim(
  { store, clock, ...ports }: Ports,
  tenant: string,
  key: RequestKey,
): Promise<Result<'own' | 'lost'>> {
  const request = { ...key, scope: `${key.scope} begun` }
  const own = ports.random_id()
  const workspace = store.workspace(tenant)
  const now_ms = clock.now_ms()
  await workspace.tell({ kind: 'keep', request, answer: `${now_ms} ${own}` })
  const first = await workspace.ask({ kind: 'recall', request })
  if (!first.ok) return first
  const [begun = '', by] = (first.value ?? '').split(' ')
  if (by === own) return ok('own')
  const expires_ms = Number(begun) + CLAIM_MS
  return now_ms < expires_ms ? refuse({ code: 'request_in_progress', expires_ms, now_ms }) : ok('lost')
}
