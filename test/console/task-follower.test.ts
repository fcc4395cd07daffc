/** A task that is followed: what the page knows of it, whatever its connection does meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiAnswer, Client } from '../../src/console/api/client.ts'
import type { LiveState } from '../../src/console/api/live-state.ts'
import { followTask, monitorOf, type TaskFollower } from '../../src/console/api/task-follower.ts'
import type { ApiRequest } from '../../src/console/api/request.ts'
import type { Problem, TaskView } from '../../src/console/api/wire.ts'
import { clockwork, type Clockwork } from './clockwork.ts'
import { fakeSource, type FakeSource } from './fake-source.ts'

// Of a task only these members are read here.
const taskOf = (version: number, status = 'running', mode = 'dynamic') =>
  ({ id: 'task_1', version, status, mode, slice: { rounds: 1 } }) as unknown as TaskView
type Said = ApiAnswer<unknown>
let links = 0
/** A link of its own in every answer, as the service signs them. */
const shows = (version: number, status?: string, mode?: string): Said => ({
  ok: true,
  status: 200,
  value: taskOf(version, status, mode),
  headers: new Headers({
    link: `<http://elsewhere/tasks/task_1/events?token=t${++links}>; rel="monitor"`,
    etag: `"${version}"`,
  }),
})
/** Without a link, as the service has it. */
const unchanged: Said = { ok: true, status: 304, value: null, headers: new Headers({ etag: '"1"' }) }
const refusal = (status: number, code = 'x'): Said => {
  const problem: Problem = { code, status, title: '', detail: '', errors: [], retry_after_s: null }
  return { ok: false, problem }
}

let time: Clockwork
let asked: ApiRequest[]
let answers: ((answer: Said) => void)[]
let sources: FakeSource[]
let seen: LiveState[]
let page: { hidden: boolean; told: (() => void) | null; online: (() => void) | null }
let follower: TaskFollower
const live = () => seen.at(-1) ?? null
const stream = () => sources.at(-1) ?? fakeSource('none')

beforeEach(() => {
  time = clockwork()
  ;[asked, answers, sources, seen, links] = [[], [], [], [], 0]
  page = { hidden: false, told: null, online: null }
  const send = (request: ApiRequest) => {
    asked.push(request)
    return new Promise<Said>((resolve) => answers.push(resolve))
  }
  // The test answers what is asked for.
  const none = () => Promise.reject(new Error('no file is asked for'))
  const client = { send, fetchFile: none, sendFile: none } as Client
  const around = {
    open: (url: string) => {
      const made = fakeSource(url)
      sources.push(made)
      return made.source
    },
    startTimer: time.startTimer,
    isHidden: () => page.hidden,
    onVisibility: (told: () => void) => {
      page.told = told
      return () => {
        page.told = null
      }
    },
    onOnline: (told: () => void) => {
      page.online = told
      return () => {
        page.online = null
      }
    },
  }
  follower = followTask(client, 'task_1', around, (state) => seen.push(state))
})
async function answer(said: Said): Promise<void> {
  answers.at(-1)?.(said)
  await time.pass(0)
}
async function happens(...seqs: number[]): Promise<void> {
  for (const seq of seqs) stream().say(seq)
  await time.pass(0)
}
async function toLive(): Promise<void> {
  await answer(shows(1))
  stream().open()
}
function hide(hidden: boolean): void {
  page.hidden = hidden
  page.told?.()
}
const seqs = () => live()?.events.map(({ seq }) => seq)

describe('a connection that broke without a sign', () => {
  it('is checked now and then, by a question that an unchanged task answers with 304', async () => {
    await toLive()
    await time.pass(29_999)
    expect(asked).toHaveLength(1)
    await time.pass(1)
    expect(asked.at(-1)?.headers).toEqual({ 'if-none-match': '"1"' })
    await answer(unchanged)
    expect([sources.length, live()?.connection]).toEqual([1, 'live'])
    await time.pass(30_000)
    expect(asked).toHaveLength(3)
  })
  it('is replaced when the task has changed without an event', async () => {
    await toLive()
    await happens(1)
    await answer(unchanged)
    await time.pass(30_000)
    await answer(shows(4))
    expect(sources).toHaveLength(2)
    expect(stream().url).toContain('&after=1')
    expect(live()).toMatchObject({ task: { version: 4 } })
  })
  it('is not checked while the page is hidden', async () => {
    await toLive()
    hide(true)
    const before = asked.length
    await time.pass(120_000)
    expect(asked).toHaveLength(before)
  })
})

it('a task is asked for again no earlier than a Retry-After of the service allows', async () => {
  const busy = { code: 'rate_limited', status: 429, title: '', detail: '', errors: [], retry_after_s: 58 }
  await answer({ ok: false, problem: busy })
  await time.pass(57_999)
  expect(asked).toHaveLength(1)
  await time.pass(1)
  expect(asked).toHaveLength(2)
})

describe('following a task from its start', () => {
  it('asks for the task, and then opens the stream of the answer at the first event', async () => {
    expect(asked).toEqual([{ method: 'GET', path: '/tasks/task_1' }])
    await answer(shows(1))
    expect(sources.map(({ url }) => url)).toEqual(['/tasks/task_1/events?token=t1&after=0'])
    expect(live()).toMatchObject({
      task: { version: 1, slice: null },
      etag: '"1"',
      connection: 'connecting',
      problem: null,
    })
    stream().open()
    expect(live()).toMatchObject({ connection: 'live' })
  })
  it('keeps events in order, and asks for the task once after a burst of events', async () => {
    await toLive()
    await happens(1, 2, 3)
    expect(asked).toHaveLength(2)
    await happens(4)
    await happens(5)
    await answer(shows(5))
    await time.pass(200)
    expect(seqs()).toEqual([1, 2, 3, 4, 5])
    expect(asked).toHaveLength(3)
  })
  it('asks with the ETag that it knows, and 304 changes nothing', async () => {
    await toLive()
    await happens(1)
    expect(asked.at(-1)?.headers).toEqual({ 'if-none-match': '"1"' })
    await answer(unchanged)
    expect(live()).toMatchObject({ task: { version: 1 }, etag: '"1"', problem: null, connection: 'live' })
  })
  it('ignores an answer that is older than the answer of an action', async () => {
    await toLive()
    await happens(1)
    follower.accept(taskOf(7), '"7"')
    await answer(shows(3))
    expect(live()).toMatchObject({ task: { version: 7 }, etag: '"7"' })
  })
  it('the ETag is that of the task that is shown: one that came without has none', async () => {
    await toLive()
    follower.accept(taskOf(2), null)
    expect(live()).toMatchObject({ task: { version: 2 }, etag: null })
    follower.refresh()
    expect(asked.at(-1)).toEqual({ method: 'GET', path: '/tasks/task_1' })
  })
})

describe('when the connection breaks', () => {
  it('the browser comes back by itself: lost meanwhile, no event twice', async () => {
    await toLive()
    await happens(1, 2)
    stream().fail(false)
    expect(live()).toMatchObject({ connection: 'lost', task: { version: 1 } })
    stream().open()
    await happens(2, 3)
    expect(live()?.connection).toBe('live')
    expect(seqs()).toEqual([1, 2, 3])
    expect(sources).toHaveLength(1)
  })
  it('a link that is refused is replaced by that of the next answer, after the last event', async () => {
    await toLive()
    await happens(1, 2)
    await answer(shows(2))
    stream().fail(true)
    expect(live()?.connection).toBe('lost')
    await time.pass(999)
    expect(asked).toHaveLength(2)
    await time.pass(1)
    // A 304 would have no link.
    expect(asked.at(-1)).toEqual({ method: 'GET', path: '/tasks/task_1' })
    await answer(shows(2))
    expect(sources.map(({ url }) => url).at(-1)).toBe('/tasks/task_1/events?token=t3&after=2')
    expect(sources[0]?.closed()).toBe(true)
    stream().open()
    expect(live()?.connection).toBe('live')
  })
  it('a stream that is refused again and again is asked for less and less often, though the task can be read', async () => {
    await toLive()
    const gaps: number[] = []
    for (const ms of [1_000, 2_000, 5_000, 10_000, 10_000]) {
      const before = [asked.length, sources.length]
      stream().fail(true)
      await time.pass(ms - 1)
      expect([asked.length, sources.length]).toEqual(before)
      await time.pass(1)
      await answer(shows(1))
      gaps.push(sources.length - (before[1] ?? 0))
    }
    expect(gaps).toEqual([1, 1, 1, 1, 1])
    stream().open()
    stream().fail(true)
    const before = asked.length
    await time.pass(1_000)
    expect(asked).toHaveLength(before + 1)
  })
  it('a service that is away is asked again, less and less often, and what is shown stays', async () => {
    await toLive()
    await happens(1)
    const gaps: number[] = []
    for (const ms of [1_000, 2_000, 5_000, 10_000, 10_000]) {
      const before = asked.length
      await answer(refusal(0, 'unreachable'))
      expect(live()).toMatchObject({ connection: 'lost', task: { version: 1 }, problem: { code: 'unreachable' } })
      await time.pass(ms - 1)
      expect(asked).toHaveLength(before)
      await time.pass(1)
      gaps.push(asked.length - before)
    }
    expect(gaps).toEqual([1, 1, 1, 1, 1])
    await answer(shows(2))
    expect(live()).toMatchObject({ task: { version: 2 }, problem: null, connection: 'live' })
  })
  it('a network that is back is asked at once, not after the wait', async () => {
    await toLive()
    await happens(1)
    for (const ms of [1_000, 2_000, 5_000]) {
      await answer(refusal(0, 'unreachable'))
      await time.pass(ms)
    }
    await answer(refusal(0, 'unreachable'))
    const before = asked.length
    page.online?.()
    await time.pass(200)
    expect(asked).toHaveLength(before + 1)
  })
  it.each([404, 401])('%d stops it: nothing is asked for again, and the stream is let go', async (status) => {
    await toLive()
    await happens(1)
    await answer(refusal(status))
    expect(live()).toMatchObject({ connection: 'ended', problem: { status } })
    expect(stream().closed()).toBe(true)
    await time.pass(600_000)
    expect(asked).toHaveLength(2)
  })
  it('does not follow a task that does not exist', async () => {
    await answer(refusal(404))
    await time.pass(600_000)
    expect([asked.length, sources.length]).toEqual([1, 0])
    expect(live()).toMatchObject({ task: null, connection: 'ended' })
  })
})

describe('a page that is hidden', () => {
  it('closes its stream, and continues after the last event when it is shown again', async () => {
    await toLive()
    await happens(1, 2)
    await answer(shows(2))
    hide(true)
    expect(stream().closed()).toBe(true)
    expect(live()?.connection).toBe('asleep')
    hide(false)
    expect(live()?.connection).toBe('connecting')
    await time.pass(200)
    await answer(shows(4))
    expect(sources.map(({ url }) => url).at(-1)).toBe('/tasks/task_1/events?token=t3&after=2')
    stream().open()
    await happens(3, 4)
    expect(seqs()).toEqual([1, 2, 3, 4])
  })
  it('receives again the events that had arrived and were not shown yet', async () => {
    await toLive()
    stream().say(1)
    hide(true)
    await time.pass(0)
    expect(seqs()).toEqual([])
    hide(false)
    await answer(shows(2))
    expect(stream().url).toContain('&after=0')
  })
  it('opens no stream as long as it is hidden', async () => {
    hide(true)
    await answer(shows(1))
    expect(sources).toHaveLength(0)
    expect(live()).toMatchObject({ task: { version: 1 }, connection: 'asleep' })
    hide(false)
    await time.pass(0)
    await answer(unchanged)
    expect(sources).toHaveLength(1)
  })
  it('asks nothing about an ended task', async () => {
    await toLive()
    stream().end()
    await answer(shows(2, 'completed'))
    hide(true)
    hide(false)
    await time.pass(600_000)
    expect(live()?.connection).toBe('ended')
    expect(asked).toHaveLength(2)
  })
})

describe('when the task ends', () => {
  it('the page asks for it once more, and follows it no longer', async () => {
    await toLive()
    await happens(1)
    stream().end()
    await answer(shows(1))
    await time.pass(200)
    await answer(shows(2, 'completed'))
    expect(live()).toMatchObject({ connection: 'ended', task: { status: 'completed', version: 2 } })
    await time.pass(600_000)
    expect([asked.length, sources.length]).toEqual([3, 1])
  })
  it('the next run of a session is followed from the end of the last one', async () => {
    await toLive()
    await happens(1, 2)
    stream().end()
    await answer(shows(2))
    await time.pass(200)
    await answer(shows(3, 'completed'))
    expect(sources).toHaveLength(1)
    follower.accept(taskOf(4, 'running'), '"4"')
    expect(sources).toHaveLength(2)
    expect(stream().url).toContain('&after=2')
    stream().open()
    await happens(3)
    expect(live()).toMatchObject({ connection: 'live', task: { version: 4 } })
    expect(seqs()).toEqual([1, 2, 3])
  })
})

describe('a session that has ended', () => {
  async function toRest(): Promise<void> {
    await toLive()
    await happens(1, 2)
    stream().end()
    await answer(shows(2, 'completed', 'session'))
    await time.pass(200)
    await answer(unchanged)
  }
  it('is asked for now and then, and a run that another client started is followed from the end of the last one', async () => {
    await toRest()
    const before = asked.length
    await time.pass(14_999)
    expect(asked).toHaveLength(before)
    await time.pass(1)
    expect(asked.at(-1)?.headers).toEqual({ 'if-none-match': '"2"' })
    await answer(unchanged)
    await time.pass(15_000)
    expect(asked).toHaveLength(before + 2)
    await answer(shows(3, 'running', 'session'))
    expect(stream().url).toContain('&after=2')
    stream().open()
    expect(live()?.connection).toBe('live')
    // From here on as any task that goes on.
    await time.pass(29_000)
    expect(asked).toHaveLength(before + 2)
  })
  it('shows the events of a run that started and ended between two questions', async () => {
    await toRest()
    await time.pass(15_000)
    await answer(shows(6, 'completed', 'session'))
    expect(sources).toHaveLength(2)
    stream().open()
    await happens(3, 4)
    stream().end()
    await answer(unchanged)
    expect(seqs()).toEqual([1, 2, 3, 4])
    expect(live()).toMatchObject({ connection: 'ended', task: { version: 6 } })
  })
  it('shows the events of a run that has already ended in the answer of an action', async () => {
    await toRest()
    follower.accept(taskOf(6, 'completed', 'session'), '"6"')
    expect(sources).toHaveLength(2)
  })
  it('is not asked for while the page is hidden, and is asked for when it is shown again', async () => {
    await toRest()
    const before = asked.length
    hide(true)
    await time.pass(600_000)
    expect(asked).toHaveLength(before)
    hide(false)
    await time.pass(200)
    expect(asked).toHaveLength(before + 1)
  })
  it.each(['failed', 'canceled'])('is no longer followed: %s', async (status) => {
    await toLive()
    stream().end()
    await answer(shows(2, status, 'session'))
    await time.pass(600_000)
    expect(asked).toHaveLength(2)
  })
})

describe('a follower that is stopped', () => {
  it('reports nothing, asks nothing and keeps nothing open', async () => {
    await toLive()
    await happens(1)
    const told = seen.length
    follower.stop()
    await answer(shows(9))
    await happens(2)
    follower.accept(taskOf(10), null)
    follower.refresh()
    await time.pass(600_000)
    expect([seen.length, asked.length, stream().closed()]).toEqual([told, 2, true])
    expect([page.told, page.online]).toEqual([null, null])
    expect(time.waiting()).toBe(0)
  })
  it('opens no stream when it is stopped before the first answer', async () => {
    follower.stop()
    await answer(shows(1))
    expect([sources.length, seen.length]).toEqual([0, 0])
  })
})

describe('the address of the stream', () => {
  it.each([
    ['</tasks/t/events?token=a>; rel="monitor"', '/tasks/t/events?token=a'],
    ['<https://evil.example/tasks/t/events?token=a>; rel="monitor"', '/tasks/t/events?token=a'],
    ['<//evil.example/x>; rel="monitor"', '/x'],
    ['</docs>; rel="help", </tasks/t/events?token=a>; rel="monitor"', '/tasks/t/events?token=a'],
    ['</docs>; rel="help"', null],
    [null, null],
  ])('%s becomes %s: it has this origin, whatever host the link names', (link, path) =>
    expect(monitorOf(link)).toBe(path),
  )
})
