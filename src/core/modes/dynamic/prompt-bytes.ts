/** The most bytes a prompt of dynamic can have, part by part (prompt.ts). */
import { CORRECTION_CHARS } from '../../mode/correction.ts'
import { FRAME_BYTES, IMAGES_BYTES, NESTED_CHAR_BYTES, replyCharsMax } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'
import { ITEMS_MAX, NAME_MAX, TEXT_MAX } from './contract.ts'
import {
  ACTIONS_CHARS,
  COMPLETED_CHARS,
  DECISIONS_SHOWN,
  NAMES_SHOWN,
  PREVIEW_CHARS,
  REASON_CHARS,
  STEP_RESULT_CHARS,
  SUMMARY_CHARS,
} from './prompt-history.ts'
import { WARNING_CHARS } from './prompt-hints.ts'
import { CLARIFICATIONS_CHARS } from './questions.ts'
import { CLARIFICATIONS_MAX } from './state.ts'
import { REMARKS_CHARS_MAX, REMARKS_MAX } from '../plan/remarks.ts'

/** Instructions, the schema of the reply and the tools of the mode, as text and offered natively, in bytes. */
const FIXED_BYTES = 60_000
const GOAL_CHARS = 8_000
/** The name of a tool or of a result has at most this many characters. */
const LABEL_CHARS = 100
const STEP_CHARS = NAME_MAX + 2 * TEXT_MAX

export function promptBytes(settings: Settings): number {
  const { observation_char_limit: result, observation_history_limit: observations_max, max_clarifications } = settings
  const reply = replyCharsMax(settings)
  const decisions_max = 2 * DECISIONS_SHOWN
  const chars = [
    GOAL_CHARS,
    REMARKS_CHARS_MAX,
    max_clarifications === 0 ? 0 : CLARIFICATIONS_CHARS,
    // The plan, and the current step with its goal.
    ITEMS_MAX * STEP_CHARS + NAME_MAX + TEXT_MAX,
    // The steps that have ended.
    COMPLETED_CHARS + STEP_RESULT_CHARS + ITEMS_MAX * (NAME_MAX + SUMMARY_CHARS),
    // Actions as a whole, of which the newest may have any length, and the others in short.
    Math.min(ACTIONS_CHARS, observations_max * (result + reply)) + result + reply,
    (observations_max + NAMES_SHOWN) * (SUMMARY_CHARS + PREVIEW_CHARS + 2 * LABEL_CHARS),
    decisions_max * Math.min(reply, REASON_CHARS + 2 * ITEMS_MAX * PREVIEW_CHARS),
    WARNING_CHARS + CORRECTION_CHARS,
    // The thought.
    reply,
  ]
  const entries =
    REMARKS_MAX +
    CLARIFICATIONS_MAX +
    2 * ITEMS_MAX +
    observations_max +
    decisions_max * (1 + ITEMS_MAX / 10) +
    NAMES_SHOWN
  return (
    FIXED_BYTES + IMAGES_BYTES + NESTED_CHAR_BYTES * chars.reduce((sum, one) => sum + one, 0) + FRAME_BYTES * entries
  )
}
