/** What callers are told of tools: those of the service, those of a task, and what a list of a source gave. No address is told. */
import * as z from 'zod'
import { ImageRef } from '../terms/files/images.ts'
import { HTTP_METHODS, ToolSource } from '../terms/tools/client-tools.ts'
import { MODE_NAMES } from '../terms/mode-names.ts'

/** The kinds of sources, and those of tools that have none. */
const Origin = z.enum(['built_in', 'signed', 'http', 'mcp', 'openapi'])

const Described = {
  name: z.string().describe('as prompts and approvals name it'),
  description: z.string().describe('what a model is told of it'),
  parameters: z.record(z.string(), z.unknown()).describe('the JSON Schema of its arguments'),
}

export const ToolEntry = z.object({
  ...Described,
  origin: Origin.describe(
    '`signed`: a POST to the client by today’s signature; `http`: a request that the client has described',
  ),
  source: z.string().nullable().describe('the name of the source that listed it'),
  method: z.enum(HTTP_METHODS).nullable().describe('of a tool that is called by one HTTP request'),
  repeatable: z.boolean().describe('whether a call whose worker is lost is made again'),
  read_only: z.boolean().nullable().describe('whether it only reads; null: nobody has said'),
  destructive: z.boolean().nullable().describe('whether it may destroy something; null: nobody has said'),
})
export type ToolEntry = z.infer<typeof ToolEntry>

export const SourceEntry = z.object({
  name: z.string(),
  kind: z.enum(ToolSource.options.map((option) => option.shape.kind.value)),
  state: z.enum(['listed', 'not_listed', 'unavailable']).describe('`not_listed`: it is listed before the first effect'),
  tools: z.int().describe('how many tools it gave'),
  changed: z
    .boolean()
    .describe('it has said that its list changed: it is listed again when the task goes on after a stop'),
  digest: z.string().nullable().describe('of the list as the source gave it'),
  notes: z.array(z.string()).describe('what was left out or changed, and why it could not be listed'),
})
export type SourceEntry = z.infer<typeof SourceEntry>

export const TaskTools = z.object({ data: z.array(ToolEntry), sources: z.array(SourceEntry) })
export type TaskTools = z.infer<typeof TaskTools>

/** What one call outside of any task has come to. */
const TrialResult = z.object({
  ok: z.boolean(),
  code: z.string().describe('the result as a word for machines'),
  text: z.string().describe('as it would be stored for a model, 100,000 characters at most'),
  images: z
    .array(ImageRef.pick({ name: true, media_type: true, width: true, height: true, bytes: true }))
    .optional()
    .describe('what a model would be shown beside the text; nothing of it is kept'),
})
const HeldTrial = z.object({
  held: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('asked'),
        question: z.object({
          text: z.string(),
          schema: z
            .record(z.string(), z.unknown())
            .nullable()
            .describe('the JSON Schema of the answer; null: whether the person agrees'),
        }),
      }),
      z.object({ kind: z.literal('outside'), message: z.string().nullable() }),
    ])
    .describe('it asks a person, or works on outside. Only a task can go on with it, so the call is given up'),
})
export const ToolTrial = z.union([TrialResult, HeldTrial])
export type ToolTrial = z.infer<typeof ToolTrial>

const BuiltInTool = z.object({
  ...Described,
  modes: z.array(z.enum(MODE_NAMES)).describe('the modes that offer it'),
  read_only: z.boolean().nullable().describe('whether it only reads; null: it depends on its arguments'),
})
export const ToolList = z.object({
  data: z.array(BuiltInTool),
  sources: z.array(z.enum(['signed', 'http', 'mcp', 'openapi'])).describe('the kinds of tools that a task may bring'),
})
export type ToolList = z.infer<typeof ToolList>
