/** Events over a WebSocket: what is sent on trust, how it goes on, and with which words it is closed. */
import { describe, expect, it } from 'vitest'
import { sendEvents, type EventSocket } from '../../src/http/resources/events/watch-socket.ts'
import { watched } from '../support/sights.ts'

/** The client's end, in memory. */
function socketTo() {
  const sent: string[] = []
  const closed: { code: number | undefined; reason: string | undefined }[] = []
  const heard = { message: () => {}, close: () => {}, error: () => {} }
  const socket: EventSocket = {
    send: (text) => void sent.push(String(text)),
    close: (code, reason) => void closed.push({ code, reason }),
    addEventListener: (type, listener) => void (heard[type] = listener),
  }
  return { socket, sent, closed, heard, ids: () => sent.map((text) => (JSON.parse(text) as { seq: number }).seq) }
}
/** Long enough for whatever is ready to happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const KIB_100 = 'x'.repeat(100 * 1024)

describe('events over a WebSocket', () => {
  it('are the envelopes, one text message each, and a normal close after the end', async () => {
    const task = watched(1)
    const { socket, sent, closed } = socketTo()
    task.happen(3, 'completed')
    await sendEvents(socket, task.following, 1)
    expect(sent.map((text) => JSON.parse(text))).toEqual(task.events.slice(1))
    expect(closed).toEqual([{ code: 1000, reason: 'completed' }])
    expect(task.watching()).toBe(false)
  })

  it('F64 are sent up to 1 MiB on trust; then it is closed with 1013, and says where to go on', async () => {
    const task = watched()
    const { socket, closed, ids: seen } = socketTo()
    task.happen(30, 'running', KIB_100)
    await sendEvents(socket, task.following, 0)
    expect(seen()).toEqual(ids(1, 10))
    expect(closed).toEqual([{ code: 1013, reason: 'too much unread; go on with ?after=10' }])
    expect(task.watching()).toBe(false)
  })

  it('go on as long as the reader says something', async () => {
    const task = watched()
    const { socket, closed, heard, ids: seen } = socketTo()
    const all = sendEvents(socket, task.following, 0)
    for (let times = 0; times < 5; times++) {
      task.happen(9, 'running', KIB_100)
      await settled()
      heard.message()
    }
    task.happen(1, 'failed')
    await all
    expect(seen()).toEqual(ids(1, 46))
    expect(closed).toEqual([{ code: 1000, reason: 'failed' }])
  })

  it('one that is larger than all that goes on trust goes alone', async () => {
    const task = watched()
    const { socket, closed, ids: seen } = socketTo()
    task.happen(2, 'running', 'x'.repeat(2 * 1024 * 1024))
    await sendEvents(socket, task.following, 0)
    expect(seen()).toEqual([1])
    expect(closed).toEqual([{ code: 1013, reason: 'too much unread; go on with ?after=1' }])
  })

  it('are closed with 1012 after forty heartbeats without an event, and readers connect again', async () => {
    const task = watched(4)
    const { socket, sent, closed } = socketTo()
    const all = sendEvents(socket, task.following, 4)
    for (let beats = 0; beats < 39; beats++) {
      await settled()
      task.beat()
    }
    await settled()
    expect(closed).toEqual([])
    task.beat()
    await all
    expect([sent, closed]).toEqual([[], [{ code: 1012, reason: 'nothing has happened for long; go on with ?after=4' }]])
    expect(task.watching()).toBe(false)
  })

  it('F63 are interrupted with 1012 when the object stops telling', async () => {
    const task = watched(4)
    const { socket, closed } = socketTo()
    task.vanish()
    await sendEvents(socket, task.following, 4)
    expect(closed).toEqual([{ code: 1012, reason: 'nobody tells any more; go on with ?after=4' }])
  })

  it('a silence is no message, and a reader who leaves is no longer a watcher', async () => {
    const task = watched()
    const { socket, sent, closed, heard } = socketTo()
    const all = sendEvents(socket, task.following, 0)
    await settled()
    task.beat()
    await settled()
    heard.close()
    await all
    expect([sent, closed, task.watching()]).toEqual([[], [], false])
  })

  it('what breaks them closes them too, and is thrown for the log', async () => {
    const { socket, closed } = socketTo()
    const sights = (async function* () {
      yield { kind: 'quiet' as const }
      throw new Error('broken')
    })()
    await expect(sendEvents(socket, { sights, stop: () => {} }, 7)).rejects.toThrow('broken')
    expect(closed).toEqual([{ code: 1012, reason: 'it was interrupted; go on with ?after=7' }])
  })
})
