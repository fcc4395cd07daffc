/** Tasks of all modes over the strict stand-ins of today's endpoints, through the service: they finish, and each refused part is refused once. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/terms/effect.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Model } from '../../src/shell/ports.ts'
import { blocks, code, END, look } from '../core/autonomous/support.ts'
import { answered, complete, goOn, action, steps } from '../core/dynamic/support.ts'
import { answered as reported, judge, report, steps as commands } from '../core/orchestrator/support.ts'
import { chatModel } from '../support/chat-model.ts'
import { EQUAL, expectFold, forkOf, replayOf, storedRows } from '../support/forks.ts'
import {
  PROFILE_NAMES,
  startChatStandIn,
  type ChatScript,
  type ChatStandIn,
  type ProfileName,
} from '../support/stand-ins/chat.ts'
import {
  act,
  ALL,
  benchOf,
  calling,
  CALLER,
  closed,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  say,
  step,
  taken,
  type Bench,
} from '../support/scripted.ts'

const opened: ChatStandIn[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
})

/** A service that asks the stand-in, each time with an effort. */
async function over(name: ProfileName, script: ChatScript) {
  const server = await startChatStandIn(name, script)
  opened.push(server)
  const { complete: ask } = chatModel(server.config)
  const model: Model = { complete: (request, call) => ask({ ...request, reasoning_effort: 'minimal' }, call) }
  return { server, model, bench: benchOf({}, { model }) }
}

const FEW = { calls: 'few' } as const
const todo = (ends_item: boolean) => calling('', ['todo', { command: '/todo add milk', why: 'milk', ends_item }])
const listed = (said: string) => calling(said, ['todo', { command: '/todo list' }])
const plan = (...marks: [string, string]) => blocks('so', [marks[0], 'Look'], [marks[1], 'Report'])
const SESSION = {
  turn: [
    calling('[Step] A\n[Step] B', ['todo', { command: '/todo list' }], ['todo', { command: '/todo add milk' }]),
    listed('[Done]'),
    'Milk is on the list.\n[Done]',
  ],
}

const MODES: [ModeName, Partial<Settings>, ChatScript][] = [
  ['plan_execute', {}, { plan: [planned('A')], thought: [act(), done('added')], replan: [closed()] }],
  ['plan_execute', FEW, { plan: [planned('A')], thought: [todo(true)], replan: [closed()] }],
  [
    'dynamic',
    {},
    {
      plan: [steps('A')],
      think: [{ thought: 'so' }, { thought: 'there' }],
      step_decision: [goOn(), answered('Milk.')],
      action: [action()],
    },
  ],
  [
    'dynamic',
    FEW,
    {
      plan: [steps('A')],
      step_decision: [todo(false), { thought: 'so', ...complete(), answer: 'Milk.', action: null }],
    },
  ],
  ['session', {}, SESSION],
  ['autonomous', {}, { turn: [look(plan(' ', ' ')), code(plan('x', ' ')), `${plan('x', 'x')}\n# Report${END}`] }],
  ['orchestrator', {}, { plan: [commands('A')], evaluate: [judge('next')], summary: ['All is done.'] }],
]

/** The parts that endpoints have refused, as the rows note them. */
const notedIn = (bench: Bench, id: string) =>
  eventsOf(bench, id).flatMap((event) =>
    event.kind === 'model_replied' ? [...(event.refused ?? []), ...(event.negotiated ?? [])] : [],
  )

async function finished(bench: Bench, mode: ModeName, settings: Partial<Settings>): Promise<TaskView> {
  const task = await createTask(bench, settings, ALL, { mode, goal: 'Buy milk' })
  if (task.status !== 'waiting_external') return task
  return (await reported(bench, task.id, report())).task ?? task
}

describe.each(PROFILE_NAMES)('over %s', (name) => {
  it.each(MODES)('%s %j finishes, and nothing is refused twice', async (mode, settings, script) => {
    const { server, bench } = await over(name, script)
    const task = await finished(bench, mode, settings)
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    expect(server.leftovers()).toEqual([])
    // A lower form may be refused by the same rule.
    const others = server.broken.filter((rule) => rule !== 'JSON mode and tools do not go together')
    expect(new Set(others).size).toBe(others.length)
    expect(server.broken.length - others.length).toBeLessThanOrEqual(2)
    expect(notedIn(bench, task.id)).toHaveLength(server.broken.length)
    expectFold(bench, task.id)
    expect(await replayOf(bench, task.id)).toEqual(EQUAL(taken(await bench.service.getTask(CALLER, task.id)).version))
  })
})

/** The events of a task, each at its row. */
function eventsOf(bench: Bench, id: string): Event[] {
  const rows = storedRows(bench, id)
  return [...rows.records.keys()].flatMap((seq) => rows.closed(seq)?.event ?? [])
}

/** What was thought before each earlier reply, as a request says it. */
const thoughtIn = (request: object): unknown[] => {
  const { messages } = request as { messages: Record<string, unknown>[] }
  return messages.flatMap(({ role, reasoning_content, reasoning, content }) =>
    role !== 'assistant' || content === 'OK.' ? [] : [reasoning_content ?? reasoning ?? content],
  )
}
const sentBack = (name: ProfileName, thought: string) =>
  name === 'mistral'
    ? expect.arrayContaining([expect.objectContaining({ thinking: [{ type: 'text', text: thought }] })])
    : thought

describe.each(['deepseek', 'kimi', 'qwen', 'groq', 'mistral', 'local'] as const)(
  'what a model of %s has thought',
  (name) => {
    it('goes back unchanged with its reply, through a pause, a replay and a fork, and is never shown', async () => {
      const again = 'Again.\n[Done]'
      const { server, bench } = await over(name, { turn: [...SESSION.turn, again, again] })
      const { id } = await createTask(bench, {}, ONE, { mode: 'session', goal: 'Buy milk' })
      await bench.service.tellTask(CALLER, id, { kind: 'pause' })
      await say(bench, id, 'continue', ALL)
      const task = await step(bench, id, ALL)
      const at = eventsOf(bench, id).findLastIndex(({ kind }) => kind === 'model_replied') + 1
      await say(bench, id, 'once more', ALL)
      const fork = await forkOf(bench, id, { at })
      await say(bench, fork.id, 'once more', ALL)
      expect(await replayOf(bench, fork.id)).toMatchObject({ equal: true })
      expect(server.leftovers()).toEqual([])
      const thoughts = server.answered.map(({ thought }) => sentBack(name, thought))
      expect(server.answered.map(({ request }) => thoughtIn(request))).toEqual([
        [],
        thoughts.slice(0, 1),
        thoughts.slice(0, 2),
        thoughts.slice(0, 3),
        thoughts.slice(0, 3),
      ])
      const shown = [task, fork, await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })]
      expect(
        JSON.stringify([...shown, await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })]),
      ).not.toContain('I think of')
    })
  },
)

/** A session whose first two turns another model has written, which says nothing of what it thinks. */
async function handedOver(to: ProfileName) {
  const first = await over('openai', { turn: SESSION.turn.slice(0, 2) })
  const second = await over(to, { turn: SESSION.turn.slice(2) })
  const { complete: one } = first.model
  const { complete: other } = second.model
  const model: Model = {
    complete: (request, call) =>
      request.model === 'other' ? other({ ...request, model: null }, call) : one(request, call),
  }
  const bench = benchOf({}, { model })
  const { id } = await createTask(bench, {}, { ...ONE, rounds: 2 }, { mode: 'session', goal: 'Buy milk' })
  const fork = await forkOf(bench, id, { at: eventsOf(bench, id).length, settings: { model: 'other' } })
  return { server: second.server, bench, task: await step(bench, fork.id, ALL) }
}

describe.each(PROFILE_NAMES)('a conversation that another model has begun goes on at %s', (name) => {
  it('where each earlier reply has what the endpoint demands of it', async () => {
    const { server, bench, task } = await handedOver(name)
    expect(task).toMatchObject({ status: 'completed' })
    const [{ request } = { request: null }] = server.answered
    const replies = request?.messages.filter(({ role, tool_calls }) => role === 'assistant' && tool_calls) ?? []
    expect(replies).toHaveLength(2)
    const demands = name === 'deepseek' || name === 'kimi'
    for (const reply of replies) expect(reply['reasoning_content']).toBe(demands ? ' ' : undefined)
    const refused = notedIn(bench, task.id)
    expect(refused.includes('a reply without reasoning_content')).toBe(demands)
    expect(refused.includes('tool_call_id')).toBe(name === 'mistral')
  })
})

it('a wrong key pauses a task as model_unavailable and says so, and the key is nowhere', async () => {
  const { server } = await over('kimi', {})
  const key = 'sk-canary-0123456789'
  const bench = benchOf({}, { model: chatModel({ ...server.config, api_key: key }) })
  const { id } = await createTask(bench, {}, NONE, { mode: 'session' })
  await step(bench, id, ALL)
  const task = await step(bench, id, ALL)
  expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
  expect(task.handover?.unfinished_reason).toContain('HTTP 401: the endpoint refused the key')
  const journal = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
  expect(JSON.stringify([task, journal])).not.toMatch(/sk-/)
})
