/** Holds every answer of a test against openapi.yaml: its status, its content type, its headers, its body. */
import { Validator, type Schema } from '@cfworker/json-schema'
import { expect } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
// This is bundled as text, so that it can be read in workerd too.
import text from '../../openapi.yaml?raw'

const Ref = z.object({ $ref: z.string() })
const Media = z.object({ schema: z.record(z.string(), z.unknown()) })
const Answer = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), Media).default({}),
  /** The other forms of the answer, which are text. */
  'x-text-answers': z.record(z.string(), z.unknown()).default({}),
})
const Operation = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), z.union([Ref, Answer])),
  /** The answers to an old way to ask. */
  'x-deprecated-answers': z.record(z.string(), Answer).default({}),
})
const Item = z.record(z.string(), Operation)
const Document = z.object({
  paths: z.record(z.string(), Item),
  components: z.looseObject({ responses: z.record(z.string(), Answer) }),
})
const document = Document.parse(parse(text))

/** The operations as `METHOD /path/{id}`. */
export const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
)

/** Path templates as patterns; a literal path comes before one with a parameter. */
const TEMPLATES = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/**
 * Fails unless the document has this answer. `path` is that of the request, with or without a query. An answer to a path
 * or method that the document does not have must be the problem not_found, method_not_allowed or not_configured.
 * Reads a clone: the body of `response` stays unread.
 */
export async function expectContract(method: string, path: string, response: Response): Promise<void> {
  const where = `${method} ${path} → ${response.status}`
  const bare = path.split('?', 1)[0] ?? path
  const template = TEMPLATES.find(({ pattern }) => pattern.test(bare))?.path ?? ''
  const operation = document.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  expect(response.headers.get('x-request-id'), where).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  if (method === 'OPTIONS' && response.status === 204) return expectPreflight(where, response)
  if (operation === undefined) return expectStray(where, method, response)
  const status = String(response.status)
  const answer = resolved(operation.responses[status]) ?? operation['x-deprecated-answers'][status] ?? null
  if (answer === null) throw new Error(`${where}: not in openapi.yaml`)
  for (const header of required(answer, response))
    expect(response.headers.has(header), `${where}: header ${header}`).toBe(true)
  if (method === 'HEAD') return
  if (isTextProblem(response)) return expectTextProblem(where, response)
  await expectBody(where, answer, response)
}

function resolved(answer: z.infer<typeof Operation>['responses'][string] | undefined): z.infer<typeof Answer> | null {
  if (answer === undefined) return null
  if (!('$ref' in answer)) return answer
  return document.components.responses[answer.$ref.split('/').at(-1) ?? ''] ?? null
}

/** Retry-After and RateLimit depend on which of the refusals that share a status it is. */
/** A stream has begun before its task has the version that it ends with. */
const required = (answer: z.infer<typeof Answer>, response: Response) =>
  Object.keys(answer.headers).filter(
    (name) =>
      name !== 'Retry-After' && name !== 'RateLimit' && !(name === 'ETag' && typeOf(response) === 'text/event-stream'),
  )

const typeOf = (response: Response) => response.headers.get('content-type')?.split(';', 1)[0] ?? ''

const TEXT: z.infer<typeof Media> = { schema: { type: 'string' } }

async function expectBody(where: string, answer: z.infer<typeof Answer>, response: Response): Promise<void> {
  const { content, 'x-text-answers': texts } = answer
  const types = [...Object.keys(content), ...Object.keys(texts)]
  if (types.length === 0) return expect(await response.clone().text(), where).toBe('')
  const type = typeOf(response)
  const media = content[type] ?? content['*/*'] ?? (texts[type] === undefined ? undefined : TEXT)
  if (media === undefined) throw new Error(`${where}: ${type} is not one of ${types.join(', ')}`)
  // A stream may go on for ever.
  if (type === 'text/event-stream') return
  const body: unknown = type.endsWith('json') ? await response.clone().json() : await response.clone().text()
  expectSchema(where, media.schema, body)
}

/** The answer to a browser that asks whether a page may send a request. The document cannot have it for each route. */
async function expectPreflight(where: string, response: Response): Promise<void> {
  expect(response.headers.has('access-control-allow-methods'), where).toBe(true)
  expect(await response.clone().text(), where).toBe('')
}

/** A problem as text has no schema: its first line has its status, its title and its code. */
const isTextProblem = (response: Response) => response.status >= 400 && typeOf(response) === 'text/plain'
async function expectTextProblem(where: string, response: Response): Promise<void> {
  expect(await response.clone().text(), where).toMatch(
    new RegExp(`^${response.status} [^\\n]+ \\(\\w+\\)\\n[^\\n]+\\n`),
  )
}

async function expectStray(where: string, method: string, response: Response): Promise<void> {
  if (isTextProblem(response)) return method === 'HEAD' ? undefined : expectTextProblem(where, response)
  expect(typeOf(response), where).toBe('application/problem+json')
  if (method === 'HEAD') return
  const body: unknown = await response.clone().json()
  expectSchema(where, { $ref: '#/components/schemas/Problem' }, body)
  expect(['not_found', 'method_not_allowed', 'not_configured', 'unauthorized'], where).toContain(
    z.object({ code: z.string() }).parse(body).code,
  )
}

const validators = new Map<string, Validator>()

function expectSchema(where: string, schema: Record<string, unknown>, body: unknown): void {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  // A schema of the document is a JSON Schema, and its references are resolved in the document.
  const validator = known ?? new Validator({ ...schema, components: document.components } as Schema, '2020-12', false)
  validators.set(key, validator)
  const { valid, errors } = validator.validate(body)
  expect(valid, `${where}: ${JSON.stringify(errors.slice(-3))}`).toBe(true)
}
