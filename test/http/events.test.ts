/** GET /tasks/{id}/events as it happens: which form is answered, what the frames say, who may read, how fast it is written. */
import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import type { Status } from '../../src/core/terms/status.ts'
import type { Envelope, TaskView } from '../../src/core/terms/view.ts'
import { EVENT_PAGE_EXAMPLE, TASK_EXAMPLE } from '../../src/http/document/examples.ts'

import { sseFrames, streamOf, textFrames } from '../../src/http/resources/events/stream.ts'
import type { Following } from '../../src/shell/follow.ts'
import type { Service } from '../../src/shell/service.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { EVENTS_LINK, readLinksBy } from '../../src/shell/links/read-links.ts'
import { fixture, ID, problemOf, type FixtureOptions } from '../support/http-fixture.ts'
import { watched } from '../support/sights.ts'

const PATH = `/tasks/${ID}/events`
const STREAM = { accept: 'text/event-stream' }
const PLAIN = { accept: 'text/plain' }
/** A clock on which no time passes. */
const still = () => new Promise<void>(() => {})
const opened = (options: FixtureOptions = {}) => fixture({ sleep: still, ...options })
const typeOf = (response: Response) => response.headers.get('content-type')?.split(';')[0]

describe('which form is answered', () => {
  it.each([
    ['text/event-stream', '', 'text/event-stream'],
    ['text/event-stream', '?limit=5', 'text/event-stream'],
    ['text/event-stream, application/json;q=0.9', '', 'text/event-stream'],
    ['application/json;q=0.5, text/event-stream;q=0.6, text/plain;q=0.4', '', 'text/event-stream'],
    ['application/json, text/event-stream;q=0.9', '', 'application/json'],
    ['text/event-stream;q=0, application/json', '', 'application/json'],
    ['*/*', '', 'application/json'],
    ['text/*', '', 'text/plain'],
    ['text/plain', '', 'text/plain'],
  ])('Accept: %s of %s is answered as %s', async (accept, query, type) => {
    const response = await opened().send('GET', `${PATH}${query}`, null, { accept })
    expect([response.status, typeOf(response)]).toEqual([200, type])
  })

  it('text is a page when a limit is named, and live when not', async () => {
    const { send, asked } = opened()
    await send('GET', `${PATH}?limit=3&after=4`, null, PLAIN)
    await send('GET', PATH, null, PLAIN)
    expect(asked.map(({ method }) => method)).toEqual(['listEvents', 'getTask', 'followEvents', 'getTask'])
  })

  it('HEAD is answered like GET without following anything, OPTIONS with what is allowed', async () => {
    const { send, asked } = opened()
    for (const headers of [STREAM, PLAIN]) {
      const response = await send('HEAD', PATH, null, headers)
      expect([response.status, typeOf(response), await response.text()]).toEqual([200, headers.accept, ''])
    }
    expect(asked.map(({ method }) => method)).toEqual(['getTask', 'getTask'])
    const response = await send('OPTIONS', PATH, null, STREAM)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('an event stream', () => {
  it('begins with when to come again, has the seq as id and the whole event as data, and tells the end', async () => {
    const text = await (await opened().send('GET', PATH, null, STREAM)).text()
    const events = EVENT_PAGE_EXAMPLE.data.map(
      (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    const end = 'retry: 600000\nevent: end\ndata: {"status":"completed"}\n\n'
    expect(text).toBe(['retry: 2000\n\n', ...events, end].join(''))
  })

  it.each([
    [{ 'last-event-id': '7' }, '?after=3', 7],
    [{ 'last-event-id': '0' }, '?after=3', 0],
    [{ 'last-event-id': 'seven' }, '?after=3', 3],
    [{ 'last-event-id': '-1' }, '', 0],
    [{ 'last-event-id': '1e3' }, '', 0],
    [{ 'last-event-id': '9'.repeat(30) }, '', 0],
    [{ 'last-event-id': '' }, '?after=4', 4],
    [{}, '?after=5', 5],
    [{}, '', 0],
  ])('with %j and %s goes on after %i', async (headers, query, after) => {
    const { send, asked } = opened()
    await send('GET', `${PATH}${query}`, null, { ...STREAM, ...headers })
    expect(asked[0]).toMatchObject({ method: 'followEvents', args: [{ tenant: 'alice' }, ID, { after }] })
  })

  it.each([['task_not_found'], ['state_unreadable']] as const)(
    'a refusal (%s) comes as a problem, before any stream',
    async (code) => {
      const refusal = code === 'task_not_found' ? { code } : { code, detail: 'x' }
      for (const headers of [STREAM, PLAIN]) {
        const response = await opened({ behaviour: { refusal } }).send('GET', PATH, null, headers)
        expect(response.status).toBe(code === 'task_not_found' ? 404 : 500)
        // A problem is text where the answer would be text.
        expect(await response.text()).toMatch(
          headers === PLAIN ? new RegExp(`^\\d+ .*\\(${code}\\)\\n`) : `"code":"${code}"`,
        )
      }
    },
  )

  it('a watcher too many is refused with 429', async () => {
    const answers = { followEvents: async () => refuse({ code: 'too_many_watchers', max: 200 }) }
    const response = await opened({ answers }).send('GET', PATH, null, STREAM)
    expect([response.status, (await problemOf(response))['code']]).toEqual([429, 'too_many_watchers'])
  })

  it('a beat is 15 s long, and without events it is a comment', async () => {
    const slept: number[] = []
    const beats: (() => Promise<void>)[] = []
    const followEvents: Service['followEvents'] = async (_caller, _id, { beat }) => {
      beats.push(beat)
      return ok(watchedToEnd())
    }
    const sleep = async (ms: number) => void slept.push(ms)
    await fixture({ answers: { followEvents }, sleep: (ms) => (ms < 60_000 ? sleep(ms) : still()) }).send(
      'GET',
      PATH,
      null,
      STREAM,
    )
    await beats[0]?.()
    expect(slept).toEqual([15_000])
    const task = watched()
    const frames = sseFrames(task.following.sights)
    await frames.next()
    const frame = frames.next()
    await Promise.resolve()
    task.beat()
    expect((await frame).value).toBe(': still here\n\n')
  })
})

describe('progress lines as they happen', () => {
  const [event] = EVENT_PAGE_EXAMPLE.data
  if (event === undefined) throw new Error('the example has an event')
  const result = (text: string) => ({ text, artifacts: [], outcome: 'done' as const, unmet: [] })
  const told = (task: Partial<TaskView> = {}) => ({ link_epoch: 0, task: { ...TASK_EXAMPLE, slice: null, ...task } })
  const linesOf = async (events: Envelope[], locale: 'en' | 'zh' = 'en') => {
    const task = watched()
    task.events.push(...events)
    task.tell({ seq: events.length, status: 'completed' })
    const seen = [told({ locale }), told({ locale, status: 'completed', result: result('All done') })]
    const answers = {
      getTask: async () => ok(seen.shift() ?? told()),
      followEvents: async () => ok(task.following),
    }
    return (await (await opened({ answers }).send('GET', PATH, null, PLAIN)).text()).split('\n')
  }

  it('each event is told in the words of an answer, questions and finished items too, and at the end how the task stands', async () => {
    const asked = { request_id: 'q', question: 'How long?' }
    const lines = await linesOf([
      ...EVENT_PAGE_EXAMPLE.data,
      { ...event, seq: 3, type: 'clarification_requested', payload: asked },
      { ...event, seq: 4, type: 'item_completed', payload: { item_id: 'step_1', title: 'Buy milk', index: 0 } },
    ])
    expect(lines.slice(0, 2)).toEqual([`Task ${ID}: running`, 'Plan ready: 1 step'])
    expect(lines).toEqual(expect.arrayContaining(['Question: How long?', 'Item done: Buy milk']))
    expect(lines.slice(-3)).toEqual(['Finished: completed', 'All done', ''])
  })

  it('D7 in the language of the task', async () => {
    expect((await linesOf(EVENT_PAGE_EXAMPLE.data, 'zh')).join('\n')).toContain('计划')
  })

  it('a silence shows nothing, although a heartbeat is written', async () => {
    const task = watched()
    const frames = textFrames(task.following.sights, told().task, async () => null)
    await frames.next()
    const frame = frames.next()
    await Promise.resolve()
    task.beat()
    expect((await frame).value).toBe('\r')
  })
})

describe('who may read', () => {
  const NOW = Date.UTC(2026, 10, 21)
  const DAY_MS = 24 * 3_600_000
  const at = (now: number) => opened({ now: () => now, env: { SIGNING_SECRET: 'sixteen characters' } })
  const linkOf = async () => {
    const link = (await at(NOW).send('GET', `/tasks/${ID}`)).headers.get('link') ?? ''
    return /^<(\S+)>; rel="monitor"$/.exec(link)?.[1] ?? ''
  }
  const bare = (app: ReturnType<typeof at>, path: string, headers = {}) =>
    app.send('GET', path, null, { ...headers, authorization: '' })

  it('U22 the answer carries a link that follows its task without a key', async () => {
    const link = await linkOf()
    expect(link).toMatch(new RegExp(`^${PATH}\\?token=[A-Za-z0-9_.-]+$`))
    for (const headers of [STREAM, PLAIN, {}]) {
      const app = at(NOW + DAY_MS - 1_000)
      expect((await bare(app, link, headers)).status).toBe(200)
      expect(app.asked.at(-1)?.args[0]).toMatchObject({ tenant: 'alice' })
    }
  })

  it('so does that of a create; where links begin with something they begin with it', async () => {
    const { post } = opened({ env: { PUBLIC_URL: 'https://agent.example' } })
    const link = (await post('/tasks', { goal: 'x' })).headers.get('link')
    expect(link).toMatch(new RegExp(`^<https://agent\\.example${PATH}\\?token=\\S+>; rel="monitor"$`))
  })

  it('the link is read-only, and of this task alone', async () => {
    const token = (await linkOf()).split('?')[1] ?? ''
    for (const path of [
      `/tasks/task_another/events?${token}`,
      `/tasks/${ID}?${token}`,
      `/tasks/${ID}/journal?${token}`,
    ]) {
      expect([path, (await bare(at(NOW), path)).status]).toEqual([path, 401])
    }
  })

  it.each([
    ['expired', async () => [await linkOf(), NOW + DAY_MS] as const],
    ['cut', async () => [(await linkOf()).slice(0, -1), NOW] as const],
    ['empty', async () => [`${PATH}?token=`, NOW] as const],
    [
      'signed by someone else',
      async () =>
        [
          `${PATH}?token=${await readLinksBy(signedLinks(['x']), EVENTS_LINK).sign({ tenant: 'alice', task: ID, link_epoch: 0 }, NOW)}`,
          NOW,
        ] as const,
    ],
  ])('a link that is %s is 401, as a problem', async (_, make) => {
    const [link, now] = await make()
    const response = await bare(at(now), link, STREAM)
    expect([response.status, (await problemOf(response))['code']]).toEqual([401, 'unauthorized'])
  })

  it('a key that is sent counts before the link', async () => {
    const link = await linkOf()
    expect((await at(NOW).send('GET', link, null, { authorization: 'Bearer wrong' })).status).toBe(401)
    const bob = at(NOW)
    await bob.send('GET', link, null, { authorization: 'Bearer bob-key' })
    expect(bob.asked[0]?.args[0]).toMatchObject({ tenant: 'bob' })
  })
})

describe('a body of frames', () => {
  function body(sleep: (ms: number) => Promise<void> = still) {
    const now = { made: 0, stopped: 0, failed: [] as unknown[], breaks: false }
    async function* frames() {
      while (now.stopped === 0) {
        if (now.breaks) throw new Error('the object is gone')
        now.made += 1
        yield `frame ${now.made}`
      }
    }
    const stop = () => void (now.stopped += 1)
    const stream = streamOf({ frames: frames(), stop, sleep, onError: (error) => now.failed.push(error) })
    return { now, reader: stream.getReader() }
  }

  it('F64 nothing is made before it is asked for: one frame is held, however slow the reader', async () => {
    const { now, reader } = body()
    await new Promise((resolve) => setImmediate(resolve))
    expect(now.made).toBe(0)
    await reader.read()
    await reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    expect(now.made).toBe(2)
  })

  it('F64 a reader who takes nothing for a minute is cut off', async () => {
    let minute: () => void = () => {}
    const { now, reader } = body(() => new Promise((resolve) => (minute = resolve)))
    await reader.read()
    minute()
    await new Promise((resolve) => setImmediate(resolve))
    expect(now.stopped).toBe(0)
    minute()
    await new Promise((resolve) => setImmediate(resolve))
    await expect(reader.read()).rejects.toThrow('took nothing')
    expect(now.stopped).toBe(1)
  })

  it('a reader that waits for news does not count as slow', async () => {
    let minute: () => void = () => {}
    const now = { stopped: 0 }
    const frames = (async function* () {
      await still()
      yield ''
    })()
    const sleep = () => new Promise<void>((resolve) => (minute = resolve))
    const reader = streamOf({ frames, stop: () => void (now.stopped += 1), sleep, onError: () => {} }).getReader()
    void reader.read()
    for (let minutes = 0; minutes < 3; minutes++) {
      minute()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(now.stopped).toBe(0)
  })

  it('a reader who leaves ends it', async () => {
    const { now, reader } = body()
    await reader.read()
    await reader.cancel()
    expect(now.stopped).toBe(1)
  })

  it('what breaks it is told to us, and the reader sees an end without an end', async () => {
    const { now, reader } = body()
    await reader.read()
    now.breaks = true
    expect(await reader.read()).toEqual({ done: true, value: undefined })
    expect(now.failed).toEqual([new Error('the object is gone')])
  })
})

function watchedToEnd(status: Status = 'completed'): Following {
  const task = watched()
  task.happen(1, status)
  return task.following
}
