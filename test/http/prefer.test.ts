/** `Prefer: wait=N`: a busy task is waited for, on a clock of the test's own; and a hang-up is noticed. */
import { describe, expect, it } from 'vitest'
import { ok, refuse, type Refusal } from '../../src/core/terms/refusal.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { WAIT_S_MAX, preferredWait } from '../../src/http/gate/prefer.ts'
import { callerIn, fixture, ID, problemOf } from '../support/http-fixture.ts'

const BUSY: Refusal = { code: 'task_busy', now_ms: 0, expires_ms: 65_000 }
const RUNNING: Refusal = { code: 'request_in_progress', now_ms: 0, expires_ms: 65_000 }

/** A service whose task is busy until `free_ms`, over a clock that only sleeping moves. */
function busyUntil(free_ms: number, refusal: Refusal = BUSY) {
  const clock = { now: 0, sleeps: [] as number[], attempts: 0 }
  const answer = async () => {
    clock.attempts += 1
    return clock.now < free_ms ? refuse(refusal) : ok({ link_epoch: 0, task: TASK_EXAMPLE })
  }
  const sleep = async (ms: number) => {
    clock.sleeps.push(ms)
    clock.now += ms
  }
  const answers = { stepTask: answer, inputTask: answer, tellTask: answer, createTask: answer }
  return { clock, ...fixture({ answers, sleep, now: () => clock.now }) }
}

describe('the header', () => {
  it.each<[string | null, number | null]>([
    [null, null],
    ['', null],
    ['wait=5', 5],
    ['WAIT = 5', 5],
    ['wait="7"', 7],
    ['respond-async, wait=10', 10],
    ['return=minimal; x="a, wait=3", wait=4', 4],
    ['wait=2, wait=9', 2],
    ['wait=10;strict', 10],
    ['wait=0', 0],
    ['wait=30', 30],
    ['wait=31', WAIT_S_MAX],
    ['wait=999999999999', WAIT_S_MAX],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['wait=soon', null],
    ['wait', null],
    ['wait=', null],
    ['waiting=5', null],
    ['x-wait=5', null],
    ['respond-async; wait=5', null],
    ['"wait=5"', null],
    [',,;;=="', null],
  ])('RFC 7240 %j waits %s s', (header, seconds) => expect(preferredWait(header)).toBe(seconds))
})

describe('waiting', () => {
  const paths: [string, object][] = [
    [`/tasks/${ID}/step`, {}],
    [`/tasks/${ID}/input`, { input: 'x' }],
    [`/tasks/${ID}/budget`, { add: { steps: 1 } }],
  ]
  it.each(paths)('F10 %s waits for the lease and goes on', async (path, body) => {
    for (const refusal of [BUSY, RUNNING]) {
      const { post, clock } = busyUntil(1_150, refusal)
      const response = await post(path, body, { prefer: 'wait=5' })
      expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'wait=5'])
      expect(clock.sleeps).toEqual([100, 200, 400, 500])
      expect(clock.attempts).toBe(5)
    }
  })

  it.each(paths)('without the header %s is refused at once', async (path, body) => {
    const { post, clock } = busyUntil(1_150)
    const response = await post(path, body, { prefer: 'respond-async' })
    expect([response.status, response.headers.has('preference-applied'), clock.attempts]).toEqual([409, false, 1])
  })

  it('when the time is over the refusal stands, asked for a last time at its very end', async () => {
    const { post, clock } = busyUntil(3_001)
    const response = await post(`/tasks/${ID}/step`, {}, { prefer: 'wait=3' })
    expect([response.status, response.headers.get('preference-applied')]).toEqual([409, 'wait=3'])
    expect(response.headers.get('retry-after')).toBe('5')
    expect([clock.now, Math.min(...clock.sleeps.slice(0, -1)), Math.max(...clock.sleeps)]).toEqual([3_000, 100, 500])
    expect((await busyUntil(3_000).post(`/tasks/${ID}/step`, {}, { prefer: 'wait=3' })).status).toBe(200)
  })

  it('a wait of more than 30 s is one of 30 s', async () => {
    const { post, clock } = busyUntil(60_000)
    const response = await post(`/tasks/${ID}/step`, {}, { prefer: 'wait=3600' })
    expect([response.status, response.headers.get('preference-applied')]).toEqual([409, 'wait=30'])
    expect(clock.now).toBe(30_000)
  })

  it('wait=0 asks once; a free task does not wait at all', async () => {
    const busy = busyUntil(1)
    expect((await busy.post(`/tasks/${ID}/step`, {}, { prefer: 'wait=0' })).status).toBe(409)
    const free = busyUntil(0)
    const response = await free.post(`/tasks/${ID}/step`, {}, { prefer: 'wait=9' })
    expect([response.headers.get('preference-applied'), free.clock.attempts]).toEqual(['wait=9', 1])
  })

  it.each<Refusal>([{ code: 'task_not_found' }, { code: 'lease_lost' }, { code: 'task_ended', status: 'completed' }])(
    'another refusal is not waited on: %o',
    async (refusal) => {
      const { post, clock } = busyUntil(1_000, refusal)
      const response = await post(`/tasks/${ID}/input`, { input: 'x' }, { prefer: 'wait=5' })
      expect([(await problemOf(response))['code'], clock.attempts]).toEqual([refusal.code, 1])
    },
  )

  it('a cancel and a create never wait', async () => {
    for (const [path, body] of [[`/tasks/${ID}/cancel`, {}] as const, ['/tasks', { goal: 'x' }] as const]) {
      const { post, clock } = busyUntil(1_000, RUNNING)
      const response = await post(path, body, { prefer: 'wait=5' })
      expect([response.status, response.headers.has('preference-applied'), clock.attempts]).toEqual([409, false, 1])
    }
  })

  it.each([
    ['GET', '/admin/tenants', null],
    ['POST', '/admin/tenants', { name: 'acme' }],
    ['GET', '/admin/keys', null],
    ['POST', '/admin/keys', { tenant: 'acme' }],
    ['GET', '/admin/audit', null],
    ['GET', '/admin/deployment', null],
    ['GET', '/usage', null],
    ['GET', '/limits', null],
    ['GET', '/telemetry', null],
    ['PUT', '/telemetry', { endpoint: 'https://otel.example.com/v1/traces' }],
  ])('%s %s is about no task, so it never waits and claims no preference', async (method, path, body) => {
    const headers = { prefer: 'wait=5', 'content-type': 'application/json' }
    const keyed = path.startsWith('/admin') && body !== null
    for (const behaviour of [null, ...(keyed ? [{ refusal: RUNNING }] : [])]) {
      // A fixture without a clock rejects whatever waits.
      const response = await fixture({ behaviour }).send(method, path, body && JSON.stringify(body), headers)
      expect(response.status).not.toBe(500)
      expect(response.headers.has('preference-applied')).toBe(false)
    }
  })
})

describe('a caller that hangs up', () => {
  it('U10 is known to the service as gone, from then on', async () => {
    const hangUp = new AbortController()
    const { send, asked } = fixture()
    await send('POST', `/tasks/${ID}/step`, null, {}, hangUp.signal)
    const { gone } = callerIn(asked[0])
    expect(gone()).toBe(false)
    hangUp.abort()
    expect(gone()).toBe(true)
  })

  it('is not waited for any longer', async () => {
    const hangUp = new AbortController()
    let attempts = 0
    const answers = {
      stepTask: async () => {
        attempts += 1
        return refuse(BUSY)
      },
    }
    const { send } = fixture({ answers, sleep: async () => hangUp.abort() })
    const response = await send('POST', `/tasks/${ID}/step`, null, { prefer: 'wait=30' }, hangUp.signal)
    expect([response.status, attempts]).toEqual([409, 2])
  })
})
