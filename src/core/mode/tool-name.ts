/** Marks where the contract of a reply names a tool, so that the schema that a model gets lists the offered names there. */
import * as z from 'zod'

export const TOOL_NAME_MARK = 'names_a_tool'

/** Any name satisfies it. A tool that is not offered is a failed action, and not a broken contract. `others`: what else the model may name. */
export const toolNameOr = (...others: string[]) =>
  z
    .string()
    .min(1)
    .meta({ [TOOL_NAME_MARK]: others })
export const ToolName = toolNameOr()
