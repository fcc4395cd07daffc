/** A side turn: what was said to a task that rests is answered by one call beside its work (U14). */
import type { Head } from '../terms/head.ts'
import { modeOf } from '../modes/index.ts'

/** Whether the next effect of the task is one that runs although it is paused, outside its counter. */
export const isSideTurn = ({ mode, state }: Pick<Head, 'mode' | 'state'>): boolean =>
  modeOf(mode).side_phase === state.phase
