/** Tasks of all modes over the strict stand-ins of today's endpoints, through the service: they finish, and each refused part is refused once. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Model } from '../../src/shell/ports.ts'
import { chatModel } from '../support/chat-model.ts'
import { EQUAL, expectFold, forkOf, replayOf } from '../support/forks.ts'
import {
  PROFILE_NAMES,
  startChatStandIn,
  type ChatScript,
  type ChatStandIn,
  type ProfileName,
} from '../support/stand-ins/chat.ts'
import { ALL, benchOf, CALLER, createTask, NONE, ONE, say, step, taken } from '../support/scripted.ts'
import { eventsOf, finished, MODES, notedIn, SESSION } from './mode-scripts.ts'

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
