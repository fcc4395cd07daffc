/** The hard bounds that the settings of a task put on its effects. */
import { longestOutput, TOOL_TIMEOUT_MS } from '../assignment.ts'
import { instructionsBytes } from '../instructions.ts'
import { LIST_BYTES_MAX, LISTED_TOOLS_MAX } from '../../terms/tools/client-tools.ts'
import { LIST_TIMEOUT_MS, LIST_TRIES_MAX } from '../tools/tool-lists.ts'
import type { Brief } from '../../terms/effect.ts'
import { modeOf } from '../../modes/index.ts'
import { resultBytes, resultCalls } from '../result/prompt.ts'
import { offeredTools } from '../tools/offered-tools.ts'
import type { Settings } from '../../terms/settings.ts'
import { utf8Bytes } from '../../terms/text.ts'

/** The parts of a task from which its bounds follow. */
export type ForecastTask = Pick<
  Brief,
  'mode' | 'settings' | 'tools' | 'sources' | 'fallbacks' | 'instructions' | 'output_schema'
>

/** The most that the native counter can reach. If one round can take several steps, the last one may end one above (D1). */
export function stepsLimit(mode: string, settings: Settings): number {
  const { counter } = modeOf(mode)
  return counter.max(settings) + (counter.unit === 'steps' ? 1 : 0)
}

/** The most model calls of a task. Each endpoint that it gives up may have failed as often as a phase allows. */
export function callsLimit({
  mode,
  settings,
  fallbacks,
  ...brief
}: Pick<ForecastTask, 'mode' | 'settings' | 'fallbacks' | 'output_schema'>): number {
  const { calls_max, cost, failure_limit } = modeOf(mode)
  const attempts = Object.keys(cost).map((phase) => failure_limit(phase, settings))
  const others = new Set(Object.values(fallbacks).flat()).size
  return calls_max(settings) + resultCalls(mode, settings, brief) + others * Math.max(...attempts)
}

/** The most tokens of one call: the longest prompt with the tools of the client, and the output cap. */
export function worstCall({ mode, settings, tools, sources = [], ...brief }: Omit<ForecastTask, 'fallbacks'>): {
  input_tokens: number
  output_tokens: number
} {
  const { max_tokens } = settings
  const lists = toolsBytes(tools, settings) + sources.length * listBytes(settings)
  const prompt = Math.max(modeOf(mode).prompt_bytes(settings) + lists, resultBytes(brief))
  const input = prompt + instructionsBytes(brief.instructions)
  return {
    input_tokens: max_tokens === null ? input : Math.min(input, max_tokens),
    output_tokens: longestOutput(settings),
  }
}

/** The bytes around the list of tools, and around each tool. */
const TOOLS_FRAME_BYTES = 500

/**
 * The bytes of the client's tools, counted twice because a message that is JSON itself escapes quotation marks and backslashes.
 * With `calls: few` they are offered natively as well.
 */
function toolsBytes(tools: ForecastTask['tools'], { calls }: Settings): number {
  if (tools.length === 0) return 0
  return timesOf(calls) * utf8Bytes(JSON.stringify(tools)) + (1 + tools.length) * TOOLS_FRAME_BYTES
}

const timesOf = (calls: Settings['calls']): number => (calls === 'few' ? 3 : 2)

/** The bytes of the list of a source, whose bounds hold for each. */
const listBytes = ({ calls }: Settings): number =>
  timesOf(calls) * LIST_BYTES_MAX + (1 + LISTED_TOOLS_MAX) * TOOLS_FRAME_BYTES

/** The longest working time: every model call and every tool call takes until its time-out. */
export function worstSeconds(task: ForecastTask): number {
  const { mode, settings, tools, sources = [] } = task
  const { tool_calls_max } = modeOf(mode)
  const longest = Math.max(...offeredTools({ mode, tools }).map(({ timeout_ms }) => timeout_ms ?? TOOL_TIMEOUT_MS))
  const lists_ms = sources.length * LIST_TRIES_MAX * LIST_TIMEOUT_MS
  return callsLimit(task) * settings.model_timeout_s + (tool_calls_max(settings) * longest + lists_ms) / 1000
}
