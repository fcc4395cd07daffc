/** Remarks of people during the task, by row. Every prompt contains the newest ones. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { remarkAt, type PromptContext } from '../../mode/mode.ts'
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

const CHANGED: Record<Locale, string> = {
  en: 'The user has seen plan and wants it changed as requested_change says. Reply with the complete new list.',
  zh: '用户看过 plan，并要求按 requested_change 修改。请给出完整的新列表。',
}
/** While the plan is made again: the current plan, and the changes that the user wants. */
export const changeContext = (
  change: number | null,
  plan: () => readonly unknown[],
  { brief, recall }: PromptContext,
) => (change === null ? {} : { plan: plan(), requested_change: remarkAt(recall, change), note: CHANGED[brief.locale] })
