/** Mode autonomous through real HTTP in the real runtime, without a key: a file goes in, a report with charts comes out (S1-57, S1-58, S1-60). */
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as z from 'zod'
import { salesLines } from '../../scripts/lib/sales-csv.mjs'
import type { Service } from '../../scripts/lib/service.mjs'
import type { TaskView } from '../../src/core/terms/view.ts'
import { call, callTask, newPlace, sharedService, until, type Place } from './support.ts'

const shared = sharedService()
let place: Place
beforeEach(() => {
  place = newPlace()
})
afterEach(() => place.leave())

const AUTH = { authorization: 'Bearer dev-key' }
const ENDED = ['completed', 'failed', 'paused']

async function begin(service: Service, csv: string, settings: object = {}): Promise<TaskView> {
  const goal = 'Analyse the sales trend and compare the regions'
  const body = { goal, mode: 'autonomous', settings: { dataset: 'sales.csv', ...settings }, rounds: 0 }
  const made = await callTask(service, 'POST', '/tasks', body)
  expect(made).toMatchObject({ status: 'running', counters: { model_calls: 0 } })
  const put = await fetch(`${service.url}/tasks/${made.id}/files/sales.csv`, {
    method: 'PUT',
    headers: AUTH,
    body: csv,
  })
  expect(put.status).toBe(201)
  return made
}

async function goOn(service: Service, id: string): Promise<TaskView> {
  let task = await callTask(service, 'GET', `/tasks/${id}`)
  for (let turn = 0; turn < 40 && !ENDED.includes(task.status); turn++)
    task = await callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 5 })
  return task
}

const Results = z.record(z.string(), z.looseObject({ kind: z.string() }))
const Point = z.object({ period: z.string(), value: z.number() })
const Trend = z.object({
  periods: z.number(),
  first: Point,
  last: Point,
  highest: Point,
  lowest: Point,
  total: z.number(),
})
const Compared = z.object({
  total: z.number(),
  highest: z.object({ name: z.string(), value: z.number() }),
  lowest: z.object({ name: z.string(), value: z.number() }),
})
const Spread = z.object({ count: z.number(), missing: z.number(), mean: z.number(), min: z.number(), max: z.number() })

/** The same figures by nothing but loops over the lines. */
function counted(lines: readonly string[]) {
  const [head = '', ...rows] = lines
  const at = (name: string) => head.split(',').indexOf(name)
  const months = new Map<string, number>()
  const regions = new Map<string, number>()
  const amounts: number[] = []
  for (const row of rows) {
    const cells = row.split(',')
    const amount = cells[at('amount')] ?? ''
    if (amount === '') continue
    const month = (cells[at('date')] ?? '').slice(0, 7)
    const region = cells[at('region')] ?? ''
    months.set(month, (months.get(month) ?? 0) + Number(amount))
    if (region !== '') regions.set(region, (regions.get(region) ?? 0) + Number(amount))
    amounts.push(Number(amount))
  }
  return { months, regions, amounts, rows: rows.length }
}
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
const ordered = (map: ReadonlyMap<string, number>) => [...map].toSorted(([, one], [, other]) => other - one)

it(
  'S1-57 S1-58 U27 over 100,000 rows, with a kill -9 during the task, every figure equals an independent computation',
  { timeout: 180_000 },
  async () => {
    const lines = [...salesLines({ rows: 100_000 })]
    const before = await place.start()
    const made = await begin(before, `${lines.join('\n')}\n`)
    const half = await callTask(before, 'POST', `/tasks/${made.id}/step`, { rounds: 2 })
    expect(half).toMatchObject({ status: 'running', counters: { actions: 2, failed_actions: 0 } })
    await before.kill()

    const service = await place.start()
    const task = await goOn(service, made.id)
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', counters: { failed_actions: 0 } })
    expect(task.plan.items.every(({ status }) => status === 'completed')).toBe(true)
    const artifacts = new Map(task.result?.artifacts.map(({ name, url }) => [name, url]))
    expect([...artifacts.keys()]).toEqual(['chart-1.svg', 'chart-2.svg', 'chart-3.svg', 'report.md', 'result.json'])
    // Whoever was given the answer can fetch what is in it, without a key.
    const text = async (name: string) => {
      const path = new URL(artifacts.get(name) ?? '')
      return (await fetch(`${service.url}${path.pathname}${path.search}`)).text()
    }
    const { months, regions, amounts, rows } = counted(lines)
    const found = Object.values(Results.parse(JSON.parse(await text('result.json'))))
    const of = (kind: string) => found.find((one) => one.kind === kind)
    const trend = Trend.parse(of('trend'))
    const [highest] = ordered(months)
    expect(trend.periods).toBe(months.size)
    expect(trend.total).toBeCloseTo(sum(months.values()), 2)
    expect(trend.highest.period).toBe(highest?.[0])
    for (const { period, value } of [trend.first, trend.last, trend.highest, trend.lowest])
      expect(value).toBeCloseTo(months.get(period) ?? Number.NaN, 2)
    const compared = Compared.parse(of('compare'))
    expect([compared.highest.name, compared.lowest.name]).toEqual([
      ordered(regions).at(0)?.[0],
      ordered(regions).at(-1)?.[0],
    ])
    expect(compared.highest.value).toBeCloseTo(regions.get(compared.highest.name) ?? Number.NaN, 2)
    const spread = Spread.parse(of('distribution'))
    expect(spread).toMatchObject({ count: amounts.length, missing: rows - amounts.length })
    expect(spread.mean).toBeCloseTo(sum(amounts) / amounts.length, 6)
    const report = await text('report.md')
    expect(report).toBe(`${task.result?.text}\n`)
    for (const name of ['chart-1.svg', 'chart-2.svg', 'chart-3.svg']) {
      expect(report).toContain(`](${name})`)
      expect(await text(name)).toMatch(/^<svg [^]*<\/svg>\s*$/)
    }
    expect(await call(service, 'POST', `/tasks/${made.id}/replay`, {})).toMatchObject({ equal: true })
  },
)

/** The address of a link after a restart too, when the service is reached under another port. */
const addressOf = (service: Service, link: string) => `${service.url}${new URL(link, service.url).pathname}`

/** What a client does that knows nothing but the answer: it puts the file where `pending` says. */
async function putAwaited(service: Service, { pending }: TaskView, csv: string): Promise<number> {
  if (pending?.kind !== 'file') throw new Error(`waits for ${pending?.kind}`)
  const { status, body } = await fetch(addressOf(service, pending.put_url.replace('NAME', 'sales.csv')), {
    method: 'PUT',
    headers: AUTH,
    body: csv,
  })
  await body?.cancel()
  return status
}

it(
  'U36 a task whose dataset is missing asks for it, with the place to put it, and goes on with the file',
  { timeout: 60_000 },
  async () => {
    const service = await shared()
    const goal = 'Analyse the sales trend of sales.csv'
    const asking = await callTask(service, 'POST', '/tasks', { goal, mode: 'autonomous', rounds: 5 })
    expect(asking).toMatchObject({ status: 'input_required', stop_reason: 'file', result: null })
    const put_url = `${service.url}/tasks/${asking.id}/files/sales.csv`
    expect(asking.pending).toMatchObject({
      kind: 'file',
      name: 'sales.csv',
      put_url,
      endings: expect.arrayContaining(['csv']),
    })
    const told = await fetch(`${service.url}/tasks/${asking.id}`, { headers: { ...AUTH, accept: 'text/plain' } })
    expect(await told.text()).toContain(`PUT ${put_url}`)
    const csv = [...salesLines({ rows: 200 })].join('\n')
    expect(await putAwaited(service, asking, csv)).toBe(201)
    expect(await callTask(service, 'GET', `/tasks/${asking.id}`)).toMatchObject({ status: 'running', pending: null })
    expect(await goOn(service, asking.id)).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    expect(await call(service, 'POST', `/tasks/${asking.id}/replay`, {})).toMatchObject({ equal: true })
  },
)

it(
  'U36 U40 with drive: background the PUT alone makes the task go on, also after a kill -9 while it waits',
  { timeout: 60_000 },
  async () => {
    const before = await place.start()
    const body = { goal: 'Analyse the sales trend', mode: 'autonomous', drive: 'background' }
    const { id } = await callTask(before, 'POST', '/tasks', { ...body, settings: { dataset: 'sales.csv' } })
    const asking = await until(before, id, ({ status }) => status === 'input_required')
    const put_url = `${before.url}/tasks/${id}/files/sales.csv`
    expect(asking.pending).toMatchObject({ kind: 'file', name: 'sales.csv', put_url })
    await before.kill()
    const service = await place.start()
    expect(await callTask(service, 'GET', `/tasks/${id}`)).toMatchObject({ status: 'input_required' })
    expect(await putAwaited(service, asking, [...salesLines({ rows: 200 })].join('\n'))).toBe(201)
    const done = await until(service, id, ({ status }) => ENDED.includes(status))
    expect(done).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
  },
)

/** The last of `result.json`, by kind. */
async function resultsOf(service: Service, id: string) {
  const response = await fetch(`${service.url}/tasks/${id}/files/result.json`, { headers: AUTH })
  // Each names its task, and the tasks of the two ways have other names.
  return Object.values(Results.parse(await response.json())).map((figures) => ({ ...figures, task: null }))
}

it(
  'S1-60 both variants compute the same figures from the same file; the staged one takes more turns and more tokens',
  { timeout: 120_000 },
  async () => {
    const service = await shared()
    const csv = [...salesLines({ rows: 2_000 })].join('\n')
    const run = async (settings: object) => goOn(service, (await begin(service, csv, settings)).id)
    const free = await run({})
    const staged = await run({ agent_mode: 'staged' })
    for (const task of [free, staged])
      expect(task).toMatchObject({ status: 'completed', counters: { failed_actions: 0 } })
    expect(await resultsOf(service, staged.id)).toEqual(await resultsOf(service, free.id))
    expect(staged.counters.model_calls).toBeGreaterThan(free.counters.model_calls)
    expect(staged.budget.tokens.used).toBeGreaterThan(free.budget.tokens.used)
  },
)

it(
  'S1-55 a listener gets each thought and each tick once, as it happens, until the end',
  { timeout: 60_000 },
  async () => {
    const service = await shared()
    const { id } = await begin(service, [...salesLines({ rows: 200 })].join('\n'))
    const stream = await fetch(`${service.url}/tasks/${id}/events`, {
      headers: { ...AUTH, accept: 'text/event-stream' },
    })
    const told = stream.text()
    await goOn(service, id)
    const messages = (await told).split('\n\n').map((message) => ({
      seq: /^id: (\d+)$/m.exec(message)?.[1],
      type: /^event: (\w+)$/m.exec(message)?.[1],
    }))
    const events = messages.filter(({ seq, type }) => seq !== undefined && type !== 'end')
    expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, index) => index + 1))
    const types = events.map(({ type }) => type)
    expect(types.slice(0, 2)).toEqual(['task_created', 'agent_started'])
    expect(types.slice(-3)).toEqual(['report_generated', 'agent_completed', 'task_completed'])
    expect(types.filter((type) => type === 'llm_thinking')).toHaveLength(5)
    expect(types.filter((type) => type === 'tasks_updated')).toHaveLength(5)
    expect(messages.some(({ type }) => type === 'end')).toBe(true)
  },
)
