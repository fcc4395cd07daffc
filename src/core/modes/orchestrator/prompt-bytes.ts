/** The most bytes a prompt of orchestrator can have, part by part (prompt.ts). */
import { FRAME_BYTES, INNER_CHAR_BYTES } from '../../prompt-bytes.ts'
import { ITEMS_MAX, TEXT_MAX, TITLE_MAX } from './contract.ts'
import { REMARKS_CHARS, REPORT_CHARS, RESULT_CHARS } from './prompt.ts'
import { ENDED_MAX, REMARKS_MAX } from './state.ts'

/** Instructions and the schema of the reply, in bytes. */
const FIXED_BYTES = 30_000
const GOAL_CHARS = 8_000
const WORD_CHARS = 16_000
const STEP_CHARS = TITLE_MAX + 3 * TEXT_MAX
/** An edited list is bounded by its request (core/plan-edit.ts), each text of it by its own limit. */
const LIST_MAX = ITEMS_MAX + ENDED_MAX

export function promptBytes(): number {
  const chars = [
    GOAL_CHARS,
    REMARKS_CHARS,
    // The change that is wanted, or the instruction of a person.
    WORD_CHARS,
    // The whole plan with its texts, or its titles once more beside the step that is worked on; or what each of them has brought.
    LIST_MAX * (STEP_CHARS + 2 * TITLE_MAX + RESULT_CHARS) + STEP_CHARS,
    4 * REPORT_CHARS,
    // Why the reply before was refused.
    500,
  ]
  return (
    FIXED_BYTES + INNER_CHAR_BYTES * chars.reduce((sum, one) => sum + one, 0) + FRAME_BYTES * (LIST_MAX + REMARKS_MAX)
  )
}
