/** What operators are told of a deployment (GET /admin/deployment): its bindings, and what they and the variables switch on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isPrivate } from './client.mjs'
import { finding } from './findings.mjs'

const ASKED_TIMES = 3
const ASKED_EVERY_MS = 2_000
/** A message that waits so long is taken by nobody. */
const QUEUE_MS_MAX = 60_000

/** What a binding is for where it is absent, and how it is made. Those without a line are missed by nobody. */
const WITHOUT = {
  FILES: [
    'tasks have small texts only, and no datasets',
    'npx wrangler r2 bucket create loop-agent-files, and bind it as FILES',
  ],
  JOBS: [
    'each object does its own jobs, which is slower under load',
    'npx wrangler queues create loop-agent-jobs, and keep both queue tables of wrangler.toml',
  ],
  METRICS: ['GET /metrics is not there', 'bind METRICS (wrangler.toml)'],
  ASSETS: ['neither the console nor the contract is served', 'keep [assets] in wrangler.toml'],
}
const REPAIR = {
  TASKS: 'keep the Durable Objects and [[migrations]] of wrangler.toml; npx wrangler tail shows the error',
  WORKSPACES: 'keep the Durable Objects and [[migrations]] of wrangler.toml; npx wrangler tail shows the error',
  REGISTRY: 'keep the Durable Objects and [[migrations]] of wrangler.toml; npx wrangler tail shows the error',
  METRICS: 'keep the Durable Objects and [[migrations]] of wrangler.toml; npx wrangler tail shows the error',
  FILES: 'npx wrangler r2 bucket list: the bucket that FILES names has to be there',
  INDEX:
    'npx wrangler d1 list: the database that INDEX names has to be there; lists come from the workspaces meanwhile',
  JOBS: 'npx wrangler queues list: the queue that JOBS names has to be there',
  COMPUTE: 'npx wrangler deploy -c wrangler.compute.toml',
  ASSETS: 'run npm run build before the deployment',
}

/** Asks again after a while where something gave no answer: what is seldom used may have had to start, or it computes. */
export async function deploymentOf(ask, url, { admin_key, key, pause_ms = ASKED_EVERY_MS }) {
  const reason = unsendable(url, admin_key)
  if (reason !== null) return [reason]
  const asked = () => ask('GET', '/admin/deployment', { with_key: admin_key })
  let answer = await asked()
  if (answer.status !== 200) return [refused(answer)]
  const isFailing = () => answer.json.bindings.some(({ state }) => state === 'failing')
  for (let times = 1; times < ASKED_TIMES && isFailing(); times++) {
    await sleep(pause_ms)
    const again = await asked()
    if (again.status === 200) answer = again
  }
  const { bindings, queue, index_fed, features, sharded_tenants, short_keys, schema_version } = answer.json
  return [
    finding('DOCTOR_ADMIN_KEY', 'ok', `it is accepted; what tasks store has version ${schema_version}`),
    ...(admin_key === key
      ? [
          finding(
            'DOCTOR_ADMIN_KEY',
            'error',
            'DOCTOR_KEY is the same key',
            'give tenants keys of their own (docs/keys.md)',
          ),
        ]
      : []),
    ...bindings.map(bindingOf),
    ...queueOf(bindings, queue),
    ...(index_fed === null ? [] : [indexOf(index_fed)]),
    ...(short_keys === 0 ? [] : [shortKeysOf(short_keys)]),
    ...(sharded_tenants === 0
      ? []
      : [finding('shards', 'ok', `TENANT_SHARDS divides ${sharded_tenants}; their number may only grow`)]),
    featuresLine(features, true),
    featuresLine(features, false),
  ]
}

/** The key of all tenants goes to nobody but the service. null: it may be sent. */
function unsendable(url, admin_key) {
  const refuse = (found, todo) => finding('DOCTOR_ADMIN_KEY', 'error', `it was not sent: ${found}`, todo)
  if (admin_key.includes(','))
    return refuse('it is a list, as ADMIN_KEY may be one', 'set it to one key of the list, best to the new one')
  if (admin_key.startsWith('sha256:'))
    return refuse('it is the SHA-256 of a key, which opens nothing', 'set it to the key itself')
  if (!isPrivate(url))
    return refuse(`${url.origin} is plain HTTP`, 'use the https: address, or run the doctor on the machine itself')
  return null
}

function refused({ status, json }) {
  if (status === 404)
    return finding('DOCTOR_ADMIN_KEY', 'skipped', 'this release does not tell of its bindings', 'deploy this checkout')
  return finding(
    'DOCTOR_ADMIN_KEY',
    'error',
    `${status} ${json?.code ?? ''}: ${json?.detail ?? ''}`.trim(),
    'it must be a key that the secret ADMIN_KEY of the deployment names, as it is or by its sha256:',
  )
}

function bindingOf({ name, state, answered_ms, problem }) {
  const check = `binding ${name}`
  if (name === 'COMPUTE' && state === 'failing' && problem.startsWith('no answer'))
    return finding(check, 'warning', `${problem}: it does one job at a time, and may do one`, 'look again in a minute')
  if (state === 'failing') return finding(check, 'error', `it is bound, but ${problem}`, REPAIR[name] ?? null)
  if (state === 'bound')
    return finding(check, 'ok', answered_ms === null ? 'bound; it was not asked' : `it answered in ${answered_ms} ms`)
  const [without, todo] = WITHOUT[name] ?? [null, null]
  return without === null ? finding(check, 'ok', 'absent') : finding(check, 'warning', `absent: ${without}`, todo)
}

/** A queue without a consumer takes messages, and nothing is done. */
function queueOf(bindings, queue) {
  if (queue === null || bindings.every(({ name, state }) => name !== 'JOBS' || state !== 'bound')) return []
  const waited_ms = queue.oldest_at === null ? 0 : Date.now() - Date.parse(queue.oldest_at)
  return [
    waited_ms <= QUEUE_MS_MAX
      ? finding('queue', 'ok', `${queue.waiting} jobs wait`)
      : finding(
          'queue',
          'error',
          `${queue.waiting} jobs wait, the oldest for ${Math.round(waited_ms / 1000)} s`,
          'keep [[queues.consumers]] in wrangler.toml: npx wrangler queues info loop-agent-jobs shows who takes them',
        ),
  ]
}

const indexOf = (is_fed) =>
  is_fed
    ? finding('index database', 'ok', 'it is fed')
    : finding(
        'index database',
        'warning',
        'nothing was fed yet, so lists come from the workspaces',
        'make a task and look again; it stays so where INDEX was bound a moment ago and no workspace was asked since',
      )

const shortKeysOf = (count) =>
  finding('API_KEYS', 'warning', `${count} keys have fewer than 24 characters`, 'openssl rand -hex 32')

function featuresLine(features, on) {
  const named = features
    .filter((one) => one.on === on)
    .map(({ text, by }) => (by.length === 0 ? text : `${text} (${by.join(', ')})`))
  return finding(on ? 'switched on' : 'switched off', 'ok', named.length === 0 ? 'nothing' : named.join(', '))
}
