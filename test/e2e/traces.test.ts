/**
 * Kills of the real runtime under a strict collector: afterwards every effect of every journal is one span (OTEL-03). `TRACE_KILLS` says how
 * often it is killed.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from '../../scripts/lib/service.mjs'
import { httpCollector, type HttpCollector } from '../support/otlp/http-collector.ts'
import { call, callTask, journalOf, newPlace, type Place } from './support.ts'

const KILLS = Number(process.env['TRACE_KILLS'] ?? 2)
const PATIENCE_MS = 60_000

let place: Place
let collector: HttpCollector
beforeEach(async () => {
  place = newPlace()
  collector = await httpCollector()
})
afterEach(async () => {
  await place.leave()
  await collector.close()
})

/** Rows of these tasks that have not exactly one span. */
async function owed(service: Service, ids: readonly string[]): Promise<string[]> {
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

/** Looks until every effect has its span, which also touches the tasks. */
async function expectAll(service: Service, ids: readonly string[]): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while ((await owed(service, ids)).length > 0 && Date.now() < end) await wait(1_000)
  expect(await owed(service, ids)).toEqual([])
  expect(collector.problems).toEqual([])
}

async function expectUsage(service: Service, ids: readonly string[]): Promise<number> {
  const rows = (await Promise.all(ids.map((id) => journalOf(service, id)))).flat()
  const calls = rows.filter(({ kind, finished_at }) => kind === 'call_model' && finished_at !== null).length
  expect(await call(service, 'GET', '/usage')).toMatchObject({ total: { tasks: ids.length, model_calls: calls } })
  return rows.length
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('kill -9 while spans are sent', () => {
  it(
    'OTEL-03 afterwards every effect of every journal is exactly one span, and the usage is that of the journals',
    async () => {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
      const ids: string[] = []
      let service: Service = await place.start(env)
      for (let kill = 0; kill < KILLS; kill++) {
        const made = await callTask(service, 'POST', '/tasks', { goal: `buy milk ${kill} and call mum`, rounds: 2 })
        ids.push(made.id)
        const again = ids[Math.floor(kill / 2)] ?? made.id
        await callTask(service, 'POST', `/tasks/${again}/step`, { rounds: 1 })
        // From at once to after the export, so that kills meet it before, during and behind.
        await wait((kill * 1_300) % 7_000)
        await service.kill()
        service = await place.start(env)
      }
      await expectAll(service, ids)
      const rows = await expectUsage(service, ids)
      console.log(`${KILLS} kills, ${rows} rows, ${collector.spans.size} spans, ${collector.arrivals} arrivals`)
    },
    120_000 + KILLS * 20_000,
  )

  it('OTEL-03 between the receipt of the collector and the stored cursor: the same spans come again, and usage counts once', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    let service: Service = await place.start(env)
    const ids: string[] = []
    for (const goal of ['buy milk', 'call mum and buy bread']) {
      const before = collector.requests.length
      const killed = new Promise<void>((resolve) => {
        collector.answering.with = () => resolve(service.kill().then(() => undefined))
      })
      ids.push((await callTask(service, 'POST', '/tasks', { goal, rounds: 2 })).id)
      await killed
      const arrived = collector.arrivals
      expect(collector.requests.length).toBeGreaterThan(before)
      expect(arrived).toBeGreaterThan(0)
      collector.answering.with = (_, response) => response.end()
      service = await place.start(env)
      // The cursor was not stored, so all that arrived arrives again; the strict collector objects to a span that says something else.
      const [last] = ids.slice(-1)
      const again = () => collector.requests.slice(before + 1).length > 0
      for (const end = Date.now() + PATIENCE_MS; !again() && Date.now() < end; await wait(250))
        await callTask(service, 'GET', `/tasks/${last}`)
      expect(again()).toBe(true)
      await expectAll(service, ids)
    }
    const by_row = new Map<string, Set<string>>()
    for (const { span_id, name, attributes } of collector.spans.values()) {
      const about = attributes['loop_agent.row'] ?? `run ${String(attributes['loop_agent.run.first_row'])}`
      const key = `${String(attributes['loop_agent.task.id'])} ${String(about)} ${name}`
      by_row.set(key, (by_row.get(key) ?? new Set()).add(span_id))
    }
    expect([...by_row].filter(([, spans]) => spans.size > 1)).toEqual([])
    expect(collector.arrivals).toBeGreaterThan(collector.spans.size)
    await expectUsage(service, ids)
  }, 300_000)
})
