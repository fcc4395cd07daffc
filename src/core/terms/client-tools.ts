/** A tool that the client brings. The service calls it over HTTP and keeps it in the brief of its task (docs/tools.md). */
import * as z from 'zod'

export const ClientTool = z.object({
  name: z.string(),
  description: z.string(),
  /** The JSON Schema of its arguments as the client wrote it. null: it takes any object. */
  parameters: z.record(z.string(), z.unknown()).nullable(),
  url: z.string(),
  /** Whether a call may be repeated under its key (D4). */
  idempotent: z.boolean(),
})
export type ClientTool = z.infer<typeof ClientTool>

/** Names of tools are compared without case (O0-04). */
export const isSameToolName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The name, as the client writes it, of the tool that a model means. An unknown name stays as it is. */
export const resolveToolName = (tools: readonly ClientTool[], given: string): string =>
  tools.find(({ name }) => name === given)?.name ?? tools.find(({ name }) => isSameToolName(name, given))?.name ?? given
