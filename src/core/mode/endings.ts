/** How the unfinished items of an ended task are shown, by the status it ended with. */
import type { ItemEnding } from './mode.ts'

export const ITEM_ENDINGS: Record<'completed' | 'failed' | 'canceled', ItemEnding> = {
  completed: { current: 'skipped', later: 'skipped' },
  failed: { current: 'failed', later: 'skipped' },
  canceled: { current: 'skipped', later: 'skipped' },
}
