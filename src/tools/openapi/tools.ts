/** Makes the tools of a task of the operations of an OpenAPI document. */
import type { Attempt } from '../../core/terms/attempt.ts'
import { ClientTool, looseName, type HttpCall, type OpenApiSource } from '../../core/terms/tools/client-tools.ts'
import type { JsonSchema } from '../../core/terms/schema/json-schema.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { appliedSchema } from '../../core/terms/schema/tool-parameters.ts'
import { parseWellFormedJson } from '../../core/mode/json-text.ts'
import { credentialsOf, pathTemplate, securityError, serverOf, spelledOutError, type Credentials } from './access.ts'
import { BODY, bodySchema, readBody, type Body } from './body.ts'
import { ownText, quoteValue, referenceError, type OpenApiDocument } from './document.ts'
import { chooseOperations, listOperations, type Operation } from './operations.ts'
import { answersJson, parameterSchema, partsOf, readParameters, type Parameter } from './parameters.ts'
import { translateWithin, type SchemaWalk } from './schemas.ts'
import { addNote, FIELDS, noteTexts, plainText, SELECTION, toolName, type Notes } from './texts.ts'
import type { Pause } from './yaml-pieces.ts'

export interface MakingPorts {
  /** Whether the service may call an address. An error follows the name of its field. */
  checkAddress: (url: string) => Attempt<URL, string>
  /** Lets other requests be served. */
  pause: Pause
}
interface MadeTools {
  tools: ClientTool[]
  notes: string[]
}

/** The tools take this much of a row and of each request to a model. */
const TOOLS_CHARS_MAX = 262_144

/** `error` follows the name of the document. An operation that the task names has to be offered; any other one may be left out. */
export async function makeTools(
  document: OpenApiDocument,
  source: OpenApiSource,
  ports: MakingPorts,
  locale: Locale,
): Promise<Attempt<MadeTools, string>> {
  const notes: Notes = new Map()
  const note = (text: string) => addNote(notes, text)
  const error = securityError(document, source)
  if (error !== null) return { ok: false, error }
  const chosen = chooseOperations(listOperations(document, note), source, note)
  if (!chosen.ok) return chosen
  const tools: ClientTool[] = []
  const taken = new Set<string>()
  let chars = 0
  for (const operation of chosen.value) {
    await ports.pause()
    const name = toolName(source.name, operation, taken)
    const own_notes: string[] = []
    const tool = makeTool({
      document,
      source,
      ports,
      operation,
      name,
      locale,
      note: (text) => void own_notes.push(text),
    })
    if (!tool.ok && (operation.named || tool.error.is_of_client))
      return { ok: false, error: `cannot be used: ${quoteValue(operation.id)} ${tool.error.text}` }
    if (!tool.ok) {
      note(`${quoteValue(operation.id)}${LEFT_OUT}${tool.error.text}`)
      continue
    }
    for (const text of own_notes) addNote(notes, text, name)
    taken.add(looseName(name))
    tools.push(tool.value)
    chars += JSON.stringify(tool.value).length
    if (chars > TOOLS_CHARS_MAX) return { ok: false, error: TOO_MUCH }
  }
  const left_out = [...notes.keys()].find((text) => text.includes(LEFT_OUT)) ?? ''
  if (tools.length === 0)
    return { ok: false, error: `has no operation that can be a tool: ${plainText(left_out, REASON_CHARS_MAX)}` }
  return { ok: true, value: { tools, notes: noteTexts(notes) } }
}
const LEFT_OUT = ' is left out: it '
const REASON_CHARS_MAX = 300
const TOO_MUCH = `describes its operations in more than ${TOOLS_CHARS_MAX} characters: choose fewer by \`operations\`, \`tags\` or \`methods\``

interface Making {
  document: OpenApiDocument
  source: OpenApiSource
  ports: MakingPorts
  operation: Operation
  name: string
  locale: Locale
  note: (text: string) => void
}
/** `text` follows the name of the operation. `is_of_client`: the source has to say more, so leaving it out would hide a mistake. */
interface MakingError {
  text: string
  is_of_client: boolean
}
const fail = (text: string, is_of_client = false) => ({ ok: false as const, error: { text, is_of_client } })

function makeTool(making: Making): Attempt<ClientTool, MakingError> {
  const { document, source, operation, note } = making
  const body = readBody(document, operation, note)
  if (!body.ok) return fail(body.error)
  const credentials = credentialsOf(document, operation, source, note)
  if (!credentials.ok) return fail(credentials.error, true)
  const fixed = fixedParts(source, credentials.value)
  const parameters = readParameters(document, operation, body.value === null ? [] : [BODY], note)
  if (!parameters.ok) return fail(parameters.error)
  const open = parameters.value.filter((one) => !isFixed(fixed, one))
  const address = addressOf(making, open)
  if (!address.ok) return address
  const selects = maySelect(making, open)
  const schema = schemaOf(making, { parameters: open, body: body.value, selects })
  if (!schema.ok) return schema
  const call = callOf(making, { fixed, parameters: open, body: body.value, selects })
  const tool: ClientTool = {
    name: making.name,
    description: descriptionOf(operation),
    parameters: schema.value,
    url: address.value,
    ...traitsOf(operation),
    call,
  }
  // A lone surrogate, which JSON can escape, cannot be stored. Names have none.
  return { ok: true, value: ClientTool.parse(parseWellFormedJson(JSON.stringify(tool))) }
}

/** Only reading is repeated: whether a server honours a key, no document says. */
function traitsOf({ method }: Operation): Pick<ClientTool, 'idempotent' | 'read_only' | 'destructive'> {
  const is_read = method === 'GET' || method === 'HEAD'
  return {
    idempotent: is_read,
    ...(is_read && { read_only: true }),
    ...(method === 'DELETE' && { destructive: true }),
  }
}

function fixedParts({ headers }: OpenApiSource, credentials: Credentials): Credentials {
  const replaced = new Set(credentials.headers.map(({ name }) => name.toLowerCase()))
  const own_headers = Object.entries(headers)
    .filter(([name]) => !replaced.has(name.toLowerCase()))
    .map(([name, value]) => ({ name, value }))
  return { ...credentials, headers: [...own_headers, ...credentials.headers] }
}

/** Some documents describe a key as a parameter too. Then it is no argument. */
function isFixed(fixed: Credentials, { place, name }: Parameter): boolean {
  if (place === 'header') return fixed.headers.some((part) => part.name.toLowerCase() === name.toLowerCase())
  const parts = { query: fixed.query, cookie: fixed.cookies, path: [] }[place]
  return parts.some((part) => part.name === name)
}

function addressOf({ document, source, ports, operation }: Making, parameters: readonly Parameter[]) {
  if (!operation.path.startsWith('/')) return fail('has a path that does not begin with /')
  const server = serverOf(document, operation, source)
  if (!server.ok) return fail(server.error, true)
  const spelled_out = spelledOutError(source, server.value)
  if (spelled_out !== null) return fail(spelled_out, true)
  const places = new Map(
    parameters.filter(({ place }) => place === 'path').map((one) => [one.name.toWellFormed(), one.argument]),
  )
  const url = `${server.value}${pathTemplate(operation.path, (name) => places.get(name) ?? name)}`
  const address = ports.checkAddress(url.replaceAll(/\{[^{}]*\}/g, 'x'))
  return address.ok
    ? { ok: true as const, value: url }
    : fail(`has the address ${quoteValue(url)}, which ${address.error}`)
}

interface RequestParts {
  fixed: Credentials
  parameters: readonly Parameter[]
  body: Body | null
  selects: boolean
}

/** Whether the model may name the members of an answer that it wants to see. An argument of that name is the operation's own. */
function maySelect({ document, operation, note }: Making, parameters: readonly Parameter[]): boolean {
  if (!answersJson(document, operation.operation)) return false
  const is_taken = parameters.some(({ argument }) => argument === SELECTION)
  if (is_taken) note(`its own argument \`${SELECTION}\` takes the place of that which selects parts of an answer`)
  return !is_taken
}

function schemaOf(
  making: Making,
  { parameters, body, selects }: Omit<RequestParts, 'fixed'>,
): Attempt<JsonSchema, MakingError> {
  const { value, walk } = translateWithin(making.document, (walk) => ({
    type: 'object',
    properties: Object.fromEntries([
      ...parameters.map((one) => [one.argument, parameterSchema(walk, one)]),
      ...(body === null ? [] : [[BODY, bodySchema(walk, body)]]),
      ...(selects ? [[SELECTION, selectionSchema(walk, making.locale)]] : []),
    ]),
    ...requiredOf(parameters, body),
  }))
  if (walk.external !== null) return fail(referenceError(walk.external, true))
  const applied = appliedSchema(value)
  if (!applied.ok) return fail(`has parameters that ${applied.error}`)
  noteLosses(making, walk)
  return { ok: true, value }
}

function selectionSchema(walk: SchemaWalk, locale: Locale): JsonSchema {
  walk.parts += 2
  return { type: 'array', items: { type: 'string' }, description: FIELDS[locale] }
}

function requiredOf(parameters: readonly Parameter[], body: Body | null): { required?: string[] } {
  const names = parameters.filter(({ required }) => required).map(({ argument }) => argument)
  const required = body?.required === true ? [...names, BODY] : names
  return required.length === 0 ? {} : { required }
}

const LOSSES_SHOWN = 10

function noteLosses({ note }: Making, { lost }: SchemaWalk): void {
  const losses = [...lost]
  if (losses.length === 0) return
  const rest = losses.length > LOSSES_SHOWN ? `, and ${losses.length - LOSSES_SHOWN} more` : ''
  note(`left out of its parameters: ${losses.slice(0, LOSSES_SHOWN).join(', ')}${rest}`)
}

function callOf({ operation: { method } }: Making, { fixed, parameters, body, selects }: RequestParts): HttpCall {
  return {
    kind: 'http',
    method,
    // The place in the url has the name of the argument.
    path: partsOf(parameters, 'path').map((part) => ('argument' in part ? { ...part, name: part.argument } : part)),
    query: [...fixed.query, ...partsOf(parameters, 'query')],
    headers: [...fixed.headers, ...partsOf(parameters, 'header')],
    cookies: [...fixed.cookies, ...partsOf(parameters, 'cookie')],
    body: body === null ? null : { type: body.type, template: `{${BODY}}` },
    answer: null,
    selects,
  }
}

const DESCRIPTION_CHARS_MAX = 1_000

function descriptionOf({ operation, key }: Operation): string {
  const summary = plainText(ownText(operation, 'summary'), DESCRIPTION_CHARS_MAX)
  const description = plainText(ownText(operation, 'description'), DESCRIPTION_CHARS_MAX)
  if (summary === '' && description === '') return plainText(key, DESCRIPTION_CHARS_MAX)
  if (summary === '' || description.startsWith(summary)) return description
  if (description === '') return summary
  return plainText(`${/[.!?…。！？]$/.test(summary) ? summary : `${summary}.`} ${description}`, DESCRIPTION_CHARS_MAX)
}
