/** A model that drives itself on the scripted bench: its replies, and readings of what it was asked and of what it keeps. */
import type { Message } from '../../../src/core/terms/effect.ts'
import { AutonomousState } from '../../../src/core/modes/autonomous/state.ts'
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import type { ModelRequest } from '../../../src/shell/ports.ts'
import type { Bounds } from '../../../src/shell/caller.ts'
import {
  benchOf,
  calling,
  CALLER,
  createTask,
  NONE,
  type Bench,
  type Calling,
  type Line,
} from '../../support/scripted.ts'

/** `blocks('look first', ['x', 'Explore'], [' ', 'Trend'])` */
export const blocks = (thought: string, ...tasks: [mark: string, name: string][]): string =>
  `<thinking>${thought}</thinking>\n\n<tasks>\n${tasks.map(([mark, name]) => `- [${mark}] ${name}`).join('\n')}\n</tasks>`

export const look = (said = ''): Calling => calling(said, ['read_dataset', {}])
export const code = (said = '', source = 'print(1)'): Calling => calling(said, ['run_code', { code: source }])
export const END = '\n---\n[ANALYSIS_COMPLETE]'

/** What the tools of the mode answer. */
export const ran = (stdout = 'done', ok = true) => ({
  ok,
  text: JSON.stringify({ tool: 'run_code', status: ok ? 'success' : 'error', stdout }),
})

/** What a tool answers that has no dataset. */
export const NO_DATASET = { ok: false, code: 'dataset_missing', text: '{"tool":"read_dataset","status":"error"}' }

export const agentBench = (turn: Line[], tools: { ok: boolean; text?: string; code?: string }[] = []): Bench =>
  benchOf({ turn, tools })

export function begin(
  bench: Bench,
  settings: Partial<Settings> = {},
  bounds: Bounds = NONE,
  more: { goal?: string; locale?: 'en' | 'zh' } = {},
): Promise<TaskView> {
  return createTask(bench, settings, bounds, { mode: 'autonomous', goal: 'the trend', ...more })
}

export const rounds = (count: number): Bounds => ({ rounds: count, max_ms: 25_000 })
export const states = (task: TaskView) => task.plan.items.map((item) => item.status)
export const system = (request: ModelRequest | undefined): string => request?.messages[0]?.content ?? ''
export const user = (request: ModelRequest | undefined): string => request?.messages[1]?.content ?? ''
/** What follows the system message and the one of the user. */
export const history = (request: ModelRequest | undefined): Message[] => request?.messages.slice(2) ?? []
/** What the program says at the end of the request. Empty: it ends with something else. */
export function program(request: ModelRequest | undefined): string {
  const last = history(request).at(-1)
  return last?.role === 'user' ? last.content : ''
}
export const roles = (request: ModelRequest | undefined) => request?.messages.map(({ role }) => role) ?? []
export const payloads = (task: TaskView, type: string) =>
  (task.slice?.events ?? []).filter((event) => event.type === type).map((event) => event.payload)

export function stateOf(bench: Bench, id: string): AutonomousState {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  return AutonomousState.parse(rows?.last()?.head.state)
}
