/** The app over a fake service that answers from a table and records its calls; every answer is checked against openapi.yaml. */
import { limitsUnder } from './memory/memory-registry.ts'
import type { Registry } from '../../src/shell/ports.ts'
import { AGENT_EXAMPLE, SECRET_EXAMPLE } from '../../src/http/document/named-examples.ts'
import { parseConfig, type Config } from '../../src/config.ts'
import type { AskedQuestion } from '../../src/core/protocol/question.ts'
import { TENANT_SCOPES } from '../../src/core/registry/scopes.ts'
import { ok, refuse, type Refusal, type Result } from '../../src/core/terms/refusal.ts'
import { expect } from 'vitest'
import type { IssuerPorts } from '../../src/http/gate/login/issuer.ts'
import { loginsOf } from '../../src/http/gate/login/logins.ts'
import { createApp } from '../../src/http/app.ts'
import type { Ports as HttpPorts } from '../../src/http/endpoint.ts'
import {
  COMMAND_EXAMPLE,
  DELIVERY_EXAMPLE,
  DELIVERY_PAGE_EXAMPLE,
  DRY_RUN_EXAMPLE,
  EVENT_PAGE_EXAMPLE,
  JOURNAL_PAGE_EXAMPLE,
  REPLAY_EXAMPLE,
  STORED_PAGE_EXAMPLE,
  TASK_EXAMPLE,
  TASK_PAGE_EXAMPLE,
  WEBHOOK_TEST_EXAMPLE,
} from '../../src/http/document/examples.ts'
import {
  DELEGATION_EXAMPLES,
  DELEGATION_EXAMPLE,
  DELEGATION_PAGE_EXAMPLE,
  REPORTED_BY_LINK_EXAMPLE,
  REPORTED_EXAMPLE,
} from '../../src/http/document/delegation-examples.ts'
import { SCHEDULE_EXAMPLE, SCHEDULE_RUN_EXAMPLE } from '../../src/http/document/schedule-examples.ts'
import type { CommandFile } from '../../src/delegations/command-file.ts'
import type { FollowUpdate } from '../../src/shell/follow.ts'
import { loadDefaultPrices } from '../../src/prices/default-prices.ts'
import type { RemoteRegistry } from '../../src/core/registry/registry-requests.ts'
import {
  ADMIN_EXAMPLES,
  AUDIT_EXAMPLE,
  DEPLOYMENT_EXAMPLE,
  KEY_EXAMPLE,
  TENANT_EXAMPLE,
} from '../../src/http/document/admin-examples.ts'
import { adminService, type AdminService } from '../../src/shell/registry/admin-service.ts'
import { directoryOf, NO_DIRECTORY } from '../../src/shell/registry/directory.ts'
import { memoryRegistry } from './memory/memory-registry.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { allReadLinks } from '../../src/shell/links/read-links.ts'
import { requestCounter } from '../../src/shell/quotas/request-counter.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Service } from '../../src/shell/service.ts'
import { RECEIVER_EXAMPLE, USAGE_EXAMPLE } from '../../src/http/document/telemetry-examples.ts'
import type { Caller } from '../../src/shell/caller.ts'
import { expectContract } from './contract.ts'
import { ERRORS_ONLY } from './telemetry.ts'

// The Worker loads them before it answers.
await loadDefaultPrices(parseConfig({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }).prices)

export const ID = TASK_EXAMPLE.id
export const KEY = 'alice-key'
/** The key of the operators. */
export const ADMIN_KEY = 'an-operator-key-of-the-tests-only'
const API_KEYS = `alice:${KEY},bob:bob-key,carol:carol-key:worker`
export const SIGNING_SECRET = 'a secret of the tests'

/** The caller of a request without an Idempotency-Key. */
export const callerOf = (tenant: string, traceparent: string | null = null) => ({
  tenant,
  scopes: TENANT_SCOPES,
  key_name: expect.stringMatching(/^env_[0-9a-f]{16}$/),
  traceparent,
  key: null,
  gone: expect.any(Function),
  request_id: expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
})
/** What the caller of a request without a key has in place of the scopes and the name of one. */
export const NO_KEY = { scopes: [], key_name: null }
/** The caller of a call that the service received. */
export function callerIn(asked: Asked | undefined): Caller {
  // The caller is the first argument of every method, or in it.
  const first = asked?.args[0] as Caller | { caller: Caller }
  return 'caller' in first ? first.caller : first
}

export const QUESTION: AskedQuestion = {
  locale: 'en',
  prompt: 'Please confirm: When?',
  choices: null,
  other_answers: false,
  response_schema: null,
  state: 'open',
  answer: null,
}
/** The behaviour of the fake service in place of an answer. */
export type Behaviour = { refusal: Refusal } | { throws: unknown } | null
export interface Asked {
  method: keyof Service | keyof AdminService
  args: unknown[]
}

/** Administrators get the examples as answers. */
function fakeAdmin(behaviour: Behaviour, asked: Asked[]): AdminService {
  const answer =
    <T>(method: keyof AdminService, value: T) =>
    async (...args: unknown[]): Promise<Result<T>> => {
      asked.push({ method, args })
      if (behaviour !== null && 'throws' in behaviour) throw behaviour.throws
      return behaviour === null ? ok(value) : refuse(behaviour.refusal)
    }
  const key = { ...KEY_EXAMPLE, key: ADMIN_EXAMPLES.createKey.answer.key }
  const rotated = { ...key, replaces: KEY_EXAMPLE.id, replaced: KEY_EXAMPLE }
  const page = <T>(entry: T) => ({ data: [entry], has_more: false, next_cursor: null })
  return {
    createTenant: answer('createTenant', { made: TENANT_EXAMPLE, replayed: false }),
    changeTenant: answer('changeTenant', { made: TENANT_EXAMPLE, replayed: false }),
    deleteTenant: answer('deleteTenant', null),
    getTenant: answer('getTenant', TENANT_EXAMPLE),
    listTenants: answer('listTenants', page(TENANT_EXAMPLE)),
    createKey: answer('createKey', { made: key, replayed: false }),
    rotateKey: answer('rotateKey', { made: rotated, replayed: false }),
    revokeKey: answer('revokeKey', { ...KEY_EXAMPLE, state: 'revoked' as const }),
    getKey: answer('getKey', KEY_EXAMPLE),
    listKeys: answer('listKeys', page(KEY_EXAMPLE)),
    listAudit: answer('listAudit', page(AUDIT_EXAMPLE)),
  }
}

export function fakeService(behaviour: Behaviour, asked: Asked[], answers: Partial<Service> = {}): Service {
  const answer =
    <T>(method: keyof Service, value: T) =>
    async (...args: unknown[]): Promise<Result<T>> => {
      asked.push({ method, args })
      if (behaviour !== null && 'throws' in behaviour) throw behaviour.throws
      return behaviour === null ? ok(value) : refuse(behaviour.refusal)
    }
  const task = { task: TASK_EXAMPLE, link_epoch: 0 }
  const followed = { sights: endedSights(), stop: () => undefined }
  return {
    createTask: answer('createTask', task),
    dryRun: answer('dryRun', { planned: DRY_RUN_EXAMPLE }),
    limitUse: answer('limitUse', { totals: [], open_tasks: 12, key_open_tasks: null, stored_bytes: 5_242_880 }),
    getTask: answer('getTask', { task: { ...TASK_EXAMPLE, slice: null }, link_epoch: 0 }),
    listTasks: answer('listTasks', TASK_PAGE_EXAMPLE),
    stepTask: answer('stepTask', task),
    inputTask: answer('inputTask', task),
    readQuestion: answer('readQuestion', QUESTION),
    answerQuestion: answer('answerQuestion', { recorded: 'at 3pm', replayed: false }),
    tellTask: answer('tellTask', task),
    editPlan: answer('editPlan', task),
    changeTask: answer('changeTask', task),
    deleteTask: answer('deleteTask', null),
    getUsage: answer('getUsage', USAGE_EXAMPLE),
    putReceiver: answer('putReceiver', RECEIVER_EXAMPLE),
    getReceiver: answer('getReceiver', RECEIVER_EXAMPLE),
    deleteReceiver: answer('deleteReceiver', null),
    endLinks: answer('endLinks', null),
    listEvents: answer('listEvents', EVENT_PAGE_EXAMPLE),
    followEvents: answer('followEvents', followed),
    listJournal: answer('listJournal', JOURNAL_PAGE_EXAMPLE),
    previewTools: answer('previewTools', { data: [], sources: [] }),
    tryTool: answer('tryTool', { trial: { ok: true, code: 'success', text: '7' }, replayed: false }),
    listTaskTools: answer('listTaskTools', { data: [], sources: [] }),
    exportTask: answer('exportTask', STORED_PAGE_EXAMPLE),
    forkTask: answer('forkTask', task),
    replayTask: answer('replayTask', REPLAY_EXAMPLE),
    putFile: answer('putFile', { file: FILE, created: true, link_epoch: 0 }),
    fetchFile: answer('fetchFile', { ...FILE, tag: 'a1', body: async () => bodyStream('a,b\n') }),
    listFiles: answer('listFiles', { data: [FILE], has_more: false, next_cursor: null, link_epoch: 0 }),
    deleteFile: answer('deleteFile', null),
    inputMismatch: async () => null,
    repeatCreate: async () => null,
    putAgent: answer('putAgent', { agent: AGENT_EXAMPLE, change: 'first' }),
    getAgent: answer('getAgent', AGENT_EXAMPLE),
    listAgents: answer('listAgents', { data: [AGENT_EXAMPLE], has_more: false, next_cursor: null }),
    listAgentVersions: answer('listAgentVersions', { data: [AGENT_EXAMPLE], has_more: false, next_cursor: null }),
    deleteAgent: answer('deleteAgent', null),
    putSchedule: answer('putSchedule', { schedule: SCHEDULE_EXAMPLE, created: true }),
    getSchedule: answer('getSchedule', SCHEDULE_EXAMPLE),
    listSchedules: answer('listSchedules', { data: [SCHEDULE_EXAMPLE], has_more: false, next_cursor: null }),
    deleteSchedule: answer('deleteSchedule', null),
    pauseSchedule: answer('pauseSchedule', SCHEDULE_EXAMPLE),
    runSchedule: answer('runSchedule', { run: SCHEDULE_RUN_EXAMPLE, replayed: false }),
    listScheduleRuns: answer('listScheduleRuns', {
      data: [SCHEDULE_RUN_EXAMPLE],
      has_more: false,
      next_cursor: null,
    }),
    putSecret: answer('putSecret', { secret: SECRET_EXAMPLE, created: true }),
    getSecret: answer('getSecret', SECRET_EXAMPLE),
    listSecrets: answer('listSecrets', { data: [SECRET_EXAMPLE], has_more: false, next_cursor: null }),
    deleteSecret: answer('deleteSecret', null),
    unknownSecrets: answer('unknownSecrets', []),
    listDeliveries: answer('listDeliveries', DELIVERY_PAGE_EXAMPLE),
    testWebhook: answer('testWebhook', WEBHOOK_TEST_EXAMPLE),
    redeliver: answer('redeliver', { delivery: DELIVERY_EXAMPLE, replayed: false }),
    listDelegations: answer('listDelegations', DELEGATION_PAGE_EXAMPLE),
    listPools: answer('listPools', DELEGATION_EXAMPLES.listPools.answer),
    getDelegation: answer('getDelegation', { delegation: DELEGATION_EXAMPLE, command: COMMAND_FILE }),
    claimDelegation: answer('claimDelegation', { delegation: DELEGATION_EXAMPLE, replayed: false }),
    reportDelegation: answer('reportDelegation', { delegation: REPORTED_EXAMPLE, replayed: false }),
    reportByLink: answer('reportByLink', { delegation: REPORTED_BY_LINK_EXAMPLE, replayed: false }),
    async listEntries(...args) {
      asked.push({ method: 'listEntries', args })
      if (behaviour !== null && 'throws' in behaviour) throw behaviour.throws
      return { todos: [], events: [] }
    },
    runCommand: answer('runCommand', { result: COMMAND_EXAMPLE, replayed: false }),
    ...answers,
  }
}

export const COMMAND_FILE: CommandFile = {
  id: DELEGATION_EXAMPLE.command_id,
  created_at: DELEGATION_EXAMPLE.created_at,
  session_id: 'auto',
  command_type: 'new',
  report_url: DELEGATION_EXAMPLE.report_url,
  budget: null,
  task: 'Build the page',
  constraints: '',
  expected_output: 'A page',
}

/** The whole task for a fetched one; only its entry for a listed one. */
export const FILE = {
  name: 'sales.csv',
  seq: 1,
  at: Date.UTC(2026, 2, 2, 9),
  bytes: 4,
  content_type: 'text/csv',
  source: 'client' as const,
}

/** The updates of an ended task. */
async function* endedSights(): AsyncGenerator<FollowUpdate, void> {
  yield { kind: 'events', events: EVENT_PAGE_EXAMPLE.data }
  yield { kind: 'ended', status: 'completed' }
}

export interface FixtureOptions {
  env?: Record<string, unknown>
  behaviour?: Behaviour
  answers?: Partial<Service>
  /** Ms since the epoch. */
  now?: () => number
  /** Waits for this many ms; without it a test that waits fails. */
  sleep?: (ms: number) => Promise<void>
  /** Whether the process is ending. */
  draining?: boolean
  /** What answers the requests of the service to the issuer of logins. */
  issuer?: IssuerPorts
  /** What the registry says; without it nobody is registered. */
  registry?: Registry
  /** The registry of tenants and keys, with the real service of administrators; without one it is empty, and the service is a fake. */
  remote?: RemoteRegistry
  /** What the endpoints have refused so far. */
  learned?: ReturnType<HttpPorts['learned']>
  telemetry?: HttpPorts['telemetry']
  read_metrics?: HttpPorts['read_metrics']
  /** What the bindings answer. */
  probe_bindings?: HttpPorts['probe_bindings']
}
type Headers = Record<string, string>
export interface Fixture {
  config: Config
  asked: Asked[]
  /** Sends a request (its `signal` tells of a hang-up), with the key of tenant alice, or under /admin that of operators, unless `headers` say otherwise; the answer keeps to openapi.yaml. */
  send(method: string, path: string, body?: BodyInit | null, headers?: Headers, signal?: AbortSignal): Promise<Response>
  /** The same request with a JSON body. */
  post(path: string, body: unknown, headers?: Headers): Promise<Response>
}

/** A network on which no issuer is. */
const NO_ISSUER: IssuerPorts = {
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  reach: { loopback: false },
  now_ms: () => 0,
  log: () => {},
}

const noSleep = () => Promise.reject(new Error('this test does not wait'))

export function fixture(options: FixtureOptions = {}): Fixture {
  const { env = {}, behaviour = null, answers = {}, now = () => 0, sleep = noSleep } = options
  const { telemetry = ERRORS_ONLY, read_metrics = null } = options
  const keys = 'API_KEYS' in env ? {} : { API_KEYS, ADMIN_KEY }
  const config = parseConfig({ ...keys, SIGNING_SECRET, ...env })
  const asked: Asked[] = []
  const service = fakeService(behaviour, asked, answers)
  const links = allReadLinks(signedLinks(config.signing_secrets))
  // The fake service checks no links: it accepts each token as one of tenant alice.
  const path_links = { answer: async () => 'alice', report: async () => 'alice' }
  let made = 0
  const random_id = () => `made-${++made}`
  const count_request = requestCounter({ now_ms: now, takePermits: null })
  const remote = options.remote ?? memoryRegistry(now)
  const never = () => new Promise<void>(() => {})
  const own = config.admin_keys.length === 0 ? NO_DIRECTORY : directoryOf({ remote, now_ms: now, wait: never })
  const registry = { ...own, ...options.registry }
  const limits_of = limitsUnder(config, registry)
  const outside = {
    path_links,
    assets: ASSETS,
    version: '0.1.0',
    links,
    limits_of,
    count_request,
    telemetry,
    read_metrics,
    probe_bindings: options.probe_bindings ?? (async () => DEPLOYMENT_EXAMPLE),
    has_local_compute: false,
  }
  const draining = () => options.draining === true
  const learned = () => options.learned ?? []
  const outlive = () => {}
  const random_bytes = (count: number) => crypto.getRandomValues(new Uint8Array(count))
  const real = adminService({ remote: registry.remote, now_ms: now, random_bytes })
  const admin = options.remote === undefined ? fakeAdmin(behaviour, asked) : real
  const { login, public_url } = config
  const logins = login === null ? null : loginsOf(login, { ...(options.issuer ?? NO_ISSUER), public_url })
  const app = createApp({
    config,
    logins,
    service,
    registry,
    admin,
    ...outside,
    learned,
    outlive,
    now,
    sleep,
    draining,
    random_id,
  })
  const send: Fixture['send'] = async (method, path, body = null, headers = {}, signal) => {
    const key = path.startsWith('/admin/') ? ADMIN_KEY : KEY
    const bare = { method, headers: { authorization: `Bearer ${key}`, ...headers }, ...(signal && { signal }) }
    // Node wants `duplex` for a stream; workerd has no such member.
    const whole = { ...bare, body, duplex: 'half' }
    const response = await app.request(`http://localhost${path}`, body === null ? bare : whole)
    await expectContract(method, path, response)
    return response
  }
  const post: Fixture['post'] = (path, body, headers = {}) =>
    send('POST', path, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  return { config, asked, send, post }
}

const FILES = new Map([
  ['/openapi.json', ['application/json', '{"openapi":"3.1.0"}']],
  ['/openapi.yaml', ['application/octet-stream', 'openapi: 3.1.0\n']],
  ['/docs', ['text/html', '<!doctype html>']],
  ['/docs/init.js', ['text/javascript', 'void 0']],
  ['/', ['text/html', '<!doctype html><title>console</title>']],
  ['/console/main-A.js', ['text/javascript', 'void 1']],
])

/** The static asset server. */
const ASSETS = {
  async fetch(request: Request): Promise<Response> {
    const file = FILES.get(new URL(request.url).pathname)
    if (file === undefined) return new Response('<h1>not here</h1>', { status: 404 })
    return new Response(file[1], { headers: { 'content-type': file[0] ?? '' } })
  },
}

/** The problem document of a refused request. */
export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  const problem: unknown = await response.json()
  if (typeof problem !== 'object' || problem === null || !('code' in problem)) throw new Error('not a problem')
  return { ...problem }
}
