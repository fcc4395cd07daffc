/** An entry of `tools` that is a plain HTTP request: its fields, what is wrong with its templates, and the tool that it makes. */
import * as z from 'zod'
import { HTTP_METHODS, type ClientTool, type HttpPart } from '../../../core/terms/tools/client-tools.ts'
import { fillText, placeholdersIn, urlParts } from '../../../core/terms/values/http-template.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { nameHint, nameList } from '../../../core/terms/values/known-names.ts'
import { ADDRESS_CHARS_MAX } from '../../../shell/network/address.ts'
import { headerError, Parameters, secretError, ToolName } from './tool-fields.ts'

const METHODS = HTTP_METHODS.filter((method) => method !== 'OPTIONS')
const PARTS_MAX = 50
const TEXT_CHARS_MAX = 4_000
const Texts = z.record(z.string(), z.string().max(TEXT_CHARS_MAX))

export const HttpEntry = z
  .strictObject({
    name: ToolName.optional().describe('default: of method and path, such as `get_orders`'),
    description: z.string().default('').describe('what the model is told about it; default: method and path'),
    method: z.enum(METHODS).default('GET'),
    url: z
      .string()
      .max(ADDRESS_CHARS_MAX)
      .describe('https, and a host that the internet knows; `{name}` in path and query stands for an argument'),
    query: Texts.optional().describe('pairs for the query; a text may end in `secret:name`'),
    headers: Texts.optional().describe('a text may have arguments, and may end in `secret:name`'),
    body: z
      .strictObject({
        type: z.string().max(100).default('application/json').describe('the content type'),
        template: z.unknown().describe('a JSON value, in which `{name}` alone stands for a whole argument'),
      })
      .optional(),
    answer: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('the part of a JSON answer that the model is shown, such as `data.items`'),
    parameters: Parameters.optional().describe(
      'JSON Schema of its arguments; default: all that the templates name, each a required string',
    ),
    idempotent: z
      .boolean()
      .default(false)
      .describe('whether a call whose worker is lost may be repeated; GET and HEAD always may'),
  })
  .superRefine((entry, issues) => {
    // The templates are judged by fields that can be read.
    if (issues.issues.length > 0) return
    for (const { path, message } of entryErrors(entry)) issues.addIssue({ code: 'custom', path, message })
  })
export type HttpEntry = z.output<typeof HttpEntry>

type EntryError = { path: string[]; message: string }

function entryErrors(entry: HttpEntry): EntryError[] {
  return [
    ...urlErrors(entry),
    ...headerErrors(entry),
    ...bodyErrors(entry),
    ...queryErrors(entry),
    ...argumentErrors(entry),
  ]
}

function urlErrors({ url }: HttpEntry): EntryError[] {
  const { origin } = urlParts(url)
  const at = (message: string) => [{ path: ['url'], message }]
  if (origin.includes('{')) return at('must have no argument in its host: only path and query may have one')
  if (/secret:/i.test(url)) return at('must have no secret: name it in headers or in query')
  return /[{}]/.test(fillText(url, () => '') ?? '')
    ? at('has a brace that belongs to no {name}: percent-encode it as %7B or %7D')
    : []
}

function headerErrors({ headers = {} }: HttpEntry): EntryError[] {
  const names = Object.keys(headers)
  if (names.length > PARTS_MAX) return [{ path: ['headers'], message: `must have at most ${PARTS_MAX} members` }]
  return names.flatMap((name): EntryError[] => {
    const isType = name.toLowerCase() === 'content-type'
    const message = isType ? 'is set by body.type' : headerError(name, headers[name] ?? '', names)
    return message === null ? [] : [{ path: ['headers', name], message }]
  })
}

const CONTENT_TYPE = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}(?:; ?[a-z0-9-]{1,20}=[\w.-]{1,40})?$/i
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

function bodyErrors({ method, body }: HttpEntry): EntryError[] {
  if (body === undefined) return []
  if (method === 'GET' || method === 'HEAD') return [{ path: ['body'], message: `must be left out for ${method}` }]
  if (!CONTENT_TYPE.test(body.type))
    return [{ path: ['body', 'type'], message: 'must be a content type such as application/json' }]
  const at = (message: string) => [{ path: ['body', 'template'], message }]
  if (body.template === undefined) return at('is required')
  if (FORMS.includes(typeOf(body.type)) && !isRecord(body.template)) return at('must be an object for a form')
  return /^text\//i.test(body.type) && typeof body.template !== 'string' ? at('must be a text') : []
}
const typeOf = (content_type: string) => content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** A secret is named by fixed text at the end of a header or of a pair of the query, and nowhere else. */
function queryErrors({ query = {} }: HttpEntry): EntryError[] {
  return Object.entries(query).flatMap(([name, text]) => {
    const message = secretError(text)
    return message === null ? [] : [{ path: ['query', name], message }]
  })
}

/** All placeholders, each with the place where it stands. */
function placesOf({ url, query = {}, headers = {}, body }: HttpEntry): { name: string; path: string[] }[] {
  const inText = (text: string, path: string[]) => placeholdersIn(text).map((name) => ({ name, path }))
  const inTexts = (texts: Record<string, string>, place: string) =>
    Object.entries(texts).flatMap(([name, text]) => inText(text, [place, name]))
  const inBody = textsIn(body?.template).flatMap((text) => inText(text, ['body', 'template']))
  return [...inText(url, ['url']), ...inTexts(query, 'query'), ...inTexts(headers, 'headers'), ...inBody]
}

/** A body nests no deeper than every request may. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Looking for similar names takes time, and nobody reads more errors. */
const HINTS_MAX = 20

function argumentErrors(entry: HttpEntry): EntryError[] {
  const places = placesOf(entry)
  if (new Set(places.map(({ name }) => name)).size > PARTS_MAX)
    return [{ path: ['url'], message: `must have at most ${PARTS_MAX} arguments, with query, headers and body` }]
  const known = propertiesOf(entry.parameters)
  if (known === null) return []
  const unknown = places.filter(({ name }) => !known.includes(name))
  const unused = known.filter((name) => !places.some((place) => place.name === name))
  return [
    ...unknown.slice(0, HINTS_MAX).map(({ name, path }) => ({
      path,
      message: `has {${name}}, which is not in parameters${known.length === 0 ? '' : ` (${nameList(known)})`}${nameHint(name, known.slice(0, PARTS_MAX))}`,
    })),
    ...unused.map((name) => ({
      path: ['parameters', 'properties', name],
      message: `is used nowhere: write {${name}} into url, query, headers or body`,
    })),
  ]
}

/** null: the parameters are those of the templates. */
function propertiesOf(parameters: HttpEntry['parameters']): string[] | null {
  if (parameters === undefined) return null
  return isRecord(parameters['properties']) ? Object.keys(parameters['properties']) : []
}

const NAME_CHARS_MAX = 64

/** `get_orders` of `GET /orders/{id}`. */
export function httpToolName({ name, method, url }: Pick<HttpEntry, 'name' | 'method' | 'url'>): string {
  if (name !== undefined) return name
  const { origin, path } = urlParts(url)
  const words = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'))
  const place = words.length > 0 ? words : [origin.slice(origin.indexOf('://') + 3)]
  return [method.toLowerCase(), ...place]
    .join('_')
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, NAME_CHARS_MAX)
}

/** The tool that an entry makes. */
export function httpToolOf(entry: HttpEntry): ClientTool {
  const { method, url, description, body, answer, idempotent } = entry
  const reads = method === 'GET' || method === 'HEAD'
  return {
    name: httpToolName(entry),
    description: description === '' ? `${method} ${urlParts(url).path || '/'}` : description,
    parameters: entry.parameters ?? parametersOf(placesOf(entry).map(({ name }) => name)),
    url,
    idempotent: idempotent || reads,
    ...(reads ? { read_only: true } : {}),
    ...(method === 'DELETE' ? { destructive: true } : {}),
    call: {
      kind: 'http',
      method,
      path: [],
      query: partsOf(entry.query),
      headers: partsOf(entry.headers),
      cookies: [],
      body: body === undefined ? null : { type: body.type, template: body.template },
      answer: answer ?? null,
      selects: false,
    },
  }
}

const partsOf = (texts: Record<string, string> = {}): HttpPart[] =>
  Object.entries(texts).map(([name, value]) => ({ name, value }))

function parametersOf(names: readonly string[]): Record<string, unknown> {
  const once = [...new Set(names)]
  const properties = Object.fromEntries(once.map((name) => [name, { type: 'string' }]))
  return { type: 'object', properties, required: once, additionalProperties: false }
}
