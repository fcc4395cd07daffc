/**
 * `npm run fuzz -- --requests N [--seed S] [--url http://127.0.0.1:8787]`: seeded requests of every broken kind over raw sockets, mixed with
 * good ones. Prints one JSON line of figures. Exit 1 when something was violated or fewer than N requests were executed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { caseMaker } from './lib/fuzz-cases.mjs'
import { ADMIN_KEY } from './lib/fuzz-operator.mjs'
import { ROOT } from './lib/node.mjs'
import { randomOf } from './lib/random.mjs'
import { makeDataDir, removeDataDir, startService } from './lib/service.mjs'
import { exchange } from './lib/wire.mjs'

const PARALLEL = 32
const ANSWER_WITHIN_MS = 5_000
/** A request that breaks HTTP needs no answer, so the wait for it is short. */
const BROKEN_WITHIN_MS = 200
const SHOWN_VIOLATIONS = 20
/** Only the newest tasks and keys are used, so that each of them is requested again in later states. */
const KNOWN_AT_MOST = 60

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '3000' }, seed: { type: 'string' }, url: { type: 'string' } },
})
const wanted = Number(values.requests)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isInteger(wanted) || wanted < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run fuzz -- --requests N [--seed S] [--url http://127.0.0.1:8787]')
  process.exit(1)
}
process.exit(await (values.url === undefined ? againstOwnService() : fuzz(new URL(values.url), () => '')))

async function againstOwnService() {
  const dataDir = makeDataDir()
  // Nothing leaves the machine: the endpoint of the search is a closed port.
  const env = {
    ENVIRONMENT: 'development',
    API_KEYS: 'dev:dev-key',
    ADMIN_KEY,
    SIGNING_SECRET: 'of the fuzzer and of nobody else',
    TENANT_SHARDS: 'dev:2',
    INDEX_DATABASE: 'true',
    MODEL_PROVIDER: 'offline',
    TIMEZONE: 'UTC',
    SEARCH_PROVIDER: 'wikipedia',
    SEARCH_BASE_URL: 'http://127.0.0.1:9',
    RATE_LIMIT_PER_MINUTE: '999999999',
    MAX_OPEN_TASKS: '999999999',
  }
  const service = await startService({ dataDir, env })
  try {
    return await fuzz(new URL(service.url), service.output)
  } finally {
    await service.stop()
    removeDataDir(dataDir)
  }
}

/** The exit code. */
async function fuzz(url, printed) {
  const target = { host: url.hostname, port: Number(url.port) }
  const known = { tasks: [], keys: [] }
  const tally = { requests: 0, answered: 0, by_status: {}, runtime: {}, violations: [] }
  const nextCase = caseMaker(randomOf(seed), readRoutes(), known)
  const started = performance.now()
  const worker = async () => {
    while (tally.requests < wanted) {
      const one = nextCase()
      tally.requests += one.expected.length
      judge(one, await exchange(target, one, one.well_formed ? ANSWER_WITHIN_MS : BROKEN_WITHIN_MS), tally, known)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  const seconds = Number(((performance.now() - started) / 1_000).toFixed(1))
  const health = await fetch(new URL('/health', url)).then(
    ({ status }) => status,
    () => 0,
  )
  if (health !== 200) tally.violations.push({ kind: `GET /health answers ${health} at the end` })
  const { violations, ...figures } = tally
  for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) console.error(JSON.stringify(violation))
  if (violations.length > 0) console.error(printed().slice(-4_000))
  console.log(JSON.stringify({ ...figures, violations: violations.length, seconds, seed }))
  return violations.length > 0 || tally.requests < wanted ? 1 : 0
}

function readRoutes() {
  const { paths } = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'))
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((name) => methods.has(name))
      .map((name) => ({ method: name.toUpperCase(), path })),
  )
}

/** A person who opens an answer link in a browser gets a refusal as a page. */
function isPage({ headers }, one) {
  const forPerson = /^\w+ \/answers\//.test(describe(one).request)
  return forPerson && headers['content-type'] === 'text/html; charset=utf-8'
}

function judge(one, { answers, end }, tally, known) {
  const violate = (kind, answer) =>
    tally.violations.push({ kind, ...describe(one), status: answer?.status, body: answer?.body?.slice(0, 300) })
  tally.answered += answers.length
  for (const answer of answers) {
    // Every answer of the service names its request; an answer that does not comes from the parser of the runtime.
    const ours = answer.headers['x-request-id'] !== undefined
    const counts = ours ? tally.by_status : tally.runtime
    counts[answer.status] = (counts[answer.status] ?? 0) + 1
    if (!(answer.status < 500) && !isUnknownMethod(answer, ours)) violate('5xx', answer)
    if (ours && answer.status >= 400 && answer.status < 500 && !isProblem(answer, one) && !isPage(answer, one))
      violate('not a problem document', answer)
    remember(answer, known)
  }
  if (one.well_formed && answers.length < one.expected.length && !wasClosedOnPurpose(answers))
    violate(`unanswered (${end})`)
}

/** The runtime answers an unknown method with 501 before the Worker sees it, as RFC 9110 demands. */
function isUnknownMethod({ status }, ours) {
  return !ours && status === 501
}

/** After an answer of the parser, or one that announces it, the connection ends and all later pipelined requests are lost. */
function wasClosedOnPurpose(answers) {
  return answers.some(({ headers }) => headers['x-request-id'] === undefined || /close/i.test(headers.connection ?? ''))
}

function isProblem({ status, headers, body }, one) {
  const type = headers['content-type'] ?? ''
  const isText = type === 'text/plain; charset=utf-8' && /^Accept:.*text\/plain/im.test(textOf(one))
  if (!isText && !type.startsWith('application/problem+json')) return false
  if (one.expected.includes('HEAD') && body === '') return true
  if (isText) return /^\d{3} [^\n]+ \([a-z_]+\)\n[^\n]+\n/.test(body) && body.startsWith(`${status} `)
  try {
    const problem = JSON.parse(body)
    return problem.status === status && typeof problem.code === 'string' && typeof problem.title === 'string'
  } catch {
    return false
  }
}

function remember({ status, headers }, { tasks, keys }) {
  const [, task, key] = /^\/(?:tasks\/(task_\w+)|admin\/keys\/(key_\w+))$/.exec(headers.location ?? '') ?? []
  if (status !== 201) return
  if (task !== undefined) push(tasks, task)
  if (key !== undefined) push(keys, key)
}

function push(ids, id) {
  ids.push(id)
  if (ids.length > KNOWN_AT_MOST) ids.shift()
}

function textOf({ parts }) {
  return Buffer.concat(parts.map((part) => Buffer.from(part))).toString('latin1')
}

/** A long request is cut. */
function describe(one) {
  return { family: one.family, request: textOf(one).slice(0, 500) }
}
