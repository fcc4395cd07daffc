/** Setting calls: few: native calls, items that end with their action, and replans that are left out (ruling 38). */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../../src/core/modes/index.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  calling,
  CALLER,
  closed,
  context,
  createTask,
  done,
  journalOf,
  ONE,
  phases,
  planned,
  replanned,
  say,
  step,
  titles,
  type Script,
} from '../../support/scripted.ts'

const FEW = { calls: 'few' } as const
const ending = (input = '/todo add milk') => ({ ...act(input), next_action: { tool: 'todo', input, ends_item: true } })
const native = (input = '/todo add milk', more: object = { ends_item: true }) =>
  calling('', ['todo', { command: input, ...more }])

async function play(script: Script, settings: object = FEW) {
  const bench = benchOf(script)
  const task = await createTask(bench, settings, ALL)
  bench.spent()
  return { bench, task }
}
const FIVE = ['A', 'B', 'C', 'D', 'E']

describe('U38 an item that ends with its action', () => {
  it('is completed with the result of the action, without a further thought, and without a replan before the last one', async () => {
    const { bench, task } = await play({
      plan: [planned(...FIVE)],
      thought: FIVE.map((name) => ending(`/todo add ${name}`)),
      replan: [closed()],
      tools: FIVE.map((name) => ({ ok: true, text: `added ${name}` })),
    })
    expect(phases(bench)).toEqual(['plan', ...FIVE.map(() => 'thought'), 'replan'])
    expect(task).toMatchObject({ status: 'completed', step_count: 11 })
    expect(task.plan.items.map(({ status, result }) => [status, result])).toEqual(
      FIVE.map((name) => ['completed', `added ${name}`]),
    )
    expect(context(bench.requests[3]).completed).toMatchObject([
      { title: 'A', status: 'completed', result: 'added A' },
      { title: 'B', status: 'completed', result: 'added B' },
    ])
  })

  it('goes on when the action has failed', async () => {
    const { bench } = await play({
      plan: [planned('A')],
      thought: [ending(), done('otherwise')],
      replan: [closed()],
      tools: [{ ok: false, text: 'no room' }],
    })
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'replan'])
    expect(context(bench.requests[2]).observations).toMatchObject([{ ok: false, result: 'no room' }])
  })

  it('with calls: exact needs its own thought, as before', async () => {
    const { bench, task } = await play(
      { plan: [planned('A')], thought: [ending(), done()], replan: [closed()] },
      { calls: 'exact' },
    )
    expect(task.step_count).toBe(4)
    expect(JSON.stringify(bench.requests[1]?.contract?.schema)).not.toContain('ends_item')
    expect(bench.requests[1]?.messages[0]?.content).not.toContain('ends_item')
    expect(bench.requests[1]?.tools).toEqual([])
  })

  it('waits for the approval of its action', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [native()], replan: [closed()] })
    const asked = await createTask(bench, { ...FEW, approve: 'actions' }, ALL)
    expect(asked.pending).toMatchObject({ kind: 'approval', action: { tool: 'todo', input: '/todo add milk' } })
    const task = await say(bench, asked.id, 'yes', ALL)
    expect([task.status, task.plan.items[0]?.result]).toEqual(['completed', 'todo done'])
  })
})

describe('a native call', () => {
  it('S0-17 of a plan or a replan is not made and told, and the next reply is understood', async () => {
    const bench = benchOf({
      plan: [native(), planned('A')],
      thought: [native('/todo add milk', { why: 'it is wanted', ends_item: true })],
      replan: [native('/todo list'), closed()],
    })
    const task = await createTask(bench, FEW, ALL)
    expect(task).toMatchObject({ status: 'completed', counters: { actions: 1 } })
    expect(bench.calls).toHaveLength(1)
    for (const [index, phase] of [
      [1, 'plan'],
      [4, 'replan'],
    ] as const)
      expect(bench.requests[index]?.messages[1]?.content).toContain(
        `todo was not called, because phase ${phase} calls no tool: reply with its JSON object`,
      )
    const tools = bench.requests.map((request) => JSON.stringify(request.tools))
    expect(new Set(tools).size).toBe(1)
  })

  it('S0-17 beside the plan does not keep the plan from being read', async () => {
    const beside = calling(JSON.stringify(planned('A')), ['todo', { command: '/todo list' }])
    const bench = benchOf({ plan: [beside], thought: [done('all')], replan: [closed()] })
    const task = await createTask(bench, FEW, ALL)
    expect(task).toMatchObject({ status: 'completed', counters: { actions: 0, model_calls: 3 } })
  })

  it('is a thought: why is its reason, and neither why nor ends_item reaches the tool', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [native('/todo list', { why: 'to see', ends_item: false })],
    })
    const task = await createTask(bench, FEW, ONE)
    expect(bench.calls).toMatchObject([{ tool: 'todo', input: '/todo list' }])
    expect(task.last_thought).toMatchObject({ decision: 'continue', text: 'to see' })
    const [request] = bench.requests.slice(1)
    expect(request?.tools.map(({ name }) => name)).toEqual([...modeOf('plan_execute').tools, 'ask_user'])
    expect(request?.tools.find(({ name }) => name === 'todo')?.parameters).toMatchObject({
      required: ['command'],
      properties: { why: {}, ends_item: {} },
    })
    expect(request?.contract).not.toBeNull()
  })

  it('of ask_user has no ends_item, because a question ends no item', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [native()] })
    await createTask(bench, FEW, ONE)
    const asking = bench.requests.at(-1)?.tools.at(-1)
    expect(asking?.name).toBe('ask_user')
    expect(Object.keys(asking?.parameters['properties'] ?? {})).toEqual([
      'why',
      'question',
      'choices',
      'response_schema',
    ])
  })

  it("keeps members of a client's tool that are called why or ends_item", async () => {
    const parameters = { type: 'object', properties: { why: { type: 'string' }, ends_item: { type: 'string' } } }
    const tool = { name: 'Note', description: 'n', parameters, url: 'https://example.com', idempotent: true }
    const bench = benchOf({ plan: [planned('A')], thought: [calling('', ['note', { why: 'own', ends_item: 'own' }])] })
    await createTask(bench, FEW, ONE, { tools: [tool] })
    expect(bench.calls).toMatchObject([{ tool: 'Note', input: '{"why":"own","ends_item":"own"}' }])
  })

  it('of ask_user asks the user, and the item goes on with the answer; the replan follows when it has ended', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [calling('', ['ask_user', { question: 'When?', choices: ['now', 'later'] }]), native()],
      replan: [replanned('B'), closed()],
    })
    const asked = await createTask(bench, FEW, ALL)
    expect(asked.pending).toMatchObject({ kind: 'question', question: 'When?', choices: ['now', 'later'] })
    await say(bench, asked.id, 'tomorrow', { rounds: 2, max_ms: 25_000 })
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'replan'])
    expect(context(bench.requests[2]).clarifications).toEqual([{ question: 'When?', answer: 'tomorrow' }])
  })

  it('with arguments that can be mended is understood, and one that cannot is refused and told', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [
        calling('', ['todo', '{"command": "/todo list",}']),
        calling('', ['schedule', '{"command": ']),
        calling('', ['todo', '/todo list --view today']),
      ],
    })
    const { id } = await createTask(bench, FEW, ONE)
    await step(bench, id)
    await step(bench, id)
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo list', '/todo list --view today'])
    const { correction } = context(bench.requests.at(-1))
    expect(correction.your_reply).toBe('schedule {"command": ')
    expect(correction.problem).toContain('schedule are not a JSON object (given: {"command": )')
  })

  it('stands alone: of several calls the first is made, and the next thought is told of the others', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [calling('', ['todo', { command: '/todo list' }], ['schedule', { command: '/schedule list' }]), done()],
    })
    const { id } = await createTask(bench, FEW, ONE)
    await step(bench, id)
    expect(bench.calls).toHaveLength(1)
    expect(context(bench.requests.at(-1)).note).toContain('Not made: schedule')
  })

  it('costs what a thought and an action cost, and its journal tells both', async () => {
    const { bench, task } = await play({ plan: [planned('A')], thought: [native()], replan: [closed()] })
    expect(task).toMatchObject({ step_count: 3, counters: { model_calls: 3, successful_actions: 1 } })
    const rows = await journalOf(bench, task.id)
    expect(rows.map(({ phase }) => phase)).toEqual([null, 'plan', 'thought', 'act', 'replan'])
  })

  it('may be given in the JSON form, where an endpoint has no native calls', async () => {
    const { task } = await play({ plan: [planned('A', 'B')], thought: [ending(), done('b')], replan: [closed()] })
    expect(task.plan.finished.map(({ result }) => result)).toEqual(['todo done', 'b'])
  })
})

describe('the replan after an item', () => {
  it('is made when the user has said something', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), ending()],
      replan: [replanned('A', 'B'), closed()],
    })
    const { id } = await createTask(bench, FEW, ONE)
    await say(bench, id, 'and eggs', ONE)
    expect(phases(bench).at(-1)).toBe('replan')
    await step(bench, id)
    const next = await step(bench, id, { rounds: 0, max_ms: 25_000 })
    expect(next.plan.items.map(({ status }) => status)).toEqual(['completed', 'running'])
  })

  it('is made when the item could not be done', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [{ ...done('the shop is closed'), achieved: false }],
      replan: [replanned('C')],
    })
    const { id } = await createTask(bench, FEW, ONE)
    const task = await step(bench, id)
    expect(titles(task)).toEqual(['C'])
    expect(context(bench.requests.at(-1)).completed).toMatchObject([{ status: 'failed', result: 'the shop is closed' }])
  })

  it('is left out after an item that is done, and the next item starts at once', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done('a')] })
    const task = await createTask(bench, FEW, ONE)
    expect(task.plan.items.map(({ status }) => status)).toEqual(['completed', 'running'])
    const page = await bench.service.listEvents(CALLER, task.id, { after: 0, limit: 100 })
    const started = page.ok ? page.value.data.filter(({ type }) => type === 'item_started') : []
    expect(started.map(({ payload }) => payload.item_id)).toEqual(['step_1', 'step_2'])
  })

  it('of the limit comes before the next thought, as after any round', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [ending(), ending()] })
    const task = await createTask(bench, { ...FEW, max_steps: 2 }, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(task.handover?.completed).toEqual(['A: todo done'])
  })

  it('follows an answer at once where no item is open', async () => {
    const bench = benchOf({ plan: [planned()], thought: [ask()], replan: [closed()] })
    const { id } = await createTask(bench, FEW, ALL)
    expect((await say(bench, id, 'tomorrow', ALL)).status).toBe('completed')
  })
})

describe('a call beside a reply that calls no tool', () => {
  const call = { calls: [{ id: 'call_1', name: 'todo', arguments: '{"command":"/todo add milk"}' }] }
  const beside = (reply: object) => ({ said: JSON.stringify(reply), ...call })

  it('is not made beside a plan, and the first thought is told so', async () => {
    const script = {
      plan: [beside(planned('A', 'B'))],
      thought: [ending(), ending('/todo add eggs')],
      replan: [closed()],
    }
    const { bench, task } = await play(script)
    const notes = bench.requests.map((request) => String(context(request).note ?? ''))
    expect(notes.map((note) => note.includes('these calls beside it were not made: todo'))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add milk', '/todo add eggs'])
    expect(task.status).toBe('completed')
  })

  it('is told beside a replan that ends the task, because nobody would make it any more', async () => {
    const script = { plan: [planned('A')], thought: [ending()], replan: [beside(closed()), closed('the end')] }
    const { bench, task } = await play(script)
    expect(context(bench.requests.at(-1)).correction).toMatchObject({
      problem:
        'todo was not called, because phase replan calls no tool: name it as a step of the plan if it is needed, or reply without it',
    })
    expect(task).toMatchObject({ status: 'completed', result: { text: 'the end' } })
    expect(bench.calls).toHaveLength(1)
  })
})

it.each([
  ['a think block', '<think>secret plan</think>', 'todo'],
  ['a think block that is never closed', 'I add milk. <think>secret plan', 'I add milk.'],
  ['a think block whose beginning is missing', 'secret plan</think>I add milk.', 'I add milk.'],
])('S0-46 %s beside a call is not shown to people', async (_, said, shown) => {
  const bench = benchOf({ plan: [planned('A')], thought: [calling(said, ['todo', { command: '/todo add milk' }])] })
  const { id } = await createTask(bench, FEW, ONE)
  const task = await step(bench, id, ONE)
  expect(task.last_thought).toMatchObject({ decision: 'continue', text: shown })
  expect(JSON.stringify(task)).not.toContain('secret')
})
