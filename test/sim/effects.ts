/**
 * Tools with a ledger of what they really did. `schedule` and `internet_search` honour the effect key; `ring` cannot: it is
 * declared not repeatable, and must be called once per key at most. `todo` is the real tool over the real workspace.
 */
import { isChange } from '../../src/core/workspace/commands/result.ts'
import { type ToolCard, BUILT_IN_TOOLS } from '../../src/core/mode/tools.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import type { CommandCall } from '../../src/core/protocol/workspace-records.ts'
import type { WorkspaceCommandAnswer } from '../../src/core/protocol/workspace-requests.ts'
import { DELEGATE } from '../../src/core/terms/delegation.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import type { Tool, ToolContext } from '../../src/shell/tool-ports.ts'
import { commandTool, TODO_TOOL } from '../../src/tools/commands.ts'
import { delegate } from '../../src/tools/delegate.ts'
import type { Coverage } from './coverage.ts'
import { demand } from './violation.ts'

/** A tool that cannot tell a repeated call from a new one. No built-in is of that kind, so the simulation adds one. */
const RING: ToolCard = {
  name: 'ring',
  idempotent: false,
  nature: 'acts',
  description: { en: 'Rings a bell.', zh: '响铃。' },
  parameters: {},
  text: null,
}

/** Tells the engine of `ring`; the list is read-only for everyone else, and this process is the simulation's own. */
export function offerRing(): void {
  const tools = BUILT_IN_TOOLS as ToolCard[]
  if (tools.includes(RING)) return
  tools.push(RING)
  for (const name of MODE_NAMES) (modeOf(name).tools as string[]).push(RING.name)
}

export interface Applied {
  tool: string
  input: string
  /** The life of the task it was called for: ids come back after DELETE, effects must not. */
  life: number
  calls: number
  result: { ok: boolean; text: string; code: string }
  /** Whether the workspace keeps its result under the key. */
  kept: boolean
  /** Whether a DELETE has dropped what was kept under the keys of its task. */
  dropped: boolean
}
/** Task and row of an effect key. */
export function placeOf(key: string): { task: string; seq: number } {
  const [, task = '', seq = ''] = /^(\w+).*:(\d+)$/.exec(key) ?? []
  return { task, seq: Number(seq) }
}
/** By effect key; what was dropped stays until its key is used again. */
export type EffectLedger = Map<string, Applied>

/** What a call does to the world; `fails` decides about a call that is not known yet. */
export function applyTool(
  ledger: EffectLedger,
  call: { tool: string; input: string; key: string; life: number },
  fails: () => boolean,
): Applied {
  const { tool, input, key, life } = call
  const known = ledger.get(key)
  if (known === undefined || known.dropped || (tool === 'ring' && known.life !== life)) {
    const failed = fails()
    const result = { ok: !failed, text: `${tool} ${failed ? 'failed' : 'did'} ${input} under ${key}`, code: 'ledger' }
    const applied = { tool, input, life, calls: 1, result, kept: false, dropped: false }
    ledger.set(key, applied)
    return applied
  }
  const shown = () =>
    `${key}: ${known.tool} "${known.input}" (life ${known.life}), then ${tool} "${input}" (life ${life})`
  // A request that died between DELETE and drop, or a call that outlived both, leaves an old key: that is answered as
  // before, whatever is asked under it (docs/guarantees.md).
  const old = known.life !== life
  demand(old || (known.tool === tool && known.input === input), 'one effect per key', shown)
  known.calls += 1
  demand(tool !== 'ring', 'what cannot be repeated is called once', shown)
  return known
}

/** The workspace has forgotten the keys of a task. */
export function dropKeys(ledger: EffectLedger, task: string): void {
  for (const [key, applied] of ledger) if (placeOf(key).task === task) applied.dropped = true
}

type Ran = WorkspaceCommandAnswer<'run_command'>

/** A tool call in the workspace is an effect like any other: one key, one command, remembered as long as its task lives. */
export async function keptOnce(
  { effects, seen }: { effects: EffectLedger; seen: Coverage },
  life: number,
  call: CommandCall,
  run: () => Promise<Ran>,
): Promise<Ran> {
  const { key, command } = call
  if (key === null) return run()
  const before = effects.get(key)
  const remembered = before !== undefined && !before.dropped && before.kept
  if (before?.dropped === true) seen('key of an earlier life')
  const applied = applyTool(effects, { tool: 'todo', input: command, key, life }, () => false)
  const ran = await run()
  if (!ran.ok) return ran
  const { replayed, result } = ran.value
  demand(replayed === remembered, 'an effect key lives as long as its task', () => `${key}: ${command} in life ${life}`)
  applied.kept ||= isChange(result.kind)
  return ran
}

/** The tools of one worker. `run` is the call itself, behind a gate. */
export function toolsOf(
  store: Pick<TaskStore, 'workspace' | 'pool'>,
  run: (tool: string, input: string, call: ToolContext) => Promise<Applied['result']>,
): Map<string, Tool> {
  const others = BUILT_IN_TOOLS.filter(({ name }) => name !== TODO_TOOL.name)
  const ledgered = others.map(({ name }): [string, Tool] => [
    name,
    { name, run: (input, call) => run(name, input, call) },
  ])
  const tools = new Map<string, Tool>([['todo', commandTool(TODO_TOOL, store, 'UTC')], ...ledgered])
  tools.set(DELEGATE, enteredBy(delegate(store), tools.get(DELEGATE)))
  return tools
}

/** The real tool that enters a command, where that of the ledger has not failed. */
const enteredBy = (real: Tool, ledgered: Tool | undefined): Tool => ({
  name: real.name,
  async run(input, call) {
    const planned = await ledgered?.run(input, call)
    return planned?.ok === true ? real.run(input, call) : (planned ?? real.run(input, call))
  },
})
