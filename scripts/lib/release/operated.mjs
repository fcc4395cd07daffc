/** What a fixture has beside the stories where a company would run it: several workspaces of a tenant, an index database, and the registry. */
import { STORY_KEY } from './stories.mjs'

const ADMIN_KEY = 'operator-of-the-release-fixtures-only'
/** The variables of such a service; whoever reads the fixture starts with the same. */
export const OPERATED = {
  API_KEYS: `dev:${STORY_KEY}`,
  ADMIN_KEY,
  SIGNING_SECRET: 'the secret of the fixtures of releases',
  TENANT_SHARDS: 'dev:4',
  INDEX_DATABASE: 'true',
}

async function ask(url, method, path, body) {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Tenants and keys in each state. Answers the keys themselves by what they are. */
export async function makeRegistry(url) {
  const limits = { open_tasks: 900, rate_per_minute: 6000, cost_usd_per_day: '5.00' }
  await ask(url, 'POST', '/admin/tenants', { name: 'dev', limits })
  await ask(url, 'POST', '/admin/tenants', { name: 'stopped', limits: { hosts: ['*.example.com'] } })
  const make = async (name, wish = {}) => ask(url, 'POST', '/admin/keys', { tenant: 'dev', name, ...wish })
  const [live, reading, revoked, rotated, of_stopped] = [
    await make('live'),
    await make('reading', { scopes: ['tasks:read'], limits: { rate_per_minute: 600 } }),
    await make('revoked'),
    await make('rotated'),
    await make('of stopped', { tenant: 'stopped' }),
  ]
  const successor = await ask(url, 'POST', `/admin/keys/${rotated.id}/rotate`, { grace_s: 0 })
  await ask(url, 'DELETE', `/admin/keys/${revoked.id}`)
  await ask(url, 'PATCH', '/admin/tenants/stopped', { disabled: true })
  const made = { live, reading, revoked, rotated, of_stopped, successor }
  return Object.fromEntries(Object.entries(made).map(([name, { key }]) => [name, key]))
}

/** What the service answers of them, by path. */
export async function lookAtRegistry(url) {
  const paths = ['/admin/tenants?limit=100', '/admin/keys?limit=100', '/admin/audit?limit=100']
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await ask(url, 'GET', path)])))
}
