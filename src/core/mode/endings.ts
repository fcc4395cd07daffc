/** How the unfinished items of a task are shown that has ended, by how it has. */
import type { ItemEnding } from './mode.ts'

export const ENDINGS: Record<'completed' | 'failed' | 'canceled', ItemEnding> = {
  completed: { current: 'skipped', later: 'skipped' },
  failed: { current: 'failed', later: 'skipped' },
  canceled: { current: 'skipped', later: 'skipped' },
}
