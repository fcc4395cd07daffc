/** What people say on the way, by row: it is shown with every prompt, the newest of it. */
import type { Recall } from '../../terms/effect.ts'
import { remarkAt } from '../../mode/mode.ts'
import { newestWithin, pushBounded } from '../../terms/values/bounded-list.ts'

export const REMARKS_MAX = 50
/** Characters of all remarks of one prompt together. */
export const REMARKS_CHARS_MAX = 100_000

export const addRemark = <S extends { remarks: number[] }>(state: S, row: number): S => ({
  ...state,
  remarks: pushBounded(state.remarks, row, REMARKS_MAX),
})

/** The newest remarks, oldest first. */
export const remarksOf = (
  { remarks }: { remarks: readonly number[] },
  recall: Recall,
  chars_max = REMARKS_CHARS_MAX,
): string[] =>
  newestWithin(
    remarks,
    (row) => remarkAt(recall, row),
    (text) => text.length,
    chars_max,
  )
