/** Events of the TypeScript client as they happen: each once, over cuts of the connection, until the task has ended. */
import { describe, expect, it } from 'vitest'
import { SILENCE_MS_MAX } from '../../clients/typescript/src/events.ts'
import { all, END_TEXT, eventText, failureOf, json, problem, scriptedClient, streamOf, testClock } from './bench.ts'

const seqs = (events: { seq: number }[]) => events.map(({ seq }) => seq)
const paths = (sent: { url: string }[]) => sent.map(({ url }) => url)

describe('U59 events', () => {
  it('U59 come once and in order, and end with the task', async () => {
    const delta = 'event: thought_delta\ndata: {"text":"buy"}\n\n'
    const { client, sent } = scriptedClient([streamOf([': hello\n\n', eventText(1), delta, eventText(2), END_TEXT])])
    expect(seqs(await all(client.events('task_1')))).toEqual([1, 2])
    expect(paths(sent)).toEqual(['/tasks/task_1/events?after=0'])
    expect(sent[0]?.headers.get('accept')).toBe('text/event-stream')
  })

  it('U59 go on behind the last one when the connection is cut at any byte', async () => {
    const whole = new TextEncoder().encode(eventText(1) + eventText(2))
    const first = new TextEncoder().encode(eventText(1)).length
    for (let at = 1; at <= whole.length; at += 1) {
      const seen = at < first ? 0 : at < whole.length ? 1 : 2
      const rest = [1, 2, 3].filter((seq) => seq > seen).map((seq) => eventText(seq))
      const { client, sent } = scriptedClient([
        streamOf([whole.slice(0, at)], at % 2 === 0),
        streamOf([...rest, END_TEXT]),
      ])
      expect([at, seqs(await all(client.events('task_1')))]).toEqual([at, [1, 2, 3]])
      expect(paths(sent)[1]).toBe(`/tasks/task_1/events?after=${seen}`)
    }
  })

  it('U59 that a service sends again are not given again', async () => {
    const again = [eventText(1), eventText(2), eventText(3), END_TEXT]
    const { client } = scriptedClient([streamOf([eventText(1), eventText(2)], true), streamOf(again)])
    expect(seqs(await all(client.events('task_1')))).toEqual([1, 2, 3])
  })

  it('U59 begin behind the one that is named', async () => {
    const { client, sent } = scriptedClient([streamOf([eventText(8), END_TEXT])])
    expect(seqs(await all(client.events('task_1', { after: 7 })))).toEqual([8])
    expect(paths(sent)).toEqual(['/tasks/task_1/events?after=7'])
  })

  it('U59 of a stream that is cut before its first byte again and again end in an error', async () => {
    const { client, slept } = scriptedClient([streamOf([]), streamOf([], true), streamOf([])], { retries: 2 })
    const error = await failureOf(all(client.events('task_1')))
    expect(error).toMatchObject({ code: 'network_error', detail: 'the stream was cut 3 times before it began' })
    expect(slept).toEqual([750, 1500])
  })

  it('U59 of a stream that only says that it is alive are waited for', async () => {
    const alive = Array.from({ length: 9 }, () => streamOf([': \n\n']))
    const { client } = scriptedClient([...alive, streamOf([eventText(1), END_TEXT])], { retries: 1 })
    expect(seqs(await all(client.events('task_1')))).toEqual([1])
  })

  it('U59 of a connection that has gone silent come by another one', async () => {
    const { clock, slept } = testClock([])
    const silent = new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    const { client } = scriptedClient([silent], { clock, retries: 0, timeoutSeconds: 1e6 })
    await failureOf(all(client.events('task_1')))
    expect(slept).toContain(SILENCE_MS_MAX)
  })

  it('U59 are refused with the problem of the service, or as no stream', async () => {
    const page = json({ data: [], has_more: false, next_cursor: null })
    const { client } = scriptedClient([problem(404, 'task_not_found'), page, streamOf(['id: 1\ndata: {\n\n'])])
    expect(await failureOf(all(client.events('task_1')))).toMatchObject({ status: 404, code: 'task_not_found' })
    expect(await failureOf(all(client.events('task_1')))).toMatchObject({ status: 200, code: 'bad_stream' })
    expect(await failureOf(all(client.events('task_1')))).toMatchObject({ status: 200, code: 'not_json' })
  })

  it('U59 with a line that never ends are given up', async () => {
    const { client } = scriptedClient([streamOf([new Uint8Array((1 << 20) + 1).fill(120)])])
    expect(await failureOf(all(client.events('task_1')))).toMatchObject({ code: 'bad_stream' })
  })

  it('U59 end with the reason of a caller who aborts, and the stream is left', async () => {
    const controller = new AbortController()
    let isLeft = false
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode(eventText(1))),
      cancel: () => {
        isLeft = true
      },
    })
    const open = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const { client, sent } = scriptedClient([open])
    const events = client.events('task_1', { signal: controller.signal })
    expect((await events.next()).value).toMatchObject({ seq: 1 })
    const next = events.next()
    controller.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    expect([isLeft, sent.length]).toEqual([true, 1])
  })

  it('U59 of a loop that is left leave the stream', async () => {
    let isLeft = false
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new TextEncoder().encode(eventText(1))),
      cancel: () => {
        isLeft = true
      },
    })
    const { client } = scriptedClient([new Response(body, { headers: { 'content-type': 'text/event-stream' } })])
    for await (const _ of client.events('task_1')) break
    expect(isLeft).toBe(true)
  })
})
