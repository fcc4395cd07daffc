/** The routes of schedules: what may be put, what is answered, and what each refusal says. */
import { limitsUnder } from '../support/memory/memory-registry.ts'
import { describe, expect, it } from 'vitest'
import { SCHEDULE_EXAMPLE, SCHEDULE_RUN_EXAMPLE } from '../../src/http/document/schedule-examples.ts'
import { prepareScheduledTask } from '../../src/http/resources/schedules/scheduled-task.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import { callerOf, fakeService, fixture, problemOf } from '../support/http-fixture.ts'

const PATH = '/schedules/morning'
const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT = { accept: 'text/plain' }
const TASK = { goal: 'check the reports' }
const put = (body: unknown, path = PATH, app = fixture()) => app.send('PUT', path, JSON.stringify(body), JSON_TYPE)
const errorsOf = async (response: Response) => (await problemOf(response))['errors']

describe('PUT /schedules/{name}', () => {
  it('U57 a schedule is put with its task as it was sent', async () => {
    const app = fixture()
    const response = await put({ cron: '0 9 * * *', task: TASK }, PATH, app)
    expect([response.status, response.headers.get('location')]).toEqual([201, PATH])
    expect(await response.json()).toEqual(SCHEDULE_EXAMPLE)
    const sent = {
      name: 'morning',
      timing: { cron: '0 9 * * *', timezone: 'UTC' },
      overlap: 'skip',
      missed: 'skip',
      daily: { tokens: null, cost: null },
      template: TASK,
      origin: 'http://localhost',
      paused: null,
    }
    expect(app.asked).toEqual([{ method: 'putSchedule', args: [callerOf('alice'), sent] }])
  })

  it('U57 answers 200 where it takes the place of another one, and takes an interval and a daily budget', async () => {
    const asked: unknown[] = []
    const putSchedule = async (...args: unknown[]) => {
      asked.push(args[1])
      return ok({ schedule: SCHEDULE_EXAMPLE, created: false })
    }
    const body = {
      every_s: 3600,
      task: TASK,
      daily: { cost_usd: '0.50' },
      paused: true,
      overlap: 'queue',
      missed: 'once',
    }
    const env = { MODEL_PRICES: '{"offline":{"input":"0","output":"0"}}' }
    const response = await put(body, PATH, fixture({ answers: { putSchedule }, env }))
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
    expect(asked).toMatchObject([
      {
        timing: { every_s: 3600, timezone: 'UTC' },
        daily: { tokens: null, cost: 500_000 },
        paused: true,
        overlap: 'queue',
        missed: 'once',
      },
    ])
  })

  it.each([
    [{ task: TASK }, '/cron', 'cron is required, or every_s'],
    [{ cron: '0 9 * * *', every_s: 60, task: TASK }, '/cron', 'cron and every_s exclude each other: give one of them'],
    [{ every_s: 59, task: TASK }, '/every_s', 'every_s must be a whole number from 60 to 31622400 or null'],
    [
      { cron: '0 9 * * *', timezone: 'Europe/Berlni', task: TASK },
      '/timezone',
      'timezone must be an IANA time zone such as Europe/Berlin; did you mean "Europe/Berlin"?',
    ],
    [
      { every_s: 60, task: TASK, overlap: 'skpi' },
      '/overlap',
      'overlap must be one of skip, queue, replace, not "skpi"; did you mean "skip"?',
    ],
    [{ every_s: 60 }, '/task', 'task is required'],
    [{ every_s: 60, task: { goal: ' ' } }, '/task/goal', 'task.goal must be a text of 1 to 8000 characters'],
    [{ every_s: 60, task: { ...TASK, rounds: 3 } }, '/task/rounds', 'unknown field "rounds"'],
    [
      { every_s: 60, task: { ...TASK, settings: { max_steps: 0 } } },
      '/task/settings/max_steps',
      'task.settings.max_steps must be a whole number from 1 to 1000',
    ],
    [
      { every_s: 60, task: { ...TASK, goal: 'on {{schedule_date}}' } },
      '/task/goal',
      'did you mean {{scheduled_date}}?',
    ],
    [
      { every_s: 60, task: { ...TASK, metadata: { schedule: 'x' } } },
      '/task/metadata/schedule',
      'task.metadata.schedule is set by the schedule itself: take another name',
    ],
    [
      { every_s: 60, task: { ...TASK, metadata: Object.fromEntries([...'abcdefghijklmno'].map((key) => [key, ''])) } },
      '/task/metadata',
      'task.metadata must have at most 14 keys',
    ],
    [
      { every_s: 60, task: { ...TASK, settings: { model: 'none-such' } } },
      '/task/settings/model',
      'task.settings.model',
    ],
    [{ every_s: 60, task: { ...TASK, callback_url: 'http://a.example' } }, '/task/callback_url', 'task.callback_url'],
    [{ every_s: 60, task: TASK, daily: { tokens: 0 } }, '/daily/tokens', 'daily.tokens must be a whole number from 1'],
    [{ every_s: 60, task: TASK, pause: true }, '/pause', 'unknown field "pause"; did you mean "paused"?'],
  ])('U57 %j is 422: %s, %s', async (body, pointer, message) => {
    const env = { MODEL_PROVIDER: 'openai', OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm', ALLOWED_MODELS: 'm' }
    const app = fixture({ env })
    const response = await put(body, PATH, app)
    expect(response.status).toBe(422)
    const errors = await errorsOf(response)
    expect(errors).toMatchObject([{ pointer }])
    expect(JSON.stringify(errors).replaceAll('\\"', '"')).toContain(message)
    expect(app.asked.filter(({ method }) => method === 'putSchedule')).toEqual([])
  })

  it('U57 a template that is too long, and a name that is none, are 422', async () => {
    const tools = Array.from({ length: 20 }, (_, index) => ({
      http: { name: `t${index}`, url: 'https://a.example.com/', description: 'x'.repeat(900) },
    }))
    const long = { ...TASK, goal: `a${'\u0001'.repeat(7_990)}a`, tools }
    expect(await errorsOf(await put({ every_s: 60, task: long }))).toMatchObject([
      { pointer: '/task', message: expect.stringMatching(/^task must have at most 65536 bytes as JSON, not \d+$/) },
    ])
    expect(await errorsOf(await put({ every_s: 60, task: TASK }, '/schedules/a.b'))).toEqual([
      { pointer: '/name', message: 'name must be 1 to 64 of A-Z a-z 0-9 _ -' },
    ])
  })

  it('U57 money is bounded only where every model has a price, and nothing runs without a model', async () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'unpriced', MODEL_PROVIDER: 'openai' }
    const daily = { cost_usd: '1' }
    const problem = await problemOf(await put({ every_s: 60, task: TASK, daily }, PATH, fixture({ env })))
    expect(problem).toMatchObject({ status: 422, code: 'model_not_budgetable' })
    const none = fixture({ env: { MODEL_PROVIDER: 'openai' } })
    expect(await problemOf(await put({ every_s: 60, task: TASK }, PATH, none))).toMatchObject({
      code: 'llm_not_configured',
    })
  })
})

describe('U57 the task of a tick', () => {
  const wanted = { body: { ...TASK, settings: { max_tokens: 500 } }, origin: 'https://a.example' }
  const prepare = (caps: { tokens: number | null; cost: number | null }) => {
    const { config } = fixture()
    return prepareScheduledTask(
      { config, service: fakeService(null, []), limits_of: limitsUnder(config) },
      { ...callerOf('alice'), key_name: null },
      { ...wanted, caps },
    )
  }
  it('U57 gets at most what is left of the day', async () => {
    expect(await prepare({ tokens: 120, cost: 250_000 })).toMatchObject({
      ok: true,
      task: {
        drive: 'background',
        origin: 'https://a.example',
        settings: { max_tokens: 120, max_cost_usd: '0.250000' },
      },
    })
    expect(await prepare({ tokens: 900, cost: null })).toMatchObject({
      task: { settings: { max_tokens: 500, max_cost_usd: null } },
    })
  })
})

describe('the other routes of schedules', () => {
  it('U57 each asks the service for its schedule', async () => {
    const { send, post, asked } = fixture()
    expect((await send('GET', PATH)).status).toBe(200)
    expect((await post(`${PATH}/pause`, {})).status).toBe(200)
    expect((await post(`${PATH}/resume`, {})).status).toBe(200)
    const ran = await post(`${PATH}/run`, {})
    expect([ran.status, ran.headers.get('location')]).toEqual([201, `/tasks/${SCHEDULE_RUN_EXAMPLE.task_id}`])
    expect((await send('GET', `${PATH}/runs?limit=2&after=9`)).status).toBe(200)
    expect((await send('GET', '/schedules?limit=2&after=a')).status).toBe(200)
    expect((await send('DELETE', PATH)).status).toBe(204)
    expect(asked.map(({ method, args }) => [method, ...args.slice(1)])).toEqual([
      ['getSchedule', 'morning'],
      ['pauseSchedule', 'morning', true],
      ['pauseSchedule', 'morning', false],
      ['runSchedule', 'morning'],
      ['listScheduleRuns', 'morning', { limit: 2, after: 9 }],
      ['listSchedules', { limit: 2, after: 'a' }],
      ['deleteSchedule', 'morning'],
    ])
  })

  it('U57 a run that was asked for before says so', async () => {
    const runSchedule = async () => ok({ run: SCHEDULE_RUN_EXAMPLE, replayed: true })
    const ran = await fixture({ answers: { runSchedule } }).post(`${PATH}/run`, {})
    expect(ran.headers.get('idempotency-replayed')).toBe('true')
  })

  it('U57 answers plain text for a terminal', async () => {
    const { send } = fixture()
    const textOf = async (path: string) => (await send('GET', path, null, TEXT)).text()
    expect(await textOf('/schedules')).toBe('morning  0 9 * * MON-FRI (Europe/Berlin)  next 2026-03-03T08:00:00.000Z\n')
    expect(await textOf(PATH)).toContain('then 2026-03-04T08:00:00.000Z\n')
    expect(await textOf(`${PATH}/runs`)).toBe(`2026-03-02T08:00:00.000Z  created  ${SCHEDULE_RUN_EXAMPLE.task_id}\n`)
  })

  it('U57 an unknown name is 404, with the nearest one', async () => {
    const app = fixture({ behaviour: { refusal: { code: 'schedule_not_found', hint: '; did you mean "morning"?' } } })
    expect(await problemOf(await app.send('GET', '/schedules/mornign'))).toMatchObject({
      status: 404,
      detail: 'There is no such schedule; did you mean "morning"?',
    })
  })
})
