/** The most bytes a prompt of this mode can have: its window, and what stands around it (prompt.ts). */
import { ENTRY_BYTES } from '../conversation/entry.ts'
import { CHAR_BYTES, FRAME_BYTES, TOKEN_BYTES } from '../../mode/prompt-bytes.ts'
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
  const { transcript_token_limit, max_output_tokens, observation_char_limit } = settings
  const around = GOAL_CHARS + LIST_CHARS + LEFT_OUT_CHARS + REMARKS_CHARS_MAX + observation_char_limit
  // One round may stand beyond the limit. A message of nothing counts ENTRY_BYTES of it.
  const window = TOKEN_BYTES * (2 * transcript_token_limit + max_output_tokens)
  const grown = Math.max(CHAR_BYTES, Math.ceil(FRAME_BYTES / ENTRY_BYTES))
  return FIXED_BYTES + CHAR_BYTES * around + grown * window
}
