/** A workspace for command tests: an empty book, a fixed clock (Wednesday 2026-03-18 10:30:45), one `run` per command. */
import { memoryBook } from '../../support/memory/memory-book.ts'
import { runCommand } from '../../../src/core/workspace/commands/run.ts'
import type { CallerContext } from '../../../src/core/workspace/commands/context.ts'
import { localTime } from '../../../src/core/workspace/zones.ts'
import { CommandResult } from '../../../src/core/workspace/commands/result.ts'

export const NOW = '2026-03-18 10:30:45'
export const CONTEXT: CallerContext = {
  reader: 'person',
  now: NOW,
  locale: 'en',
  schedule_window_days: 31,
  conflict_preview_days: 31,
  momentAt: (ms) => localTime(ms, 'UTC'),
}

/** Every answer is checked against the wire schema on the way. */
export function workspace(overrides: Partial<CallerContext> = {}) {
  const book = memoryBook()
  const run = (input: string, more: Partial<CallerContext> = {}) =>
    CommandResult.parse(runCommand(input, book, { ...CONTEXT, ...overrides, ...more }))
  const runAll = (...inputs: string[]) => inputs.map((input) => run(input))
  /** What is stored, to show that a failed command changed nothing. */
  const stored = () => ({ todos: book.todos(), events: book.events() })
  return { book, run, runAll, stored }
}
