/** The calls of a reply, as the tools are given them. */
import { resolveToolName, isSameToolName } from '../../terms/client-tools.ts'
import type { Recall, ToolCall } from '../../terms/effect.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { BUILT_IN_TOOLS, toolInputOf } from '../../mode/tools.ts'
import { unreadable } from '../../terms/unreadable.ts'

export const callsAt = (recall: Recall, row: number): readonly ToolCall[] =>
  expectEvent(recall(row), 'model_replied').tool_calls ?? []

export function callAt(recall: Recall, row: number, index: number): { tool: string; input: string } {
  const call = callsAt(recall, row)[index]
  if (call === undefined) throw unreadable(`row ${row} has no call ${index}`)
  const { tools } = briefOf(recall)
  // A tool of the client stands in the place of a built-in one of its name; names are compared without case (O0-04).
  const own = resolveToolName(tools, call.name)
  if (tools.some(({ name }) => name === own)) return { tool: own, input: toolInputOf(undefined, call.arguments) }
  const card = BUILT_IN_TOOLS.find(({ name }) => isSameToolName(name, call.name))
  return { tool: card?.name ?? call.name, input: toolInputOf(card, call.arguments) }
}
