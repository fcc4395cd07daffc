/** Watchers of the real objects: told of everything, kept through hibernation, let go with the task, and nothing to those without any. */
import { env, exports } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import type { Ticket } from '../../src/core/protocol/advance.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { newDraining } from '../../src/lifecycle/draining.ts'
import { followTask, type Following } from '../../src/shell/follow.ts'
import { bootId } from '../../src/store/boot.ts'
import { durableStore, durableWatch } from '../../src/store/durable-store.ts'
import { done, MANUAL, planned } from '../support/scripted.ts'

const TENANT = 'dev'
const store = durableStore(env.TASKS, env.WORKSPACES)
const brief = {
  goal: 'g',
  mode: 'plan_execute',
  settings: Settings.parse({ max_steps: 1_000 }),
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
}
const replied = (reply: object): Event => ({
  kind: 'model_replied',
  text: JSON.stringify(reply),
  usage: null,
  model: 'm',
  form: 'text',
})
const ticket = (more: Ticket['more'] = 'new_round'): Ticket => ({
  slice: 's1',
  boot: bootId(),
  more,
  wall_ms: 0,
  rounds: 9,
  key: null,
})
const never = () => new Promise<void>(() => {})

const draining = newDraining()
const watchOf = durableWatch(env.TASKS, draining)
const open: Following[] = []
afterEach(() => {
  for (const following of open.splice(0)) following.stop()
})

/** A task with a plan of one item; its first thought is under way as row 3. */
async function newTask() {
  const id = `task_${crypto.randomUUID()}`
  const task = store.of(TENANT, id)
  await task.create({ id, tenant: TENANT, brief }, ticket())
  await task.commit(2, replied(planned('A')), ticket())
  const stub = env.TASKS.getByName(JSON.stringify([TENANT, id]))
  const watch = async () => {
    const opened = await watchOf(TENANT, id)
    if (!opened.ok) throw new Error(opened.refusal.code)
    return opened.value
  }
  // A stub of an object that was lost stays of no use.
  const fetchEvents = (from: number, limit: number) => store.of(TENANT, id).ask({ kind: 'events', after: from, limit })
  const watched = async (after = 0, beat = never) => {
    const following = followTask(fetchEvents, await watch(), { after, beat })
    open.push(following)
    return following
  }
  const stored = async () => {
    const page = await fetchEvents(0, 100)
    if (!page.ok) throw new Error(page.refusal.code)
    return page.value.data.map(({ seq }) => seq)
  }
  const sockets = () => runInDurableObject(stub, (_object, state) => state.getWebSockets().length)
  /** The thought ends its item, then the replan the task: two rows, or one and a cancel. */
  const step = () => task.commit(3, replied(done('a')), ticket('this_round'))
  return { id, task, stub, watch, watched, stored, sockets, step }
}

/** All of it, to its end or where it stops. */
async function whole({ sights }: Following) {
  const seen: number[] = []
  for await (const sight of sights) {
    if (sight.kind === 'events') seen.push(...sight.events.map(({ seq }) => seq))
    if (sight.kind === 'ended') return { seen, ended: sight.status }
  }
  return { seen, ended: null }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`http://service${path}`, { headers: { authorization: 'Bearer dev-key', ...headers } })
const UPGRADE = {
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
interface Messages {
  seqs: number[]
  code: number
  reason: string
}
/** What a client's WebSocket got, until it was closed. */
const messagesOf = async (path: string, key = true): Promise<Messages> => (await opened(path, key)).messages

/** The same, once the socket is open. */
async function opened(path: string, key = true): Promise<{ messages: Promise<Messages> }> {
  const headers = { ...UPGRADE, ...(key ? { authorization: 'Bearer dev-key' } : {}) }
  const { webSocket: socket } = await exports.default.fetch(`http://service${path}`, { headers })
  if (socket === null) throw new Error('no socket')
  const seqs: number[] = []
  socket.addEventListener('message', ({ data }) => void seqs.push((JSON.parse(String(data)) as { seq: number }).seq))
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
  socket.accept()
  return { messages: closed.then(({ code, reason }) => ({ seqs, code, reason })) }
}

describe('P18 watchers of a task', () => {
  it('F63 see what was and what comes, each event once, and the end', async () => {
    const { task, watched, stored, step, sockets } = await newTask()
    const seen = whole(await watched())
    await step()
    await task.tell({ kind: 'cancel' }, ticket())
    expect(await seen).toEqual({ seen: await stored(), ended: 'canceled' })
    expect((await stored()).length).toBeGreaterThan(4)
    expect(await sockets()).toBe(0)
  })

  it('F64 a hundred of them, half of whom never read, hold up no step', async () => {
    const { task, watched, stored, step, sockets } = await newTask()
    const readers = await Promise.all(Array.from({ length: 50 }, () => watched()))
    for (let asleep = 0; asleep < 50; asleep++) await watched()
    const seen = readers.map(whole)
    expect(await sockets()).toBe(100)
    expect(await step()).toMatchObject({ ok: true, value: { advanced: true } })
    await task.tell({ kind: 'cancel' }, ticket())
    const expected = { seen: await stored(), ended: 'canceled' }
    for (const one of await Promise.all(seen)) expect(one).toEqual(expected)
  })

  it('are kept when the object hibernates, and told what happens after', async () => {
    const { task, stub, watched, stored, sockets } = await newTask()
    const seen = whole(await watched())
    await evictDurableObject(stub)
    expect(await sockets()).toBe(1)
    await task.tell({ kind: 'cancel' }, ticket())
    expect(await seen).toEqual({ seen: await stored(), ended: 'canceled' })
  })

  it('F63 stop without an end when the object is lost, and miss nothing when they come again', async () => {
    const { id, stub, watched, stored } = await newTask()
    const seen = whole(await watched())
    await expect(runInDurableObject(stub, (_object, state) => state.abort('lost'))).rejects.toThrow('lost')
    const { seen: before, ended } = await seen
    expect(ended).toBeNull()
    await store.of(TENANT, id).tell({ kind: 'cancel' }, ticket())
    const after = await whole(await watched(before.at(-1) ?? 0))
    expect({ seen: [...before, ...after.seen], ended: after.ended }).toEqual({
      seen: await stored(),
      ended: 'canceled',
    })
  })

  it('are disconnected without an end when the task is deleted', async () => {
    const { task, watched, stored, sockets } = await newTask()
    const ids = await stored()
    const following = await watched()
    const seen = [await following.sights.next(), following.sights.next()] as const
    expect(seen[0].value).toMatchObject({ kind: 'events', events: ids.map((seq) => ({ seq })) })
    await task.remove()
    expect(await seen[1]).toEqual({ done: true, value: undefined })
    expect(await sockets()).toBe(0)
  })

  it('are at most 200; one who has left makes room', async () => {
    const { id, watch, watched } = await newTask()
    const first = await watch()
    for (let more = 1; more < 200; more++) await watched()
    expect(await watchOf(TENANT, id)).toEqual({
      ok: false,
      refusal: { code: 'too_many_watchers', max: 200 },
    })
    expect((await get(`/tasks/${id}/events`, { accept: 'text/event-stream' })).status).toBe(429)
    first.close()
    const place = async () => (await watchOf(TENANT, id)).ok
    await expect.poll(place).toBe(true)
  })

  it('end when their process drains, without an end of the task', async () => {
    const { watched } = await newTask()
    const following = await watched(0)
    const seen = whole(following)
    draining.begin()
    expect(await seen).toMatchObject({ ended: null })
  })

  it('do not exist for an ended task or for a task that does not exist', async () => {
    const { id, task, watched, stored, sockets } = await newTask()
    await task.tell({ kind: 'cancel' }, ticket())
    expect(await whole(await watched(2))).toEqual({ seen: (await stored()).slice(2), ended: 'canceled' })
    expect(await sockets()).toBe(0)
    const nobody = await watchOf(TENANT, `${id}0`)
    expect(nobody).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
  })

  it('API1 from another tenant see nothing, as if the task did not exist', async () => {
    const { id } = await newTask()
    const stranger = await watchOf('somebody', id)
    expect(stranger).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
  })

  it('U5 cost no row and no alarm, and receive events only', async () => {
    const { task, stub, watch, step } = await newTask()
    const watching = await watch()
    expect(await watching.next()).toMatchObject({ status: 'running' })
    const rows = () =>
      runInDurableObject(stub, (_object, state) => state.storage.sql.exec('SELECT total_changes() AS n').one()['n'])
    const before = Number(await rows())
    await step()
    expect(Number(await rows()) - before).toBe(1)
    const told = await watching.next()
    expect(Object.keys(told ?? {}).toSorted()).toEqual(['fresh', 'seq', 'status'])
    // Begun, and nothing to tell: the next news is that of the cancel.
    await task.begin(ticket())
    const alarm = await runInDurableObject(stub, (_object, state) => state.storage.getAlarm())
    expect(alarm).toBeNull()
    await task.tell({ kind: 'cancel' }, ticket())
    expect(await watching.next()).toMatchObject({ status: 'canceled' })
    watching.close()
  })
})

describe('events as they happen, over HTTP', () => {
  it('F63 a stream goes on after the last id that was seen', async () => {
    const { id, task, stored } = await newTask()
    const first = await get(`/tasks/${id}/events`, { accept: 'text/event-stream' })
    const reader = first.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('id: 2\n')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    const seen = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
    await task.tell({ kind: 'cancel' }, ticket())
    const again = await get(`/tasks/${id}/events`, {
      accept: 'text/event-stream',
      'last-event-id': String(seen.at(-1)),
    })
    const rest = await again.text()
    seen.push(...[...rest.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq)))
    expect(seen).toEqual(await stored())
    expect(rest).toMatch(/event: end\ndata: \{"status":"canceled"\}\n\n$/)
  })

  it('a WebSocket on the same path gets the same events and a normal close', async () => {
    const { id, task, stored, step } = await newTask()
    const whole = messagesOf(`/tasks/${id}/events`)
    const rest = messagesOf(`/tasks/${id}/events?after=2`)
    await step()
    await task.tell({ kind: 'cancel' }, ticket())
    const ids = await stored()
    expect(await whole).toEqual({ seqs: ids, code: 1000, reason: 'canceled' })
    expect(await rest).toEqual({ seqs: ids.slice(2), code: 1000, reason: 'canceled' })
  })

  it('a deleted task closes it for another time, which then is 404', async () => {
    const { id, task, stored } = await newTask()
    const ids = await stored()
    const { messages } = await opened(`/tasks/${id}/events`)
    await task.remove()
    const { seqs, code, reason } = await messages
    expect([seqs, code]).toEqual([ids.slice(0, seqs.length), 1012])
    expect(reason).toMatch(/go on with \?after=\d+$/)
    const refused = await get(`/tasks/${id}/events`, UPGRADE)
    expect([refused.status, refused.webSocket]).toEqual([404, null])
  })

  it('U22 a link opens a WebSocket too', async () => {
    const { id, task, stored } = await newTask()
    await task.tell({ kind: 'cancel' }, ticket())
    const link = /<(\S+)>/.exec((await get(`/tasks/${id}`)).headers.get('link') ?? '')?.[1] ?? ''
    expect(await messagesOf(link, false)).toMatchObject({ seqs: await stored(), code: 1000 })
  })
})

describe('the words of a model call', () => {
  const words = { journal_seq: 3, phase: 'thought', from: 0, text: '{"thought":"买' }

  it('reach those who watch, before the events of their reply, and nothing of them is stored', async () => {
    const { task, stub, watched, step } = await newTask()
    const size = () => runInDurableObject(stub, (_object, state) => state.storage.sql.databaseSize)
    expect(await task.relay(words, 's1')).toEqual({ open: true, watched: false })
    const { sights } = await watched()
    const seen: unknown[] = []
    const first = (await sights.next()).value
    expect(first).toMatchObject({ kind: 'events' })
    const before = await size()
    expect(await task.relay(words, 's1')).toEqual({ open: true, watched: true })
    expect((await sights.next()).value).toEqual({ kind: 'said', said: words })
    expect(await task.relay({ ...words, from: 13, text: '' }, 's1')).toEqual({ open: true, watched: true })
    expect(await size()).toBe(before)
    await step()
    for await (const sight of sights) {
      seen.push(sight.kind)
      if (sight.kind === 'events') break
    }
    expect(seen).toEqual(['events'])
  })
  it('are told to nobody where the call does not count any more: another slice, another row, a closed one, a canceled or deleted task', async () => {
    const { task, step, id } = await newTask()
    const closed = { open: false, watched: false }
    expect(await task.relay(words, 's2')).toEqual(closed)
    expect(await task.relay({ ...words, journal_seq: 2 }, 's1')).toEqual(closed)
    await step()
    expect(await task.relay(words, 's1')).toEqual(closed)
    const other = await newTask()
    await other.task.tell({ kind: 'cancel' }, ticket())
    expect(await other.task.relay(words, 's1')).toEqual(closed)
    await task.remove()
    expect(await store.of(TENANT, id).relay(words, 's1')).toEqual(closed)
    // A task that never was is not made by it.
    const nobody = store.of(TENANT, 'task_nobody')
    expect(await nobody.relay(words, 's1')).toEqual(closed)
    expect(await nobody.ask({ kind: 'view' })).toMatchObject({ ok: false })
  })
  it('reach a client over its WebSocket and as an event without an id', async () => {
    const { id, task } = await newTask()
    const headers = { ...UPGRADE, authorization: 'Bearer dev-key' }
    const { webSocket } = await exports.default.fetch(`http://service/tasks/${id}/events`, { headers })
    const heard = new Promise<string>((resolve) => {
      webSocket?.addEventListener('message', ({ data }) => {
        if (String(data).includes('thought_delta')) resolve(String(data))
      })
    })
    webSocket?.accept()
    const response = await get(`/tasks/${id}/events`, { accept: 'text/event-stream' })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('plan_')) text += (await reader?.read())?.value ?? ''
    expect((await task.relay(words, 's1')).watched).toBe(true)
    const frame = `event: thought_delta\ndata: ${JSON.stringify({ type: 'thought_delta', ...words })}\n\n`
    while (!text.includes('thought_delta')) text += (await reader?.read())?.value ?? ''
    expect(text.endsWith(frame)).toBe(true)
    expect(JSON.parse(await heard)).toEqual({ type: 'thought_delta', ...words })
    await reader?.cancel()
    webSocket?.close()
  })
})
