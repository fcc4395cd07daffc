/** A task as an answer shows it: with the settings that its mode heeds, or with all of them if they are asked for. */
import type * as z from 'zod'
import { modeOf } from '../../core/modes/index.ts'
import type { ModeName } from '../../core/terms/mode-names.ts'
import { MODE_SETTINGS } from '../../core/terms/settings.ts'
import type { TaskView } from '../../core/terms/view.ts'
import type { TaskAnswerQuery } from './fields.ts'

export type Include = Pick<z.output<typeof TaskAnswerQuery>, 'include'>

export function shownTask<T extends Pick<TaskView, 'mode' | 'settings'>>(task: T, { include }: Include): T {
  if (include === 'settings') return task
  const foreign = foreignSettings(task.mode)
  const settings = Object.entries(task.settings).filter(([name]) => !foreign.has(name))
  // The cast holds because only members that may be absent are left out.
  return { ...task, settings: Object.fromEntries(settings) as T['settings'] }
}

/** The settings that other modes heed, and this one does not. */
function foreignSettings(mode: ModeName): ReadonlySet<string> {
  const { own_settings } = modeOf(mode)
  return new Set(MODE_SETTINGS.filter((name) => !own_settings.includes(name)))
}
