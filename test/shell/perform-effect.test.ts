/** One effect becomes one event, whatever a tool or a model does: nothing of the world is thrown into a task. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Assignment } from '../../src/core/engine/assignment.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { performEffect } from '../../src/shell/slice/perform-effect.ts'
import type { Model } from '../../src/shell/ports.ts'
import type { Tool, ToolContext } from '../../src/shell/tool-ports.ts'
import { act, benchOf, clientToolsOf, context, createTask, ONE, planned, CALLER } from '../support/scripted.ts'

const fixed = { task: 'task_1', mode: 'plan_execute' as const, seq: 4, key: 'task_1:4', opens_round: false }
const toRun = (timeout_ms = 50, offered = ['todo'], locale: Locale = 'en'): Assignment => ({
  ...fixed,
  timeout_ms,
  work: {
    kind: 'run_tool',
    tool: 'todo',
    offered,
    remote: null,
    sources: [],
    input: '/x',
    wall_ms: 7,
    timezone: 'UTC',
    locale,
    settings: DEFAULT_SETTINGS,
  },
})
const toAsk: Assignment = {
  ...fixed,
  timeout_ms: 50,
  work: {
    kind: 'call_model',
    phase: 'thought',
    model: null,
    reasoning_effort: null,
    temperature: 0,
    silence_ms: 50,
    messages: [],
    tools: [],
    one_call: false,
    offered: [],
    form: 'text',
    max_output_tokens: 64,
  },
}
const client_tools = clientToolsOf(() => {
  throw new Error('not to be asked')
})
const { files } = benchOf({}).ports
const toolOf = (run: Tool['run']) => ({
  model: null,
  tools: new Map([['todo', { name: 'todo', run }]]),
  client_tools,
  files,
})
const runWith = (run: Tool['run'], assignment = toRun()) => performEffect(toolOf(run), 'acme', assignment, null)
const askWith = (complete: Model['complete'] | null) =>
  performEffect(
    { model: complete === null ? null : { complete }, tools: new Map(), client_tools, files },
    'acme',
    toAsk,
    null,
  )

/** What is thrown, and the name that is kept of it; messages may quote what must not be stored. */
const THROWN: [string, unknown, string][] = [
  ['an error', new TypeError('key sk-secret was refused'), 'TypeError'],
  ['something that is no error', 'sk-secret', 'unknown error'],
]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a tool', () => {
  it('that never answers is a failed action at its deadline, not before', async () => {
    let ended = false
    const event = runWith(() => new Promise(() => undefined)).finally(() => (ended = true))
    await vi.advanceTimersByTimeAsync(49)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await event).toEqual({
      kind: 'tool_returned',
      ok: false,
      code: 'timed_out',
      text: expect.stringContaining('the tool timed out'),
    })
  })

  it('that never answers has an error in the language of the task', async () => {
    const event = runWith(() => new Promise(() => undefined), toRun(50, ['todo'], 'zh'))
    await vi.advanceTimersByTimeAsync(50)
    expect(await event).toMatchObject({
      ok: false,
      code: 'timed_out',
      text: expect.stringContaining('工具未在时限内返回'),
    })
  })

  it('that answers in time leaves no timer behind', async () => {
    const result = { ok: true, code: 'done', text: 'fine' }
    expect(await runWith(() => Promise.resolve(result))).toEqual({ kind: 'tool_returned', ...result })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(THROWN)('that throws %s is a failed action; only its name is kept', async (_name, thrown, kept) => {
    const event = { kind: 'tool_returned', ok: false, code: 'tool_error', text: `the tool failed: ${kept}` }
    expect(await runWith(() => Promise.reject(thrown))).toEqual(event)
    expect(
      await runWith(() => {
        throw thrown
      }),
    ).toEqual(event)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is given its key, its tenant, the wall clock of the row and its deadline', async () => {
    const calls: [string, ToolContext][] = []
    await performEffect(
      toolOf((input, call) => {
        calls.push([input, call])
        return Promise.resolve({ ok: true, code: 'x', text: '' })
      }),
      'acme',
      toRun(),
      'trace',
    )
    const call = {
      tenant: 'acme',
      task: 'task_1',
      key: 'task_1:4',
      now_ms: 7,
      timezone: 'UTC',
      locale: 'en',
      settings: DEFAULT_SETTINGS,
    }
    expect(calls).toEqual([['/x', { ...call, timeout_ms: 50, traceparent: 'trace' }]])
  })

  it.each([
    [100_000, 100_000],
    [100_001, 100_000],
  ])('that answers %i characters is kept with %i', async (given, kept) => {
    const event = await runWith(() => Promise.resolve({ ok: true, code: 'x', text: 'x'.repeat(given) }))
    expect(event.kind === 'tool_returned' && event.text.length).toBe(kept)
    expect(event.kind === 'tool_returned' && event.text.endsWith('...')).toBe(given > kept)
  })

  it('that is not offered is a failed action that names the offered tools', async () => {
    const event = await performEffect(toolOf(unwanted), 'acme', toRun(50, ['other']), null)
    expect(event).toMatchObject({
      ok: false,
      code: 'not_offered',
      text: expect.stringMatching(/"todo".*offered: other, ask_user/),
    })
  })
})
const unwanted: Tool['run'] = () => Promise.reject(new Error('not to be run'))

describe('a model', () => {
  it.each(THROWN)('whose adapter throws %s is a failed call; only its name is kept', async (_name, thrown, kept) => {
    const event = {
      kind: 'model_failed',
      reason: `the model adapter failed: ${kept}`,
      status: null,
      retry_after_ms: null,
    }
    expect(await askWith(() => Promise.reject(thrown))).toEqual(event)
    expect(
      await askWith(() => {
        throw thrown
      }),
    ).toEqual(event)
  })

  it('that is not configured is a failed call', async () => {
    expect(await askWith(null)).toMatchObject({ kind: 'model_failed', reason: 'no model is configured' })
  })
})

describe('in a task', () => {
  it.each<[string, string, Tool['run']]>([
    ['never answers', 'timed out', () => new Promise(() => undefined)],
    ['throws', 'RangeError', () => Promise.reject(new RangeError('x'))],
  ])(
    'S0-30 an action whose tool %s costs one, is shown to the next thought, and the task goes on',
    async (_name, said, run) => {
      const script = { plan: [planned('A')], thought: [act(), act()] }
      const bench = benchOf(script, { tools: new Map([['todo', { name: 'todo', run }]]) })
      const going = createTask(bench, {}, ONE)
      await vi.advanceTimersByTimeAsync(30_000)
      const task = await going
      expect(task).toMatchObject({ status: 'running', step_count: 2, counters: { actions: 1, failed_actions: 1 } })
      const next = bench.service.stepTask(CALLER, task.id, ONE)
      await vi.advanceTimersByTimeAsync(30_000)
      expect((await next).ok).toBe(true)
      expect(context(bench.requests.at(-1)).observations).toMatchObject([
        { tool: 'todo', ok: false, result: expect.stringContaining(said) },
      ])
      bench.spent()
    },
  )

  it('U9 a call whose adapter throws costs one and pauses the task at its failure_limit', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const task = await createTask(bench, { failure_limit: 1 }, ONE)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 1 })
    expect(task.handover?.unfinished_reason).toContain('the model adapter failed: Error')
  })
})
