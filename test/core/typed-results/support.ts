/** Tasks with an output schema, in each mode by its script. */
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { MODES } from '../../models/mode-scripts.ts'
import { answered as reported, report } from '../orchestrator/support.ts'
import { ALL, benchOf, createTask, type Bench, type Line } from '../../support/scripted.ts'

export const SCHEMA = {
  type: 'object',
  properties: { milk: { type: 'boolean' }, note: { type: 'string' } },
  required: ['milk'],
}
export const DATA = { milk: true, note: 'two pints' }
export const WRONG = { milk: 'yes' }

export type ModeScript = (typeof MODES)[number]

/** The script of a mode, with these replies to the closing call. */
export const closingBench = ([, , script]: ModeScript, ...result: Line[]): Bench => benchOf({ ...script, result })

/** Plays the task until it has ended or stopped. */
export async function playTyped(
  bench: Bench,
  [mode, settings]: ModeScript,
  more: { settings?: Partial<Settings>; output_schema?: Record<string, unknown> | null } = {},
): Promise<TaskView> {
  const { output_schema = SCHEMA } = more
  const shape = output_schema === null ? {} : { output_schema }
  const given = { ...settings, ...more.settings }
  const task = await createTask(bench, given, ALL, { mode, goal: 'Buy milk', ...shape })
  if (task.status !== 'waiting_external') return task
  return (await reported(bench, task.id, report())).task ?? task
}

/** The first script of a mode. */
export function scriptOf(name: string): ModeScript {
  const script = MODES.find(([mode]) => mode === name)
  if (script === undefined) throw new Error(`there is no script of ${name}`)
  return script
}
