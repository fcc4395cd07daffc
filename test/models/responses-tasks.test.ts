/** Tasks of all five modes over the strict stand-in for Responses, and their reasoning through a pause, another process, a replay and a fork. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../src/core/terms/settings.ts'
import { END, blocks, code, look, ran } from '../core/autonomous/support.ts'
import * as dynamic from '../core/dynamic/support.ts'
import * as orchestrator from '../core/orchestrator/support.ts'
import { steps, use } from '../core/session/support.ts'
import { EQUAL, expectFold, forkOf, place, recordsOf, replayOf, storedRows } from '../support/forks.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  calling,
  closed,
  createTask,
  done,
  journalOf,
  planned,
  replanned,
  say,
  step,
  taken,
  type Bench,
} from '../support/scripted.ts'
import {
  startResponses,
  type Asked,
  type Kind,
  type Reply,
  type ResponsesStandIn,
} from '../support/stand-ins/responses.ts'
import type { Body } from '../support/stand-ins/responses-world.ts'
import { responsesModel } from './responses-support.ts'

type Replies = Parameters<typeof startResponses>[0]
interface World {
  standIn: ResponsesStandIn
  bench: Bench
}
const open: ResponsesStandIn[] = []
afterEach(async () => {
  for (const standIn of open.splice(0)) await standIn.close()
})

/** A service whose model is the real client at such an endpoint. */
const benchAt = (standIn: ResponsesStandIn, tools: { ok: boolean; text?: string }[], wire: 'chat' | 'responses') =>
  benchOf({ tools, numbered_results: true }, { model: responsesModel(standIn.base_url, { wire }) })

async function worldOf(
  replies: Replies,
  {
    tools = [],
    wire = 'responses',
    ...kind
  }: Kind & { tools?: { ok: boolean; text?: string }[]; wire?: 'chat' | 'responses' } = {},
): Promise<World> {
  const standIn = await startResponses(replies, kind)
  open.push(standIn)
  return { standIn, bench: benchAt(standIn, tools, wire) }
}

const itemsOf = ({ body }: Pick<Asked, 'body'>): Body[] =>
  Array.isArray(body['input']) ? (body['input'] as Body[]) : []
const isReasoning = ({ type }: Body) => type === 'reasoning'
/** What the endpoint wants back of a reply. */
const reasoningIn = ({ output }: Asked) =>
  output.filter(isReasoning).map((item) => {
    const { status: _, ...kept } = item
    return kept
  })

/** Each request that was answered has the reasoning of all replies before it, unchanged and in their order. */
function expectKept(requests: Asked[], from: Asked[] = []): void {
  const earlier = [...from]
  for (const one of requests) {
    expect(itemsOf(one).filter(isReasoning)).toEqual(earlier.flatMap(reasoningIn))
    earlier.push(one)
  }
}
async function expectSound({ bench, standIn }: World, id: string): Promise<void> {
  expect(standIn.leftovers()).toEqual({})
  bench.spent()
  expectFold(bench, id)
  const asked = standIn.asked.length
  expect(await replayOf(bench, id)).toEqual(EQUAL(taken(await bench.service.getTask(CALLER, id)).version))
  expect(standIn.asked).toHaveLength(asked)
  // D5: what was reserved bounds what was sent.
  for (const { seq, body } of standIn.asked) {
    const reserved = storedRows(bench, id).closed(seq)?.reserved?.input_tokens ?? 0
    expect(new TextEncoder().encode(JSON.stringify(body)).byteLength).toBeLessThanOrEqual(reserved)
  }
  // Nothing of the reasoning is shown.
  const shown = [
    await journalOf(bench, id),
    await bench.service.getTask(CALLER, id),
    await orchestrator.eventsOf(bench, id),
  ]
  expect(JSON.stringify(shown)).not.toContain('gAAAA-')
}
/** Only the first call is refused anything, which its row notes. */
function expectNegotiatedOnce({ standIn }: World, ...params: (string | null)[]): void {
  const refusals = standIn.asked.filter(({ refused }) => refused !== null)
  expect(refusals.map(({ refused }) => refused?.param ?? null)).toEqual(params)
  expect(new Set(refusals.map(({ seq }) => seq)).size).toBe(1)
}

const PLAN = blocks('look first', [' ', 'Explore'], [' ', 'Report'])
const DONE = blocks('write', ['x', 'Explore'], ['x', 'Report'])
const SESSION: Reply[] = [
  calling(
    `Two steps.\n${steps('Buy', 'Pay')}`,
    ['todo', { command: '/todo list' }],
    ['schedule', { command: '/schedule list' }],
  ),
  use('', '/todo add milk'),
  use('Bought. [Done]', '/todo add rent'),
  'Paid.\n[Done]\nBoth are on the list.',
]

describe('a task over Responses', () => {
  it('of mode session is finished, and every request has the reasoning of the replies before', async () => {
    const world = await worldOf({ turn: SESSION })
    const task = await createTask(world.bench, {}, ALL, { mode: 'session' })
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', counters: { actions: 4, model_calls: 4 } })
    expect(world.bench.calls.map(({ tool }) => tool)).toEqual(['todo', 'schedule', 'todo', 'todo'])
    expectKept(world.standIn.answered())
    expect(world.standIn.answered().flatMap(reasoningIn)).toHaveLength(6)
    expectNegotiatedOnce(world, 'temperature')
    await expectSound(world, task.id)
  })

  it('of mode autonomous is finished, with its reasoning too', async () => {
    const world = await worldOf(
      {
        turn: [
          look(PLAN),
          code(blocks('count', ['x', 'Explore'], [' ', 'Report'])),
          `${DONE}\n# Report\nIt grew.${END}`,
        ],
      },
      { tools: [{ ok: true, text: '{"tool":"read_dataset","status":"success"}' }, ran('15')] },
    )
    const task = await createTask(world.bench, { dataset: 'sales.csv' }, ALL, { mode: 'autonomous', goal: 'the trend' })
    expect(task).toMatchObject({ status: 'completed', result: { text: '# Report\nIt grew.' } })
    expectKept(world.standIn.answered())
    await expectSound(world, task.id)
  })

  it.each([
    ['one call for each thought, decision and action', {}, false],
    ['one call for each move', { merged_calls: true }, true],
  ])('of mode dynamic is finished with %s, in strict schemas', async (_, settings, merged) => {
    const { plan, ...script } = dynamic.told(
      [dynamic.steps('A', 'B')],
      [[dynamic.goOn(), dynamic.action()], [dynamic.complete()], [dynamic.answered('All is there.')]],
      merged,
    )
    const world = await worldOf({ plan, ...script } as Replies)
    const task = await createTask(world.bench, settings, ALL, { mode: 'dynamic' })
    expect(task).toMatchObject({ status: 'completed', result: { text: 'All is there.' }, counters: { actions: 1 } })
    for (const { body } of world.standIn.answered())
      expect(body['text']).toMatchObject({ format: { type: 'json_schema', strict: true } })
    await expectSound(world, task.id)
  })

  it('of mode dynamic with few calls is finished with native ones', async () => {
    const move = calling('On with it.', ['todo', { command: '/todo add milk', why: 'to have it', ends_item: true }])
    const last = { thought: 'good', ...dynamic.answered('Milk is on the list.'), action: null }
    const world = await worldOf({ plan: [dynamic.steps('A', 'B')], step_decision: [move, last] })
    const task = await createTask(world.bench, { calls: 'few' }, ALL, { mode: 'dynamic' })
    expect(task).toMatchObject({
      status: 'completed',
      result: { text: 'Milk is on the list.' },
      counters: { actions: 1 },
    })
    await expectSound(world, task.id)
  })

  it('of mode plan_execute is finished', async () => {
    const world = await worldOf({
      plan: [planned('A', 'B')],
      thought: [act(), done('a'), done('b')],
      replan: [replanned('B'), closed('All is done.')],
    })
    const task = await createTask(world.bench, {}, ALL)
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: 'All is done.' } })
    await expectSound(world, task.id)
  })

  it('of mode orchestrator is finished', async () => {
    const world = await worldOf({
      plan: [orchestrator.steps('A', 'B')],
      evaluate: [strictJudge('A is there'), strictJudge('B is there')],
      summary: ['All is done.'],
    })
    const { id } = await createTask(world.bench, {}, ALL, { mode: 'orchestrator', goal: 'Reproduce the project' })
    await orchestrator.work(world.bench, id)
    await orchestrator.answered(world.bench, id, orchestrator.report())
    const { task } = await orchestrator.answered(world.bench, id, orchestrator.report())
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    expect(task.result?.text).toContain('All is done.')
    await expectSound(world, id)
  })

  it('of a model that does not reason is finished without any reasoning', async () => {
    const world = await worldOf({ turn: SESSION }, { reasons: false })
    const task = await createTask(world.bench, {}, ALL, { mode: 'session' })
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    expectNegotiatedOnce(world, 'include')
    expect(world.standIn.answered().flatMap(itemsOf).some(isReasoning)).toBe(false)
    await expectSound(world, task.id)
  })

  it.each([
    ['that refuses tools', 'for tools' as const, 'reasoning_effort'],
    ['that does not know the model', 'always' as const, 'model'],
  ])('begins at an endpoint of chat completions %s, and goes on here with its reasoning', async (_, chat, param) => {
    const world = await worldOf({ turn: SESSION }, { wire: 'chat', chat })
    const task = await createTask(world.bench, {}, ALL, { mode: 'session' })
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    expectNegotiatedOnce(world, param, 'temperature')
    expectKept(world.standIn.answered())
    const [, first, second] = recordsOf(world.bench, task.id).map(({ event }) => JSON.parse(String(event)))
    expect(first).toMatchObject({ kind: 'model_replied', refused: ['chat', 'temperature'] })
    expect(second).not.toHaveProperty('refused')
    await expectSound(world, task.id)
  })
})

/** A judgement with all members, as a strict schema has them. */
const strictJudge = (reason: string) => ({
  ...orchestrator.judge('next', reason),
  achieved: true,
  current_step: null,
  question: null,
  choices: null,
})

describe('reasoning', () => {
  const started = async (settings: Partial<Settings> = {}) => {
    const world = await worldOf({ turn: [...SESSION, 'Both are done.\n[Done]'] })
    const task = await createTask(world.bench, settings, ALL, { mode: 'session' })
    return { ...world, task }
  }

  it('comes back unchanged after a pause', async () => {
    const { bench, standIn, task } = await started({ max_iterations: 2 })
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'iteration_limit' })
    expect(standIn.answered()).toHaveLength(2)
    expect(await say(bench, task.id, 'continue', ALL)).toMatchObject({ status: 'completed' })
    expectKept(standIn.answered())
  })

  it('comes back unchanged from another process, which knows nothing but the rows', async () => {
    const { bench, standIn, task } = await started({ max_iterations: 2 })
    const other = benchAt(standIn, [], 'responses')
    place(other, task.id, recordsOf(bench, task.id))
    expect(await say(other, task.id, 'continue', ALL)).toMatchObject({ status: 'completed' })
    expectKept(standIn.answered())
  })

  it('comes back unchanged in a fork of the task', async () => {
    const { bench, standIn, task } = await started()
    const before = standIn.answered()
    // Row 2 is the first reply, rows 3 and 4 are its calls.
    const fork = await forkOf(bench, task.id, { at: 4 })
    await step(bench, fork.id, { rounds: 1, max_ms: 25_000 })
    const [first] = before
    const next = standIn.answered().at(-1)
    if (first === undefined || next === undefined) throw new Error('nothing was asked')
    expect(itemsOf(next).filter(isReasoning)).toEqual(reasoningIn(first))
    expect(reasoningIn(first)).toHaveLength(2)
  })

  it('of a reply that a fork has edited does not come back, and that of the replies before it does', async () => {
    const { bench, standIn, task } = await started()
    const rows = recordsOf(bench, task.id).map(({ event }) => JSON.parse(String(event)))
    const replies = rows.flatMap(({ kind }, index) => (kind === 'model_replied' ? [index + 1] : []))
    const [, second = 0] = replies
    const tool_calls = [{ id: 'mine', name: 'todo', arguments: '{"command":"/todo list"}' }]
    const fork = await forkOf(bench, task.id, { at: second, outcome: { text: 'Otherwise.', tool_calls } })
    await step(bench, fork.id, { rounds: 2, max_ms: 25_000 })
    const [first] = standIn.answered()
    const next = standIn.answered().at(-1)
    if (first === undefined || next === undefined) throw new Error('nothing was asked')
    expect(itemsOf(next).filter(isReasoning)).toEqual(reasoningIn(first))
    expect(itemsOf(next)).toContainEqual({ role: 'assistant', content: 'Otherwise.' })
    expect(itemsOf(next)).toContainEqual(expect.objectContaining({ type: 'function_call', call_id: 'mine' }))
  })

  it('does not go to another model of the same endpoint', async () => {
    const { bench, standIn, task } = await started()
    const fork = await forkOf(bench, task.id, { at: 4, settings: { model: 'gpt-other' } })
    await step(bench, fork.id, { rounds: 1, max_ms: 25_000 })
    const next = standIn.answered().at(-1)
    expect(next?.body).toMatchObject({ model: 'gpt-other' })
    expect(next === undefined ? [] : itemsOf(next).filter(isReasoning)).toEqual([])
  })
})
