/** The most bytes a prompt of dynamic can have, part by part (prompt.ts). */
import { FRAME_BYTES, INNER_CHAR_BYTES, replyChars } from '../../prompt-bytes.ts'
import type { Settings } from '../../settings.ts'
import { ITEMS_MAX, NAME_MAX, TEXT_MAX } from './contract.ts'
import { DECISIONS_MAX, REMARKS_MAX, RESULTS_MAX } from './state.ts'

/** Instructions, the schema of the reply and the tools of the mode, in bytes. */
const FIXED_BYTES = 50_000
const GOAL_CHARS = 8_000
const REMARKS_CHARS = 100_000
const OBSERVATIONS_CHARS = 1_000_000
/** A tool is named by at most so many characters, as is a result. */
const LABEL_CHARS = 100
const PREVIEW_CHARS = 100
const SUMMARY_CHARS = 200
const REASON_CHARS = 300
const STEP_CHARS = NAME_MAX + 2 * TEXT_MAX

export function promptBytes(settings: Settings): number {
  const { observation_char_limit: result, observation_history_limit: seen } = settings
  const reply = replyChars(settings)
  const chars = [
    GOAL_CHARS,
    REMARKS_CHARS,
    // The plan, what of it is completed, and the step that is worked on with its goal.
    ITEMS_MAX * (STEP_CHARS + NAME_MAX) + STEP_CHARS + TEXT_MAX,
    Math.min(OBSERVATIONS_CHARS, seen * (result + reply)) + seen * LABEL_CHARS,
    DECISIONS_MAX * Math.min(reply, REASON_CHARS + 2 * ITEMS_MAX * PREVIEW_CHARS),
    // What the step has done, and what came of the last of it.
    seen * (SUMMARY_CHARS + PREVIEW_CHARS + 2 * LABEL_CHARS) + result + LABEL_CHARS,
    RESULTS_MAX * (LABEL_CHARS + PREVIEW_CHARS),
    // The thought.
    reply,
  ]
  const entries = REMARKS_MAX + 2 * ITEMS_MAX + 2 * seen + DECISIONS_MAX * (1 + ITEMS_MAX / 10) + RESULTS_MAX
  return FIXED_BYTES + INNER_CHAR_BYTES * chars.reduce((sum, one) => sum + one, 0) + FRAME_BYTES * entries
}
