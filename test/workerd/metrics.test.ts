/** The metrics of the whole service in workerd: what a task leaves there, and what it costs on the way. */
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'
import { readMetrics, valueOf, type ReadFamily } from '../support/prometheus.ts'

const KEY = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await exports.default.fetch(`http://service${path}`, { method, ...json, headers: KEY })
  await expectContract(method, path, response)
  return response
}
const task = async (method: string, path: string, body?: unknown) =>
  TaskView.parse(await (await call(method, path, body)).json())
const scrape = async () => readMetrics(await (await call('GET', '/metrics')).text())
const mode = { mode: 'plan_execute' }

describe('GET /metrics', () => {
  it('MET-01 shows what a task has done: requests, slices, steps, tokens, effects, its end and its place', async () => {
    const before = await scrape()
    const grown = (now: ReadFamily[], name: string, labels: Record<string, string> = {}) =>
      valueOf(now, name, labels) - valueOf(before, name, labels)
    let now = await task('POST', '/tasks', { goal: 'Buy milk', rounds: 0 })
    let requests = 0
    for (; now.status === 'running' && requests < 30; requests++) now = await task('POST', `/tasks/${now.id}/step`)
    expect(now.status).toBe('completed')
    const after = await scrape()
    const step = { route: '/tasks/{id}/step', method: 'POST' }
    expect(grown(after, 'loop_agent_http_requests_total', { ...step, status: '2xx' })).toBe(requests)
    expect(grown(after, 'loop_agent_http_request_duration_seconds_count', step)).toBe(requests)
    expect(grown(after, 'loop_agent_slices_total', { ...mode, by: 'request', outcome: 'advanced' })).toBe(requests)
    expect(grown(after, 'loop_agent_steps_total', mode)).toBe(now.budget.used)
    expect(grown(after, 'loop_agent_tokens_total', mode)).toBe(now.budget.tokens.used)
    expect(grown(after, 'loop_agent_effects_total', { kind: 'model' })).toBe(now.counters.model_calls)
    expect(grown(after, 'loop_agent_tasks_ended_total', { ...mode, status: 'completed', outcome: 'done' })).toBe(1)
    expect(valueOf(after, 'loop_agent_slots_max')).toBeGreaterThanOrEqual(10)
  })

  it('MET-05 shows open tasks as they come and go', async () => {
    const open = async () => valueOf(await scrape(), 'loop_agent_open_tasks')
    const before = await open()
    const { id } = await task('POST', '/tasks', { goal: 'Buy milk', rounds: 0 })
    expect(await open()).toBe(before + 1)
    await call('POST', `/tasks/${id}/cancel`)
    expect(await open()).toBe(before)
  })

  it('MET-03 costs a step no call of an object: a scrape makes two, and steps make none before ten seconds are over', async () => {
    if (env.METRICS === undefined) throw new Error('METRICS is not bound')
    await scrape()
    const { getByName } = env.METRICS
    let calls = 0
    env.METRICS.getByName = (...args: Parameters<typeof getByName>) => (calls++, getByName.apply(env.METRICS, args))
    try {
      const begun = Date.now()
      const { id } = await task('POST', '/tasks', { goal: 'Buy milk and call mum', rounds: 0 })
      for (let made = 0; made < 3; made++) await task('POST', `/tasks/${id}/step`)
      // A machine that took ten seconds for this has made a call for each of them.
      expect(calls).toBeLessThanOrEqual(Math.floor((Date.now() - begun) / 10_000))
    } finally {
      env.METRICS.getByName = getByName
    }
  })
})
