/** The command line of the bridge and the worker: their common options, and the message for a wrong one. */
import { parseArgs } from 'node:util'

const DAY_S = 86_400
const WEEK_S = 7 * DAY_S
const COMMON = {
  url: { type: 'string' },
  key: { type: 'string' },
  worker: { type: 'string' },
  pool: { type: 'string' },
  lease: { type: 'string', default: '60' },
  steal: { type: 'string', default: '30' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}
export const COMMON_HELP = `  --url       the service (LOOP_AGENT_URL; http://127.0.0.1:8787)
  --key       a key of it, which may be a worker's (LOOP_AGENT_KEY; dev-key). The variable is not seen in a list of processes
  --worker    the name that its claims are made under; no two may have the same
  --pool      the pool whose commands it takes, as a task names it in settings.worker_pool; left out: the default pool
  --lease     seconds after which a claim ends when this program is gone (60)
  --steal     seconds that a command in a session of another agent is left to its worker (30)
  --json      prints JSON lines instead of words`

/**
 * `own` are further options as parseArgs has them, `required` the names that must be there. Gives `{ ok: true, values }`, `{ ok: true,
 * values: null }` when help is asked for, or `{ ok: false, reason }`.
 */
export function readOptions(args, env, { own, required }) {
  let given
  try {
    given = parseArgs({ args, options: { ...COMMON, ...own }, allowPositionals: false }).values
  } catch (error) {
    return { ok: false, reason: error.message }
  }
  if (given.help) return { ok: true, values: null }
  const { help: _, lease, steal, overtime = '0', ...rest } = given
  const values = {
    ...rest,
    url: given.url ?? (env.LOOP_AGENT_URL || 'http://127.0.0.1:8787'),
    key: given.key ?? (env.LOOP_AGENT_KEY || 'dev-key'),
    lease_s: Number(lease),
    steal_s: Number(steal),
    overtime_s: Number(overtime),
  }
  const reason = faultOf(values) ?? missingOf(values, required)
  return reason === null ? { ok: true, values } : { ok: false, reason }
}

/** A whole number from `min` to `max`. */
export function isCount(text, max, min = 1) {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
}

/** The folder from which the person started the script, because npm runs scripts in the folder of the package. */
export function startedIn(env = process.env) {
  return env.npm_lifecycle_event === undefined ? process.cwd() : (env.INIT_CWD ?? process.cwd())
}

function faultOf({ url, key, lease_s, steal_s, overtime_s, worker, pool }) {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== '' || address.search !== '')
    return `--url is not the http or https address of a service: ${url}`
  if (!/^[\x21-\x7e]+$/.test(key)) return '--key is empty, or has characters that no key has'
  if (!isCount(String(lease_s), DAY_S)) return `--lease is not a number of seconds from 1 to ${DAY_S}`
  if (!isCount(String(steal_s), DAY_S, 0)) return `--steal is not a number of seconds from 0 to ${DAY_S}`
  if (!isCount(String(overtime_s), WEEK_S, 0)) return `--overtime is not a number of seconds from 0 to ${WEEK_S}`
  if (worker !== undefined && !/^[\x21-\x7e]{1,100}$/.test(worker)) return '--worker is 1 to 100 visible characters'
  if (pool !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(pool)) return '--pool is 1 to 64 of A-Z a-z 0-9 _ -'
  return null
}

function missingOf(values, required) {
  const missing = required.find((name) => values[name] === undefined || values[name] === '')
  return missing === undefined ? null : `--${missing} is missing`
}
