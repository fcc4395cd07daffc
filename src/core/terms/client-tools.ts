/** A client's own tool: reached over HTTP, kept in the brief of the task it was given to (docs/tools.md). */
import * as z from 'zod'

export const ClientTool = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of its arguments as the client wrote it; null: any object. */
  parameters: z.record(z.string(), z.unknown()).nullable(),
  url: z.string(),
  /** Whether a call may be repeated under its key (D4). */
  idempotent: z.boolean(),
})
export type ClientTool = z.infer<typeof ClientTool>

/** Names of tools are compared without case (O0-04). */
export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The name of the tool that a model means: as its client writes it. */
export const properName = (tools: readonly ClientTool[], said: string): string =>
  tools.find(({ name }) => name === said)?.name ?? tools.find(({ name }) => sameName(name, said))?.name ?? said
