/** Tasks of all modes over the Messages wire, finished against the strict stand-in of `/v1/messages`. */
import { afterEach, describe, expect, it } from 'vitest'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { action, answered, goOn, step as oneStep, steps as dynamicSteps, thought } from '../core/dynamic/support.ts'
import { blocks, code, END, look, ran } from '../core/autonomous/support.ts'
import { answered as reported, judge, report, steps as commands, work } from '../core/orchestrator/support.ts'
import { steps as sessionSteps } from '../core/session/support.ts'
import { EQUAL, expectFold, forkOf, recordsOf, replayOf } from '../support/forks.ts'
import { messagesModel } from '../support/messages-model.ts'
import {
  act,
  ALL,
  benchOf,
  calling,
  CALLER,
  closed,
  createTask,
  done,
  journalOf,
  NONE,
  ONE,
  planned,
  say,
  step,
  type Bench,
} from '../support/scripted.ts'
import { MODELS, THINKING_TYPES, type Json, type ModelName } from '../support/stand-ins/messages-asked.ts'
import { startMessagesStandIn, type Line, type MessagesStandIn } from '../support/stand-ins/messages.ts'

const opened: MessagesStandIn[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})
const THOUGHTS = [{ type: 'thinking', thinking: 'Hm.' }, { type: 'redacted_thinking' }]

async function worldOf(
  script: Partial<Record<string, Line[]>>,
  model: ModelName,
  tools?: { ok: boolean; text?: string }[],
) {
  const server = await startMessagesStandIn(script, { thoughts: THOUGHTS })
  opened.push(server)
  const ports = { model: messagesModel({ base_url: server.base_url, model }) }
  return { server, bench: benchOf(tools === undefined ? {} : { tools }, ports) }
}

/** What is negotiated, and nothing else may be refused. */
const NEGOTIATED = [
  'newer models take no temperature but 1',
  'a model is asked to think in a way that it knows',
  'only some models take an effort',
  'only some endpoints take a form',
  'on newer accounts nothing before thinking has changed',
]
function expectSound({ refusals, leftovers, calls }: MessagesStandIn): void {
  expect(refusals.map(({ rule }) => rule).filter((rule) => !NEGOTIATED.includes(rule))).toEqual([])
  // What was learnt once is not asked for again.
  expect(refusals.length).toBeLessThanOrEqual(4)
  expect(calls.length).toBeGreaterThan(refusals.length)
  expect(leftovers()).toBe(0)
}

const add = (text: string) => ['todo', { command: `/todo add ${text}` }] as [string, object]
const SESSION = [
  calling(sessionSteps('A', 'B'), add('milk'), add('bread')),
  calling('[Done]', add('tea')),
  'All is bought.\n[Goal reached]',
]

interface Story {
  name: string
  mode: ModeName
  script: Partial<Record<string, Line[]>>
  settings?: Partial<Settings>
  tools?: { ok: boolean; text?: string }[]
}
const FEW = { calls: 'few' } as const
const use = (name: string, ends_item: boolean) =>
  calling('On with it.', ['todo', { command: `/todo add ${name}`, why: 'it is missing', ends_item }])
const end = (answer: string) => ({ ...thought(), ...answered(answer), action: null })
const STORIES: Story[] = [
  { name: 'session', mode: 'session', script: { turn: SESSION } },
  {
    name: 'autonomous',
    mode: 'autonomous',
    script: {
      turn: [
        look(blocks('look', [' ', 'Explore'], [' ', 'Report'])),
        code(blocks('on', ['x', 'Explore'], [' ', 'Report'])),
        `${blocks('write', ['x', 'Explore'], ['x', 'Report'])}\n# Report\nIt grew.${END}`,
      ],
    },
    tools: [{ ok: true, text: '{"tool":"read_dataset","status":"success"}' }, ran('Q4 +15%')],
  },
  {
    name: 'plan_execute',
    mode: 'plan_execute',
    script: { plan: [planned('A')], thought: [act(), done('added')], replan: [closed()] },
  },
  {
    name: 'plan_execute with few calls',
    mode: 'plan_execute',
    settings: FEW,
    script: { plan: [planned('A', 'B')], thought: [use('a', true), use('b', true)], replan: [closed()] },
  },
  {
    name: 'dynamic',
    mode: 'dynamic',
    script: {
      plan: [dynamicSteps('A')],
      think: [thought(), thought()],
      step_decision: [goOn(), answered('It is done.')],
      action: [action()],
    },
  },
  {
    name: 'dynamic with few calls',
    mode: 'dynamic',
    settings: FEW,
    script: { plan: [{ steps: [oneStep('A')] }], step_decision: [use('a', false), end('It is done.')] },
  },
  {
    name: 'orchestrator',
    mode: 'orchestrator',
    script: { plan: [commands('A', 'B')], evaluate: [judge('next'), judge('next')], summary: ['All is done.'] },
  },
]

async function finished(
  { mode, settings, script, tools }: Story,
  model: ModelName,
  effort: Settings['reasoning_effort'],
) {
  const { server, bench } = await worldOf(script, model, tools)
  const begun = await createTask(bench, { ...settings, reasoning_effort: effort }, ALL, { mode })
  const task = mode === 'orchestrator' ? await reportedAll(bench, begun) : begun
  return { server, bench, task }
}
async function reportedAll(bench: Bench, begun: TaskView): Promise<TaskView> {
  let task = begun.status === 'running' ? await work(bench, begun.id) : begun
  while (task.status === 'waiting_external') task = (await reported(bench, task.id, report())).task
  return task
}

describe.each(STORIES.map((story) => [story.name, story] as const))('a task of %s is finished', (_, story) => {
  const cases = (Object.keys(MODELS) as ModelName[]).flatMap((model) =>
    ([null, 'none', 'high'] as const).map((effort) => [model, effort] as const),
  )
  it.each(cases)('over model %s with effort %s', async (model, effort) => {
    const { server, bench, task } = await finished(story, model, effort)
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    expectSound(server)
    expectFold(bench, task.id)
    expect(await replayOf(bench, task.id)).toMatchObject({ equal: true })
  })
})

const thinkingIn = (body: Json | undefined): Json[] =>
  ((body?.messages ?? []) as { content: string | Json[] }[]).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => THINKING_TYPES.includes(type)),
  )
const bodiesOf = (server: MessagesStandIn) => server.calls.map(({ body }) => body)

describe('thinking is kept with its reply, and goes back unchanged', () => {
  const begun = async (lines: Line[], model: ModelName = 'always') => {
    const { server, bench } = await worldOf({ turn: lines }, model)
    const settings = { reasoning_effort: 'high' as const }
    const { id } = await createTask(bench, settings, ONE, { mode: 'session' })
    return { server, bench, id }
  }

  it('after a pause, and in another process', async () => {
    const { server, bench, id } = await begun(SESSION)
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    const other = benchOf({}, { ...bench.ports, model: messagesModel({ base_url: server.base_url, model: 'always' }) })
    const task = await step(other, id, ALL)
    expect(task).toMatchObject({ status: 'completed' })
    const counts = bodiesOf(server).map((body) => thinkingIn(body).length)
    expect([...new Set(counts)]).toEqual([0, 2, 4])
    expect(thinkingIn(bodiesOf(server).at(-1)).slice(0, 2)).toEqual(thinkingIn(bodiesOf(server).at(-2)))
    expectSound(server)
  })
  it('after a replay, which sends nothing', async () => {
    const { server, bench, id } = await begun(SESSION)
    const before = server.calls.length
    expect(await replayOf(bench, id)).toMatchObject({ equal: true })
    expect(server.calls).toHaveLength(before)
    await step(bench, id, ALL)
    expect(thinkingIn(bodiesOf(server).at(-1))).toHaveLength(4)
    expectSound(server)
  })
  it('after a fork, in the fork and in its source', async () => {
    const { server, bench, id } = await begun([...SESSION, ...SESSION.slice(1)])
    const fork = await forkOf(bench, id, { at: recordsOf(bench, id).length })
    expect((await step(bench, fork.id, ALL)).status).toBe('completed')
    expect((await step(bench, id, ALL)).status).toBe('completed')
    const [first, ...later] = bodiesOf(server).map(thinkingIn)
    expect(first).toEqual([])
    for (const blocksSent of later) expect(blocksSent.slice(0, 2)).toEqual(later[0]?.slice(0, 2))
    expect(thinkingIn(bodiesOf(server).at(-1))).toHaveLength(4)
    expectFold(bench, fork.id)
    expectSound(server)
  })
  it('and is shown to nobody', async () => {
    const { bench, id } = await begun(SESSION)
    await step(bench, id, ALL)
    const events = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
    const shown = JSON.stringify([await journalOf(bench, id), await bench.service.getTask(CALLER, id), events])
    expect(JSON.stringify(recordsOf(bench, id))).toContain('Hm.')
    expect(shown).not.toContain('Hm.')
    expect(shown).not.toContain('signature')
  })
  it('until an endpoint says that it belongs to another conversation: then the task goes on without it', async () => {
    const { server, bench, id } = await begun(SESSION, 'bound')
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(server.refusals.map(({ rule }) => rule)).toContain('on newer accounts nothing before thinking has changed')
    expect(thinkingIn(bodiesOf(server).at(-1))).toEqual([])
    const refused = recordsOf(bench, id).filter(({ event }) => event?.includes('"refused":["reasoning"]'))
    expect(refused).toHaveLength(1)
    expectSound(server)
  })
})

it('U14 a side turn after calls of tools is answered, although it offers none', async () => {
  const { server, bench } = await worldOf({ turn: [...SESSION.slice(0, 1), 'It is A.'] }, 'adaptive')
  const { id } = await createTask(bench, { max_iterations: 1 }, ALL, { mode: 'session' })
  expect(await say(bench, id, 'what are you doing?', ALL)).toMatchObject({ result: { text: 'It is A.' } })
  expect(bodiesOf(server).at(-1)).toMatchObject({ tool_choice: { type: 'none' } })
  expectSound(server)
})

describe('the cache', () => {
  const LONG = Array.from({ length: 11 }, (_, index) =>
    calling(index === 0 ? sessionSteps('A') : `I go on with ${index}.`, add(`item ${index} ${'and more '.repeat(40)}`)),
  )
  it('serves most of the input of a session of twelve calls, and the journal says how much', async () => {
    const { server, bench } = await worldOf({ turn: [...LONG, 'Done.\n[Goal reached]'] }, 'always')
    const task = await createTask(bench, {}, ALL, { mode: 'session' })
    expect(task.status).toBe('completed')
    const rows = (await journalOf(bench, task.id)).filter(({ kind }) => kind === 'call_model')
    expect(
      rows.map(({ tokens }) => [tokens?.kinds.input, tokens?.kinds.cache_read, tokens?.kinds.cache_write]),
    ).toEqual(
      server.bills.map((bill) => [bill.input_tokens, bill.cache_read_input_tokens, bill.cache_creation_input_tokens]),
    )
    const sum = (pick: (bill: (typeof server.bills)[number]) => number) =>
      server.bills.reduce((total, bill) => total + pick(bill), 0)
    const all = sum((bill) => bill.input_tokens + bill.cache_read_input_tokens + bill.cache_creation_input_tokens)
    const read = sum((bill) => bill.cache_read_input_tokens)
    console.log(
      JSON.stringify({ cached: { calls: rows.length, input: all, read, share: Math.round((100 * read) / all) } }),
    )
    expect(rows).toHaveLength(12)
    expect(read / all).toBeGreaterThan(0.75)
    expect(task.budget.tokens.kinds).toMatchObject({ cache_read: read })
    // From the second call on all that the call before has read is read again.
    for (const [index, bill] of server.bills.slice(1).entries()) {
      const before = server.bills[index]
      expect(bill.cache_read_input_tokens).toBe(
        Number(before?.cache_read_input_tokens) + Number(before?.cache_creation_input_tokens),
      )
    }
  })
  it('finds what a reply with more calls than it looks back for left', async () => {
    const many = calling(sessionSteps('A'), ...Array.from({ length: 15 }, (_, index) => add(`item ${index}`)))
    const { server, bench } = await worldOf({ turn: [LONG[0] ?? '', many, 'Done.\n[Goal reached]'] }, 'always')
    expect((await createTask(bench, {}, ALL, { mode: 'session' })).status).toBe('completed')
    const [, second, third] = server.bills
    expect(third?.cache_read_input_tokens).toBe(
      Number(second?.cache_read_input_tokens) + Number(second?.cache_creation_input_tokens),
    )
  })
})

it('a task that is replayed equals itself', async () => {
  const { bench } = await worldOf({ turn: SESSION }, 'both')
  const { id } = await createTask(bench, { reasoning_effort: 'low' }, NONE, { mode: 'session' })
  await step(bench, id, ALL)
  const replay = await replayOf(bench, id)
  expect(replay).toEqual(EQUAL(replay.events))
})
