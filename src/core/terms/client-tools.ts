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

/** Some models name a tool as their own instructions do, or write brackets behind it. No name of a tool has such signs. */
const BEFORE_NAMES = ['functions.', 'function.', 'tools.', 'tool.']
const BEHIND_NAMES = '()'

function bareName(given: string): string {
  const name = given.trim()
  const before = BEFORE_NAMES.find((text) => name.toLowerCase().startsWith(text)) ?? ''
  return name.slice(before.length, name.endsWith(BEHIND_NAMES) ? -BEHIND_NAMES.length : undefined)
}

/** Models also write a name without its signs, with others, or with blanks: `askUser`, `ask-user`, `ask user`. */
const looseName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The name, as it is offered, of the tool that a model means. An unknown name stays as it is written, without such signs. */
export function resolveToolName(tools: readonly Pick<ClientTool, 'name'>[], given: string): string {
  const name = bareName(given)
  const loose_name = looseName(name)
  return (
    tools.find((tool) => tool.name === name)?.name ??
    tools.find((tool) => isSameToolName(tool.name, name))?.name ??
    tools.find((tool) => looseName(tool.name) === loose_name)?.name ??
    name
  )
}
