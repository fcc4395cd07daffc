/** The hard bounds a task's settings put on its effects. */
import { TOOL_TIMEOUT_MS } from './assignment.ts'
import type { Brief } from '../terms/effect.ts'
import { modeOf } from '../modes/index.ts'
import { offeredTools } from './offered-tools.ts'
import type { Settings } from '../terms/settings.ts'
import { utf8Bytes } from '../terms/text.ts'

/** What of a task its bounds follow from. */
export type Bounding = Pick<Brief, 'mode' | 'settings' | 'tools'>

/** Of the native counter of a mode: where one round can take several steps, the last may end one above the maximum (D1). */
export function stepsLimit(mode: string, settings: Settings): number {
  const { counter } = modeOf(mode)
  return counter.max(settings) + (counter.unit === 'steps' ? 1 : 0)
}

/** The most one call can take: its prompt at its longest with the client's tools in it, and its output cap. */
export function worstCall({ mode, settings, tools }: Bounding): { input_tokens: number; output_tokens: number } {
  const { max_output_tokens, max_tokens } = settings
  const input = modeOf(mode).prompt_bytes(settings) + toolsBytes(tools)
  return { input_tokens: max_tokens === null ? input : Math.min(input, max_tokens), output_tokens: max_output_tokens }
}

/** What is said of tools once there are some, and of each beside its own words. */
const TOOLS_FRAME_BYTES = 500

/** In a message that is JSON itself each quotation mark and each backslash is written as two. */
function toolsBytes(tools: Bounding['tools']): number {
  if (tools.length === 0) return 0
  return 2 * utf8Bytes(JSON.stringify(tools)) + (1 + tools.length) * TOOLS_FRAME_BYTES
}

/** Working time at most: every model call and every call of a tool to its time-out. */
export function worstSeconds({ mode, settings, tools }: Bounding): number {
  const { calls_max, tool_calls_max } = modeOf(mode)
  const longest = Math.max(...offeredTools({ mode, tools }).map(({ timeout_ms }) => timeout_ms ?? TOOL_TIMEOUT_MS))
  return calls_max(settings) * settings.model_timeout_s + (tool_calls_max(settings) * longest) / 1000
}
