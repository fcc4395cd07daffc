/** The hard bounds a task's settings put on its effects. */
import { modeOf } from './modes/index.ts'
import type { Settings } from './settings.ts'

/** Of the native counter of a mode: where one round can take several steps, the last may end one above the maximum (D1). */
export function stepsLimit(mode: string, settings: Settings): number {
  const { counter } = modeOf(mode)
  return counter.max(settings) + (counter.unit === 'steps' ? 1 : 0)
}

/** Bytes a prompt can have beside its observations: goal, plan, answers, remarks and instructions at their longest. */
const PROMPT_BYTES_MAX = 600_000

/** The most one call can take: its prompt with every observation at its longest, and its output cap. */
export function worstCall(mode: string, settings: Settings): { input_tokens: number; output_tokens: number } {
  const { observation_char_limit, observation_history_limit, max_output_tokens, max_tokens } = settings
  // Text is three bytes a character at the most; all observations together are bounded by their own limit.
  const observations = 3 * Math.min(1_000_000, observation_char_limit * observation_history_limit)
  const input = PROMPT_BYTES_MAX + (modeOf(mode).conversation_bytes?.(settings) ?? observations)
  return { input_tokens: max_tokens === null ? input : Math.min(input, max_tokens), output_tokens: max_output_tokens }
}
