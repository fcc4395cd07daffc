/**
 * Looks at a deployment through HTTP alone, as its clients do. It makes one task to try jobs, lists and files, and deletes it.
 * It asks the model for one plan.
 * It sends keys only, to the address that it is given: that of the operators over TLS or on this machine alone. It prints none.
 */
import { randomUUID } from 'node:crypto'
import { drivenOf, listedOf } from './background.mjs'
import { client, LOOPBACK, reasonOf, SKEW_MS_MAX } from './client.mjs'
import { deploymentOf } from './deployment.mjs'
import { finding } from './findings.mjs'
import { healthOf } from './health.mjs'

/** A plan may take this long. */
const MODEL_WITHIN_MS = 90_000
const KEY_CHARS_MIN = 24
/** More than a task keeps as a small text, so that it needs the bucket. */
const FILE = `name,value\n${'row,1\n'.repeat(50_000)}`

/**
 * `key`: of a tenant; null: only what is open is looked at. `admin_key`: of the operators; null: the bindings are not looked at.
 * `callback`: an address that shall be reached; null: none is tried.
 */
export async function examine({ url, key, admin_key, callback, model, version }) {
  const ask = client(new URL(url).origin, key)
  const health = await healthOf(ask, new URL(url), version)
  if (health.some(({ check, state }) => check === 'service' && state === 'error')) return health
  const found = [...health, ...(await staticFiles(ask)), await developmentKey(ask, new URL(url)), await loginOf(ask)]
  found.push(
    ...(admin_key === null
      ? [finding('bindings', 'skipped', 'no key of operators was given', 'set DOCTOR_ADMIN_KEY to have them looked at')]
      : await deploymentOf(ask, new URL(url), { admin_key, key })),
  )
  if (key === null)
    return [
      ...found,
      finding(
        'key',
        'skipped',
        'no key was given',
        'set DOCTOR_KEY to a key of a tenant to have everything else looked at',
      ),
    ]
  const keys = await keyOf(ask, key)
  found.push(...keys)
  if (keys.some(({ state }) => state === 'error')) return found
  found.push(...(await filesOf(ask, new URL(url))))
  found.push(model ? await modelOf(ask) : finding('model', 'skipped', 'it was not asked (--no-model)'))
  found.push(await callbacksOf(ask, callback))
  return found
}

async function staticFiles(ask) {
  const [page, contract] = await Promise.all(['/', '/openapi.json'].map((path) => ask('GET', path, { with_key: null })))
  const isThere = page.status === 200 && contract.status === 200
  return [
    isThere
      ? finding('static files', 'ok', 'the console and the contract are served')
      : finding(
          'static files',
          'error',
          `GET / answers ${page.status}, GET /openapi.json ${contract.status}`,
          'run npm run build before the deployment, and keep [assets] in wrangler.toml',
        ),
  ]
}

/** Everybody knows this key. */
async function developmentKey(ask, { hostname }) {
  const answer = await ask('GET', '/tasks?limit=1', { with_key: 'dev-key' })
  if (answer.status === 401) return finding('development key', 'ok', 'it opens nothing')
  if (answer.status !== 200) return finding('development key', 'ok', `it is answered ${answer.status}`)
  return LOOPBACK.test(hostname)
    ? finding(
        'development key',
        'warning',
        'dev-key opens the service',
        'set API_KEYS and ENVIRONMENT=production before others can reach it',
      )
    : finding(
        'development key',
        'error',
        'dev-key opens the service to everybody',
        'set API_KEYS and SIGNING_SECRET at once, and ENVIRONMENT=production',
      )
}

async function keyOf(ask, key) {
  const answer = await ask('GET', '/tasks?limit=1')
  if (answer.status === 401)
    return [
      finding(
        'key',
        'error',
        'the key is refused',
        'set DOCTOR_KEY to what follows the colon of an entry of API_KEYS, or to a key of the registry',
      ),
    ]
  if (answer.status !== 200)
    return [
      finding(
        'key',
        'error',
        `${answer.status} ${answer.json?.code ?? ''}: ${answer.json?.detail ?? ''}`.trim(),
        'use a key with the scopes tasks:read and tasks:write',
      ),
    ]
  const long = key.length >= KEY_CHARS_MIN
  return [
    long
      ? finding('key', 'ok', `it is accepted, ${key.length} characters`)
      : finding(
          'key',
          'warning',
          `it is accepted, and has ${key.length} characters only`,
          'make one that nobody guesses: openssl rand -hex 32',
        ),
    clockOf(answer.json?.as_of),
  ]
}

function clockOf(as_of) {
  const skew_ms = Date.parse(as_of ?? '') - Date.now()
  if (Number.isNaN(skew_ms)) return finding('clock', 'skipped', 'the service does not say its time')
  const seconds = Math.round(Math.abs(skew_ms) / 1000)
  return Math.abs(skew_ms) <= SKEW_MS_MAX
    ? finding('clock', 'ok', `within ${seconds} s of this machine`)
    : finding(
        'clock',
        'error',
        `${seconds} s ${skew_ms > 0 ? 'ahead of' : 'behind'} this machine`,
        'synchronise both clocks (timedatectl set-ntp true): deadlines and signatures of callbacks depend on them',
      )
}

/** Who signs in needs the issuer; keys go on without it. */
async function loginOf(ask) {
  const { status, json } = await ask('GET', '/auth', { with_key: null })
  if (status === 404) return finding('login', 'skipped', 'this release has none')
  if (status !== 200)
    return finding(
      'login',
      'error',
      `GET /auth answers ${status} ${json?.detail ?? ''}`.trim(),
      'check AUTH_ISSUER (docs/login.md)',
    )
  const { login } = json
  return finding('login', 'ok', login === null ? 'none: keys alone open the service' : `by ${login.kind}`)
}

/** The address in a link tells PUBLIC_URL, and a file of this size is in the bucket. */
async function filesOf(ask, { origin }) {
  const label = randomUUID()
  const wanted = {
    goal: 'The doctor looks at the files',
    mode: 'autonomous',
    drive: 'background',
    metadata: { doctor: label },
    // No call of a model fits, so it is paused by the first job that drives it.
    settings: { dataset: 'doctor.csv', max_tokens: 1 },
  }
  const made = await ask('POST', '/tasks', { body: wanted, within_ms: MODEL_WITHIN_MS })
  if (made.status !== 201)
    return [
      finding(
        'storage',
        'error',
        `no task can be made: ${made.status} ${made.json?.detail ?? ''}`.trim(),
        'the detail says what is missing; a key needs the scope tasks:write',
      ),
    ]
  const { id, created_at } = made.json
  try {
    const driven = await drivenOf(ask, id)
    const listed = await listedOf(ask, { label, created_at })
    const put = await ask('PUT', `/tasks/${id}/files/doctor.csv`, { text: FILE })
    const stored = [finding('storage', 'ok', 'a task was made in its own object'), driven, listed]
    if (put.status >= 300)
      return [
        ...stored,
        put.json?.code === 'not_configured'
          ? finding(
              'bucket',
              'warning',
              'there is none: tasks have small texts only, and no datasets',
              'npx wrangler r2 bucket create loop-agent-files, and bind it as FILES',
            )
          : finding(
              'bucket',
              'error',
              `a file is refused: ${put.status} ${put.json?.detail ?? ''}`.trim(),
              'check the bucket that FILES names',
            ),
      ]
    const linked = URL.parse(put.json?.url ?? '')?.origin ?? null
    return [
      ...stored,
      finding('bucket', 'ok', 'a file was stored'),
      linked === origin
        ? finding('links', 'ok', `they begin with ${origin}`)
        : finding('links', 'error', `they begin with ${linked}`, `set PUBLIC_URL to ${origin}`),
    ]
  } finally {
    await ask('DELETE', `/tasks/${id}`).catch(() => null)
  }
}

async function modelOf(ask) {
  const body = { goal: 'Say hello', settings: { plan_retries: 0, max_steps: 1 } }
  const begun = performance.now()
  const answer = await ask('POST', '/tasks/dry-run', { body, within_ms: MODEL_WITHIN_MS }).catch((error) => error)
  const todo = 'check the key, the address and the name of the model (docs/models.md), and that the host may be reached'
  if (answer instanceof Error)
    return finding('model', 'error', `no plan within ${MODEL_WITHIN_MS / 1000} s: ${reasonOf(answer)}`, todo)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (answer.status >= 300)
    return finding('model', 'error', `${answer.status} ${answer.json?.detail ?? ''}`.trim(), todo)
  const { status, stop_reason, plan, handover } = answer.json ?? {}
  return (plan?.items ?? []).length > 0
    ? finding('model', 'ok', `it made a plan in ${seconds} s`)
    : finding('model', 'error', `it made no plan: ${status} (${stop_reason}) ${handover?.text ?? ''}`.trim(), todo)
}

/** A test delivery goes out as any other, signed. An address that nobody owns tells whether it could be signed at all. */
async function callbacksOf(ask, callback) {
  const answer = await ask('POST', '/webhooks/test', {
    body: { url: callback ?? 'https://callback.example.com/' },
    within_ms: 60_000,
  })
  if (answer.status === 422 && /secret/i.test(answer.json?.detail ?? ''))
    return finding(
      'callbacks',
      'warning',
      'this tenant has no secret to sign with, so callback_url is refused',
      'WEBHOOK_SECRET=tenant:whsec_$(openssl rand -base64 32) (docs/webhooks.md)',
    )
  if (callback === null)
    return finding(
      'callbacks',
      answer.status < 300 ? 'ok' : 'skipped',
      answer.status < 300
        ? 'they can be signed; name a receiver by --callback to have it reached'
        : `not tried: ${answer.json?.detail ?? answer.status}`,
    )
  const { ok, status, detail } = answer.json ?? {}
  return answer.status < 300 && ok === true
    ? finding('callbacks', 'ok', `${callback} took a signed test delivery (${status})`)
    : finding(
        'callbacks',
        'error',
        `${callback}: ${detail ?? answer.status}${status === null || status === undefined ? '' : ` (${status})`}`,
        'the receiver must be reachable from the service, answer 2xx, and be public or named in ALLOWED_HOSTS (docs/webhooks.md)',
      )
}
