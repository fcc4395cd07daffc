/** A call that an MCP server works on as a task of its own: it is looked at again, asks, is answered, and is given up. */
import { describe, expect, it } from 'vitest'
import type { HeldCall, HeldState } from '../../src/shell/tool-ports.ts'
import { benchWith, toolNamed, type Bench } from '../support/mcp-call.ts'
import { sentTo, standIn } from '../support/mcp-stand-in.ts'

const FORM = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
const QUESTION = { mode: 'form', message: 'Which colour?', requestedSchema: FORM }
const says = (text: string) => ({ content: [{ type: 'text', text }] })
const times = { createdAt: '2026-11-24T00:00:00Z', lastUpdatedAt: '2026-11-24T00:00:00Z' }
const modern = (status: string, more: object = {}) => ({ taskId: 't-1', status, ttlMs: null, ...times, ...more })
const older = (status: string, more: object = {}) => ({ taskId: 't-1', status, ttl: null, ...times, ...more })
const TASKS = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } }

type Result = Awaited<ReturnType<Bench['call']>>
function held(result: Result): HeldCall {
  if (!('kind' in result)) throw new Error(JSON.stringify(result))
  return result
}
const goOn = (bench: Bench, from: HeldCall, answer: HeldState['answer'] = null, how: object = {}) =>
  bench.call(toolNamed('act', {}, how), {}, { held: { state: from.state, answer } })

describe('MCP-10 a server of 2026 gives a task in place of a result', () => {
  const begun = () => ({
    resultType: 'task',
    ...modern('working', { statusMessage: 'digging', pollIntervalMs: 2_000 }),
  })

  it('the call waits as long as the server says, between a second and five minutes', async () => {
    const polls = [500, 9_000_000, Number.NaN, 'soon']
    const server = standIn(2026, {
      act: begun,
      'tasks/get': () => modern('working', { pollIntervalMs: polls.shift() }),
    })
    const bench = benchWith(server.fetch)
    const first = held(await bench.call(toolNamed('act')))
    expect(first).toEqual({ kind: 'tool_waits', state: expect.any(String), poll_ms: 2_000, message: 'digging' })
    const waits: number[] = []
    for (let poll = 0; poll < 4; poll++) {
      const next = held(await goOn(bench, first))
      if (next.kind === 'tool_waits') waits.push(next.poll_ms)
    }
    expect(waits).toEqual([1_000, 300_000, 5_000, 5_000])
    expect(server.breaches).toEqual([])
  })

  it('its result comes with the task, and is read as that of a call is', async () => {
    const server = standIn(2026, { act: begun, 'tasks/get': () => modern('completed', { result: says('dug') }) })
    const bench = benchWith(server.fetch)
    const first = held(await bench.call(toolNamed('act')))
    expect(await goOn(bench, first)).toEqual({ ok: true, code: 'success', text: 'dug' })
    const strict = { output_schema: { type: 'object', properties: { depth: { type: 'number' } } } }
    expect(await goOn(bench, first, null, strict)).toMatchObject({ code: 'bad_answer' })
    expect(sentTo(server, 'tasks/get')[0]).toMatchObject({ taskId: 't-1' })
  })

  it.each([
    [
      'failed',
      { error: { code: -32_603, message: 'the shovel broke' } },
      'the task of the server failed: the shovel broke',
    ],
    ['cancelled', { statusMessage: 'too deep' }, 'the server cancelled its task: too deep'],
  ])('one that %s is a failed action', async (status, more, text) => {
    const server = standIn(2026, { act: begun, 'tasks/get': () => modern(status, more) })
    const bench = benchWith(server.fetch)
    expect(await goOn(bench, held(await bench.call(toolNamed('act'))))).toEqual({ ok: false, code: 'tool_error', text })
  })

  it('one that asks gets the answer, and is asked nothing twice', async () => {
    const server = standIn(2026, {
      act: begun,
      'tasks/get': () =>
        modern('input_required', { inputRequests: { q1: { method: 'elicitation/create', params: QUESTION } } }),
      'tasks/update': () => ({}),
    })
    const bench = benchWith(server.fetch)
    const asked = held(await goOn(bench, held(await bench.call(toolNamed('act')))))
    expect(asked).toMatchObject({ kind: 'tool_asked', question: { text: 'Which colour?', schema: FORM } })
    // The status of a server may follow its answers late.
    const after = held(await goOn(bench, asked, { action: 'accept', content: { colour: 'red' } }))
    expect(after.kind).toBe('tool_waits')
    expect(held(await goOn(bench, after)).kind).toBe('tool_waits')
    expect(sentTo(server, 'tasks/update')).toEqual([
      expect.objectContaining({
        taskId: 't-1',
        inputResponses: { q1: { action: 'accept', content: { colour: 'red' } } },
      }),
    ])
    expect(server.breaches).toEqual([])
  })

  it('one that wants what the service does not do is cancelled', async () => {
    const server = standIn(2026, {
      act: begun,
      'tasks/get': () =>
        modern('input_required', { inputRequests: { q1: { method: 'sampling/createMessage', params: {} } } }),
      'tasks/cancel': () => ({}),
    })
    const bench = benchWith(server.fetch)
    const result = await goOn(bench, held(await bench.call(toolNamed('act'))))
    expect(result).toMatchObject({ code: 'tool_error', text: expect.stringContaining('sampling/createMessage') })
    expect(sentTo(server, 'tasks/cancel')).toHaveLength(1)
  })

  it('is cancelled when the call is given up, and what the server answers does not matter', async () => {
    const server = standIn(2026, { act: begun })
    const bench = benchWith(server.fetch)
    const { state } = held(await bench.call(toolNamed('act')))
    await bench.abandon({ state, answer: null })
    await bench.abandon({ state: 'unreadable', answer: null })
    expect(sentTo(server, 'tasks/cancel')).toEqual([expect.objectContaining({ taskId: 't-1' })])
    expect(server.breaches).toEqual([])
  })

  it('a poll that fails says that the tool may have acted', async () => {
    const server = standIn(2026, { act: begun })
    let is_down = false
    const bench = benchWith((...args) => (is_down ? Promise.reject(new Error('down')) : server.fetch(...args)))
    const first = held(await bench.call(toolNamed('act')))
    is_down = true
    expect(await goOn(bench, first)).toMatchObject({
      code: 'no_answer',
      text: expect.stringContaining('may or may not'),
    })
  })
})

describe('MCP-10 a server of 2025 runs a call as a task when it is told to', () => {
  const AS_TASK = { as_task: true }
  const begun = () => ({ task: older('working', { pollInterval: 1_500 }) })
  const tool = toolNamed('act', {}, AS_TASK)

  it.each([
    ['required', true],
    ['optional', true],
    ['forbidden', undefined],
  ])('a tool whose tasks are %s', async (taskSupport, as_task) => {
    const lists = { tools: [{ name: 'act', inputSchema: { type: 'object' }, execution: { taskSupport } }] }
    const list = await benchWith(standIn(2025, { 'tools/list': () => lists }, TASKS).fetch).list()
    expect('tools' in list && list.tools[0]?.call).toEqual({
      kind: 'mcp',
      source: 0,
      tool: 'act',
      output_schema: null,
      ...(as_task === undefined ? {} : { as_task }),
    })
  })

  it('the session goes on until the result is there, which is asked for', async () => {
    const states = ['working', 'completed']
    const server = standIn(
      2025,
      { act: begun, 'tasks/get': () => older(states.shift() ?? 'completed'), 'tasks/result': () => says('dug') },
      TASKS,
    )
    const bench = benchWith(server.fetch)
    const first = held(await bench.call(tool))
    expect(first).toMatchObject({ kind: 'tool_waits', poll_ms: 1_500 })
    expect(sentTo(server, 'tools/call')[0]).toMatchObject({ task: { ttl: expect.any(Number) } })
    expect(server.sessions.size).toBe(1)
    const second = held(await goOn(bench, first, null, AS_TASK))
    expect(server.sessions.size).toBe(1)
    expect(await goOn(bench, second, null, AS_TASK)).toEqual({ ok: true, code: 'success', text: 'dug' })
    expect(server.sessions.size).toBe(0)
    expect(sentTo(server, 'initialize')).toHaveLength(1)
    expect(server.breaches).toEqual([])
  })

  it('one that asks does so while its result is waited for, and gets the answer later', async () => {
    let colour: unknown = null
    const server = standIn(
      2025,
      {
        act: begun,
        'tasks/get': () => older(colour === null ? 'input_required' : 'completed'),
        'tasks/result': async (_, { ask }) => {
          if (colour === null) colour = (await ask('elicitation/create', QUESTION)).result?.['content']
          return says(JSON.stringify(colour))
        },
      },
      TASKS,
    )
    const bench = benchWith(server.fetch)
    const asked = held(await goOn(bench, held(await bench.call(tool)), null, AS_TASK))
    expect(asked).toMatchObject({ kind: 'tool_asked', question: { text: 'Which colour?' } })
    const result = await goOn(bench, asked, { action: 'accept', content: { colour: 'red' } }, AS_TASK)
    expect(result).toMatchObject({ ok: true, text: '{"colour":"red"}' })
    expect(server.breaches).toEqual([])
  })

  it('a failed one is a failed action with the error that the server gives', async () => {
    const server = standIn(
      2025,
      {
        act: begun,
        'tasks/get': () => older('failed'),
        'tasks/result': () => ({ ...says('it broke'), isError: true }),
      },
      TASKS,
    )
    const bench = benchWith(server.fetch)
    const result = await goOn(bench, held(await bench.call(tool)), null, AS_TASK)
    expect(result).toEqual({ ok: false, code: 'tool_error', text: 'it broke' })
  })

  it('is cancelled with its session when the call is given up', async () => {
    const server = standIn(2025, { act: begun, 'tasks/cancel': () => older('cancelled') }, TASKS)
    const bench = benchWith(server.fetch)
    await bench.abandon({ state: held(await bench.call(tool)).state, answer: null })
    expect(sentTo(server, 'tasks/cancel')).toEqual([{ taskId: 't-1' }])
    expect(server.sessions.size).toBe(0)
  })
})

it('a task without an id or a known status is a failed action', async () => {
  for (const task of [
    { status: 'working' },
    { taskId: 't', status: 'odd' },
    { taskId: 'x'.repeat(600), status: 'working' },
  ]) {
    const server = standIn(2026, { act: () => ({ resultType: 'task', ...task }) })
    expect(await benchWith(server.fetch).call(toolNamed('act'))).toMatchObject({ ok: false, code: 'bad_answer' })
  }
})
