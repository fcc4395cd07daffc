/** The most bytes a prompt of orchestrator can have, part by part (prompt.ts). */
import { FRAME_BYTES, NESTED_CHAR_BYTES } from '../../mode/prompt-bytes.ts'
import { CORRECTION_CHARS } from '../../mode/correction.ts'
import { FINISHED_MAX } from '../plan/plan.ts'
import { REMARKS_MAX } from '../plan/remarks.ts'
import { CLARIFICATION_CHARS } from './asks.ts'
import { ITEMS_MAX, TEXT_MAX, TITLE_MAX } from './contract.ts'
import { EARLIER_REPORTS_CHARS, KNOWN } from './known.ts'
import { REASON_CHARS, PLAN_CHARS, REMARKS_CHARS, REPORT_CHARS } from './prompt.ts'
import { ENDED_MAX, REPORTS_MAX } from './state.ts'

/** Instructions and the schema of the reply, in bytes. */
const FIXED_BYTES = 40_000
const GOAL_CHARS = 8_000
/** The changes that a person wants, or the instruction of a person. */
const WORD_CHARS = 16_000
const STEP_CHARS = TITLE_MAX + 3 * TEXT_MAX
/** An edited list is bounded as a whole (core/protocol/plan-edit.ts), and each of its texts has its own limit. */
const LIST_MAX = ITEMS_MAX + ENDED_MAX
/** Steps that have ended, and steps that were replaced after a report. */
const KNOWN_MAX = FINISHED_MAX + REPORTS_MAX
const KNOWN_CHARS = KNOWN_MAX * (TITLE_MAX + KNOWN.result_chars) + KNOWN.chars + CLARIFICATION_CHARS

/** Each report begins with its status. */
const EARLIER_CHARS = EARLIER_REPORTS_CHARS + REPORTS_MAX * 20

/** The part of the prompt that only one phase has. */
const SEEN_CHARS = Math.max(
  // The whole plan with its texts. No step has begun.
  ITEMS_MAX * STEP_CHARS + WORD_CHARS,
  // The list, the titles that are left, the current step, and the parts of its report.
  KNOWN_CHARS +
    ITEMS_MAX * TITLE_MAX +
    PLAN_CHARS +
    STEP_CHARS +
    WORD_CHARS +
    REASON_CHARS +
    4 * REPORT_CHARS +
    EARLIER_CHARS,
)

export const promptBytes = (): number =>
  FIXED_BYTES +
  NESTED_CHAR_BYTES * (GOAL_CHARS + REMARKS_CHARS + CORRECTION_CHARS + SEEN_CHARS) +
  FRAME_BYTES * (LIST_MAX + KNOWN_MAX + REMARKS_MAX)
