/** Secrets over the real service: put, shown, sealed in its rows, and nowhere else (U51). */
import { env, exports } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { secretFiller } from '../../src/shell/secrets/filler.ts'
import { tenantSecrets } from '../../src/shell/secrets/reveal.ts'
import { secretSealing } from '../../src/shell/seal.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { expectContract } from '../support/contract.ts'

const KEY = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }
const CANARY = 'canary-of-the-orders-7f3a'
/** The spellings in which it might be found somewhere. */
const SPELLINGS = [CANARY, btoa(CANARY).slice(0, -4), [...CANARY].map((c) => c.charCodeAt(0).toString(16)).join('')]

const answers: string[] = []
const lines: string[] = []
beforeEach(() => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => void lines.push(said.map(String).join(' ')))
})
afterEach(async () => {
  vi.restoreAllMocks()
  const { keys } = await call('GET', '/secrets?limit=100').then(async (page) => ({
    keys: (JSON.parse(page.text) as { data: { name: string }[] }).data.map(({ name }) => name),
  }))
  for (const name of keys) await call('DELETE', `/secrets/${name}`)
})

async function call(method: string, path: string, body?: unknown) {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await exports.default.fetch(`http://service${path}`, { method, headers: KEY, ...sent })
  await expectContract(method, path, response)
  const text = await response.text()
  answers.push(JSON.stringify([...response.headers]), text)
  return { status: response.status, text }
}
const store = durableStore(env.TASKS, env.WORKSPACES)
const { signing_secrets } = parseConfig({ ENVIRONMENT: 'development' })
const secretsBy = (...keys: string[]) =>
  tenantSecrets({
    store,
    sealing: secretSealing(keys.length === 0 ? signing_secrets : keys),
    clock: { now_ms: () => Date.now() },
  })
const API = new URL('https://api.example.com/orders')

/** All that the object of a workspace holds, as a text. */
const rowsOf = (tenant: string): Promise<string> =>
  runInDurableObject(env.WORKSPACES.getByName(JSON.stringify([tenant])), (_object, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    const own = tables.filter(({ name }) => !name.startsWith('_cf_'))
    return own.map(({ name }) => JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())).join('\n')
  })

it('a secret is put, replaced, listed, shown, used and deleted', async () => {
  const first = await call('PUT', '/secrets/orders', { value: CANARY, hosts: ['API.example.com'] })
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const entry = { name: 'orders', hosts: ['api.example.com'], created_at: time, updated_at: time, last_used_at: null }
  expect([first.status, JSON.parse(first.text)]).toEqual([201, entry])
  expect((await call('PUT', '/secrets/orders', { value: CANARY, hosts: ['api.example.com'] })).status).toBe(200)
  await call('PUT', '/secrets/Another', { value: 'another-value', hosts: ['b.example', 'a.example'] })
  const page = JSON.parse((await call('GET', '/secrets?limit=1')).text)
  expect(page).toMatchObject({ data: [{ name: 'Another', hosts: ['a.example', 'b.example'] }], has_more: true })
  const rest = JSON.parse((await call('GET', `/secrets?after=${page.next_cursor}`)).text)
  expect(rest).toEqual({ data: [entry], has_more: false, next_cursor: null })
  expect(await secretsBy().reveal('dev', 'orders', API, 'en')).toEqual({ ok: true, value: CANARY })
  expect(JSON.parse((await call('GET', '/secrets/orders')).text)).toEqual({ ...entry, last_used_at: time })
  expect((await call('DELETE', '/secrets/orders')).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await call(method, '/secrets/orders')).status).toBe(404)
  const near = JSON.parse((await call('GET', '/secrets/anothr')).text)
  expect(near.detail).toBe('There is no such secret; did you mean "Another"?')
  expect(await secretsBy().reveal('dev', 'orders', API, 'en')).toMatchObject({ ok: false })
})

it('U51 the value is in no row, no answer, no problem and no line of the log', async () => {
  const host = ['api.example.com']
  await call('PUT', '/secrets/orders', { value: CANARY, hosts: host })
  await call('PUT', '/secrets/orders', { value: `${CANARY}\n`, hosts: host })
  await call('PUT', '/secrets/orders', { value: CANARY, hosts: ['https://api.example.com'] })
  await call('PUT', '/secrets/orders', { value: [CANARY], hosts: host })
  await call('PUT', '/secrets/a.b', { value: CANARY, hosts: host })
  await call('PUT', '/secrets/orders', `{"value":"${CANARY}"`)
  for (const path of ['/secrets', '/secrets/orders', '/secrets/order']) await call('GET', path)
  const filler = secretFiller(secretsBy(), { tenant: 'dev', locale: 'en' })
  const headers = await filler.fillAll({ authorization: 'Bearer secret:orders' }, API)
  expect(headers).toEqual({ ok: true, value: { authorization: `Bearer ${CANARY}` } })
  const echo = `{"you sent":"Bearer ${CANARY}","basic":"${btoa(`user:${CANARY}`)}"}`
  answers.push(filler.redact(echo))
  const refused = await filler.fill('secret:orders', new URL('https://evil.example/'))
  answers.push(JSON.stringify(refused))
  const rows = await rowsOf('dev')
  expect(rows).toContain('"name":"orders"')
  expect(answers.join('\n')).toContain('[secret:orders]')
  for (const spelling of SPELLINGS) {
    expect(rows).not.toContain(spelling)
    expect(answers.join('\n')).not.toContain(spelling)
    expect(lines.join('\n')).not.toContain(spelling)
  }
})

it('U51 a row that is copied into the workspace of another tenant opens nothing there', async () => {
  await call('PUT', '/secrets/orders', { value: CANARY, hosts: ['api.example.com'] })
  const row = await store.workspace('dev').ask({ kind: 'secret', name: 'orders' })
  if (row === null) throw new Error('nothing is stored')
  const { name, hosts, key_id, sealed } = row
  const other = crypto.randomUUID()
  await store.workspace(other).tell({ kind: 'put_secret', secret: { name, hosts, key_id, sealed }, secrets_max: 9 })
  const error = 'the secret "orders" cannot be opened as it is stored: put it again'
  expect(await secretsBy().reveal(other, 'orders', API, 'en')).toEqual({ ok: false, error })
  expect(await secretsBy().reveal('dev', 'orders', API, 'en')).toEqual({ ok: true, value: CANARY })
})

it('U51 after a rotation of SIGNING_SECRET the next use seals the value anew', async () => {
  await call('PUT', '/secrets/orders', { value: CANARY, hosts: ['api.example.com'] })
  const [newest = '', ...older] = ['the secret of the next year', ...signing_secrets]
  const gone = { ok: false, error: expect.stringContaining('not configured any more: put it again') }
  expect(await secretsBy(newest).reveal('dev', 'orders', API, 'en')).toEqual(gone)
  expect(await secretsBy(newest, ...older).reveal('dev', 'orders', API, 'en')).toEqual({ ok: true, value: CANARY })
  expect(await secretsBy(newest).reveal('dev', 'orders', API, 'en')).toEqual({ ok: true, value: CANARY })
  expect(await secretsBy().reveal('dev', 'orders', API, 'en')).toEqual(gone)
})
