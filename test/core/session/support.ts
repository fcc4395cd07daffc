/** A session on the scripted bench: how it is begun, replies that call a tool, and readings of what it keeps and is shown. */
import type { Message } from '../../../src/core/terms/effect.ts'
import { SessionState } from '../../../src/core/modes/session/state.ts'
import { PROGRAM } from '../../../src/core/mode/correction.ts'
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

/** A reply that makes one harmless call. */
export const use = (said = '', command = '/todo list'): Calling => calling(said, ['todo', { command }])
/** So many of them. */
export const uses = (count: number, said = ''): Calling[] => Array.from({ length: count }, () => use(said))
export const steps = (...titles: string[]): string => titles.map((title) => `[Step] ${title}`).join('\n')

export const sessionBench = (turn: Line[], tools: { ok: boolean; text?: string }[] = []): Bench =>
  benchOf({ turn, tools })

export function begin(
  bench: Bench,
  settings: Partial<Settings> = {},
  bounds: Bounds = NONE,
  more: { goal?: string; locale?: 'en' | 'zh' } = {},
): Promise<TaskView> {
  return createTask(bench, settings, bounds, { mode: 'session', ...more })
}

/** So many rounds. */
export const rounds = (count: number): Bounds => ({ rounds: count, max_ms: 25_000 })

export const states = (task: TaskView) => task.plan.items.map((item) => item.status)
const isOfProgram = ({ role, content }: Message): boolean =>
  role === 'user' && Object.values(PROGRAM).some((mark) => content.startsWith(mark))
/** What the program tells: the system message, and the message with the plan and the time, which stands last. */
export const system = (request: ModelRequest | undefined): string =>
  (request?.messages ?? [])
    .filter((message) => message.role === 'system' || isOfProgram(message))
    .map(({ content }) => content)
    .join('\n\n')
/** What follows the system message and the goal, without what the program tells. */
export const said = (request: ModelRequest | undefined): Message[] =>
  (request?.messages.slice(2) ?? []).filter((message) => !isOfProgram(message))
export const payloads = (task: TaskView, type: string) =>
  (task.slice?.events ?? []).filter((event) => event.type === type).map((event) => event.payload)

export function rowsIn(bench: Bench, id: string) {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) throw new Error('the task has no rows')
  return rows
}
export function stateOf(bench: Bench, id: string): SessionState {
  return SessionState.parse(rowsIn(bench, id).last()?.head.state)
}
