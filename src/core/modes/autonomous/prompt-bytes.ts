/** The most bytes a prompt of this mode can have: its window, and what stands around it (prompt.ts). */
import { windowBytes } from '../conversation/entry.ts'
import { CHAR_BYTES } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'
import { REMARKS_CHARS_MAX } from '../plan/remarks.ts'

/** Instructions and the tools of the mode, in bytes. */
const FIXED_BYTES = 60_000
const GOAL_CHARS = 8_000
/** Of a list of tasks with what was written of them by hand. */
const LIST_CHARS = 100 * 5_000
/** Of what stands in the place of earlier rounds. */
const LEFT_OUT_CHARS = 40_000

export function promptBytes(settings: Settings): number {
  const { observation_char_limit } = settings
  const around = GOAL_CHARS + LIST_CHARS + LEFT_OUT_CHARS + REMARKS_CHARS_MAX + observation_char_limit
  return FIXED_BYTES + CHAR_BYTES * around + windowBytes(settings)
}
