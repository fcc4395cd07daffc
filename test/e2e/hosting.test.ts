/** U41 of the built service: what listens without a key, what chooses the origin of links, and which addresses it reaches. */
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest'
import { networksFor } from '../../scripts/lib/network.mjs'
import type { Service } from '../../scripts/lib/service.mjs'
import { listeningPorts } from '../support/listening.ts'
import { act, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai } from '../support/scripted-openai.ts'
import { newPlace } from './support.ts'

const PUBLIC_URL = 'https://agent.example'
const HOSTED = {
  ENVIRONMENT: undefined,
  API_KEYS: 'acme:acme-key',
  SIGNING_SECRET: 'a secret of the hosting tests',
  WEBHOOK_SECRET: `acme:whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  PUBLIC_URL,
}
const KEY = { authorization: 'Bearer acme-key', 'content-type': 'application/json' }

/** One request as it is written; the status line, or null where the connection is closed without one. */
function raw(port: number, text: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let read = ''
    socket.on('data', (part) => {
      read += String(part)
      if (read.includes('\r\n')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(read.split('\r\n')[0] || null))
  })
}

describe('npm start with keys', () => {
  const place = newPlace()
  let service: Service
  let port: number
  let model: Awaited<ReturnType<typeof startScriptedOpenai>>
  beforeAll(async () => {
    model = await startScriptedOpenai({ plan: [planned('A'), planned('B')], thought: [act('{}', 'look_up')] })
    service = await place.start({ ...HOSTED, ...openaiAt(model.base_url) })
    port = Number(new URL(service.url).port)
  })
  afterAll(async () => {
    await place.leave()
    await model.close()
  })

  const post = (path: string, body: object) =>
    fetch(`${service.url}${path}`, { method: 'POST', headers: KEY, body: JSON.stringify(body) })

  it('U41 says that it runs in production, and why', async () => {
    await expect.poll(() => service.output()).toContain('(production, because API_KEYS is set and ENVIRONMENT is not;')
  })

  it.runIf(process.platform === 'linux')(
    'U41 gives nothing to a client without a key on any port except PORT',
    async () => {
      const big = `a,b\n${'1,2\n'.repeat(20_000)}`
      const made = await post('/tasks', { goal: 'g', rounds: 0 })
      const { id } = JSON.parse(await made.text())
      const put = await fetch(`${service.url}/tasks/${id}/files/sales.csv`, { method: 'PUT', headers: KEY, body: big })
      expect(put.status).toBe(201)
      const ports = listeningPorts(service.pid)
      expect(new Set(ports.map(({ address }) => address))).toEqual(new Set(['0100007F']))
      expect(ports.map((one) => one.port)).toContain(port)
      for (const { port: other } of ports.filter((one) => one.port !== port))
        for (const path of [
          '/',
          '/health',
          '/cdn-cgi/local/r2/public/loop-agent-files/',
          '/cdn-cgi/local/platform-proxy',
        ])
          expect(await raw(other, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
    },
  )

  it.runIf(process.platform === 'linux')('U41 allows no RPC session on PORT', async () => {
    const host = 'miniflare-unsafe-internal-capnp-connect'
    const answer = await raw(port, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect(answer).not.toMatch(/ 200 /)
  })

  it.each(['agent.example', 'evil.example', 'localhost', '127.0.0.1:1'])(
    'U41 answers a request for host %s with links of PUBLIC_URL',
    async (host) => {
      const request = `GET /calendar.ics HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer acme-key\r\nConnection: close\r\n\r\n`
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(request))
        let read = ''
        socket.on('data', (part) => (read += String(part))).on('close', () => resolve(read))
      })
      expect(/^link: <([^?]*)/im.exec(answer)?.[1]).toBe(`${PUBLIC_URL}/calendar.ics`)
    },
  )

  it('U41 reaches the model of the operator on a private address, but no tool without a public address', async () => {
    const tools = [{ name: 'look_up', parameters: { type: 'object' }, url: 'https://no-such-host.example.com/' }]
    const made = await post('/tasks', { goal: 'g', rounds: 1, tools })
    expect([made.status, model.calls.at(-1)?.phase]).toEqual([201, 'thought'])
    const { id } = JSON.parse(await made.text())
    const journal = await (await fetch(`${service.url}/tasks/${id}/events?limit=100`, { headers: KEY })).text()
    expect(journal).toContain('could not be reached: its host is unknown, has no public address')
  })
})

describe('the networks of production', () => {
  let miniflare: Miniflare | null = null
  afterEach(() => miniflare?.dispose())

  it('U41 tools reach only public addresses after name resolution, and services of the operator reach private ones', async () => {
    let reached = 0
    const server = createServer((_, response) => response.end(String((reached += 1))))
    await new Promise<void>((resolve) => server.listen(0, resolve))
    // The address of a server is one with a port.
    const { port } = server.address() as AddressInfo
    const date = '2026-10-01'
    const { service, serviceBindings, workers } = networksFor('production', date)
    const script = `export default { async fetch(request, env) {
      const { to, by } = await request.json()
      const reach = by === 'internet' ? fetch : (...args) => env.UNBOUNDED_NETWORK.fetch(...args)
      try { return new Response(String((await reach(to, { redirect: 'manual' })).status)) }
      catch (error) { return new Response(error.message.split(';')[0]) }
    } }`
    const probe = {
      name: 'probe',
      compatibilityDate: date,
      modules: true as const,
      script,
      ...service,
      serviceBindings,
    }
    const shared = { host: '127.0.0.1', port: 0, cf: false, telemetry: { enabled: false } } as const
    miniflare = new Miniflare(convertV4MiniflareOptions({ ...shared, workers: [probe, ...workers] }))
    const url = await miniflare.ready
    const ask = async (host: string, by: string) =>
      (await fetch(url, { method: 'POST', body: JSON.stringify({ to: `http://${host}:${port}/`, by }) })).text()
    const names = ['localhost', hostname(), 'LOCALHOST']
    const local = ['127.0.0.1', '127.1.2.3', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::127.0.0.1]']
    const inside = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '[fe80::1]', '[fd00::1]']
    const written = ['[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[2002:7f00:1::]', '[::ffff:10.0.0.1]', '198.18.0.1']
    const hosts = [...names, ...local, ...inside, ...written, '224.0.0.1', '255.255.255.255']
    const answers = await Promise.all(hosts.map(async (host) => [host, await ask(host, 'internet')]))
    expect(answers).toEqual(hosts.map((host) => [host, 'internal error']))
    expect(reached).toBe(0)
    expect([await ask('127.0.0.1', 'operator'), await ask('localhost', 'operator'), reached]).toEqual(['200', '200', 2])
    server.close()
  })
})
