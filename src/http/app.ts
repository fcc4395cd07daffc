/**
 * The HTTP face of the service. Order: request id → configuration → route → key → rate → path, query, body → handler;
 * `onError` is the only catcher, and its answer is a problem document like every other refusal.
 */
import { Hono, type Context } from 'hono'
import { accepts } from 'hono/accepts'
import { admit, type Gate } from './admit.ts'
import { authenticator, linkOpener } from './auth.ts'
import type { Config } from '../config.ts'
import * as answers from './answer-link.ts'
import { prefersPage, refusalPage } from './answer-page.ts'
import * as calendar from './calendar.ts'
import * as commands from './commands.ts'
import * as delegations from './delegations.ts'
import { ROUTES, type RouteName, type Routes } from './contract.ts'
import { jsonText, problemResponse, type HttpRefusal } from './errors.ts'
import { failureOf } from './failure.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as fork from './fork.ts'
import * as history from './history.ts'
import * as meta from './meta.ts'
import { waitOf, whileBusy } from './prefer.ts'
import { keyLimiter, linkLimiter } from './rate-limit.ts'
import type { Call, Form, Handler, Ports, Reply, Route, Success } from './route.ts'
import * as tasks from './tasks.ts'
import * as webhooks from './webhooks.ts'

/** A handler for every route of the table, and for no other: the compiler asks for each. */
const HANDLERS: { [K in RouteName]: Handler<Routes[K]> } = {
  createTask: tasks.createTask,
  listTasks: tasks.listTasks,
  getTask: tasks.getTask,
  deleteTask: tasks.deleteTask,
  endLinks: tasks.endLinks,
  stepTask: tasks.stepTask,
  inputTask: tasks.inputTask,
  topUpTask: tasks.topUpTask,
  editPlan: tasks.editPlan,
  pauseTask: tasks.pauseTask,
  resumeTask: tasks.resumeTask,
  cancelTask: tasks.cancelTask,
  listEvents: events.listEvents,
  listJournal: history.listJournal,
  exportTask: history.exportTask,
  forkTask: fork.forkTask,
  replayTask: fork.replayTask,
  putFile: files.putFile,
  getFile: files.getFile,
  listFiles: files.listFiles,
  deleteFile: files.deleteFile,
  runCommand: commands.runCommand,
  listDeliveries: webhooks.listDeliveries,
  redeliver: webhooks.redeliver,
  getAnswer: answers.getAnswer,
  postAnswer: answers.postAnswer,
  listDelegations: delegations.listDelegations,
  getDelegation: delegations.getDelegation,
  claimDelegation: delegations.claimDelegation,
  reportDelegation: delegations.reportDelegation,
  postReport: delegations.postReport,
  getCalendar: calendar.getCalendar,
  getHealth: meta.getHealth,
  getOpenapiJson: meta.getOpenapiJson,
  getOpenapiYaml: meta.getOpenapiYaml,
  getDocs: meta.getDocs,
  getDocsFile: meta.getDocsFile,
  getConsole: meta.getConsole,
  getConsoleFile: meta.getConsoleFile,
}
const NAMES = Object.keys(ROUTES) as RouteName[] // the table is a constant with exactly these keys

/** What middleware leaves for those after it. */
type Env = { Variables: { request_id: string } }
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The whole application; `ports.config` decides whether it serves at all (U21). */
export function createApp(ports: Ports): Hono<Env> {
  const gate: Gate = {
    authenticate: authenticator(ports.config),
    open_link: linkOpener(ports.config, ports),
    spend: keyLimiter(ports.count_request, ports.config.rate_limit_per_minute),
    visit: linkLimiter(ports.config.rate_limit_per_minute, ports.now),
  }
  const app = new Hono<Env>()
  app.use('*', async (c, next) => {
    const given = c.req.header('x-request-id') ?? ''
    const id = REQUEST_ID.test(given) ? given : ports.random_id()
    c.set('request_id', id)
    await next()
    c.res.headers.set('x-request-id', id)
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
    c.res.headers.set('x-content-type-options', 'nosniff')
  })
  app.use('*', (c, next) => (ports.draining() ? Promise.resolve(refuse(c, { code: 'shutting_down' })) : next()))
  app.use('*', async (c, next) => {
    const reasons = ports.config.config_errors
    return reasons.length > 0 ? refuse(c, { code: 'not_configured', reasons }) : next()
  })
  for (const name of NAMES) {
    const { method, path } = ROUTES[name]
    app.on(method.toUpperCase(), honoPath(path), (c) => serve(ports, gate, c, name))
  }
  app.notFound((c) => refuse(c, strayed(c.req.path)))
  app.onError((error, c) => refuse(c, refusalOf(error, c, ports)))
  return app
}

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

async function serve<K extends RouteName>(ports: Ports, gate: Gate, c: Context<Env>, name: K): Promise<Response> {
  const route: Route = ROUTES[name]
  const admitted = await admit(gate, route, c.req.raw, c.req.param())
  if (!admitted.ok) return refuse(c, admitted.refusal)
  const handle: Handler<Routes[K]> = HANDLERS[name]
  // Its params, query and body were parsed by the schemas of this very route.
  const call = { ...admitted.value, form: formOf(c, route.success) } as Call<Routes[K]>
  const waits = route.headers.includes('Prefer') && route.long_poll !== true
  const wait_s = waits ? waitOf(c.req.header('prefer') ?? null) : null
  if (wait_s === null) return render(c, byOpenLink(route, await handle(ports, call)), call.form)
  const isOver = () => call.caller.gone() || ports.draining()
  const response = render(c, await whileBusy(ports, wait_s, isOver, () => handle(ports, call)), call.form)
  response.headers.set('preference-applied', `wait=${wait_s}`)
  return response
}

/** A link that was ended is answered like one that never was. */
const byOpenLink = ({ linked }: Route, reply: Reply): Reply =>
  linked !== undefined && reply.kind === 'refused' && reply.refusal.code === 'link_not_found'
    ? { kind: 'refused', refusal: { code: 'unauthorized', given: true } }
    : reply

function render(c: Context<Env>, reply: Reply, form: Form): Response {
  switch (reply.kind) {
    case 'refused':
      return refuse(c, reply.refusal)
    case 'empty':
      return c.body(null, reply.status, reply.headers)
    case 'document':
      return reply.response
    case 'answer':
      return renderAnswer(c, reply, form)
  }
}

type Answer = Extract<Reply, { kind: 'answer' }>

function renderAnswer(c: Context<Env>, { status, json, lines, csv, headers }: Answer, form: Form): Response {
  if (form === 'text/plain') return c.text(`${lines().join('\n')}\n`, status, headers)
  if (form === 'text/csv' && csv !== undefined) {
    const type = { 'content-type': 'text/csv; charset=utf-8; header=present' }
    return new Response(csv.text(), { status, headers: { ...type, ...headers, ...csv.headers } })
  }
  return new Response(jsonText(json), { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** Lines for people when text is asked for before JSON, rows or a stream where there are any; whoever takes anything gets JSON. */
function formOf(c: Context<Env>, { content }: Success): Form {
  const more = content?.kind === 'json' ? content.more : []
  const supports: Form[] = ['application/json', 'text/plain', ...more]
  const found = accepts(c, { header: 'Accept', supports: [...supports, '*/*'], default: 'application/json' })
  return supports.find((form) => form === found) ?? 'application/json'
}

/** What stands behind these in a path is a right, which no answer repeats. */
const ANSWERS = '/answers/'
const LINKS = [ANSWERS, '/reports/']

function refuse(c: Context<Env>, refusal: HttpRefusal): Response {
  const path = new URL(c.req.url).pathname
  const link = LINKS.find((start) => path.startsWith(start))
  const problem = problemResponse(refusal, link ?? path)
  // Reports are sent by programs.
  return link === ANSWERS && prefersPage(c.req.raw) ? refusalPage(refusal, problem, c.req.raw) : problem
}

/** No route took it: either the path has other methods, or there is none. */
function strayed(path: string): HttpRefusal {
  const methods = NAMES.map((name) => ROUTES[name]).flatMap((route) =>
    matches(route.path, path) ? [route.method.toUpperCase()] : [],
  )
  if (methods.length === 0) return { code: 'not_found' }
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

const secretsOf = ({ model, search, signing_secrets, webhook_secrets, code_runner }: Config) =>
  [model.api_key, search.api_key, ...signing_secrets, code_runner?.secret ?? null].concat(...webhook_secrets.values())

function refusalOf(error: Error, c: Context<Env>, { config }: Ports): HttpRefusal {
  const { refusal, log } = failureOf(error, secretsOf(config))
  const line = { event: 'request_failed', request_id: c.get('request_id'), method: c.req.method, ...log }
  if (log !== null) console.error(JSON.stringify(line))
  return refusal
}
