/** POST /tasks/:id/fork and /replay as asked over HTTP: what is handed to the service, what is refused before it, how answers look. */
import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import { REPLAY_EXAMPLE, TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { callerOf, fixture, ID, problemOf } from '../support/http-fixture.ts'

const FORK = `/tasks/${ID}/fork`
const REPLAY = `/tasks/${ID}/replay`
const ALICE = callerOf('alice')

const SIGNED = { WEBHOOK_SECRET: `alice:whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}` }
/** What a fork is made with unless its request says otherwise. */
const UNTOLD = { drive: 'manual', callback_url: null }

describe('U26 POST /tasks/:id/fork', () => {
  it('U26 answers 201 with Location, version and a link to follow the new task', async () => {
    const response = await fixture().post(FORK, { at: 4 })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/tasks/${TASK_EXAMPLE.id}`)
    expect(response.headers.get('etag')).toBe('"5"')
    expect(response.headers.get('link')).toContain(`/tasks/${TASK_EXAMPLE.id}/events?token=`)
    expect(await response.json()).toEqual(TASK_EXAMPLE)
  })

  it.each([
    [{ at: 4 }, { at: 4, settings: {}, outcome: null, ...UNTOLD }],
    [
      { at: 1, settings: { max_steps: 7 } },
      { at: 1, settings: { max_steps: 7 }, outcome: null, ...UNTOLD },
    ],
    [
      { at: 4, edit: { seq: 4, outcome: { ok: true, code: 'x', text: '' } } },
      { at: 4, settings: {}, outcome: { ok: true, code: 'x', text: '' }, ...UNTOLD },
    ],
    [
      { at: 4, edit: { seq: 4, outcome: { reason: 'down', status: null } } },
      { at: 4, settings: {}, outcome: { reason: 'down', status: null }, ...UNTOLD },
    ],
    [
      { at: 4, edit: { seq: 4, outcome: { text: '{}', negotiated: ['json_schema'] } } },
      { at: 4, settings: {}, outcome: { text: '{}', negotiated: ['json_schema'] }, ...UNTOLD },
    ],
    [
      { at: 4, drive: 'background', callback_url: 'https://example.com/hook' },
      { at: 4, settings: {}, outcome: null, drive: 'background', callback_url: 'https://example.com/hook' },
    ],
  ])('U26 U52 %o is handed on as it was meant', async (body, wish) => {
    const { post, asked } = fixture({ env: SIGNED })
    expect((await post(FORK, body)).status).toBe(201)
    expect(asked).toEqual([{ method: 'forkTask', args: [ALICE, ID, wish] }])
  })

  it.each([
    [{}, '/at', 'at is required'],
    [{ at: 0 }, '/at', 'at must be a whole number of at least 1'],
    [{ at: 1.5 }, '/at', 'at must be a whole number of at least 1'],
    [{ at: '4' }, '/at', 'at must be a whole number of at least 1'],
    [{ at: 4, rounds: 1 }, '/rounds', 'unknown field "rounds"'],
    [{ at: 4, drive: 'service' }, '/drive', 'drive must be one of manual, background'],
    [{ at: 4, callback_url: 'http://10.0.0.1/' }, '/callback_url', 'callback_url must'],
    [
      { at: 4, settings: { max_steps: 0 } },
      '/settings/max_steps',
      'settings.max_steps must be a whole number from 1 to 10000',
    ],
    [{ at: 4, settings: { max_step: 1 } }, '/settings/max_step', 'unknown setting "max_step"'],
    [{ at: 4, edit: { seq: 5, outcome: { text: 'x' } } }, '/edit/seq', 'edit.seq must equal at'],
    [{ at: 4, edit: { seq: 4 } }, '/edit/outcome', 'edit.outcome is required'],
    [{ at: 4, edit: { seq: 4, outcome: 'x' } }, '/edit/outcome', 'edit.outcome must be an object'],
    [{ at: 4, edit: { seq: 4, outcome: { txt: 'x' } } }, '/edit/outcome/txt', 'unknown field "txt"'],
    [{ at: 4, edit: { seq: 4, outcome: { text: 7 } } }, '/edit/outcome/text', 'edit.outcome.text must be a text'],
    [
      { at: 4, edit: { seq: 4, outcome: { text: '\0' } } },
      '/edit/outcome/text',
      'edit/outcome/text must not contain NUL',
    ],
  ])('U26 %o is 422 that points at %s', async (body, pointer, message) => {
    const { post, asked } = fixture()
    const problem = await problemOf(await post(FORK, body))
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' })
    expect((problem['errors'] as { pointer: string; message: string }[])[0]?.pointer).toBe(pointer)
    expect(JSON.stringify(problem['errors'])).toContain(JSON.stringify(message).slice(1, -1))
    expect(asked).toEqual([])
  })

  it.each(['', 'at=4'])('U26 a body that is not JSON is refused: %j', async (body) => {
    const { send } = fixture()
    const type = 'application/x-www-form-urlencoded'
    expect((await send('POST', FORK, body, { 'content-type': type })).status).toBeGreaterThanOrEqual(400)
  })

  it('U26 what the row refuses is told with its pointer; a model without a price as at a create', async () => {
    const errors = [{ pointer: '/edit/outcome', message: 'edit.outcome of row 4 must be …' }]
    const unfit = fixture({ behaviour: { refusal: { code: 'validation_failed', errors } } })
    expect(await problemOf(await unfit.post(FORK, { at: 4 }))).toMatchObject({ status: 422, errors })
    const unpriced = { forkTask: async () => refuse({ code: 'model_not_budgetable', models: ['m'] }) }
    const problem = await problemOf(await fixture({ answers: unpriced }).post(FORK, { at: 4 }))
    expect(problem).toMatchObject({ status: 422, code: 'model_not_budgetable' })
  })

  it('U26 U6 the same answer again says so', async () => {
    const answers = { forkTask: async () => ok({ link_epoch: 0, task: TASK_EXAMPLE, replayed: true as const }) }
    const response = await fixture({ answers }).post(FORK, { at: 4 }, { 'idempotency-key': 'k' })
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  })

  it('U26 for people it is the task in lines', async () => {
    const response = await fixture().post(FORK, { at: 4 }, { accept: 'text/plain' })
    expect(await response.text()).toContain(TASK_EXAMPLE.id)
  })
})

describe('S3-17 POST /tasks/:id/replay', () => {
  it.each([null, '{}'])('S3-17 answers what was found: body %j', async (body) => {
    const { send, asked } = fixture()
    const response = await send('POST', REPLAY, body, { 'content-type': 'application/json' })
    expect([response.status, await response.json()]).toEqual([200, REPLAY_EXAMPLE])
    expect(asked).toEqual([{ method: 'replayTask', args: [ALICE, ID] }])
  })

  it('S3-17 for people in lines', async () => {
    const differs = await fixture().send('POST', REPLAY, null, { accept: 'text/plain' })
    expect(await differs.text()).toBe('differs  row 12  /head/budget/steps/used\nexpected  6\nfound  5\n')
    const answers = { replayTask: async () => ok({ equal: true, events: 12, first_difference: null }) }
    const equal = await fixture({ answers }).send('POST', REPLAY, null, { accept: 'text/plain' })
    expect(await equal.text()).toBe('equal  12 rows\n')
  })
})
