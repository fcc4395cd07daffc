/** What a person does to a session: edits its plan, approves its calls (U15, U18). */
import { describe, expect, it } from 'vitest'
import { session } from '../../../src/core/modes/session/machine.ts'
import type { SentItem } from '../../../src/core/protocol/plan-edit.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import {
  ALL,
  benchOf,
  calling,
  CALLER,
  createTask,
  ONE,
  say,
  step,
  taken,
  titles,
  types,
  type Bench,
} from '../../support/scripted.ts'
import {
  begin,
  payloads,
  rounds,
  rowsIn,
  said,
  sessionBench,
  stateOf,
  states,
  steps,
  system,
  use,
  uses,
} from './support.ts'

const PLAN = steps('A', 'B', 'C')
const edit = async (bench: Bench, id: string, items: SentItem[]): Promise<TaskView> =>
  taken(await bench.service.editPlan(CALLER, id, items, null))
const titled = (...all: string[]): SentItem[] => all.map((title) => ({ title }))
const ids = (task: TaskView) => task.plan.items.map(({ id }) => id)
const requestOf = ({ pending }: TaskView) => (pending?.kind === 'approval' ? pending.request_id : null)
async function expectSound(bench: Bench, id: string): Promise<void> {
  expectFold(bench, id)
  const last = taken(await bench.service.getTask(CALLER, id)).version
  expect(await replayOf(bench, id)).toEqual(EQUAL(last))
}

describe('PATCH of the plan', () => {
  it('PATCH replaces the unfinished steps, and the next turn is shown the list with what was written', async () => {
    const bench = sessionBench([use(PLAN), use('hm')])
    const task = await begin(bench, {}, ONE)
    const items = [{ title: 'X', description: 'by train', expected_output: 'a ticket' }, { title: 'C' }]
    const after = await edit(bench, task.id, items)
    expect([titles(after), ids(after), states(after)]).toEqual([
      ['X', 'C'],
      ['step_4', 'step_3'],
      ['running', 'pending'],
    ])
    expect(after.plan).toMatchObject({ revision: 2, cursor: 0, source: 'edit', id: task.plan.id })
    expect(after.plan.items[0]).toMatchObject(items[0] ?? {})
    expect([types(after), after.step_count]).toEqual([['plan_edited', 'item_started'], task.step_count])
    await step(bench, task.id)
    expect(system(bench.requests.at(-1))).toContain(
      'Current step (1/2): X\nWhat to do in it: by train\nIt is finished when this is there: a ticket\n⏳ X\n⏸ C',
    )
    await expectSound(bench, task.id)
  })

  it('is shown in Chinese as well', async () => {
    const bench = sessionBench([use(PLAN), use('嗯')])
    const task = await begin(bench, {}, ONE, { locale: 'zh' })
    await edit(bench, task.id, [{ title: '甲', description: '坐火车', expected_output: '车票' }])
    await step(bench, task.id)
    expect(system(bench.requests.at(-1))).toContain('当前步骤 (1/1): 甲\n步骤说明: 坐火车\n完成标志: 车票\n⏳ 甲')
  })

  it('U18 finished steps stay, a current one that is kept goes on, ids are never used again', async () => {
    const bench = sessionBench([use(`${PLAN}\n[Done]`), ...uses(2), use(steps('D')), 'so\n[Done]', use(steps('N'))])
    const first = await begin(bench, {}, rounds(3))
    expect(first.plan.items[1]?.progress?.current).toBe(2)
    const kept = await edit(bench, first.id, [{ id: 'step_2', title: 'B2' }])
    expect([titles(kept), ids(kept), states(kept)]).toEqual([
      ['A', 'B2'],
      ['step_1', 'step_2'],
      ['completed', 'running'],
    ])
    expect(kept.plan.items[1]?.progress?.current).toBe(2)
    expect(types(kept)).toEqual(['plan_edited'])
    const more = await step(bench, first.id)
    expect([titles(more), ids(more), more.plan.source]).toEqual([
      ['A', 'B2', 'D'],
      ['step_1', 'step_2', 'step_4'],
      'edit',
    ])
    await step(bench, first.id)
    const next = await say(bench, first.id, 'another one', ONE)
    expect([titles(next), ids(next)]).toEqual([['N'], ['step_5']])
    await expectSound(bench, first.id)
  })

  it('S4-18 a step of an edit that is said again adds nothing', async () => {
    const bench = sessionBench([use(PLAN), use(steps('X', 'C', 'E'))])
    const task = await begin(bench, {}, ONE)
    await edit(bench, task.id, titled('X', 'C'))
    const after = await step(bench, task.id)
    expect([titles(after), ids(after)]).toEqual([
      ['X', 'C', 'E'],
      ['step_4', 'step_3', 'step_5'],
    ])
  })

  it('without a plan of this run there is nothing to edit: 409 plan_not_editable', async () => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]', 'so\n[Done]'])
    const task = await begin(bench, {}, { rounds: 0, max_ms: 25_000 })
    const refused = { ok: false, refusal: { code: 'plan_not_editable', mode: 'session' } }
    expect(await bench.service.editPlan(CALLER, task.id, titled('X'), null)).toMatchObject(refused)
    await step(bench, task.id, ALL)
    expect(await bench.service.editPlan(CALLER, task.id, titled('X'), null)).toMatchObject({
      refusal: { code: 'task_ended' },
    })
    await bench.service.inputTask(CALLER, task.id, 'more', null, { rounds: 0, max_ms: 25_000 })
    expect(await bench.service.editPlan(CALLER, task.id, titled('X'), null)).toMatchObject(refused)
  })

  it('U2 behind a turn it waits; one whose run is over by then changes nothing', async () => {
    let later: ((bench: Bench, id: string) => Promise<unknown>)[] = []
    const bench: Bench = sessionBench([
      use(PLAN),
      ({ metadata }) => {
        void edit(bench, metadata.task, [{ id: 'step_1', title: 'A' }, { title: 'X' }])
        return use('[Done]')
      },
      ({ metadata }) => {
        later = [
          (one, id) => one.service.inputTask(CALLER, id, 'and then?', null, ONE),
          (one, id) => one.service.editPlan(CALLER, id, titled('Y'), null),
        ]
        return Promise.all(later.map((tell) => tell(bench, metadata.task))).then(() => 'so\n[Done]')
      },
      'nothing more',
    ])
    const task = await begin(bench, {}, ONE)
    const after = await step(bench, task.id)
    // The reply was taken up, then the edit came, then its call was made: its mark is for the step it had, which was kept.
    expect([titles(after), states(after)]).toEqual([
      ['A', 'X'],
      ['completed', 'running'],
    ])
    const ended = await step(bench, task.id, ALL)
    expect([later.length, titles(ended)]).toEqual([2, ['A', 'X']])
    await expectSound(bench, task.id)
  })

  it('a mark of a reply whose calls are under way does not complete a step that took the place of its own', async () => {
    const bench: Bench = benchOf({
      turn: [
        calling(`${PLAN}\n[Done]`, ['todo', { command: '/todo list' }], ['todo', { command: '/todo list' }]),
        'so\n[Done]',
      ],
    })
    const task = await begin(bench, { approve: 'actions' }, ONE)
    await edit(bench, task.id, titled('X', 'Y'))
    await say(bench, task.id, 'yes', ONE)
    await say(bench, task.id, 'yes', { rounds: 0, max_ms: 25_000 })
    const after = taken(await bench.service.getTask(CALLER, task.id))
    expect(states(after)).toEqual(['running', 'pending'])
    await expectSound(bench, task.id)
  })

  it('an earlier continue text stays as it was, without the old list', async () => {
    const bench = sessionBench([use(PLAN), use('x'), use('y')])
    const task = await begin(bench, { max_iterations: 1 }, rounds(2))
    await say(bench, task.id, 'continue', ONE)
    expect(said(bench.requests.at(-1)).at(-1)?.content).toContain('Progress: 0/3')
    expect((await step(bench, task.id)).stop_reason).toBe('iteration_limit')
    await edit(bench, task.id, titled('X'))
    await say(bench, task.id, 'go on', rounds(1))
    const words = said(bench.requests.at(-1)).filter(({ role }) => role === 'user')
    expect(words.map(({ content }) => content.split('\n').find((line) => line.startsWith('Progress')))).toEqual([
      undefined,
      'Progress: 0/1 steps completed',
    ])
    await expectSound(bench, task.id)
  })

  it('U24 a long history of edits keeps the head small, and takes no more declarations than there is room', async () => {
    const many = titled(...Array.from({ length: 100 }, (_, index) => `T${index}`))
    const turns = Array.from({ length: 210 }, () => use('[Done]'))
    const bench = sessionBench([use(steps('A')), ...turns.slice(0, 99), use(steps('late')), ...turns])
    const task = await begin(bench, { max_iterations: 1_000 }, ONE)
    await edit(bench, task.id, many)
    await step(bench, task.id, rounds(50))
    await step(bench, task.id, rounds(49))
    await edit(bench, task.id, many)
    const late = await step(bench, task.id)
    expect(payloads(late, 'loop_guard')).toMatchObject([{ guard: 'plan_bounds', count: 1 }])
    await step(bench, task.id, rounds(50))
    await step(bench, task.id, rounds(49))
    const after = await edit(bench, task.id, many)
    expect([after.plan.items.length, after.plan.cursor]).toEqual([200, 100])
    const { plan } = stateOf(bench, task.id)
    expect((plan?.left ?? 0) + (plan?.cursor ?? 0)).toBe(198)
    expect(JSON.stringify(rowsIn(bench, task.id).last()?.head).length).toBeLessThan(16_384)
  })
})

describe('calls that wait for their approval', () => {
  const ACTIONS = { approve: 'actions' } as const
  const TWO = calling(PLAN, ['todo', { command: '/todo add 1' }], ['todo', { command: '/todo add 2' }])
  it('U15 each call of a reply is approved on its own', async () => {
    const bench = sessionBench([TWO, 'so\n[Done]'])
    const task = await begin(bench, ACTIONS, ALL)
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'approval' })
    expect(task.pending).toMatchObject({ action: { tool: 'todo', input: '/todo add 1', item_id: 'step_1' } })
    expect([bench.calls, types(task).includes('action_started')]).toEqual([[], false])
    const second = await say(bench, task.id, 'yes', ALL)
    expect(second.pending).toMatchObject({ action: { input: '/todo add 2' } })
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add 1'])
    expect(await say(bench, task.id, 'ok', ALL)).toMatchObject({ status: 'completed', counters: { actions: 2 } })
    await expectSound(bench, task.id)
  })

  it('U15 a rejected call has an error for its result, and the round goes on with the next', async () => {
    const bench = sessionBench([TWO, 'so\n[Done]'])
    const task = await begin(bench, ACTIONS, ALL)
    const second = await say(bench, task.id, 'no', ALL)
    expect(types(second)).toEqual(['clarification_answered', 'action_finished', 'clarification_requested'])
    expect(payloads(second, 'action_finished')).toMatchObject([
      { item_id: 'step_1', tool: 'todo', ok: false, status: 'error', text: 'rejected by the user' },
    ])
    const { last_failure } = session.progress(stateOf(bench, task.id), { recall: rowsIn(bench, task.id).recall })
    expect(last_failure).toBe('todo: rejected by the user')
    await say(bench, task.id, 'yes', ALL)
    expect(said(bench.requests.at(-1)).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'error: rejected by the user' },
      { role: 'tool', tool_call_id: 'call_2', content: 'todo done' },
    ])
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add 2'])
    await expectSound(bench, task.id)
  })

  it.each([
    ['en', 'error: rejected by the user: bread, not milk'],
    ['zh', '错误：被用户拒绝：bread, not milk'],
  ] as const)('U15 any other text is that result, and a message behind the results (%s)', async (locale, content) => {
    const bench = sessionBench([TWO, 'so\n[Done]'])
    const task = await begin(bench, ACTIONS, ALL, { locale })
    await say(bench, task.id, 'bread, not milk', ALL)
    await say(bench, task.id, 'no', ALL)
    const shown = said(bench.requests.at(-1)).slice(1)
    expect(shown.map(({ role }) => role)).toEqual(['tool', 'tool', 'user'])
    expect([shown[0]?.content, shown[2]?.content]).toEqual([content, 'bread, not milk'])
    expect(bench.calls).toEqual([])
    await expectSound(bench, task.id)
  })

  it('U15 words of a change stay when their round is left out', async () => {
    const bench = sessionBench([use(PLAN), use('x'.repeat(6_000)), use('y'), 'so\n[Done]'])
    const task = await begin(bench, { ...ACTIONS, transcript_token_limit: 1_000 }, ALL)
    await say(bench, task.id, 'bread, not milk', ALL)
    await say(bench, task.id, 'yes', ALL)
    await say(bench, task.id, 'yes', ALL)
    const texts = bench.requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'))
    expect(texts.at(-1)).toContain('The user said:\n- bread, not milk')
    // A call that was not made is not among those that were.
    const first = texts.find((text) => text.includes('Replies left out: 1\n'))
    expect([first?.includes('bread, not milk'), first?.includes('Tool calls: ')]).toEqual([true, false])
    await expectSound(bench, task.id)
  })

  it('PATCH of the plan leaves the call open under the same request', async () => {
    const bench = sessionBench([TWO])
    const task = await begin(bench, ACTIONS, ALL)
    const after = await edit(bench, task.id, titled('X'))
    expect([after.status, requestOf(after)]).toEqual(['input_required', requestOf(task)])
  })

  it('U15 approve: plan asks nothing of a session, which plans as it goes', async () => {
    const bench = sessionBench([TWO, 'so\n[Done]'])
    expect(await begin(bench, { approve: 'plan' }, ALL)).toMatchObject({ status: 'completed' })
  })
})

describe('names of tools', () => {
  const own = { name: 'getWeather', description: 'w', parameters: null, url: 'https://example.com/w', idempotent: true }
  it('O0-04 one that differs in case alone finds the tool: a built-in one or one of the client', async () => {
    const calls = calling('', ['GetWeather', { a: 1 }], ['getWeather', { a: 2 }], ['Todo', { command: '/todo list' }])
    const bench = benchOf({ turn: [calls, 'so\n[Done]'] })
    const task = await createTask(bench, {}, ALL, { mode: 'session', tools: [own] })
    expect(bench.calls.map(({ tool, input }) => [tool, input])).toEqual([
      ['getWeather', '{"a":1}'],
      ['getWeather', '{"a":2}'],
      ['todo', '/todo list'],
    ])
    expect(payloads(task, 'action_started').map(({ tool }) => tool)).toEqual(['getWeather', 'getWeather', 'todo'])
  })
})
