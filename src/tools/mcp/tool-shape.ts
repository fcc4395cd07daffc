/** One tool of an MCP server as the task offers it: its name, its parameters, and what its annotations say. */
import type { ClientTool, McpSource } from '../../core/terms/tools/client-tools.ts'
import { looseName } from '../../core/terms/tools/client-tools.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { appliedSchema } from '../../core/terms/schema/tool-parameters.ts'
import { cut } from '../../core/terms/text.ts'
import { freeName } from '../listed-name.ts'

const DESCRIPTION_CHARS_MAX = 1_000

export type GivenTool = Record<string, unknown> & { name: string }
type Schema = Record<string, unknown>

interface ToolContext {
  source: McpSource
  position: number
  /** The loose names that are taken already. */
  taken: Set<string>
  /** Whether the server runs calls as tasks when it is told to. */
  runs_tasks: boolean
}

export function toolOf(
  given: GivenTool,
  { source, position, taken, runs_tasks }: ToolContext,
): { tool: ClientTool; notes: string[] } {
  const name = nameFor(source.name, given.name, taken)
  const { parameters, notes } = parametersOf(given['inputSchema'])
  const output = given['outputSchema']
  const as_task = runs_tasks && isRecord(given['execution']) && TASK_SUPPORT.has(given['execution']['taskSupport'])
  return {
    tool: {
      name,
      description: descriptionOf(given),
      parameters,
      url: source.url,
      ...annotationsOf(given['annotations']),
      call: {
        kind: 'mcp',
        source: position,
        tool: given.name,
        output_schema: isRecord(output) ? output : null,
        ...(as_task ? { as_task: true } : {}),
      },
    },
    notes: notes.map((note) => `${name}: ${note}`),
  }
}

const TASK_SUPPORT: ReadonlySet<unknown> = new Set(['required', 'optional'])

/** Endpoints of models take letters, digits, _ and -. The dot stands between the source and the tool. */
function nameFor(source: string, tool: string, taken: Set<string>): string {
  const name = freeName(`${source}.${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`, tool, taken)
  taken.add(looseName(name))
  return name
}

function descriptionOf(given: GivenTool): string {
  const { description, title } = given
  const text = typeof description === 'string' && description !== '' ? description : title
  return typeof text === 'string' ? cut(text, DESCRIPTION_CHARS_MAX) : ''
}

/** Hints of the server. A tool that only reads may be repeated. */
function annotationsOf(annotations: unknown): Pick<ClientTool, 'idempotent' | 'read_only' | 'destructive'> {
  const hints = isRecord(annotations) ? annotations : {}
  const { readOnlyHint: read_only, destructiveHint: destructive, idempotentHint: idempotent } = hints
  return {
    idempotent: read_only === true || idempotent === true,
    ...(typeof read_only === 'boolean' ? { read_only } : {}),
    // By the protocol a tool that may change something may also destroy, unless its server says otherwise.
    ...(typeof destructive === 'boolean' ? { destructive } : read_only === true ? {} : { destructive: true }),
  }
}

/**
 * The parameters, as far as they can be applied. References that lead nowhere or into themselves are dropped. A schema that still cannot be
 * applied takes any object, because the server checks its arguments itself.
 */
function parametersOf(given: unknown): { parameters: Schema | null; notes: string[] } {
  if (!isRecord(given)) return { parameters: null, notes: [] }
  const schema: Schema = given['type'] === undefined ? { ...given, type: 'object' } : given
  if (appliedSchema(schema).ok) return { parameters: schema, notes: [] }
  const { schema: mended, dropped } = withoutReferences(schema)
  const applied = appliedSchema(mended)
  if (applied.ok) return { parameters: mended, notes: [`not applied of its parameters: ${dropped.join(', ')}`] }
  return { parameters: null, notes: [`its parameters are not applied, because they ${cut(applied.error, 200)}`] }
}

const DEPTH_MAX = 32
const DROPPED_MAX = 5

/** The same schema without the references that cannot be followed, and without the definitions that only they used. */
function withoutReferences(root: Schema): { schema: Schema; dropped: string[] } {
  const dropped = new Set<string>()
  const copy = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return depth > DEPTH_MAX ? [] : value.map((one) => copy(one, depth + 1))
    if (!isRecord(value)) return value
    if (depth > DEPTH_MAX) {
      dropped.add('what nests too deep')
      return {}
    }
    const ref = value['$ref']
    const isKept = typeof ref !== 'string' || isFollowed(root, ref)
    if (!isKept) dropped.add(cut(ref, 80))
    const entries = Object.entries(value).filter(([word]) => word !== '$ref' || isKept)
    return Object.fromEntries(entries.map(([word, one]) => [word, copy(one, depth + 1)]))
  }
  const schema = copy(root, 0)
  return { schema: isRecord(schema) ? schema : {}, dropped: [...dropped].slice(0, DROPPED_MAX) }
}

/** Whether a schema with this reference alone can be applied. */
const isFollowed = (root: Schema, ref: string): boolean =>
  appliedSchema({
    ...root,
    type: 'object',
    properties: { a: { $ref: ref } },
    $ref: undefined,
    allOf: undefined,
    anyOf: undefined,
    oneOf: undefined,
    additionalProperties: undefined,
    items: undefined,
  }).ok

const HEADER = 'x-mcp-header'
/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const HEADER_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/** Why a tool cannot be offered: the protocol forbids tools whose arguments name headers in a wrong way. null: it can be. */
export function headerError(schema: unknown): string | null {
  const names = new Set<string>()
  const visit = (value: unknown, isReachable: boolean, depth: number): string | null => {
    if (typeof value !== 'object' || value === null || depth > 2 * DEPTH_MAX) return null
    if (isRecord(value) && HEADER in value) {
      const error = isReachable && depth > 0 ? nameError(value, names) : 'it stands where no argument is'
      if (error !== null) return `${HEADER} is wrong: ${error}`
    }
    for (const [word, one] of Object.entries(value)) {
      const properties = word === 'properties' && isRecord(one) ? Object.values(one) : null
      const error =
        properties === null
          ? NO_SCHEMAS.has(word)
            ? null
            : visit(one, false, depth + 1)
          : firstError(properties, (property) => visit(property, isReachable, depth + 1))
      if (error !== null) return error
    }
    return null
  }
  return visit(schema, true, 0)
}

/** What stands below these words is a value. */
const NO_SCHEMAS: ReadonlySet<string> = new Set(['default', 'examples', 'const', 'enum', HEADER])

function firstError(values: unknown[], errorOf: (value: unknown) => string | null): string | null {
  for (const value of values) {
    const error = errorOf(value)
    if (error !== null) return error
  }
  return null
}

function nameError(schema: Schema, names: Set<string>): string | null {
  const name = schema[HEADER]
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'it is no name of a header'
  if (!HEADER_TYPES.has(schema['type'])) return 'its argument is no text, integer or truth value'
  if (names.has(name.toLowerCase())) return 'two arguments name the same header'
  names.add(name.toLowerCase())
  return null
}
