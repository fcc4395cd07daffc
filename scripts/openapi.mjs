// Writes openapi.yaml (and nothing else) from the route table and its zod schemas; --check fails when the file is stale.
// zod prints the schemas as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks; @hono/zod-openapi assembles the document.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { stringify } from 'yaml'
import { loadModes, modeOf } from '../src/core/modes/index.ts'
import { MODE_NAMES } from '../src/core/terms/mode-names.ts'
import { MODE_SETTINGS } from '../src/core/terms/settings.ts'
import { ROUTES } from '../src/http/contract.ts'
import { scopeOf } from '../src/http/gate/auth/key-holder.ts'
import { PROBLEMS } from '../src/http/shapes/problems.ts'
import { REQUEST_HEADERS } from '../src/http/document/request-headers.ts'
import { formOf, partsOf, uploadOf } from './lib/openapi-forms.mjs'
import { infoOf, TAGS } from './lib/openapi-info.mjs'
import { printed, refTo, requestName, tidy } from './lib/openapi-schemas.mjs'
import { textAnswersOf } from './lib/openapi-texts.mjs'

await loadModes() // The next two ask the modes.
const { EXAMPLES } = await import('../src/http/document/examples.ts')
const { SETTING_TEXTS } = await import('../src/http/document/setting-texts.ts')
const TARGET = new URL('../openapi.yaml', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const { properties: settings } = printed.get('SettingsInput')
for (const [name, description] of SETTING_TEXTS) settings[name] = { description, ...settings[name] }

const { properties: shown } = printed.get('Settings')
for (const name of MODE_SETTINGS) {
  const modes = MODE_NAMES.filter((mode) => modeOf(mode).own_settings.includes(name)).map((mode) => `\`${mode}\``)
  shown[name].description = `of a task in mode ${modes.join(', ')}; of any task with \`include=settings\``
}

/** Headers by name; a response refers to them. */
const HEADERS = {
  'X-Request-Id': 'echoed when it was `[A-Za-z0-9._-]{1,128}`, else made',
  'Retry-After': 'seconds',
  'WWW-Authenticate': 'Bearer, and what was wrong',
  'Accept-Post': 'the content types of this route',
  'Accept-Patch': 'the content types of this route',
  RateLimit: 'what is left of the minute',
  ...Object.assign({}, ...Object.values(ROUTES).map(({ success }) => success.headers)),
}
const headers = (...names) =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The refusals of every route of a kind, in addition to its own. */
function problemsOf(route) {
  const keyed = [
    'unauthorized',
    'no_tenant',
    ...(route.worker ? [] : ['worker_key']),
    'insufficient_scope',
    'tenant_disabled',
  ]
  const secured = route.open
    ? route.by_token
      ? ['rate_limited']
      : []
    : [...keyed, 'rate_limited', 'issuer_unreachable']
  const checked = route.query === null ? [] : ['validation_failed']
  const body =
    route.body === null ? [] : ['invalid_json', 'unreadable_body', 'payload_too_large', 'unsupported_media_type']
  return [
    ...secured,
    ...checked,
    ...body,
    ...route.problems,
    'internal_error',
    'not_configured',
    'unavailable',
    'shutting_down',
    'storage_full',
  ]
}

const PROBLEM_HEADERS = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  415: ['Accept-Post'],
  429: ['Retry-After', 'RateLimit'],
  503: ['Retry-After'],
  507: ['Retry-After'],
}

/** Refusals of 409 that say when to try again. */
const RETRIED = new Set(['task_busy', 'request_in_progress', 'delegation_claimed'])

/** Refusals that share a status are one response; routes with the same ones share it. */
const problems = new Map()
/** Whether people open the link of this route; programs send reports by the other links. */
const isForPeople = ({ by_token, also, success }) =>
  by_token &&
  [success, ...also].some(
    ({ content }) => content?.type?.startsWith('text/html') || content?.more?.includes('text/html'),
  )
/** The page that is sent in place of the problem if the client prefers it. */
const PAGE = { 'text/html': { description: 'the same for a person' } }

function problemResponses(route) {
  const byStatus = Map.groupBy(problemsOf(route), (code) => PROBLEMS[code][0])
  return [...byStatus].map(([status, codes]) => {
    const patched = route.method === 'patch' && status === 415
    const put = route.method === 'put' && status === 415
    const name = [
      ...(isForPeople(route) ? ['link'] : []),
      ...(patched ? ['patch'] : put ? ['put'] : []),
      ...codes,
    ].join('.')
    const description = codes.map((code) => `\`${code}\`: ${PROBLEMS[code][2]}`).join('. ')
    const usual = patched ? ['Accept-Patch'] : put ? [] : (PROBLEM_HEADERS[status] ?? [])
    const own = codes.some((code) => RETRIED.has(code)) ? ['Retry-After'] : usual
    problems.set(name, {
      description,
      headers: headers(...own),
      content: { 'application/problem+json': { schema: refTo('Problem') } },
      ...(isForPeople(route) && { 'x-text-answers': PAGE }),
    })
    return [status, { $ref: `#/components/responses/${name}` }]
  })
}

/** Ends the script: the document would be wrong. */
function stop(route, problem) {
  console.error(`route ${route} ${problem}`)
  process.exit(1)
}

/** The example, which every JSON body in the document needs. */
function exampleOf(name, part, example) {
  return example ?? stop(name, `has no example of its ${part}: add it to EXAMPLES in src/http/document/examples.ts`)
}

/** All successful answers, by status. Those to an old way to ask stand outside, because they would be a part of the generated type. */
function successResponses(name, { success, also }) {
  const { answer, also: others = {} } = EXAMPLES[name] ?? {}
  const all = [[success, answer], ...also.map((other) => [other, others[other.status]])]
  const responses = (isOld) =>
    all.flatMap(([one, example]) =>
      (one.deprecated === true) === isOld ? [[one.status, successResponse(name, one, example)]] : [],
    )
  return { responses: responses(false), deprecated: responses(true) }
}

function successResponse(name, { description, headers: own, content, status }, example) {
  const known = { description, headers: headers(...Object.keys(own)) }
  if (content === null) return known
  if (content.kind === 'document') return { ...known, content: { [content.type.split(';')[0]]: { schema: {} } } }
  const shown = exampleOf(name, `answer with status ${status}`, example)
  return {
    ...known,
    content: { 'application/json': { schema: refTo(content.schema), example: shown } },
    'x-text-answers': textAnswersOf(content, shown),
  }
}

const propertiesOf = ({ schema }) => printed.get(requestName.get(schema)).properties

function requestBody(name, rule) {
  const { schema, text_field, required, kinds = text_field === null ? ['json'] : ['json', 'form', 'text'] } = rule
  const named = requestName.get(schema)
  if (named === undefined)
    stop(name, 'takes a body whose schema has no name: add it to REQUESTS in scripts/lib/openapi-schemas.mjs')
  const example = exampleOf(name, 'request', EXAMPLES[name]?.request)
  const json = { 'application/json': { schema: refTo(named), example } }
  const isFile = kinds.includes('markdown')
  const text = { schema: { type: 'string', description: isFile ? 'the file' : `\`${text_field}\`` } }
  return {
    required,
    content: {
      ...json,
      ...(kinds.includes('form') && {
        'application/x-www-form-urlencoded': { schema: formOf(propertiesOf(rule), rule) },
      }),
      ...(rule.files === true && {
        'multipart/form-data': { schema: partsOf(propertiesOf(rule), rule, refTo(named)) },
      }),
      ...(isFile && { 'text/markdown': text }),
      ...(kinds.includes('text') && { 'text/plain': text }),
    },
  }
}

/** `metadata.<key>=<value>`: OpenAPI says it as an object whose members are parameters of their own. */
const LABELS = {
  name: 'metadata',
  in: 'query',
  style: 'form',
  explode: true,
  description: 'only tasks with these labels, once per key',
  schema: { type: 'object', propertyNames: { pattern: '^metadata\\.' }, additionalProperties: { type: 'string' } },
}

function parametersOf(route) {
  const path = Object.entries(parts(route.params)).map(([name, schema]) => parameter('path', name, schema, true))
  const query = route.query === null ? {} : parts(route.query)
  const heeded = route.headers.map((name) => parameter('header', name, described(REQUEST_HEADERS[name]), false))
  return [
    ...path,
    ...Object.entries(query).map(([name, schema]) =>
      name === 'metadata' ? LABELS : parameter('query', name, schema, false),
    ),
    ...heeded,
  ]
}
const described = ({ description, schema }) => ({ description, ...schema })
const parts = (schema) => z.toJSONSchema(schema, { io: 'input', override: tidy }).properties
const parameter = (where, name, { description, deprecated, ...schema }, required) => ({
  name,
  in: where,
  required,
  ...(deprecated && { deprecated }),
  description,
  schema,
})

function toPath([name, route]) {
  const { responses, deprecated } = successResponses(name, route)
  return {
    method: route.method,
    path: route.path,
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: route.operator
      ? [{ operator: [] }]
      : route.open
        ? []
        : [{ key: [scopeOf(route)] }, ...(route.linked === undefined ? [] : [{ link: [] }])],
    parameters: parametersOf(route),
    ...(route.body && { requestBody: requestBody(name, route.body) }),
    ...(route.upload && { requestBody: uploadOf(route.upload) }),
    responses: Object.fromEntries([...responses, ...problemResponses(route)]),
    ...(deprecated.length > 0 && { 'x-deprecated-answers': Object.fromEntries(deprecated) }),
  }
}

function generate() {
  const app = new OpenAPIHono()
  const registry = app.openAPIRegistry
  for (const entry of Object.entries(ROUTES)) registry.registerPath(toPath(entry))
  const key = {
    type: 'http',
    scheme: 'bearer',
    description: 'a key of a tenant, with the scope that the route names; under /admin also ADMIN_KEY',
  }
  registry.registerComponent('securitySchemes', 'key', key)
  const operator = { type: 'http', scheme: 'bearer', description: 'a secret of whoever runs the service' }
  registry.registerComponent('securitySchemes', 'operator', operator)
  registry.registerComponent('securitySchemes', 'link', {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'of a link that an answer carries: signed, expiring, to read one thing',
  })
  for (const [name, schema] of printed) registry.registerComponent('schemas', name, schema)
  for (const [name, response] of problems) registry.registerComponent('responses', name, response)
  for (const [name, description] of Object.entries(HEADERS)) {
    registry.registerComponent('headers', name, { description, schema: { type: 'string' } })
  }
  const config = { openapi: '3.1.0', info: infoOf(version), servers: [{ url: '/' }], tags: TAGS }
  // The generator always writes these two as empty lists.
  const { webhooks: _webhooks, ...document } = app.getOpenAPI31Document(config)
  const { parameters: _parameters, ...components } = document.components
  return stringify({ ...document, components }, { lineWidth: 0, aliasDuplicateObjects: false })
}

const text = generate()
if (!process.argv.includes('--check')) writeFileSync(TARGET, text)
else if (text !== (existsSync(TARGET) ? readFileSync(TARGET, 'utf8') : '')) {
  console.error('openapi.yaml is stale: npm run openapi')
  process.exitCode = 1
}
