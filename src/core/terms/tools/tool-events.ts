/** What a task is told of its tools: lists of sources, results, and calls that are held. */
import * as z from 'zod'
import { ClientTool } from './client-tools.ts'
import { ImageRef } from '../files/images.ts'

const ToolReturned = z.object({
  kind: z.literal('tool_returned'),
  ok: z.boolean(),
  text: z.string(),
  /** The result as a word for machines: `todo_added`, `conflict`, `search_results`, `not_offered`, … */
  code: z.string(),
  /** The images that belong to the result, which the model is shown beside its text. Absent: there are none. */
  images: z.array(ImageRef).min(1).optional(),
  /** The server has said that its list of tools changed. The task lists them again when it goes on after a stop. */
  list_changed: z.literal(true).optional(),
})

/** The list of a source of tools, as it is offered from then on. Replay and forks see the same list. */
const ToolsListed = z.object({
  kind: z.literal('tools_listed'),
  tools: z.array(ClientTool),
  /** Of the list as the source gave it. */
  digest: z.string(),
  /** What was left out or changed, in words for people. */
  notes: z.array(z.string()),
})
/** A source could not be listed. `reason` never contains a secret or a raw body. */
const ToolsUnlisted = z.object({
  kind: z.literal('tools_unlisted'),
  reason: z.string(),
  /** Whether another try might list it. */
  passing: z.boolean(),
  retry_after_ms: z.number().min(0).nullable(),
})

/** What a tool wants to know from a person before it answers. */
const ToolQuestion = z.object({
  text: z.string(),
  /** The JSON Schema of the answer, an object. null: the answer is whether the person agrees. */
  schema: z.record(z.string(), z.unknown()).nullable(),
})

/** A tool asks a person (MCP elicitation). Its call goes on with the answer. `state` is for the tool alone. */
const ToolAsked = z.object({ kind: z.literal('tool_asked'), question: ToolQuestion, state: z.string() })
/** A tool works on outside (a task of an MCP server). Its call is looked at again after `poll_ms`. `state` is for the tool alone. */
const ToolWaits = z.object({
  kind: z.literal('tool_waits'),
  state: z.string(),
  poll_ms: z.int().min(0),
  message: z.string().nullable(),
})

/** A person's answer to what a tool asked in row `request`. `content` fits the schema of the question; null: there is nothing to say. */
const ToolAnswered = z.object({
  kind: z.literal('tool_answered'),
  request: z.int().min(1),
  action: z.enum(['accept', 'decline']),
  content: z.record(z.string(), z.unknown()).nullable(),
})

export const TOOL_EVENTS = [ToolReturned, ToolsListed, ToolsUnlisted, ToolAsked, ToolWaits, ToolAnswered] as const
