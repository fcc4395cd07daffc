/**
 * Tools with a ledger of what they really did. `schedule` and `internet_search` honour the effect key; `ring` cannot: it is
 * declared not repeatable, and must be called once per key at most. `todo` is the real tool over the real workspace.
 */
import type { ToolCard } from '../../src/core/tools.ts'
import { BUILT_IN_TOOLS } from '../../src/core/tools.ts'
import type { TaskStore, Tool, ToolCall } from '../../src/shell/ports.ts'
import { commandTool, TODO } from '../../src/tools/commands.ts'
import { demand } from './violation.ts'

/** A tool that cannot tell a repeated call from a new one. No built-in is of that kind, so the simulation adds one. */
const RING: ToolCard = { name: 'ring', idempotent: false, description: { en: 'Rings a bell.', zh: '响铃。' } }

/** Tells the engine of `ring`; the list is read-only for everyone else, and this process is the simulation's own. */
export function offerRing(): void {
  const tools = BUILT_IN_TOOLS as ToolCard[]
  if (!tools.includes(RING)) tools.push(RING)
}

export interface Applied {
  tool: string
  input: string
  /** The life of the task it belongs to: ids come back after DELETE, effects must not. */
  life: number
  calls: number
  result: { ok: boolean; text: string; code: string }
}
/** Task and row of an effect key. */
export function placeOf(key: string): { task: string; seq: number } {
  const [, task = '', seq = ''] = /^(\w+).*:(\d+)$/.exec(key) ?? []
  return { task, seq: Number(seq) }
}
export type EffectLedger = Map<string, Applied>

/** What a call does to the world; `fails` decides about a call that is not known yet. */
export function applyTool(
  ledger: EffectLedger,
  call: { tool: string; input: string; key: string; life: number },
  fails: () => boolean,
): Applied['result'] {
  const { tool, input, key, life } = call
  // Not checked across a DELETE: a task made again under its key has the same effect keys (docs/guarantees.md).
  const name = `${life}/${key}`
  const known = ledger.get(name)
  if (known !== undefined) {
    const shown = () =>
      `${key}: ${known.tool} "${known.input}" (life ${known.life}), then ${tool} "${input}" (life ${life})`
    demand(known.tool === tool && known.input === input && known.life === life, 'one effect per key', shown)
    known.calls += 1
    demand(tool !== 'ring', 'what cannot be repeated is called once', shown)
    return known.result
  }
  const failed = fails()
  const result = { ok: !failed, text: `${tool} ${failed ? 'failed' : 'did'} ${input} under ${key}`, code: 'ledger' }
  ledger.set(name, { tool, input, life, calls: 1, result })
  return result
}

/** The tools of one worker. `run` is the call itself, behind a gate. */
export function toolsOf(
  store: Pick<TaskStore, 'workspace'>,
  run: (tool: string, input: string, call: ToolCall) => Promise<Applied['result']>,
): ReadonlyMap<string, Tool> {
  const ledgered = ['schedule', 'internet_search', RING.name].map((name): [string, Tool] => [
    name,
    { name, run: (input, call) => run(name, input, call) },
  ])
  return new Map<string, Tool>([['todo', commandTool(TODO, store, 'UTC')], ...ledgered])
}
