/** The prompt of a model call, built from the head that chose the call and the rows before it. */
import type { Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { briefOf, type Prompt } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { withInstructions } from './instructions.ts'
import { resultPrompt } from './result/prompt.ts'
import { RESULT_PHASE } from '../terms/settings.ts'
import { offeredTools } from './tools/offered-tools.ts'
import { withListedTools } from './tools/tool-lists.ts'

/** Builds the prompt of a phase. `/journal` uses it to show an earlier request again. */
export function rebuildPrompt(head: Head, phase: string, stored: Recall, wall_ms: number): Prompt {
  const recall = withListedTools(head, stored)
  const brief = briefOf(recall)
  const context = { head, brief, recall, tools: offeredTools(brief), wall_ms }
  const prompt = phase === RESULT_PHASE ? resultPrompt(context) : modeOf(head.mode).prompt(head.state, phase, context)
  return { ...prompt, messages: withInstructions(prompt.messages, brief) }
}

/** The part of a prompt that reaches the model, as text. Equal fingerprints of it mean the same request. */
export const requestText = ({ messages, tools }: Pick<Prompt, 'messages' | 'tools'>): string =>
  JSON.stringify(tools === undefined ? messages : { messages, tools })
