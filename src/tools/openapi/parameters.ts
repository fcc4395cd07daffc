/** The parameters of an operation: the arguments of its tool, and how each is written into the request. */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { HttpCall, HttpPart } from '../../core/terms/tools/client-tools.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { JsonSchema } from '../../core/terms/schema/json-schema.ts'
import {
  own,
  ownList,
  ownRecord,
  ownText,
  resolvePart,
  quoteValue,
  type Members,
  type OpenApiDocument,
} from './document.ts'
import type { Operation } from './operations.ts'
import { argumentName, plainText } from './texts.ts'
import { translateSchema, type SchemaWalk } from './schemas.ts'

type Place = 'path' | 'query' | 'header' | 'cookie'
type ArgumentPart = Extract<HttpPart, { argument: string }>

export interface Parameter {
  place: Place
  /** As the request has it. */
  name: string
  /** As the model calls it. */
  argument: string
  required: boolean
  style: ArgumentPart['style']
  explode: boolean
  schema: unknown
  description: string
}

/** What the service itself says with each request. The first three are left out by the standard too. */
const RESERVED: ReadonlySet<string> = new Set(
  'accept content-type authorization content-length connection cookie host idempotency-key te traceparent trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)
export const isReservedHeader = (name: string): boolean => RESERVED.has(name.toLowerCase())

const PARAMETERS_MAX = 100
const PLACES: ReadonlySet<string> = new Set(['path', 'query', 'header', 'cookie'])
const isPlace = (text: string): text is Place => PLACES.has(text)

/** `error` follows the name of the operation. `taken` are the names of other arguments. */
export function readParameters(
  document: OpenApiDocument,
  { operation, item, path }: Operation,
  taken: readonly string[],
  note: (text: string) => void,
): Attempt<Parameter[], string> {
  const listed = [...ownList(item, 'parameters'), ...ownList(operation, 'parameters')]
  if (listed.length > PARAMETERS_MAX) return { ok: false, error: `has more than ${PARAMETERS_MAX} parameters` }
  // One of the operation takes the place of that of its path.
  const found = new Map<string, Parameter>()
  for (const part of listed) {
    const resolved = resolvePart(document, part)
    if (!resolved.ok) return resolved
    const parameter = readParameter(resolved.value, note)
    if (!parameter.ok) return parameter
    if (parameter.value !== null) found.set(`${parameter.value.place}:${parameter.value.name}`, parameter.value)
  }
  return { ok: true, value: withDistinctNames(fitToPath([...found.values()], path, note), taken) }
}

/** null: it is none that an argument is for. */
function readParameter(part: Members, note: (text: string) => void): Attempt<Parameter | null, string> {
  const name = ownText(part, 'name')
  const place = ownText(part, 'in')
  const required = place === 'path' || own(part, 'required') === true
  const leaveOut = (why: string): Attempt<null, string> => {
    if (required) return { ok: false, error: `needs its parameter ${JSON.stringify(quoteValue(name))}, ${why}` }
    note(`its parameter ${JSON.stringify(quoteValue(name))} is left out: ${why}`)
    return { ok: true, value: null }
  }
  if (name === '' || !isPlace(place)) return leaveOut(`which is in ${JSON.stringify(quoteValue(place))}`)
  if (place === 'header' && isReservedHeader(name)) {
    note(`its header ${quoteValue(name)} is no argument: the service writes it itself`)
    return { ok: true, value: null }
  }
  if (place === 'header' && !isHeaderName(name)) return leaveOut('whose name no header can have')
  const form = formOf(part, place)
  if (form === null) return leaveOut(`whose style ${JSON.stringify(ownText(part, 'style'))} is not known in a ${place}`)
  if (own(part, 'allowReserved') === true)
    note(`its parameter ${JSON.stringify(quoteValue(name))} is percent-encoded all the same`)
  const description = ownText(part, 'description')
  return { ok: true, value: { place, name, argument: argumentName(name), required, description, ...form } }
}

const STYLES: Record<Place, ReadonlyMap<string, ArgumentPart['style']>> = {
  path: new Map([['simple', 'simple']]),
  query: new Map([
    ['form', 'form'],
    ['spaceDelimited', 'space'],
    ['pipeDelimited', 'pipe'],
    ['deepObject', 'deep'],
  ]),
  header: new Map([['simple', 'simple']]),
  cookie: new Map([
    ['form', 'form'],
    ['cookie', 'form'],
  ]),
}

/** How it is written, and its schema. null: in a way that is not known. */
function formOf(part: Members, place: Place): Pick<Parameter, 'style' | 'explode' | 'schema'> | null {
  const content = own(part, 'content')
  if (isRecord(content)) {
    const [type = '', media] = Object.entries(content)[0] ?? []
    const schema = isRecord(media) ? own(media, 'schema') : undefined
    return isJsonType(type) ? { style: 'json', explode: false, schema } : null
  }
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const written = ownText(part, 'style') || usual
  const style = STYLES[place].get(written)
  if (style === undefined) return null
  const explode = own(part, 'explode')
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : written === 'form',
    schema: schemaWithExample(part),
  }
}

/** The example of a parameter stands beside its schema. */
function schemaWithExample(part: Members): unknown {
  const schema = own(part, 'schema')
  const example = own(part, 'example')
  const has_own = !isRecord(schema) || own(schema, '$ref') !== undefined || own(schema, 'example') !== undefined
  return example === undefined || has_own ? schema : { ...schema, example }
}

/** `application/json`, and those that end in `+json`. */
export const isJsonType = (type: string): boolean => {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json')
}

/** The names in braces of a path. */
const placeholdersOf = (path: string): string[] => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)

/** Each place in the path is an argument, also if the document says nothing about it. */
function fitToPath(parameters: Parameter[], path: string, note: (text: string) => void): Parameter[] {
  const names = [...new Set(placeholdersOf(path))]
  const isInPath = ({ place, name }: Parameter) => place !== 'path' || names.includes(name)
  for (const { name } of parameters.filter((one) => !isInPath(one)))
    note(`its parameter ${JSON.stringify(quoteValue(name))} is left out: the path has no place for it`)
  const known = new Set(parameters.filter(({ place }) => place === 'path').map(({ name }) => name))
  const undescribed = names.filter((name) => !known.has(name))
  for (const name of undescribed) note(`it does not describe {${quoteValue(name)}} of its path, so that is any text`)
  return [...parameters.filter(isInPath), ...undescribed.map(anyText)]
}

const anyText = (name: string): Parameter => ({
  place: 'path',
  name,
  argument: argumentName(name),
  required: true,
  style: 'simple',
  explode: false,
  schema: { type: 'string' },
  description: '',
})

/** Those that share a name are told apart by their place, as in `query_id`, and then by a number. */
function withDistinctNames(parameters: Parameter[], taken: readonly string[]): Parameter[] {
  const all = [...taken, ...parameters.map(({ argument }) => argument)]
  const isShared = (name: string) => all.indexOf(name) !== all.lastIndexOf(name)
  const used = new Set(taken)
  return parameters.map((parameter) => {
    const base = isShared(parameter.argument) ? `${parameter.place}_${parameter.argument}` : parameter.argument
    let argument = base
    for (let number = 2; used.has(argument); number++) argument = `${base}_${number}`
    used.add(argument)
    return { ...parameter, argument }
  })
}

export function parameterSchema(walk: SchemaWalk, { schema, description }: Parameter): JsonSchema {
  const value = translateSchema(walk, schema)
  const text = plainText(description, walk.description_max)
  walk.chars += text.length
  return text === '' ? value : { ...value, description: text }
}

/** The parts of a request that the parameters of one place become. */
export const partsOf = (parameters: readonly Parameter[], place: Place): HttpCall['query'] =>
  parameters
    .filter((one) => one.place === place)
    .map(({ name, argument, style, explode }) => ({ name, argument, style, explode }))

/** Whether an answer of the operation may be JSON. */
export function answersJson(document: OpenApiDocument, operation: Members): boolean {
  const responses = ownRecord(operation, 'responses')
  return Object.keys(responses)
    .slice(0, PARAMETERS_MAX)
    .filter((status) => /^(2|default)/.test(status))
    .some((status) => {
      const response = resolvePart(document, responses[status])
      return response.ok && Object.keys(ownRecord(response.value, 'content')).some(isJsonType)
    })
}
