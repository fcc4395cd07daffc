/** Questions of mode dynamic: the tool ask_user, its answers, and what is refused (U2, O0-12, S3-12). */
import { describe, expect, it } from 'vitest'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import {
  ALL,
  benchOf,
  CALLER,
  calling,
  context,
  createTask,
  journalOf,
  NONE,
  say,
  taken,
  type Bench,
} from '../../support/scripted.ts'
import { action, complete, dynamicTask, eventsOf, goOn, stateOf, steps, told, type Round } from './support.ts'
import type { Settings } from '../../../src/core/terms/settings.ts'

const asks = (input: string | object = 'Which day?'): Round => [
  goOn(),
  action(typeof input === 'string' ? input : JSON.stringify(input), 'ask_user'),
]
const WAYS: [string, Partial<Settings>][] = [
  ['three calls', {}],
  ['merged calls', { merged_calls: true }],
  ['few calls', { calls: 'few' }],
]
const isMerged = ({ merged_calls, calls }: Partial<Settings>) => merged_calls === true || calls === 'few'
async function begun(rounds: Round[], settings: Partial<Settings> = {}, plan = steps('A')) {
  const bench = benchOf(told([plan], rounds, isMerged(settings)))
  return { bench, task: await dynamicTask(bench, settings) }
}
async function expectSound(bench: Bench, id: string): Promise<void> {
  expectFold(bench, id)
  expect(await replayOf(bench, id)).toEqual(EQUAL(taken(await bench.service.getTask(CALLER, id)).version))
}
const asked = (bench: Bench) => context(bench.requests.at(-1))

describe.each(WAYS)('with %s', (_, way) => {
  it('O0-12 a question is not asked again although another one was asked since', async () => {
    const rounds: Round[] = [asks('Which day?'), asks('Which hour?'), asks('which day'), [complete()]]
    const { bench, task } = await begun(rounds, way)
    await say(bench, task.id, 'Friday', ALL)
    const after = await say(bench, task.id, 'ten', ALL)
    expect(after.status).toBe('completed')
    expect(asked(bench).warning).toContain('Not asked, because clarifications has its answer')
    bench.spent()
  })

  it('S0-61 an action of the tool ask_user waits for the answer, which the next prompts have', async () => {
    const { bench, task } = await begun([asks(), [goOn(), action()], [complete()]], way)
    expect(task).toMatchObject({
      status: 'input_required',
      stop_reason: 'question',
      step_count: 0,
      pending: { kind: 'question', question: 'Which day?' },
    })
    expect(bench.calls).toEqual([])
    const after = await say(bench, task.id, 'Friday', ALL)
    expect(after).toMatchObject({ status: 'completed', step_count: 1 })
    expect(asked(bench).clarifications).toEqual([{ question: 'Which day?', answer: 'Friday' }])
    const types = (await eventsOf(bench, task.id)).map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('clarification'))).toEqual([
      'clarification_requested',
      'clarification_answered',
    ])
    bench.spent()
    await expectSound(bench, task.id)
  })

  it.each(['askUser', 'Ask User', 'ask-user', 'functions.ask_user'])(
    'O0-04 the tool may be written as %s, and a plain text is the question',
    async (tool) => {
      const { bench, task } = await begun([[goOn(), action('Which day?', tool)], [complete()]], way)
      expect(task.pending).toMatchObject({ kind: 'question', question: 'Which day?' })
      expect(await say(bench, task.id, 'Friday', ALL)).toMatchObject({ status: 'completed' })
      await expectSound(bench, task.id)
    },
  )

  it('O0-04 a tool that is not offered is quoted as it was written, and ask_user is among those that are', async () => {
    const { bench, task } = await begun([[goOn(), action('x', 'bookTable')], [complete()]], way)
    const [finished] = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'action_finished')
    expect(finished?.payload['text']).toMatch(/^the tool "bookTable" is not offered; offered: .*, ask_user$/)
    await expectSound(bench, task.id)
  })

  it('U15 with approve: actions a question is asked without approval', async () => {
    const { bench, task } = await begun([asks(), [complete()]], { ...way, approve: 'actions' })
    expect(task.pending).toMatchObject({ kind: 'question' })
    expect(await say(bench, task.id, 'Friday', ALL)).toMatchObject({ status: 'completed' })
    await expectSound(bench, task.id)
  })

  it('O0-12 a question that was answered is not asked again, and the next prompts say so', async () => {
    const { bench, task } = await begun([asks(), asks('which day'), [complete()]], way)
    const after = await say(bench, task.id, 'Friday', ALL)
    expect(after).toMatchObject({ status: 'completed', step_count: 0 })
    expect(asked(bench).warning).toContain('Not asked, because clarifications has its answer: ask_user which day')
    const guards = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'loop_guard')
    expect(guards.map(({ payload }) => payload['guard'])).toEqual(['repeated_question'])
    await expectSound(bench, task.id)
  })

  it('R25 more questions than max_clarifications are refused, and a model that insists ends its step', async () => {
    const { bench, task } = await begun([asks('a?'), asks('b?'), asks('c?')], { ...way, max_clarifications: 0 })
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'loop_detected', step_count: 0 })
    expect(asked(bench).warning).toContain('no more questions may be asked')
    bench.spent()
    await expectSound(bench, task.id)
  })

  it('U2 an edit or a remark leaves the question open, and the answer reaches the step that is current then', async () => {
    const { bench, task } = await begun([asks(), [complete()]], way)
    await say(bench, task.id, '/todo list', NONE)
    taken(await bench.service.editPlan(CALLER, task.id, [{ title: 'X' }], null))
    const edited = taken(await bench.service.getTask(CALLER, task.id))
    expect(edited).toMatchObject({ status: 'input_required', plan: { items: [{ title: 'X' }] } })
    expect(await say(bench, task.id, 'Friday', ALL)).toMatchObject({ status: 'completed' })
    expect(asked(bench)).toMatchObject({ current_item: { title: 'X' }, clarifications: [{ answer: 'Friday' }] })
    await expectSound(bench, task.id)
  })

  it('S3-19 a question without words is refused, and the correction says what was wrong', async () => {
    const script = told([steps('A')], [asks({ question: ' ' }), [goOn(), action()], [complete()]], isMerged(way))
    // The correction is asked for in the phase that chose the action.
    const again = isMerged(way)
      ? script
      : { ...script, think: script.think?.slice(1), step_decision: script.step_decision?.slice(1) }
    const bench = benchOf(again)
    expect(await dynamicTask(bench, way)).toMatchObject({ status: 'completed', step_count: 1 })
    const corrections = bench.requests.flatMap((request) => context(request).correction ?? [])
    expect(corrections).toMatchObject([{ problem: expect.stringContaining('ask_user: question') }])
    bench.spent()
  })
})

describe('an answer that is to be saved', () => {
  it('S3-15 has its name, which stands for it in later inputs', async () => {
    const named: Round = [goOn(), action('Which day?', 'ask_user', 'day')]
    const { bench, task } = await begun([named, [goOn(), action('/todo add call on {{day}}')], [complete()]])
    expect(await say(bench, task.id, 'Friday', ALL)).toMatchObject({ status: 'completed' })
    expect(asked(bench).clarifications).toEqual([{ question: 'Which day?', answer: 'Friday', name: 'day' }])
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add call on Friday'])
    expect(asked(bench).actions).toHaveLength(1)
    await expectSound(bench, task.id)
  })

  it('S3-15 counts as a result, so that the name of the next one follows', async () => {
    const named: Round = [goOn(), action('Which day?', 'ask_user', 'day')]
    const rounds: Round[] = [
      asks('Who?'),
      named,
      [goOn(), action()],
      [goOn(), action('/todo add {{result_2}}')],
      [complete()],
    ]
    const { bench, task } = await begun(rounds)
    await say(bench, task.id, 'Ann', ALL)
    await say(bench, task.id, 'Friday', ALL)
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add milk', '/todo add todo done'])
  })
})

it('U15 choices and a schema of the model are shown, and any other text answers them', async () => {
  const { bench, task } = await begun([asks({ question: 'Which day?', choices: ['Friday', 'Monday'] }), [complete()]])
  expect(task.pending).toMatchObject({ choices: ['Friday', 'Monday'] })
  expect(await say(bench, task.id, 'neither', ALL)).toMatchObject({ status: 'completed' })
  expect(asked(bench).clarifications).toEqual([{ question: 'Which day?', answer: 'neither' }])
})

it('S3-12 a question costs neither an action of the budget nor one of its step; a refused one is one of its step', async () => {
  const { bench, task } = await begun([asks(), asks(), [complete()]], { max_actions_per_step: 5 })
  await say(bench, task.id, 'Friday', { rounds: 1, max_ms: 25_000 })
  expect(stateOf(bench, task.id).step).toMatchObject({ actions: 1, refused: 1 })
})

it('O0-04 a tool of the client named ask_user is a tool like any other', async () => {
  const own = { name: 'ask_user', description: 'w', parameters: null, url: 'https://example.com/w', idempotent: true }
  const bench = benchOf(told([steps('A')], [asks('{}'), [complete()]]))
  const task = await createTask(bench, {}, ALL, { mode: 'dynamic', tools: [own] })
  expect([task.status, bench.calls.map(({ tool }) => tool)]).toEqual(['completed', ['ask_user']])
})

it('S3-37 with few calls a native call of ask_user is a question', async () => {
  const bench = benchOf({
    plan: [steps('A')],
    step_decision: [
      calling('I have to know.', ['ask_user', { question: 'Which day?', why: 'the day is missing' }]),
      { thought: 'good', ...complete(), action: null },
    ],
  })
  const task = await dynamicTask(bench, { calls: 'few' })
  expect(task.pending).toMatchObject({ kind: 'question', question: 'Which day?' })
  expect(await say(bench, task.id, 'Friday', ALL)).toMatchObject({ status: 'completed' })
  expect((await journalOf(bench, task.id)).filter(({ counted }) => counted)).toEqual([])
  await expectSound(bench, task.id)
})
