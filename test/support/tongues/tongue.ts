/** How endpoints of a wire speak. The table of hostile replies has the words of chat completions, which each wire says in its own. */
import type { ToolSpec } from '../../../src/core/mode/mode.ts'
import type { WireName } from '../../../src/core/terms/effect.ts'
import type { Fate } from '../hostile-kit.ts'

/** What a request asks for. */
export interface Heard {
  form: string
  cap: number
  tools: ToolSpec[]
}
export interface Tongue {
  wire: WireName
  /** The answer that has in this wire what a completion has, which may be broken. */
  say: (completion: Readonly<Record<string, unknown>>) => unknown
  /** The same answer as the body of a stream. null, or no such member: it is not streamed. */
  stream?: (answer: Record<string, unknown>) => string | null
  /** The body of a refusal with this error. */
  refuse: (error: unknown) => unknown
  hear: (body: Readonly<Record<string, unknown>>) => Heard
  /** By name, the replies of the table that lead to something else here. null: this wire has nothing like it. */
  fates: Readonly<Record<string, Fate | null>>
}

/** A member of a JSON value of any shape. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** A tool as a wire names it. It is one that this service has sent. */
export const toolIn = (value: unknown): ToolSpec => ({
  name: String(memberOf(value, 'name')),
  description: String(memberOf(value, 'description')),
  parameters: { ...Object(memberOf(value, 'parameters')) },
})
/** The usage of a completion under the names that a wire has for its members. What is no object stays as it is. */
export const renamed = (usage: unknown, names: Readonly<Record<string, string>>): unknown =>
  typeof usage === 'object' && usage !== null && !Array.isArray(usage)
    ? Object.fromEntries(Object.entries(usage).map(([name, count]) => [names[name] ?? name, count]))
    : usage
