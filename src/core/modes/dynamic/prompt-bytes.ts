/** The most bytes a prompt of dynamic can have, part by part (prompt.ts). */
import { FRAME_BYTES, NESTED_CHAR_BYTES, replyCharsMax } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'
import { ITEMS_MAX, NAME_MAX, TEXT_MAX } from './contract.ts'
import { NAMES_SHOWN } from './data.ts'
import {
  ACTIONS_SHOWN,
  DECISIONS_SHOWN,
  OBSERVATIONS_CHARS,
  PREVIEW_CHARS,
  REASON_CHARS,
  SUMMARY_CHARS,
} from './prompt-history.ts'
import { REMARKS_CHARS_MAX, REMARKS_MAX } from '../plan/remarks.ts'

/** Instructions, the schema of the reply and the tools of the mode, in bytes. */
const FIXED_BYTES = 50_000
const GOAL_CHARS = 8_000
/** A tool is named by at most so many characters, as is a result. */
const LABEL_CHARS = 100
const STEP_CHARS = NAME_MAX + 2 * TEXT_MAX

export function promptBytes(settings: Settings): number {
  const { observation_char_limit: result, observation_history_limit: seen } = settings
  const reply = replyCharsMax(settings)
  const chars = [
    GOAL_CHARS,
    REMARKS_CHARS_MAX,
    // The plan, what of it is completed, and the step that is worked on with its goal.
    ITEMS_MAX * (STEP_CHARS + NAME_MAX) + STEP_CHARS + TEXT_MAX,
    // What is shown in full, the newest whatever its length, and the others in short.
    Math.min(OBSERVATIONS_CHARS, seen * (result + reply)) + result + reply,
    seen * (SUMMARY_CHARS + PREVIEW_CHARS + LABEL_CHARS),
    DECISIONS_SHOWN * Math.min(reply, REASON_CHARS + 2 * ITEMS_MAX * PREVIEW_CHARS),
    // What the step has done, and what came of the last of it.
    Math.min(seen, ACTIONS_SHOWN) * (SUMMARY_CHARS + PREVIEW_CHARS + 2 * LABEL_CHARS) + result + LABEL_CHARS,
    NAMES_SHOWN * (LABEL_CHARS + PREVIEW_CHARS),
    // The thought.
    reply,
  ]
  const entries = REMARKS_MAX + 2 * ITEMS_MAX + 2 * seen + DECISIONS_SHOWN * (1 + ITEMS_MAX / 10) + NAMES_SHOWN
  return FIXED_BYTES + NESTED_CHAR_BYTES * chars.reduce((sum, one) => sum + one, 0) + FRAME_BYTES * entries
}
