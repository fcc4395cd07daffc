/** The tools that a client brings: those that it describes itself, and those that a source of it lists (docs/tools.md). */
import * as z from 'zod'

/** A request that a tool makes of its arguments: `{name}` in a text stands for one, and `secret:name` at its end for a secret. */
const HttpPart = z.union([
  z.object({
    name: z.string(),
    value: z.string(),
    /** The value is `user:password`, and is sent as `Basic` and its base64. */
    basic: z.literal(true).optional(),
  }),
  /** One argument, written as an API description says. An argument that is not given is left out. */
  z.object({
    name: z.string(),
    argument: z.string(),
    style: z.enum(['simple', 'form', 'space', 'pipe', 'deep', 'json']),
    explode: z.boolean(),
  }),
])
export type HttpPart = z.infer<typeof HttpPart>

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** The call of a plain HTTP tool, and of an operation of an OpenAPI document. The url of its tool is a template. */
export const HttpCall = z.object({
  kind: z.literal('http'),
  method: z.enum(HTTP_METHODS),
  /** How arguments are written into the url. One that is not named here is written as it is, percent-encoded. */
  path: z.array(HttpPart),
  query: z.array(HttpPart),
  headers: z.array(HttpPart),
  cookies: z.array(HttpPart),
  /** A JSON value in which the text `{name}` alone stands for the whole argument. A member whose argument is not given is left out. */
  body: z.object({ type: z.string(), template: z.unknown() }).nullable(),
  /** The part of a JSON answer that is shown: member names and positions with dots between. null: all of it. */
  answer: z.string().nullable(),
  /** Whether the model may name the members that it wants to see (argument `fields`). */
  selects: z.boolean(),
})
export type HttpCall = z.infer<typeof HttpCall>

/** The call of a tool of an MCP server. `source` is the position of its server among the sources of the task. */
const McpCall = z.object({
  kind: z.literal('mcp'),
  source: z.int().min(0),
  /** The name that the server gives it. */
  tool: z.string(),
  /** The JSON Schema of structured results. null: the server has told none. */
  output_schema: z.record(z.string(), z.unknown()).nullable(),
  /** The server of 2025 runs the call as a task, which is looked at again later. Absent: it does not, or it decides itself. */
  as_task: z.literal(true).optional(),
})
export type McpCall = z.infer<typeof McpCall>

export const ClientTool = z.object({
  name: z.string(),
  description: z.string(),
  /** The JSON Schema of its arguments as the client wrote it. null: it takes any object. */
  parameters: z.record(z.string(), z.unknown()).nullable(),
  url: z.string(),
  /** Whether a call may be repeated under its key (D4). */
  idempotent: z.boolean(),
  /** Whether a call only reads. Absent: nobody has said. */
  read_only: z.boolean().optional(),
  /** Whether a call may destroy something. Absent: nobody has said. */
  destructive: z.boolean().optional(),
  /** How it is called. Absent: by one signed POST to its url. */
  call: z.discriminatedUnion('kind', [HttpCall, McpCall]).optional(),
})
export type ClientTool = z.infer<typeof ClientTool>

/** By name; a value is a text that may end in `secret:name`. */
const HeaderTexts = z.record(z.string(), z.string())

const SourceBase = {
  /** What stands before the names of its tools, as in `tickets.create`. */
  name: z.string(),
  /** Sent with every request. */
  headers: HeaderTexts,
  /** Whether the task goes on without its tools when they cannot be listed. */
  optional: z.boolean(),
}

const McpSource = z.object({
  kind: z.literal('mcp'),
  ...SourceBase,
  url: z.string(),
  /** How the service authenticates itself, besides by headers. Texts may name secrets. */
  auth: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('bearer'), token: z.string() }),
      z.object({
        kind: z.literal('client_credentials'),
        client_id: z.string(),
        client_secret: z.string(),
        scope: z.string().nullable(),
      }),
    ])
    .nullable(),
  /** The only tools that are taken, as the server names them. null: all. */
  tools: z.array(z.string()).nullable(),
  /** What becomes of a call that was lost in a crash and may not be repeated: a person is asked, or the model is told. */
  on_lost: z.enum(['ask', 'skip']),
})
export type McpSource = z.infer<typeof McpSource>

const OpenApiSource = z.object({
  kind: z.literal('openapi'),
  ...SourceBase,
  document: z.union([z.object({ url: z.string() }), z.object({ file: z.string() })]),
  /** By operation id, by tag, by method: what matches all that is given is taken. null: not chosen by that. */
  operations: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
  methods: z.array(z.string()).nullable(),
  /** The base address in place of that of the document. */
  server: z.string().nullable(),
  /** By the name of a security scheme of the document: what is sent for it. A text may name a secret. */
  security: HeaderTexts,
})
export type OpenApiSource = z.infer<typeof OpenApiSource>

/** Where a task finds tools. They are listed by an effect of their own, and its row keeps the list. */
export const ToolSource = z.discriminatedUnion('kind', [McpSource, OpenApiSource])
export type ToolSource = z.infer<typeof ToolSource>

/** The most of one list. Whoever lists a source leaves out what is beyond, and says so. */
export const LIST_BYTES_MAX = 65_536
export const LISTED_TOOLS_MAX = 128

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
export const looseName = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '')

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
