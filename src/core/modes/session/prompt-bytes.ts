/** The most bytes a prompt of a session can have: its window, and what stands around it (prompt.ts, transcript.ts). */
import { windowBytes } from '../conversation/entry.ts'
import { UNHEARD_CHARS_MAX } from '../conversation/messages.ts'
import { CHAR_BYTES } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'
import { STEPS_MAX } from './plan.ts'

/** Instructions and the tools of the mode, in bytes. */
const FIXED_BYTES = 50_000
/** What the run is asked for: a goal, or what was said to the completed session. */
const ASKED_CHARS = 16_000
/** Of the lines of a plan, with what is said of its current step. */
const LINES_CHARS = STEPS_MAX * 130 + 1_200
/** Of what stands in the place of earlier rounds. */
const LEFT_OUT_CHARS = 40_000
/** Times the progress of the plan stands in the conversation. */
const CONTINUED_MAX = 8

export function promptBytes(settings: Settings): number {
  const around = ASKED_CHARS + LINES_CHARS + LEFT_OUT_CHARS + UNHEARD_CHARS_MAX + CONTINUED_MAX * LINES_CHARS
  return FIXED_BYTES + CHAR_BYTES * around + windowBytes(settings)
}
