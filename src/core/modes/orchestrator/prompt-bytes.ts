/** The most bytes a prompt of orchestrator can have, part by part (prompt.ts). */
import { FRAME_BYTES, NESTED_CHAR_BYTES } from '../../mode/prompt-bytes.ts'
import { ITEMS_MAX, TEXT_MAX, TITLE_MAX } from './contract.ts'
import { REMARKS_CHARS, REPORT_CHARS, RESULT_CHARS } from './prompt.ts'
import { REMARKS_MAX } from '../plan/remarks.ts'
import { ENDED_MAX } from './state.ts'

/** Instructions and the schema of the reply, in bytes. */
const FIXED_BYTES = 30_000
const GOAL_CHARS = 8_000
/** The change that is wanted, or the instruction of a person. */
const WORD_CHARS = 16_000
/** Why the reply before was refused. */
const FLAW_CHARS = 500
const STEP_CHARS = TITLE_MAX + 3 * TEXT_MAX
/** An edited list is bounded by its request (core/protocol/plan-edit.ts), each text of it by its own limit. */
const LIST_MAX = ITEMS_MAX + ENDED_MAX

/** What each phase sees beside what all of them see: none of them sees what another does. */
const SEEN_CHARS = Math.max(
  // The whole plan with its texts, of which nothing has begun.
  ITEMS_MAX * STEP_CHARS + WORD_CHARS,
  // The titles, once more as what is done or left, beside the step that is worked on and the parts of its report.
  2 * LIST_MAX * TITLE_MAX + STEP_CHARS + WORD_CHARS + 4 * REPORT_CHARS,
  // What each step has brought.
  LIST_MAX * (TITLE_MAX + RESULT_CHARS),
)

export const promptBytes = (): number =>
  FIXED_BYTES +
  NESTED_CHAR_BYTES * (GOAL_CHARS + REMARKS_CHARS + FLAW_CHARS + SEEN_CHARS) +
  FRAME_BYTES * (LIST_MAX + REMARKS_MAX)
