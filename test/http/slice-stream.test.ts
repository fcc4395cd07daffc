/** A slice as it happens (`Accept: text/event-stream` of /step and /input): its events, the words of its model, and the task at the end. */
import { describe, expect, it, vi } from 'vitest'
import { ok, refuse, type Result } from '../../src/core/terms/refusal.ts'
import { EVENT_PAGE_EXAMPLE, TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import type { Caller, TaskAnswer } from '../../src/shell/caller.ts'
import type { Service } from '../../src/shell/service.ts'
import { callerIn, fixture, ID, problemOf, type FixtureOptions } from '../support/http-fixture.ts'

const STREAM = { accept: 'text/event-stream' }
type SliceReader = NonNullable<Caller['reader']>
/** A clock on which no time passes. */
const still = () => new Promise<void>(() => {})
const ANSWER: TaskAnswer = { task: TASK_EXAMPLE, link_epoch: 0 }
const WORDS = { journal_seq: 7, phase: 'thought', from: 0, text: '{"thought":"买牛奶' }
const wordsFrame = `event: thought_delta\ndata: ${JSON.stringify({ type: 'thought_delta', ...WORDS })}\n\n`
const answerFrame = `event: answer\ndata: ${JSON.stringify(TASK_EXAMPLE)}\n\n`
const eventFrames = EVENT_PAGE_EXAMPLE.data.map(
  (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
)

const NOTHING = () => {}
/** A service whose slice the test plays: what its reader sees, and how it ends. */
function played(options: FixtureOptions = {}) {
  const slice = { reader: null as SliceReader | null, end: NOTHING, fail: NOTHING } as {
    reader: SliceReader | null
    end: (result: Result<TaskAnswer>) => void
    fail: (error: Error) => void
  }
  const stepTask: Service['stepTask'] = (caller) => {
    slice.reader = caller.reader ?? null
    return new Promise((resolve, reject) => {
      slice.end = resolve
      slice.fail = reject
    })
  }
  const app = fixture({ sleep: still, answers: { stepTask }, ...options })
  const step = (headers: Record<string, string> = STREAM, signal?: AbortSignal) =>
    app.send('POST', `/tasks/${ID}/step`, '{}', { 'content-type': 'application/json', ...headers }, signal)
  /** The request has got so far that its slice runs. */
  const begun = () =>
    vi.waitFor(() => {
      if (slice.reader === null) throw new Error('the slice has not begun')
      return slice.reader
    })
  return { ...app, slice, step, begun }
}

describe('a slice as a stream', () => {
  it.each(['step', 'input'] as const)(
    'of /%s shows its events, the words of its model, and then the task',
    async (route) => {
      const advance = async ({ reader }: { reader?: SliceReader }) => {
        reader?.onEvents(EVENT_PAGE_EXAMPLE.data.slice(0, 1))
        reader?.onWords(WORDS)
        reader?.onEvents([])
        reader?.onEvents(EVENT_PAGE_EXAMPLE.data.slice(1))
        return ok(ANSWER)
      }
      const { send } = fixture({ sleep: still, answers: { stepTask: advance, inputTask: advance } })
      const body = route === 'step' ? '{}' : '{"input":"go on"}'
      const response = await send('POST', `/tasks/${ID}/${route}`, body, {
        ...STREAM,
        'content-type': 'application/json',
      })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      const [first, ...others] = eventFrames
      expect(await response.text()).toBe([first, wordsFrame, ...others, answerFrame].join(''))
    },
  )
  it('is no stream for a caller that wants none', async () => {
    const { send, asked } = fixture()
    const response = await send('POST', `/tasks/${ID}/step`, '{}', { 'content-type': 'application/json' })
    expect(await response.json()).toEqual(TASK_EXAMPLE)
    expect(callerIn(asked[0])).not.toHaveProperty('reader')
  })
  it('begins with the first event, although the slice goes on', async () => {
    const { step, begun, slice } = played()
    const answering = step()
    ;(await begun()).onWords(WORDS)
    const reader = (await answering).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe(wordsFrame)
    slice.end(ok(ANSWER))
    expect((await reader?.read())?.value).toBe(answerFrame)
    expect((await reader?.read())?.done).toBe(true)
  })
  it('has the headers of an answer that came at once, such as that it is a repeated one', async () => {
    const { step, begun, slice } = played()
    const answering = step()
    await begun()
    slice.end(ok({ ...ANSWER, replayed: true }))
    const response = await answering
    expect(response.headers.get('idempotency-replayed')).toBe('true')
    expect(response.headers.get('etag')).toMatch(/^"/)
    expect(await response.text()).toBe(answerFrame)
  })
  it('has a comment while nothing happens, so that no proxy closes it', async () => {
    let beat = () => {}
    const sleep = (ms: number) => (ms === 1_000 ? new Promise<void>((resolve) => (beat = resolve)) : still())
    const { step, begun, slice } = played({ sleep })
    const answering = step()
    await begun()
    beat()
    const reader = (await answering).body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = reader?.read()
    await Promise.resolve()
    beat()
    expect((await first)?.value).toBe(': still here\n\n')
    slice.end(ok(ANSWER))
    expect((await reader?.read())?.value).toBe(answerFrame)
  })
})

describe('a streamed slice that is refused', () => {
  it('before anything has happened is answered with the status of its problem', async () => {
    const { step, begun, slice } = played()
    const answering = step()
    await begun()
    slice.end(refuse({ code: 'task_not_found' }))
    expect(await problemOf(await answering)).toMatchObject({ status: 404, code: 'task_not_found' })
  })
  it('after that tells its problem as the last event', async () => {
    const { step, begun, slice } = played()
    const answering = step()
    ;(await begun()).onWords(WORDS)
    slice.end(refuse({ code: 'lease_lost' }))
    const [words, problem] = (await (await answering).text()).split('\n\n')
    expect(words).toContain('thought_delta')
    expect(problem).toMatch(/^event: problem\ndata: /)
    expect(JSON.parse(problem?.split('data: ')[1] ?? '')).toMatchObject({
      code: 'lease_lost',
      instance: `/tasks/${ID}/step`,
    })
  })
  it('by an error of ours is a 500 before anything has happened, and just ends after that', async () => {
    const early = played()
    const answering = early.step()
    await early.begun()
    early.slice.fail(new Error('a bug'))
    expect((await answering).status).toBe(500)
    const late = played()
    const answered = late.step()
    ;(await late.begun()).onWords(WORDS)
    late.slice.fail(new Error('a bug'))
    expect(await (await answered).text()).toBe(wordsFrame)
  })
})

describe('a reader that leaves', () => {
  it('ends the slice: by closing the stream', async () => {
    const { step, begun } = played()
    const answering = step()
    const slice = await begun()
    slice.onWords(WORDS)
    const { body } = await answering
    expect(slice.left.aborted).toBe(false)
    await body?.cancel()
    expect(slice.left.aborted).toBe(true)
  })
  it('ends the slice: by hanging up, before the stream has begun and after that', async () => {
    for (const hasBegun of [false, true]) {
      const { step, begun, slice } = played()
      const hangUp = new AbortController()
      const answering = step(STREAM, hangUp.signal).catch(() => null)
      const reader = await begun()
      if (hasBegun) reader.onWords(WORDS)
      hangUp.abort()
      expect(reader.left.aborted).toBe(true)
      slice.end(ok(ANSWER))
      await answering
    }
  })
})
