/** Fields and query parameters: unknown ones are named, wrong ones are told what they must be. */
import { describe, expect, it } from 'vitest'
import { MODE_NAMES } from '../../src/core/terms/mode-names.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { cursorOf } from '../../src/core/workspace/shards/merge-pages.ts'
import { innerSchema } from '../../src/http/gate/inner-schema.ts'
import { CreateTask } from '../../src/http/shapes/task-requests.ts'
import { fixture, ID, problemOf } from '../support/http-fixture.ts'

async function errorsOf(path: string, body: unknown) {
  const { post, asked } = fixture()
  const response = await post(path, body)
  expect([response.status, asked]).toEqual([422, []])
  const problem = await problemOf(response)
  expect(problem['code']).toBe('validation_failed')
  return problem['errors']
}

/** The fields of POST /tasks, and the first settings. */
const KNOWN = `known: ${Object.keys(CreateTask.shape).join(', ')}`
const KNOWN_SETTINGS = `known: ${Object.keys(Settings.shape).slice(0, 20).join(', ')}, …`

describe('POST /tasks', () => {
  it.each([
    [{}, '/goal', 'goal is required'],
    [{ goal: null }, '/goal', 'goal must be a text of 1 to 8000 characters'],
    [{ goal: 7 }, '/goal', 'goal must be a text of 1 to 8000 characters'],
    [{ goal: ' \u3000' }, '/goal', 'goal must be a text of 1 to 8000 characters'],
    [{ goal: 'x'.repeat(8_001) }, '/goal', 'goal must have at most 8000 characters'],
    [{ goal: '🥛'.repeat(8_001) }, '/goal', 'goal must have at most 8000 characters'],
    [
      { goal: 'x', mode: 'orchestra' },
      '/mode',
      `mode must be one of ${MODE_NAMES.join(', ')}, not "orchestra"; did you mean "orchestrator"?`,
    ],
    [{ goal: 'x', instructions: ' ' }, '/instructions', 'instructions must be a text of 1 to 16000 characters or null'],
    [{ goal: 'x', instructions: 7 }, '/instructions', 'instructions must be a text of 1 to 16000 characters or null'],
    [
      { goal: 'x', instructions: '🥛'.repeat(16_001) },
      '/instructions',
      'instructions must have at most 16000 characters',
    ],
    [{ goal: 'x', instruction: 'x' }, '/instruction', 'unknown field "instruction"; did you mean "instructions"?'],
    [{ goal: 'x', rounds: 51 }, '/rounds', 'rounds must be a whole number from 0 to 50'],
    [{ goal: 'x', rounds: 1.5 }, '/rounds', 'rounds must be a whole number from 0 to 50'],
    [{ goal: 'x', rounds: '1' }, '/rounds', 'rounds must be a whole number from 0 to 50'],
    [{ goal: 'x', rounds: null }, '/rounds', 'rounds must be a whole number from 0 to 50'],
    [{ goal: 'x', max_ms: 99 }, '/max_ms', 'max_ms must be a whole number from 100 to 120000'],
    [{ goal: 'x', max_ms: 1e300 }, '/max_ms', 'max_ms must be a whole number from 100 to 120000'],
    [{ goal: 'x', locale: 'de' }, '/locale', 'locale must be one of en, zh, not "de"'],
    [{ goal: 'x', timezone: 'Mars/Olympus' }, '/timezone', 'timezone must be an IANA time zone such as Europe/Berlin'],
    [{ goal: 'x', timezone: '+01:00' }, '/timezone', 'timezone must be an IANA time zone such as Europe/Berlin'],
    [{ goal: 'x', timezone: '' }, '/timezone', 'timezone must be an IANA time zone such as Europe/Berlin'],
    [{ goal: 'x', metadata: [] }, '/metadata', 'metadata must be an object'],
    [{ goal: 'x', metadata: { a: 1 } }, '/metadata/a', 'metadata.a must be a text of 0 to 512 characters'],
    [{ goal: 'x', metadata: { a: 'x'.repeat(513) } }, '/metadata/a', 'metadata.a must have at most 512 characters'],
    [
      { goal: 'x', metadata: { 'a b': 'x' } },
      '/metadata/a b',
      'metadata.a b must have a name of 1 to 64 of A-Z a-z 0-9 _ . -',
    ],
    [{ goal: 'x', metadata: { '': 'x' } }, '/metadata/', 'metadata. must have a name of 1 to 64 of A-Z a-z 0-9 _ . -'],
    [{ goal: 'x', settings: [] }, '/settings', 'settings must be an object'],
    [
      { goal: 'x', settings: { max_step: 3 } },
      '/settings/max_step',
      'unknown setting "max_step"; did you mean "max_steps"?',
    ],
    [
      { goal: 'x', settings: { cancel_phrase: ' ' } },
      '/settings/cancel_phrase',
      'settings.cancel_phrase must be a text of 1 to 200 characters',
    ],
    [
      { goal: 'x', settings: { continue_grants: 'yes' } },
      '/settings/continue_grants',
      'settings.continue_grants must be true or false',
    ],
    [
      { goal: 'x', settings: { temperature: 2.1 } },
      '/settings/temperature',
      'settings.temperature must be a number from 0 to 2',
    ],
    [
      { goal: 'x', settings: { model: 7 } },
      '/settings/model',
      'settings.model must be a text of 1 to 200 characters or null',
    ],
    ...[7, 0.5, '', '.5', '1e3', '-1', '0.1234567', '1234567890', ' 1', '1 USD', '１'].map(
      (max_cost_usd): [object, string, string] => [
        { goal: 'x', settings: { max_cost_usd } },
        '/settings/max_cost_usd',
        'settings.max_cost_usd must be a decimal string in USD with at most nine digits and six decimal places, such as "0.50" or null',
      ],
    ),
    [
      { goal: 'x', settings: { models: { thinks: 'm' } } },
      '/settings/models/thinks',
      'unknown setting "thinks"; did you mean "think"?',
    ],
    [{ goal: 'x', 'a/b~c': 1 }, '/a~1b~0c', `unknown field "a/b~c"; ${KNOWN}`],
  ])('%o', async (body, pointer, message) => {
    expect(await errorsOf('/tasks', body)).toEqual([{ pointer, message }])
  })

  const ranged = Object.entries(Settings.shape).flatMap(([name, schema]) => {
    const { minimum: min, maximum: max } = { minimum: null, maximum: null, ...numericRange(innerSchema(schema)) }
    return min === null || max === null ? [] : [[name, min, max] as const]
  })
  it.each(ranged)('O0-01 setting %s outside %d to %d is a 422 that names it and its range', async (name, min, max) => {
    for (const value of [min - 1, max + 1, String(min)]) {
      const errors = await errorsOf('/tasks', { goal: 'x', settings: { [name]: value } })
      expect(errors).toEqual([
        {
          pointer: `/settings/${name}`,
          message: expect.stringMatching(
            new RegExp(`^settings\\.${name} must be .* from ${min} to ${max}(?: or null)?$`),
          ),
        },
      ])
    }
  })
  it.each(ranged)('setting %s takes %d and %d', async (name, min, max) => {
    for (const value of [min, max]) {
      const { post, asked } = fixture()
      await post('/tasks', { goal: 'x', settings: { [name]: value } })
      expect(asked[0]?.args[1]).toMatchObject({ settings: { [name]: value } })
    }
  })
  it('most settings are numbers with a range', () => expect(ranged.length).toBeGreaterThan(9))

  it.each([
    ['dry_run', 'it belongs in the query: ?dry_run=…'],
    ['idempotency_key', 'it is the header Idempotency-Key'],
    ['api_key', 'a key is sent as the header Authorization: Bearer <key>'],
    ['id', KNOWN],
    ['tenant', KNOWN],
    ['status', KNOWN],
    ['prompt', 'did you mean "goal"?'],
    ['budget', 'did you mean "max_cost_usd" in "settings"?'],
    ['max_steps', 'it belongs in "settings"'],
    ['max_step', 'did you mean "max_steps" in "settings"?'],
    ['setings', 'did you mean "settings"?'],
    ['Goal', 'did you mean "goal"?'],
  ])(
    'U29 U53 %s is refused like any unknown field, and the error says what was probably meant: %s',
    async (name, hint) => {
      expect(await errorsOf('/tasks', { goal: 'x', [name]: 'manual' })).toEqual([
        { pointer: `/${name}`, message: `unknown field "${name}"; ${hint}` },
      ])
    },
  )

  it.each(['../x.csv', '', '..', 'a b', 7])(
    'settings.dataset is a file name: %j is refused in words that say so',
    async (dataset) => {
      const errors = await errorsOf('/tasks', { goal: 'x', mode: 'autonomous', settings: { dataset } })
      expect(errors).toEqual([
        { pointer: '/settings/dataset', message: expect.stringContaining('must be the name of a file') },
      ])
    },
  )

  it.each([
    ['max_replan', 'did you mean "max_replans"?'],
    ['report_timeout', 'did you mean "report_timeout_s"?'],
    ['max_retries', 'did you mean "plan_retries"?'],
    ['verbosity', KNOWN_SETTINGS],
    ['mode', 'it belongs in the body itself, beside "settings"'],
    ['callback_uri', 'did you mean "callback_url" in the body itself?'],
    ['step_decision', 'it belongs in "settings.models"'],
  ])(
    'U29 U53 setting %s is refused like any unknown setting, and the error says what was probably meant: %s',
    async (name, hint) => {
      expect(await errorsOf('/tasks', { goal: 'x', settings: { [name]: 1 } })).toEqual([
        { pointer: `/settings/${name}`, message: `unknown setting "${name}"; ${hint}` },
      ])
    },
  )

  it.each([
    [{ settings: { models: { max_steps: 3 } } }, '/settings/models/max_steps', 'it belongs in "settings"'],
    [
      { settings: { models: { goal: 'x' } } },
      '/settings/models/goal',
      'it belongs in the body itself, beside "settings"',
    ],
    [
      { settings: { command_budget: { temperature: 1 } } },
      '/settings/command_budget/temperature',
      'it belongs in "settings"',
    ],
    [
      { settings: { phases: { plan: { temprature: 1 } } } },
      '/settings/phases/plan/temprature',
      'did you mean "temperature"?',
    ],
    [{ settings: { command_budget: { cost: '1' } } }, '/settings/command_budget/cost', 'did you mean "cost_usd"?'],
  ])('U53 a name in an inner object is looked for around it too: %j', async (more, pointer, hint) => {
    expect(await errorsOf('/tasks', { goal: 'x', ...more })).toEqual([
      { pointer, message: `unknown setting "${pointer.split('/').at(-1)}"; ${hint}` },
    ])
  })

  it('U53 a name that is only known in the entries of a list is looked for there, where the list is what the body is about', async () => {
    const { send } = fixture()
    const headers = { 'content-type': 'application/json', 'if-match': '"1"' }
    const response = await send('PATCH', `/tasks/${ID}/plan`, JSON.stringify({ items: [], title: 'A' }), headers)
    expect((await problemOf(response))['errors']).toEqual([
      { pointer: '/title', message: 'unknown field "title"; it belongs in an entry of "items"' },
    ])
  })

  it.each([
    ['/tasks?goal=x', 'goal', 'it belongs in the body'],
    ['/tasks?Idempotency-Key=x', 'Idempotency-Key', 'it is the header Idempotency-Key'],
    ['/tasks?dryrun=true', 'dryrun', 'did you mean "dry_run"?'],
    [`/tasks/${ID}/step?x=1`, 'x', 'known: include'],
    ['/commands?x=1', 'x', 'leave it out, nothing is known here'],
  ])('U53 %s: the query is told where a parameter belongs', async (path, name, hint) => {
    expect(await errorsOf(path, { goal: 'x' })).toEqual([
      { pointer: `/${name}`, message: `unknown query parameter "${name}"; ${hint}` },
    ])
  })

  it.each([
    [{ cost_usd: '-1' }, '/settings/command_budget/cost_usd'],
    [{ tokens: 0 }, '/settings/command_budget/tokens'],
    [{ token: 5 }, '/settings/command_budget/token'],
    [{}, '/settings/command_budget'],
  ])('settings.command_budget names amounts: %j is refused', async (command_budget, pointer) => {
    const errors = await errorsOf('/tasks', { goal: 'x', mode: 'orchestrator', settings: { command_budget } })
    expect(errors).toEqual([{ pointer, message: expect.any(String) }])
  })

  it('tools that its mode would never call are refused', async () => {
    const tools = [{ name: 'x', url: 'https://example.com/x' }]
    expect(await errorsOf('/tasks', { goal: 'x', mode: 'orchestrator', tools })).toEqual([
      { pointer: '/tools', message: 'tools are never called in mode orchestrator; leave them out' },
    ])
  })

  it('U24 metadata has at most 16 keys and 4 KB', async () => {
    const labels = (count: number, size: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 'x'.repeat(size)]))
    expect(await errorsOf('/tasks', { goal: 'x', metadata: labels(17, 1) })).toEqual([
      { pointer: '/metadata', message: 'metadata must have at most 16 keys' },
    ])
    expect(await errorsOf('/tasks', { goal: 'x', metadata: labels(8, 512) })).toEqual([
      { pointer: '/metadata', message: 'metadata must have at most 4096 bytes in all' },
    ])
    expect((await fixture().post('/tasks', { goal: 'x', metadata: labels(16, 250) })).status).toBe(201)
  })

  it('a limit of characters counts characters, not code units', async () => {
    expect((await fixture().post('/tasks', { goal: '🥛'.repeat(8_000) })).status).toBe(201)
  })

  it('every wrong field is listed', async () => {
    const errors = await errorsOf('/tasks', { goal: '', rounds: -1, settings: { max_steps: 0, nope: 1 }, what: 1 })
    expect(errors).toHaveLength(5)
  })
})

describe('the other bodies', () => {
  it.each([
    [`/tasks/${ID}/step`, { round: 1 }, '/round'],
    [`/tasks/${ID}/step`, { rounds: true }, '/rounds'],
    [`/tasks/${ID}/cancel`, { reason: 'x' }, '/reason'],
    [`/tasks/${ID}/budget`, {}, '/add'],
    [`/tasks/${ID}/budget`, { add: {} }, '/add'],
    [`/tasks/${ID}/budget`, { add: [] }, '/add'],
    [`/tasks/${ID}/budget`, { steps: 1 }, '/steps', '/add'],
    [`/tasks/${ID}/budget`, { add: { commands: 1 } }, '/add/commands'],
    [`/tasks/${ID}/budget`, { add: { steps: 0 } }, '/add/steps'],
    [`/tasks/${ID}/budget`, { add: { steps: -1 } }, '/add/steps'],
    [`/tasks/${ID}/budget`, { add: { steps: null } }, '/add/steps'],
    [`/tasks/${ID}/budget`, { add: { tokens: 1.5 } }, '/add/tokens'],
    [`/tasks/${ID}/budget`, { add: { tokens: 1_000_000_001 } }, '/add/tokens'],
    [`/tasks/${ID}/budget`, { add: { seconds: '60' } }, '/add/seconds'],
    [`/tasks/${ID}/budget`, { add: { cost_usd: 0.5 } }, '/add/cost_usd'],
    [`/tasks/${ID}/budget`, { add: { cost_usd: '0.00' } }, '/add/cost_usd'],
    [`/tasks/${ID}/budget`, { add: { cost_usd: '-1' } }, '/add/cost_usd'],
    [`/tasks/${ID}/budget`, { add: { cost_usd: '1,50' } }, '/add/cost_usd'],
    [`/tasks/${ID}/input`, { input: '' }, '/input'],
    [`/tasks/${ID}/input`, { input: '  ' }, '/input'],
    [`/tasks/${ID}/input`, { input: 'x'.repeat(16_001) }, '/input'],
    [`/tasks/${ID}/input`, { input: 'x', request_id: 7 }, '/request_id'],
    [`/tasks/${ID}/input`, { input: 'x', request_id: '' }, '/request_id'],
    ['/commands', { command: 7 }, '/command'],
    ['/commands', { command: 'x'.repeat(16_001) }, '/command'],
    ['/commands', { command: '/help', task: ID }, '/task'],
    ['/admin/tenants', {}, '/name'],
    ['/admin/tenants', { name: 'a/b' }, '/name'],
    ['/admin/tenants', { name: 'x'.repeat(65) }, '/name'],
    ['/admin/tenants', { name: 'a', limit: {} }, '/limit'],
    ['/admin/tenants', { name: 'a', limits: { open_task: 1 } }, '/limits/open_task'],
    ['/admin/tenants', { name: 'a', limits: { open_tasks: 0 } }, '/limits/open_tasks'],
    ['/admin/tenants', { name: 'a', limits: { cost_usd_per_day: 5 } }, '/limits/cost_usd_per_day'],
    ['/admin/tenants', { name: 'a', limits: { hosts: ['https://a.example'] } }, '/limits/hosts/0'],
    ['/admin/keys', { scopes: [] }, '/scopes'],
    ['/admin/keys', { scopes: ['tasks:all'] }, '/scopes/0'],
    ['/admin/keys', { name: ' ' }, '/name'],
    ['/admin/keys', { expires_in_s: 0 }, '/expires_in_s'],
    ['/admin/keys', { expires_at: 'soon' }, '/expires_at'],
    ['/admin/keys', { expires_at: null, expires_in_s: 9 }, '/expires_at'],
    ['/admin/keys', { limits: { stored_bytes: 1 } }, '/limits/stored_bytes'],
    ['/admin/keys/key_7Qw2mN0pLx4vB9tR1sYc/rotate', { grace_s: -1 }, '/grace_s'],
    ['/admin/keys/key_7Qw2mN0pLx4vB9tR1sYc/rotate', { grace: 1 }, '/grace'],
  ])('%s %o is 422 at %s', async (path, body, ...pointers) => {
    const errors = await errorsOf(path, body)
    expect(errors).toHaveLength(pointers.length)
    expect(errors).toEqual(expect.arrayContaining(pointers.map((pointer) => expect.objectContaining({ pointer }))))
  })

  it.each([
    ['PATCH', '/admin/tenants/acme', { disabled: 'yes' }, '/disabled'],
    ['PATCH', '/admin/tenants/acme', { name: 'other' }, '/name'],
    ['PATCH', '/admin/tenants/acme', { limits: { models: [] } }, '/limits/models'],
    ['PUT', '/telemetry', {}, '/endpoint'],
    ['PUT', '/telemetry', { endpoint: 'https://otel.example.com', protocol: 'grpc' }, '/protocol'],
    ['PUT', '/telemetry', { endpoint: 'https://otel.example.com', headers: { 'a b': 'x' } }, '/headers/a b'],
    ['PUT', '/telemetry', { endpoint: 'https://otel.example.com', capture_content: 1 }, '/capture_content'],
    ['PUT', '/telemetry', { endpoint: 'https://otel.example.com', url: 'x' }, '/url'],
  ])('%s %s %o is 422 at %s', async (method, path, body, pointer) => {
    const { send, asked } = fixture()
    const response = await send(method, path, JSON.stringify(body), { 'content-type': 'application/json' })
    expect([response.status, asked]).toEqual([422, []])
    expect(await problemOf(response)).toMatchObject({ errors: [{ pointer }] })
  })

  it.each([
    [{}, 'add must name at least one of steps, iterations, attempts, tokens, cost_usd, seconds'],
    [{ steps: 0 }, 'add.steps must be a whole number from 1 to 1000000000'],
    [{ commands: 5 }, 'unknown field "commands"; known: steps, iterations, attempts, tokens, cost_usd, seconds'],
    [{ cost_usd: '0' }, 'add.cost_usd must be above 0'],
    [
      { cost_usd: 'a lot' },
      'add.cost_usd must be a decimal string in USD with at most nine digits and six decimal places, such as "0.50"',
    ],
  ])('a top-up of %o is told what it must be', async (add, message) => {
    expect(await errorsOf(`/tasks/${ID}/budget`, { add })).toMatchObject([{ message }])
  })

  it('a task_id that is none is a task that is not there', async () => {
    const response = await fixture().post('/commands', { command: '取消当前任务', task_id: '../x' })
    expect([response.status, (await problemOf(response))['code']]).toEqual([404, 'task_not_found'])
  })
})

describe('query parameters', () => {
  it.each([
    ['/tasks?limit=0', '/limit'],
    ['/tasks?limit=101', '/limit'],
    ['/tasks?limit=', '/limit'],
    ['/tasks?limit=1.5', '/limit'],
    ['/tasks?limit=0x10', '/limit'],
    ['/tasks?limit=+5', '/limit'],
    ['/tasks?limit=1&limit=2', '/limit'],
    ['/tasks?after=-1', '/after'],
    ['/tasks?after=x', '/after'],
    ['/tasks?after=99999999999999999999', '/after'],
    ['/tasks?status=done', '/status'],
    ['/tasks?mode=orchestra', '/mode'],
    ['/tasks?metadata=x', '/metadata'],
    ['/tasks?metadata.=x', '/metadata/'],
    ['/tasks?metadata.__proto__=x', '/metadata.__proto__'],
    ['/tasks?metadata.a=x&metadata.a=y', '/metadata.a'],
    ['/tasks?metadata.a=%00', '/metadata.a'],
    ['/tasks?metadata.a=%ff', ''],
    ['/tasks?limit=%E7%89', ''],
    ['/tasks?dry_run=true', '/dry_run'],
    ['/tasks?__proto__=1', '/__proto__'],
    ['/tasks?constructor=1', '/constructor'],
    [`/tasks/${ID}?x`, '/x'],
    [`/tasks/${ID}/events?limit=x`, '/limit'],
    [`/tasks/${ID}/events?after=1e3`, '/after'],
    [`/tasks/${ID}/journal?redact=yes`, '/redact'],
    [`/tasks/${ID}/journal?redact=`, '/redact'],
    [`/tasks/${ID}/journal?redact=1`, '/redact'],
    [`/tasks/${ID}/events?redact=true`, '/redact'],
    ['/health?deep=1', '/deep'],
    ['/tasks?after=9007199254740992', '/after'],
    ['/admin/tenants?limit=0', '/limit'],
    [`/admin/tenants?after=${'x'.repeat(65)}`, '/after'],
    ['/admin/tenants/acme?x', '/x'],
    ['/admin/keys?after=x', '/after'],
    ['/admin/keys?tenants=acme', '/tenants'],
    [`/admin/keys?tenant=${'x'.repeat(65)}`, '/tenant'],
    ['/admin/audit?action=createkey', '/action'],
    ['/admin/audit?limit=101', '/limit'],
    ['/admin/deployment?deep=1', '/deep'],
    ['/limits?key=x', '/key'],
    ['/usage?from=2026-02-30', '/from'],
    ['/usage?from=yesterday', '/from'],
    ['/usage?group_by=color', '/group_by'],
    ['/usage?group_by=day,day', '/group_by'],
    ['/usage?tenant=a%2Fb', '/tenant'],
    ['/usage?from=2026-03-02&to=2026-03-01', '/from'],
    ['/usage?from=1000-01-01&to=2026-03-01', '/from'],
    ['/telemetry?show=headers', '/show'],
  ])('GET %s is 422 at %s', async (path, pointer) => {
    const { send, asked } = fixture()
    const response = await send('GET', path)
    expect([response.status, asked]).toEqual([422, []])
    expect(await problemOf(response)).toMatchObject({ errors: [{ pointer }] })
  })

  it('SHARD-11 the cursor of a list over several shards is taken as it was given', async () => {
    for (const position of [1, Date.now(), 9_999_999_999_999]) {
      const { send, asked } = fixture()
      const cursor = cursorOf({ position, shard: 63 })
      expect((await send('GET', `/tasks?after=${cursor}`)).status).toBe(200)
      expect(asked[0]?.args).toContainEqual(expect.objectContaining({ after: cursor }))
    }
  })

  it.each([
    ['not-done', ', not "not-done"; did you mean "not_done"?'],
    ['Done', ', not "Done"; did you mean "done"?'],
    ['finished', ', not "finished"'],
    ['', ', not ""'],
  ])('U35 GET /tasks?outcome=%s is 422: what is allowed, what was given and the nearest name', async (given, rest) => {
    const response = await fixture().send('GET', `/tasks?outcome=${given}`)
    const message = `outcome must be one of done, partial, not_done${rest}`
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer: '/outcome', message }] })
  })

  it.each([
    ['/tasks?dry_run=yes', 'dry_run must be true or false.'],
    [`/tasks/${ID}/step?dry_run=true`, 'unknown query parameter "dry_run"; known: include.'],
  ])('POST %s is 422: %s', async (path, detail) => {
    const { post, asked } = fixture()
    expect(await problemOf(await post(path, { goal: 'x' }))).toMatchObject({ status: 422, detail })
    expect(asked).toEqual([])
  })
})

function numericRange(schema: unknown): { minimum?: number; maximum?: number } {
  if (typeof schema !== 'object' || schema === null || !('minValue' in schema) || !('maxValue' in schema)) return {}
  const { minValue, maxValue } = schema
  return typeof minValue === 'number' && typeof maxValue === 'number' ? { minimum: minValue, maximum: maxValue } : {}
}
