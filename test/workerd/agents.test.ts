/** Agents (U58) through the real service in workerd: versions, inputs, tasks, and what becomes of them. */
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AgentView } from '../../src/core/shown/agent-view.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'

const KEY = { authorization: 'Bearer dev-key' }
async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const sent = {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { ...KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  }
  const response = await exports.default.fetch(new Request(`http://service${path}`, sent))
  await expectContract(method, path, response)
  return response
}
type Problem = { code: string; detail: string; errors?: { pointer: string; message: string }[] }
async function refused(answer: Promise<Response>): Promise<[number, Problem]> {
  const response = await answer
  return [response.status, (await response.json()) as Problem]
}
const firstError = async (answer: Promise<Response>) => {
  const [status, { errors }] = await refused(answer)
  return [status, errors?.[0]?.pointer, errors?.[0]?.message]
}
async function put(definition: object, headers: Record<string, string> = {}, name = 'shopper') {
  const response = await call('PUT', `/agents/${name}`, definition, headers)
  return {
    status: response.status,
    etag: response.headers.get('etag') ?? '',
    agent: (await response.json()) as AgentView,
  }
}
async function taskOf(body: object, path = '/tasks', headers: Record<string, string> = {}): Promise<TaskView> {
  const response = await call('POST', path, body, headers)
  expect(response.status).toBe(201)
  return TaskView.parse(await response.json())
}
const viewOf = (id: string) => env.TASKS.getByName(JSON.stringify(['dev', id])).ask({ kind: 'view' })
const SHOPPER = {
  goal: 'Add the todo "{{what}}"',
  instructions: 'Be brief.',
  metadata: { team: 'home' },
  settings: { max_steps: 9, max_clarifications: 1 },
  input_schema: { type: 'object', properties: { what: { type: 'string', minLength: 2 } }, required: ['what'] },
}
const ONE_SLICE = { rounds: 50 }

afterEach(async () => {
  const { data } = (await (await call('GET', '/agents?limit=100')).json()) as { data: AgentView[] }
  for (const { name } of data) await call('DELETE', `/agents/${name}?force=true`)
})

describe('U58 versions', () => {
  it('U58 each body that differs is the next version, and the same body again changes nothing', async () => {
    const first = await put(SHOPPER)
    const again = await put(SHOPPER)
    const next = await put({ ...SHOPPER, instructions: 'Be long.' })
    expect([first.status, again.status, next.status]).toEqual([201, 200, 200])
    expect([first, again, next].map(({ agent }) => agent.version)).toEqual([1, 1, 2])
    expect(again.etag).toBe(first.etag)
    const read = async (path: string) => (await (await call('GET', path)).json()) as AgentView
    expect(await read('/agents/shopper@1')).toMatchObject({ version: 1, latest: 2, definition: SHOPPER })
    expect(await read('/agents/shopper')).toMatchObject({
      version: 2,
      latest: 2,
      definition: { instructions: 'Be long.' },
    })
    const versions = (await (await call('GET', '/agents/shopper/versions?limit=1')).json()) as {
      data: AgentView[]
      next_cursor: string
    }
    expect([versions.data.map(({ version }) => version), versions.next_cursor]).toEqual([[2], '2'])
    expect(await (await call('GET', '/agents/shopper/versions?limit=1&after=2')).json()).toMatchObject({
      data: [{ version: 1 }],
      has_more: false,
    })
  })

  it('U58 an author who has not seen the newest version is refused', async () => {
    const first = await put(SHOPPER, { 'if-none-match': '*' })
    const second = await put({ goal: 'Say hello' }, { 'if-match': first.etag })
    expect([first.status, second.status]).toEqual([201, 200])
    const stale = call('PUT', '/agents/shopper', { goal: 'Say no' }, { 'if-match': first.etag })
    expect(await refused(stale)).toMatchObject([
      412,
      { code: 'agent_changed', detail: expect.stringContaining('version 2') },
    ])
    // The put that was done comes again, because its answer was lost.
    const repeated = { 'if-match': first.etag }
    expect((await put({ goal: 'Say hello' }, repeated)).agent.version).toBe(2)
    const taken = call('PUT', '/agents/shopper', { goal: 'Say no' }, { 'if-none-match': '*' })
    expect((await taken).status).toBe(412)
    const unknown = call('PUT', '/agents/other', { goal: 'Say no' }, { 'if-match': first.etag })
    expect(await refused(unknown)).toMatchObject([412, { detail: expect.stringContaining('no agent "other"') }])
    expect((await call('GET', '/agents/shopper@1', undefined, { 'if-none-match': first.etag })).status).toBe(200)
    expect((await call('DELETE', '/agents/shopper', undefined, { 'if-match': first.etag })).status).toBe(412)
    expect((await call('GET', '/agents/shopper', undefined, { 'if-none-match': second.etag })).status).toBe(304)
    expect((await call('DELETE', '/agents/shopper', undefined, { 'if-match': second.etag })).status).toBe(204)
  })

  it('U58 the newest hundred versions are kept', async () => {
    for (let version = 1; version <= 102; version++) await put({ goal: `Say ${version}` })
    expect((await call('GET', '/agents/shopper@2')).status).toBe(404)
    expect((await call('GET', '/agents/shopper@3')).status).toBe(200)
    const [status, { detail }] = await refused(call('GET', '/agents/shopper@103'))
    expect([status, detail]).toEqual([
      404,
      'There is no shopper@103; the newest is shopper@102; GET /agents/shopper/versions lists those that are kept.',
    ])
  })

  it('U58 agents are listed by name, and an unknown one is refused with the nearest', async () => {
    await put({ goal: 'b' }, {}, 'b')
    await put({ goal: 'a', description: 'first of all' }, {}, 'a')
    const page = (await (await call('GET', '/agents?limit=1')).json()) as { data: AgentView[]; next_cursor: string }
    expect([page.data.map(({ name }) => name), page.next_cursor]).toEqual([['a'], 'a'])
    const text = await (await call('GET', '/agents', undefined, { accept: 'text/plain' })).text()
    expect(text).toMatch(/^a@1 {2}\S+ {2}first of all\nb@1 {2}\S+ {2}b\n$/)
    await put(SHOPPER)
    expect(await refused(call('GET', '/agents/shoper'))).toMatchObject([
      404,
      { code: 'agent_not_found', detail: 'There is no such agent; did you mean "shopper"?' },
    ])
    expect(await refused(call('POST', '/tasks', { agent: 'shoper' }))).toMatchObject([404, { code: 'agent_not_found' }])
  })
})

describe('U58 tasks of an agent', () => {
  it('U58 a task has all that its agent says, and works its input off', async () => {
    await put(SHOPPER)
    const task = await taskOf({ agent: 'shopper', input: { what: 'oat milk' }, ...ONE_SLICE })
    expect(task).toMatchObject({
      status: 'completed',
      goal: 'Add the todo "oat milk"',
      agent: { name: 'shopper', version: 1 },
      input: { what: 'oat milk' },
      instructions: 'Be brief.',
      metadata: { team: 'home' },
      settings: { max_steps: 9, max_clarifications: 1 },
    })
    const todos = (await (await call('POST', '/commands', { command: '/todo list' })).json()) as { text: string }
    expect(JSON.stringify(todos)).toContain('oat milk')
  })

  it('U58 the caller may say otherwise, member by member, and not how the agent works', async () => {
    await put(SHOPPER)
    const own = { settings: { max_steps: 5 }, metadata: { ticket: '7' }, drive: 'manual', title: 'Mine', rounds: 0 }
    const task = await taskOf({ input: { what: 'eggs' }, ...own }, '/agents/shopper/tasks')
    expect(task).toMatchObject({
      title: 'Mine',
      metadata: { team: 'home', ticket: '7' },
      settings: { max_steps: 5, max_clarifications: 1 },
    })
    expect(
      await taskOf({ goal: 'Add the todo "salt"', input: { what: 'eggs' } }, '/agents/shopper/tasks'),
    ).toMatchObject({
      goal: 'Add the todo "salt"\n\nInput:\n{"what":"eggs"}',
    })
    for (const [name, value] of Object.entries({ mode: 'dynamic', instructions: 'x', tools: [], output_schema: null }))
      expect(
        await firstError(call('POST', '/tasks', { agent: 'shopper@1', input: { what: 'eggs' }, [name]: value })),
      ).toEqual([
        422,
        `/${name}`,
        `${name} is that of the agent shopper@1: leave it out, or put another version of the agent`,
      ])
  })

  it('U58 a task keeps its version, whatever becomes of the agent', async () => {
    await put({ ...SHOPPER, mode: 'session' })
    const held = await taskOf({ agent: 'shopper', input: { what: 'tea' }, hold: true })
    await put({ goal: 'Add the todo "another"' })
    const pinned = await taskOf({ input: { what: 'jam' }, rounds: 0 }, '/agents/shopper@1/tasks')
    expect([held, pinned].map(({ agent, mode }) => [agent?.version, mode])).toEqual([
      [1, 'session'],
      [1, 'session'],
    ])
    expect((await call('DELETE', '/agents/shopper?force=true')).status).toBe(204)
    const resumed = TaskView.parse(await (await call('POST', `/tasks/${held.id}/resume`, {})).json())
    expect(resumed).toMatchObject({ instructions: 'Be brief.', agent: { name: 'shopper', version: 1 } })
    expect(TaskView.parse(await (await call('POST', `/tasks/${held.id}/step`, ONE_SLICE)).json()).status).toBe(
      'completed',
    )
    const again = await taskOf({}, `/tasks/${held.id}/retry`)
    expect(again).toMatchObject({ goal: held.goal, input: { what: 'tea' }, agent: { name: 'shopper', version: 1 } })
    const listed = (await (await call('GET', '/tasks?agent=shopper')).json()) as { data: TaskView[] }
    expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining([held.id, pinned.id, again.id]))
    expect(listed.data.every(({ agent }) => agent?.name === 'shopper')).toBe(true)
    expect((await (await call('GET', '/tasks?agent=nobody')).json()) as object).toMatchObject({ data: [] })
  })

  it('U58 an agent whose tasks are open is deleted by force alone', async () => {
    await put(SHOPPER, {}, 'busy')
    const task = await taskOf({ agent: 'busy', input: { what: 'bread' }, hold: true })
    const [status, { code, detail }] = await refused(call('DELETE', '/agents/busy'))
    expect([status, code]).toEqual([409, 'agent_in_use'])
    expect(detail).toBe(
      `1 open task was made by "busy", such as ${task.id}. Let them end, or send ?force=true: they keep what the agent said.`,
    )
    await call('POST', `/tasks/${task.id}/cancel`, {})
    expect((await call('DELETE', '/agents/busy')).status).toBe(204)
    expect((await call('DELETE', '/agents/busy')).status).toBe(404)
  })

  it('U58 under a key an agent makes one task, also when another version was put meanwhile, or the agent was deleted', async () => {
    await put(SHOPPER)
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await taskOf({ agent: 'shopper', input: { what: 'rice' } }, '/tasks', key)
    await put({ ...SHOPPER, instructions: 'Other.' })
    const again = await taskOf({ agent: 'shopper', input: { what: 'rice' } }, '/tasks', key)
    expect([again.id, again.agent]).toEqual([first.id, { name: 'shopper', version: 1 }])
    await put({ ...SHOPPER, input_schema: { type: 'object', required: ['who'] } })
    expect((await taskOf({ agent: 'shopper', input: { what: 'rice' } }, '/tasks', key)).id).toBe(first.id)
    await call('DELETE', '/agents/shopper?force=true')
    expect((await taskOf({ agent: 'shopper', input: { what: 'rice' } }, '/tasks', key)).id).toBe(first.id)
    expect((await call('POST', '/tasks', { agent: 'shopper', input: { what: 'other' } }, key)).status).toBe(422)
    expect((await call('POST', '/tasks', { agent: 'shopper', input: { what: 'rice' } })).status).toBe(404)
  })

  it('U58 a form has the input as JSON, beside its files or alone', async () => {
    await put({ ...SHOPPER, mode: 'session' })
    const input = JSON.stringify({ what: 'limes' })
    const send = async (path: string, body: BodyInit) =>
      TaskView.parse(
        await (
          await exports.default.fetch(new Request(`http://service${path}`, { method: 'POST', headers: KEY, body }))
        ).json(),
      )
    const alone = await send('/agents/shopper/tasks', new URLSearchParams({ input, rounds: '0' }))
    const parts = new FormData()
    for (const [name, value] of [
      ['agent', 'shopper'],
      ['input', input],
      ['rounds', '0'],
    ] as const)
      parts.append(name, value)
    parts.append('file', new File(['a,b\n1,2\n'], 'prices.csv'))
    const withFile = await send('/tasks', parts)
    for (const task of [alone, withFile])
      expect(task).toMatchObject({ goal: 'Add the todo "limes"', input: { what: 'limes' }, agent: { version: 1 } })
    const said = await send('/tasks', new URLSearchParams({ input: 'Add the todo "salt"', rounds: '0' }))
    expect(said).toMatchObject({ goal: 'Add the todo "salt"', agent: null })
    expect(await (await call('GET', `/tasks/${withFile.id}/files`)).json()).toMatchObject({
      data: [{ name: 'prices.csv' }],
    })
  })

  it('U58 a fork of a task of an agent is one too', async () => {
    await put(SHOPPER)
    const task = await taskOf({ agent: 'shopper', input: { what: 'kale' }, rounds: 0 })
    const fork = await taskOf({ at: 1 }, `/tasks/${task.id}/fork`)
    expect(fork).toMatchObject({
      agent: { name: 'shopper', version: 1 },
      input: { what: 'kale' },
      instructions: 'Be brief.',
    })
    const listed = (await (await call('GET', `/tasks?agent=shopper&forked_from=${task.id}`)).json()) as {
      data: TaskView[]
    }
    expect(listed.data.map(({ id }) => id)).toEqual([fork.id])
  })

  it('U58 a dry run and a schedule take an agent', async () => {
    await put(SHOPPER)
    const dry = await call('POST', '/tasks/dry-run', { agent: 'shopper', input: { what: 'figs' } })
    expect([dry.status, await dry.json()]).toMatchObject([
      200,
      { id: null, goal: 'Add the todo "figs"', agent: { version: 1 } },
    ])
    const schedule = { cron: '0 9 * * *', task: { agent: 'shopper', input: { what: 'figs for {{scheduled_date}}' } } }
    expect((await call('PUT', '/schedules/daily', schedule)).status).toBe(201)
    const run = (await (await call('POST', '/schedules/daily/run', {})).json()) as { task_id: string; at: string }
    const [, view] = await vi.waitFor(
      async () => {
        const seen = await viewOf(run.task_id)
        expect(seen).toMatchObject({ value: { status: 'completed' } })
        return ['', seen]
      },
      { timeout: 30_000, interval: 20 },
    )
    expect(view).toMatchObject({
      value: {
        drive: 'background',
        goal: `Add the todo "figs for ${run.at.slice(0, 10)}"`,
        agent: { name: 'shopper', version: 1 },
        metadata: { team: 'home', schedule: 'daily' },
      },
    })
    const misspelt = { cron: '0 9 * * *', task: { agent: 'shopper', input: { what: '{{scheduled_dates}}' } } }
    expect(await firstError(call('PUT', '/schedules/daily', misspelt))).toEqual([
      422,
      '/task/input',
      'task.input has {{scheduled_dates}}; did you mean {{scheduled_date}}?',
    ])
    expect(
      await firstError(call('PUT', '/schedules/daily', { cron: '0 9 * * *', task: { agent: 'shopper', input: {} } })),
    ).toEqual([422, '/task/input/what', 'task.input.what is required'])
    await call('DELETE', '/schedules/daily')
  })

  it('U58 an agent with an output_schema gives data', async () => {
    const output_schema = {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    }
    await put({ goal: 'Add the todo "{{what}}"', output_schema })
    const task = await taskOf({ agent: 'shopper', input: { what: 'soap' }, ...ONE_SLICE })
    expect(task.status).toBe('completed')
    expect(task.result?.data).toEqual({ title: expect.any(String) })
  })
})

describe('U58 what is refused', () => {
  const input = (given: unknown) => call('POST', '/tasks', { agent: 'shopper', input: given })
  it('U58 an input that does not fit is refused with its place', async () => {
    await put(SHOPPER)
    expect(await firstError(input({ what: 'x' }))).toEqual([
      422,
      '/input/what',
      expect.stringMatching(/^input\.what does not fit the input_schema of the agent: /),
    ])
    expect(await firstError(input({}))).toEqual([422, '/input/what', 'input.what is required'])
    expect(await firstError(call('POST', '/tasks', { agent: 'shopper' }))).toEqual([
      422,
      '/input/what',
      'input.what is required',
    ])
    expect(await firstError(input('text'))).toEqual([422, '/input', 'input must be an object'])
    expect(await firstError(input({ what: 'x'.repeat(20_000) }))).toEqual([
      422,
      '/input',
      'input must have at most 16384 bytes as JSON, not 20011',
    ])
    await put({ goal: 'Add {{titel}}' })
    expect(await firstError(input({ title: 'a' }))).toEqual([
      422,
      '/input/titel',
      'input.titel is required, because the goal of the agent has {{titel}}; did you mean "title"?',
    ])
    await put({ instructions: 'Sort.' })
    expect(await firstError(call('POST', '/tasks', { agent: 'shopper' }))).toEqual([
      422,
      '/input',
      'input is required, because agent shopper@3 has no goal; or send a goal',
    ])
  })

  it.each([
    [{ goal: 'x', input: {} }, '/input', 'input belongs to an agent: name one as agent, or write it into goal'],
    [{ input: {} }, '/goal', 'goal is required'],
    [{}, '/goal', 'goal is required'],
    [{ agent: 'a b' }, '/agent', expect.stringContaining('agent must be the name of an agent')],
  ])('U58 a create is refused: %j', async (body, pointer, message) => {
    expect(await firstError(call('POST', '/tasks', body))).toEqual([422, pointer, message])
  })

  it.each([
    [
      { goal: 'Add {{titel}}', input_schema: { type: 'object', properties: { title: {} } } },
      '/goal',
      'goal has {{titel}}; did you mean {{title}}?',
    ],
    [{ input_schema: { type: 'string' } }, '/input_schema', expect.stringContaining('must have the type "object"')],
    [{ settings: { max_step: 3 } }, '/settings/max_step', expect.stringContaining('did you mean "max_steps"')],
    [{ max_steps: 3 }, '/max_steps', expect.stringContaining('"settings"')],
    [
      { tools: [{ http: { method: 'GET', url: 'https://a.example', headers: { authorization: 'secret:none' } } }] },
      expect.any(String),
      expect.any(String),
    ],
    [
      { mode: 'orchestrator', tools: [{ mcp: 'https://a.example/mcp' }] },
      '/tools',
      expect.stringContaining('never called in mode'),
    ],
    [
      { settings: { approve: { tools: ['nothing'] } } },
      '/settings/approve/tools',
      expect.stringContaining('fits no tool'),
    ],
    [{ callback_url: 'ftp://a.example' }, '/callback_url', expect.any(String)],
    [{ instructions: 'x'.repeat(16_001) }, '/instructions', expect.stringContaining('at most 16000')],
  ])('U58 an agent is refused as its task would be: %j', async (definition, pointer, message) => {
    expect(await firstError(call('PUT', '/agents/wrong', definition))).toEqual([422, pointer, message])
    expect((await call('GET', '/agents/wrong')).status).toBe(404)
  })

  it('U58 a list takes the name of an agent without a version, and an empty agent is none', async () => {
    expect(await firstError(call('GET', '/tasks?agent=shopper@1'))).toEqual([
      422,
      '/agent',
      'agent must be the name of an agent, without a version: 1 to 64 of A-Z a-z 0-9 _ -',
    ])
    expect(await firstError(call('PUT', '/agents/wrong', {}))).toEqual([
      422,
      '',
      'the body must have at least one member, such as goal or instructions',
    ])
    await put(SHOPPER)
    expect(
      await firstError(call('POST', '/tasks', { agent: 'shopper', input: { what: 'ok', other: { n: [1e308] } } })),
    ).toEqual([201, undefined, undefined])
    const sent = '{"agent":"shopper","input":{"what":"ok","other":{"n":[1e999]}}}'
    const response = await exports.default.fetch(
      new Request('http://service/tasks', {
        method: 'POST',
        headers: { ...KEY, 'content-type': 'application/json' },
        body: sent,
      }),
    )
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining('a number that is too large'),
    ])
  })

  it('U58 the labels of agent and task together keep the bounds of labels', async () => {
    const labels = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${from + at}`, 'x']))
    await put({ goal: 'Say hello', metadata: labels(0, 10) })
    expect(await firstError(call('POST', '/tasks', { agent: 'shopper', metadata: labels(10, 7) }))).toEqual([
      422,
      '/metadata',
      'metadata, with that of the agent, must have at most 16 keys',
    ])
  })

  it('U58 a tenant has at most a hundred agents', async () => {
    for (let count = 0; count < 100; count++) await put({ goal: 'x' }, {}, `a${count}`)
    expect(await refused(call('PUT', '/agents/one-more', { goal: 'x' }))).toMatchObject([
      409,
      { code: 'too_many_agents' },
    ])
    expect((await put({ goal: 'y' }, {}, 'a7')).status).toBe(200)
  })
})
