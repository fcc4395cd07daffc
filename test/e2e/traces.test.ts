/**
 * Kills of the real runtime under a strict collector: afterwards every effect of every journal is one span (OTEL-03). `TRACE_KILLS` says how
 * often it is killed.
 */
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Service } from '../../scripts/lib/service.mjs'
import { strictCollector } from '../support/otlp/strict-collector.ts'
import { call, callTask, journalOf, newPlace, type Place } from './support.ts'

const KILLS = Number(process.env['TRACE_KILLS'] ?? 2)
const PATIENCE_MS = 60_000

let place: Place
let close = async () => {}
afterEach(async () => {
  await place.leave()
  await close()
})

/** A collector over HTTP, on a free port. */
async function listen() {
  const collector = strictCollector()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      collector.take(new Uint8Array(Buffer.concat(parts)), request.headers['content-type'] ?? null)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => new Promise((resolve) => server.close(() => resolve()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the collector has no port')
  return { collector, url: `http://127.0.0.1:${address.port}` }
}

describe('kill -9 while spans are sent', () => {
  it(
    'OTEL-03 afterwards every effect of every journal is exactly one span, and the usage is that of the journals',
    async () => {
      place = newPlace()
      const { collector, url } = await listen()
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url }
      const ids: string[] = []
      let service: Service = await place.start(env)
      for (let kill = 0; kill < KILLS; kill++) {
        const made = await callTask(service, 'POST', '/tasks', { goal: `buy milk ${kill} and call mum`, rounds: 2 })
        ids.push(made.id)
        const again = ids[Math.floor(kill / 2)] ?? made.id
        await callTask(service, 'POST', `/tasks/${again}/step`, { rounds: 1 })
        // From at once to after the export, so that kills meet it before, during and behind.
        await new Promise((resolve) => setTimeout(resolve, (kill * 1_300) % 7_000))
        await service.kill()
        service = await place.start(env)
      }
      const owed = async () => {
        const missing: string[] = []
        for (const id of ids) {
          for (const { seq, kind } of await journalOf(service, id)) {
            if (kind !== 'call_model' && kind !== 'run_tool') continue
            const found = [...collector.spans.values()].filter(
              ({ attributes, name }) =>
                attributes['loop_agent.task.id'] === id && attributes['loop_agent.row'] === seq && name !== 'plan',
            )
            if (found.length !== 1) missing.push(`${id} ${seq}: ${found.length}`)
          }
        }
        return missing
      }
      const end = Date.now() + PATIENCE_MS
      while ((await owed()).length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(await owed()).toEqual([])
      expect(collector.problems).toEqual([])
      const rows = (await Promise.all(ids.map((id) => journalOf(service, id)))).flat()
      const calls = rows.filter(({ kind, finished_at }) => kind === 'call_model' && finished_at !== null).length
      expect(await call(service, 'GET', '/usage')).toMatchObject({ total: { tasks: ids.length, model_calls: calls } })
      console.log(`${KILLS} kills, ${rows.length} rows, ${collector.spans.size} spans, ${collector.arrivals} arrivals`)
    },
    120_000 + KILLS * 20_000,
  )
})
