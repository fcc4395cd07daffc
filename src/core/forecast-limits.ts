/** The hard bounds a task's settings put on its effects. */
import type { Settings } from './settings.ts'

/** A round may end one step above the maximum (D1). */
export const stepsLimit = (settings: Settings): number => settings.max_steps + 1

/** Bytes a prompt can have beside its observations: goal, plan, answers, remarks and instructions at their longest. */
const PROMPT_BYTES_MAX = 600_000

/** The most one call can take: its prompt with every observation at its longest, and its output cap. */
export function worstCall(settings: Settings): { input_tokens: number; output_tokens: number } {
  const { observation_char_limit, observation_history_limit, max_output_tokens, max_tokens } = settings
  // Text is three bytes a character at the most; all observations together are bounded by their own limit.
  const observations = 3 * Math.min(1_000_000, observation_char_limit * observation_history_limit)
  const input = PROMPT_BYTES_MAX + observations
  return { input_tokens: max_tokens === null ? input : Math.min(input, max_tokens), output_tokens: max_output_tokens }
}
