/**
 * The HTTP application. The order is: request id, other origins, configuration, route, gate (key, rate, path, query, body), handler. `onError` alone
 * catches errors, and answers with a problem document like every other refusal.
 */
import { Hono, type Context } from 'hono'
import { accepts } from 'hono/accepts'
import { TrieRouter } from 'hono/router/trie-router'
import { ROUTES } from './contract.ts'
import { crossOrigin } from './cross-origin.ts'
import type { Endpoint, Ports, Reply } from './endpoint.ts'
import { admit, type Gate } from './gate/admit.ts'
import { authenticator, linkOpener } from './gate/auth/auth.ts'
import type { Verifier } from './gate/auth/key-holder.ts'
import { adminKeys, configuredKeys, registryKeys } from './gate/auth/verifiers.ts'
import { failureOf } from './gate/failure.ts'
import type { Logins } from './gate/login/logins.ts'
import { preferredWait, retryWhileBusy } from './gate/prefer.ts'
import { routeHint } from './gate/hints/nearest-route.ts'
import { preferredLocale } from './gate/language.ts'
import { jsonText, problemResponse, type ProblemForm } from './gate/problem-response.ts'
import { keyLimiter, linkLimiter } from './gate/rate-limit.ts'
import { prefersPage } from './resources/answers/prefers-page.ts'
import type { AnswerMediaType, Route, Success } from './route.ts'
import { isTaskId } from './shapes/fields.ts'
import type { HttpRefusal, ProblemCode } from './shapes/http-refusal.ts'
import type { Caller } from '../shell/caller.ts'

const ENDPOINTS: readonly Endpoint[] = Object.values(ROUTES)

/** What a middleware stores for the later ones. */
type Env = {
  Variables: {
    request_id: string
    /** The template of the route that took the request. */
    route?: string
    /** Whose request was admitted; absent where nobody was asked who it is. */
    caller?: Pick<Caller, 'tenant' | 'key_name'>
    task?: string | undefined
    /** Why it was refused. */
    code?: ProblemCode
  }
}
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** `logins`: tokens as credentials; null: there are only keys. */
type AppPorts = Omit<Ports, 'sign_in'> & { logins: Logins | null }

/** With errors in `ports.config` every request is refused (U21). */
export function createApp({ logins, ...outside }: AppPorts): Hono<Env> {
  const ports: Ports = { ...outside, sign_in: logins?.sign_in ?? null }
  const gate: Gate = {
    authenticate: authenticator(verifiersOf(ports, logins), ports.registry, logins?.readAmbient ?? (async () => null)),
    open_link: linkOpener(ports.config, ports),
    count_key: keyLimiter(ports, ports.config.rate_limit_per_minute, ports.now),
    links: linkLimiter(ports.config.rate_limit_per_minute, ports.now),
  }
  // Of the routers of Hono only this one takes our paths. Hono finds that out by an error, which costs a start more than all routes.
  const app = new Hono<Env>({ router: new TrieRouter() })
  app.use('*', async (c, next) => {
    const given = c.req.header('x-request-id') ?? ''
    const id = REQUEST_ID.test(given) ? given : ports.random_id()
    c.set('request_id', id)
    const begun_ms = ports.now()
    await next()
    c.res.headers.set('x-request-id', id)
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
    c.res.headers.set('x-content-type-options', 'nosniff')
    reportRequest(ports, c, begun_ms)
  })
  app.use('*', crossOrigin(ports.config.cors_origins))
  app.use('*', (c, next) => (ports.draining() ? Promise.resolve(refuse(c, { code: 'shutting_down' })) : next()))
  app.use('*', async (c, next) => {
    const reasons = ports.config.config_errors
    return reasons.length > 0 ? refuse(c, { code: 'not_configured', reasons }) : next()
  })
  for (const one of ENDPOINTS) {
    app.on(one.method.toUpperCase(), honoPath(one.path), (c) => serve(ports, gate, c, one))
  }
  app.notFound((c) => refuse(c, strayRefusal(c.req.path)))
  app.onError((error, c) => refuse(c, refusalOf(error, c, ports)))
  return app
}

/** Without ADMIN_KEY nobody can have registered a key, so none is looked up. */
function verifiersOf({ config, registry, now }: Ports, logins: Logins | null): Verifier[] {
  const { api_keys, admin_keys } = config
  const registered = admin_keys.length === 0 ? [] : [adminKeys(admin_keys), registryKeys(registry, now)]
  return [configuredKeys(api_keys), ...registered, ...(logins === null ? [] : [logins.verify])]
}

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

async function serve(ports: Ports, gate: Gate, c: Context<Env>, endpoint: Endpoint): Promise<Response> {
  c.set('route', endpoint.path)
  const id = endpoint.path.startsWith('/tasks/{id}') ? c.req.param('id') : undefined
  // Anything else may stand in a path, and not in the log.
  if (id !== undefined && isTaskId(id)) c.set('task', id)
  const admitted = await admit(noteHolder(gate, c), endpoint, c.req.raw, c.req.param())
  if (!admitted.ok) return refuse(c, admitted.refusal, endpoint.success)
  const caller = { ...admitted.value.caller, request_id: c.get('request_id') }
  if (caller.tenant !== '') c.set('caller', caller)
  const call = { ...admitted.value, caller, form: formOf(c, endpoint.success) }
  const attempt = async () => withoutLinkDetails(endpoint, await endpoint.handle(ports, call))
  const waits = endpoint.headers.includes('Prefer') && endpoint.long_poll !== true
  const wait_s = waits ? preferredWait(c.req.header('prefer') ?? null) : null
  if (wait_s === null) return render(c, await attempt(), call.form, endpoint.success)
  const isOver = () => call.caller.gone() || ports.draining()
  const response = await render(c, await retryWhileBusy(ports, wait_s, isOver, attempt), call.form, endpoint.success)
  response.headers.set('preference-applied', `wait=${wait_s}`)
  return response
}

/** The report of a request names who has sent it, also where it is refused. */
const noteHolder = (gate: Gate, c: Context<Env>): Gate => ({
  ...gate,
  async authenticate(request) {
    const holder = await gate.authenticate(request)
    if (holder.ok) c.set('caller', holder.value)
    return holder
  },
})

/** A link that was ended is answered like an unknown one. */
const withoutLinkDetails = ({ linked }: Route, reply: Reply): Reply =>
  linked !== undefined && reply.kind === 'refused' && reply.refusal.code === 'link_not_found'
    ? { kind: 'refused', refusal: { code: 'unauthorized', given: true } }
    : reply

async function render(c: Context<Env>, reply: Reply, form: AnswerMediaType, success: Success): Promise<Response> {
  switch (reply.kind) {
    case 'refused':
      return refuse(c, reply.refusal, success)
    case 'empty':
      return c.body(null, reply.status, reply.headers)
    case 'document':
      return reply.response
    case 'answer':
      return renderAnswer(c, reply, form)
  }
}

type Answer = Extract<Reply, { kind: 'answer' }>

async function renderAnswer(
  c: Context<Env>,
  { status, json, lines, csv, headers }: Answer,
  form: AnswerMediaType,
): Promise<Response> {
  if (form === 'text/plain') return c.text(`${(await lines()).join('\n')}\n`, status, headers)
  if (form === 'text/csv' && csv !== undefined) {
    const type = { 'content-type': 'text/csv; charset=utf-8; header=present' }
    return new Response(await csv.text(), { status, headers: { ...type, ...headers, ...csv.headers } })
  }
  return new Response(jsonText(json), { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** The form that Accept prefers among those of the route. A request that accepts anything gets JSON. */
function formOf(c: Context<Env>, { content }: Pick<Success, 'content'>): AnswerMediaType {
  const more = content?.kind === 'json' ? content.more : []
  const supports: AnswerMediaType[] = ['application/json', 'text/plain', ...more]
  const found = accepts(c, { header: 'Accept', supports: [...supports, '*/*'], default: 'application/json' })
  return supports.find((form) => form === found) ?? 'application/json'
}

/** A refusal is text where the answer would be text. A static document, or the bytes of a file, is not an answer in one form of several. */
async function problemForm(c: Context<Env>, success: Success | null): Promise<ProblemForm> {
  const content = success?.content ?? null
  const wanted = c.req.header('accept')?.includes('problem+json') ? 'application/json' : formOf(c, { content })
  const isText = content?.kind !== 'document' && wanted === 'text/plain'
  const isChinese = preferredLocale(c.req.raw) === 'zh'
  const chinese = isChinese ? (await import('./gate/hints/problem-texts-zh.ts')).PROBLEM_TEXTS_ZH : null
  return { media: isText ? 'text' : 'json', chinese }
}

/** The rest of such a path is a secret token, which no answer may repeat. */
const ANSWERS = '/answers/'
const LINK_PATHS = [ANSWERS, '/reports/']

async function refuse(c: Context<Env>, refusal: HttpRefusal, success: Success | null = null): Promise<Response> {
  c.set('code', refusal.code)
  const path = new URL(c.req.url).pathname
  const link = LINK_PATHS.find((start) => path.startsWith(start))
  const problem = await problemResponse(refusal, link ?? path, await problemForm(c, success))
  // Programs send reports, so only answer links have a page.
  if (link !== ANSWERS || !prefersPage(c.req.raw)) return problem
  const { refusalPage } = await import('./resources/answers/answer-page.ts')
  return refusalPage(refusal, problem, c.req.raw)
}

const TEMPLATES = [...new Set(ENDPOINTS.map(({ path }) => path))]

/** No route took the request. Either its path has other methods, or there is no such path. */
function strayRefusal(path: string): HttpRefusal {
  const methods = ENDPOINTS.flatMap((one) => (matches(one.path, path) ? [one.method.toUpperCase()] : []))
  if (methods.length === 0) {
    const hint = routeHint(path, TEMPLATES)
    return hint === null ? { code: 'not_found' } : { code: 'not_found', hint }
  }
  const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return { code: 'method_not_allowed', allow: allow.toSorted() }
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  )
}

function refusalOf(error: Error, c: Context<Env>, { telemetry }: Ports): HttpRefusal {
  const { refusal, log } = failureOf(error)
  const of = { request_id: c.get('request_id'), method: c.req.method, route: c.get('route') ?? '' }
  if (log !== null) telemetry.log.write({ event: 'request_failed', ...of, ...log })
  return refusal
}

/** One report for each request, when the head of its answer is there. */
function reportRequest({ telemetry, now }: Ports, c: Context<Env>, begun_ms: number): void {
  const caller = c.get('caller')
  telemetry.request({
    request_id: c.get('request_id'),
    method: c.req.method,
    route: c.get('route') ?? null,
    status: c.res.status,
    duration_ms: now() - begun_ms,
    tenant: caller?.tenant,
    key_name: caller?.key_name ?? undefined,
    task: caller === undefined ? undefined : c.get('task'),
    code: c.get('code'),
  })
}
