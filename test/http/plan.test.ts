/** PATCH /tasks/:id/plan over HTTP: its header, its body, its key, and the words of what it refuses. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/core/terms/refusal.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { callerOf, fixture, ID, problemOf } from '../support/http-fixture.ts'
import { benchOf, planned } from '../support/scripted.ts'
import { FORM, JSON_TYPE, TEXT } from './sent.ts'

const PATH = `/tasks/${ID}/plan`
const ITEMS = { items: [{ title: 'X' }] }
const many = <T>(count: number, one: T) => Array.from({ length: count }, () => one)
const patch = (app: ReturnType<typeof fixture>, body: unknown, headers: Record<string, string> = {}, path = PATH) =>
  app.send('PATCH', path, JSON.stringify(body), { ...JSON_TYPE, ...headers })

describe('If-Match', () => {
  it.each([
    ['"5"', [5]],
    ['"4", "5"', [4, 5]],
    [' * ', null],
    ['*', null],
    ['W/"5"', []],
    ['"4",W/"5" , "6"', [4, 6]],
    ['5', []],
    ['"05"', []],
    ['"1e1"', []],
    ['"x"', []],
    ['', []],
  ])('PATCH with %s means the versions %j', async (header, versions) => {
    const app = fixture()
    const response = await patch(app, ITEMS, { 'if-match': header })
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"5"'])
    expect(app.asked).toEqual([{ method: 'editPlan', args: [callerOf('alice'), ID, ITEMS.items, versions] }])
  })

  it('PATCH without it is 428, and nothing is asked', async () => {
    const app = fixture()
    const response = await patch(app, ITEMS)
    expect(await problemOf(response)).toMatchObject({ status: 428, code: 'precondition_required' })
    expect(app.asked).toEqual([])
  })

  it.each([
    [false, 'The task is at version 9: read it again, and send If-Match: "9" if the change still fits.'],
    [true, 'Another edit of the plan is waiting for the step under way. Read the task again when that is over.'],
  ])('PATCH of another version is 412 that says what to do (an edit waits: %s)', async (waiting, detail) => {
    const app = fixture({ behaviour: { refusal: { code: 'precondition_failed', version: 9, waiting } } })
    const response = await patch(app, ITEMS, { 'if-match': '"5"' })
    expect(await problemOf(response)).toMatchObject({ status: 412, code: 'precondition_failed', detail })
  })
})

describe('the body', () => {
  const long = (chars: number) => 'x'.repeat(chars)
  const MUST = 'must have at most'
  it.each([
    [{}, '/items', 'items is required'],
    [{ items: null }, '/items', 'items must be a list of at most 100'],
    [{ items: 'A' }, '/items', 'items must be a list of at most 100'],
    [{ items: many(101, { title: 'A' }) }, '/items', 'items must be a list of at most 100'],
    [{ items: ['A'] }, '/items/0', 'items.0 must be an object'],
    [{ items: [{}] }, '/items/0/title', 'items.0.title is required'],
    [{ items: [{ title: ' ' }] }, '/items/0/title', 'items.0.title must be a text of 1 to 500 characters'],
    [{ items: [{ title: long(501) }] }, '/items/0/title', `items.0.title ${MUST} 500 characters`],
    [
      { items: [{ title: 'A', description: null }] },
      '/items/0/description',
      'items.0.description must be a text of 0 to 2000 characters',
    ],
    [
      { items: [{ title: 'A', description: long(2_001) }] },
      '/items/0/description',
      `items.0.description ${MUST} 2000 characters`,
    ],
    [
      { items: [{ title: 'A', expected_output: long(2_001) }] },
      '/items/0/expected_output',
      `items.0.expected_output ${MUST} 2000 characters`,
    ],
    [{ items: [{ title: 'A', id: '' }] }, '/items/0/id', 'items.0.id must be a text of 1 to 64 characters'],
    [
      { items: [{ title: 'A', status: 'completed' }] },
      '/items/0/status',
      'unknown field "status"; known: id, title, description, expected_output',
    ],
    [{ items: [{ title: 'A\0' }] }, '/items/0/title', 'items/0/title must not contain NUL'],
    [{ items: [], author: 'me' }, '/author', 'unknown field "author"; known: items'],
    [{ items: [], revision: 1 }, '/revision', 'unknown field "revision"; known: items'],
  ])('PATCH %#: 422 that names the field %s', async (body, pointer, message) => {
    const app = fixture()
    const response = await patch(app, body, { 'if-match': '*' })
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer, message }] })
    expect(app.asked).toEqual([])
  })

  it('PATCH takes 100 items of 500 and 2,000 characters, of any script, trimmed; and none at all', async () => {
    const item = { id: 'step_1', title: '𠮷'.repeat(500), description: '长'.repeat(2_000), expected_output: null }
    for (const items of [many(20, item), many(100, { title: 't' }), []]) {
      const app = fixture()
      expect((await patch(app, { items }, { 'if-match': '*' })).status).toBe(200)
      expect(app.asked[0]?.args[2]).toEqual(items)
    }
    const app = fixture()
    await patch(app, { items: [{ title: '  A \n' }] }, { 'if-match': '*' })
    expect(app.asked[0]?.args[2]).toEqual([{ title: 'A' }])
  })

  it.each([FORM, TEXT])('PATCH takes JSON only, and says so in Accept-Patch: %o', async (type) => {
    const response = await fixture().send('PATCH', PATH, 'items=1', { ...type, 'if-match': '*' })
    expect([response.status, response.headers.get('accept-patch')]).toEqual([415, 'application/json'])
    expect(response.headers.has('accept-post')).toBe(false)
  })

  it('PATCH beyond 1 MiB is 413', async () => {
    const items = many(100, { title: 'A', description: '长'.repeat(4_000) })
    expect((await patch(fixture(), { items }, { 'if-match': '*' })).status).toBe(413)
  })
})

describe('over the real service', () => {
  async function served() {
    const bench = benchOf({ plan: [planned('A', 'B')] })
    const app = fixture({ answers: bench.service })
    const created = await app.post('/tasks', { goal: 'x', rounds: 0 })
    const path = `${created.headers.get('location')}/plan`
    return { app, path, etag: created.headers.get('etag') ?? '' }
  }

  it('PATCH replaces, and its ETag is what the next one is sent with', async () => {
    const { app, path, etag } = await served()
    const first = await patch(app, ITEMS, { 'if-match': etag }, path)
    expect(await first.clone().json()).toMatchObject({ plan: { items: [{ title: 'X' }] }, slice: { advanced: true } })
    const stale = await patch(app, { items: [] }, { 'if-match': etag }, path)
    expect(await problemOf(stale)).toMatchObject({ status: 412, code: 'precondition_failed' })
    const next = await patch(app, { items: [] }, { 'if-match': first.headers.get('etag') ?? '' }, path)
    expect(await next.json()).toMatchObject({ plan: { items: [], revision: 3 } })
  })

  it('PATCH under one key is applied once: the first answer comes again, for any version', async () => {
    const { app, path, etag } = await served()
    const keyed = { 'if-match': etag, 'idempotency-key': 'k' }
    const first = await patch(app, ITEMS, keyed, path)
    const again = await patch(app, ITEMS, { ...keyed, 'if-match': '"99"' }, path)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await again.json()).toEqual(await first.json())
    const other = await patch(app, { items: [] }, keyed, path)
    expect(await problemOf(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  it('PATCH that was refused does not use its key up', async () => {
    const { app, path, etag } = await served()
    const key = { 'idempotency-key': 'k' }
    expect((await patch(app, ITEMS, { ...key, 'if-match': '"99"' }, path)).status).toBe(412)
    expect((await patch(app, ITEMS, { ...key, 'if-match': etag }, path)).status).toBe(200)
  })

  it('PATCH of a task of another tenant is 404, as of one that is not there', async () => {
    const { app, path } = await served()
    const bob = { authorization: 'Bearer bob-key', 'if-match': '*' }
    expect((await patch(app, ITEMS, bob, path)).status).toBe(404)
    expect((await patch(app, ITEMS, bob, '/tasks/task_0000000000000000/plan')).status).toBe(404)
  })

  it('PATCH as text says what the plan is now', async () => {
    const { app, path, etag } = await served()
    const text = await (await patch(app, ITEMS, { 'if-match': etag, accept: 'text/plain' }, path)).text()
    expect(text).toContain('Plan edited by hand: 1 step\n  [ ] 1. X\n')
  })
})

describe('an approval', () => {
  it('U15 has exactly its members, and stands for its stop reason', async () => {
    const pending = { kind: 'approval' as const, request_id: 'approval_5', action: null }
    const task = { ...TASK_EXAMPLE, status: 'input_required' as const, stop_reason: 'approval', pending }
    const app = fixture({ answers: { getTask: async () => ok({ task, link_epoch: 0 }) } })
    expect(await (await app.send('GET', `/tasks/${ID}`)).json()).toMatchObject({ pending, stop_reason: 'approval' })
  })

  it.each(['plan', 'actions', 'none'])('the setting approve takes %s', async (approve) => {
    const app = fixture()
    await app.post('/tasks', { goal: 'x', settings: { approve } })
    expect(app.asked[0]?.args[1]).toMatchObject({ settings: { approve } })
  })

  it('the setting approve takes nothing else', async () => {
    const refused = async (approve: unknown) => {
      const response = await fixture().post('/tasks', { goal: 'x', settings: { approve } })
      return (await problemOf(response)) as { errors: object[] }
    }
    const message = 'settings.approve must be one of none, plan, actions, or an object with tools, not "all"'
    expect(await refused('all')).toMatchObject({ errors: [{ pointer: '/settings/approve', message }] })
    expect(await refused({ tool: ['x'] })).toMatchObject({
      errors: expect.arrayContaining([
        { pointer: '/settings/approve/tool', message: 'unknown setting "tool"; did you mean "tools"?' },
      ]),
    })
    expect(await refused({ tools: ['http:post'] })).toMatchObject({
      errors: [{ pointer: '/settings/approve/tools/0', message: expect.stringContaining('http:POST') }],
    })
  })

  it('the setting approve takes names and hints of tools', async () => {
    const app = fixture()
    const approve = { tools: ['tickets.*', 'http:POST', 'hint:destructive'] }
    expect((await app.post('/tasks', { goal: 'x', settings: { approve } })).status).toBe(201)
    expect(app.asked[0]?.args[1]).toMatchObject({ settings: { approve } })
  })
})
