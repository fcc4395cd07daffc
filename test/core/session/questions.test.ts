/** A session asks by a call of ask_user: it waits, and the answer is the result of that call (ruling 37). */
import { describe, expect, it } from 'vitest'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import { calling, CALLER, ONE, say, step, taken, types, type Bench } from '../../support/scripted.ts'
import { begin, payloads, rounds, rowsIn, said, sessionBench, stateOf, steps, use, uses } from './support.ts'

const asking = (question: string, more: object = {}) => calling('', ['ask_user', { question, ...more }])

async function expectSound(bench: Bench, id: string): Promise<void> {
  expectFold(bench, id)
  const last = taken(await bench.service.getTask(CALLER, id)).version
  expect(await replayOf(bench, id)).toEqual(EQUAL(last))
}
const results = (bench: Bench) =>
  (bench.requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content)

describe('a question', () => {
  it('makes the task wait with its choices, and its answer is the result of the call', async () => {
    const bench = sessionBench([asking('Which city?', { choices: ['Paris', 'Rome'] }), 'Rome it is.'])
    const waiting = await begin(bench, {}, rounds(9))
    expect(waiting).toMatchObject({
      status: 'input_required',
      pending: {
        kind: 'question',
        prompt: 'Please confirm: Which city?',
        choices: ['Paris', 'Rome'],
        other_answers: true,
      },
      counters: { actions: 0 },
    })
    expect(payloads(waiting, 'clarification_requested')).toMatchObject([{ question: 'Which city?' }])
    expect(types(waiting)).not.toContain('action_started')
    const done = await say(bench, waiting.id, 'Rome', rounds(9))
    expect(done).toMatchObject({ status: 'completed', result: { text: 'Rome it is.' } })
    expect(payloads(done, 'clarification_answered')).toMatchObject([{ answer: 'Rome' }])
    expect(results(bench)).toEqual(['Rome'])
    await expectSound(bench, waiting.id)
  })

  it('among other calls of its reply is asked in their order, and the goal stays the goal', async () => {
    const three = calling(
      steps('A'),
      ['todo', { command: '/todo list' }],
      ['ask_user', { question: 'Red or blue?' }],
      ['todo', { command: '/todo add x' }],
    )
    const bench = sessionBench(
      [three, use()],
      [
        { ok: true, text: 'before' },
        { ok: true, text: 'behind' },
      ],
    )
    const waiting = await begin(bench, {}, rounds(9), { goal: 'paint the wall' })
    expect(bench.calls).toMatchObject([{ input: '/todo list' }])
    const task = await say(bench, waiting.id, 'blue', ONE)
    expect(bench.calls.slice(0, 2)).toMatchObject([{ input: '/todo list' }, { input: '/todo add x' }])
    expect(results(bench)).toEqual(['before', 'blue', 'behind'])
    expect(task.plan).toMatchObject({ goal: 'paint the wall', items: [{ title: 'A', status: 'running' }] })
    await expectSound(bench, waiting.id)
  })

  it('takes an answer outside the choices that the model made up', async () => {
    const bench = sessionBench([asking('Which city?', { choices: ['Paris', 'Rome'] }), 'so'])
    const { id } = await begin(bench, {}, rounds(9))
    await say(bench, id, 'somewhere warm', rounds(9))
    expect(results(bench)).toEqual(['somewhere warm'])
  })

  it('that was answered is refused, and the answer is told', async () => {
    const bench = sessionBench([asking('Which city?'), asking('which city?'), 'so'])
    const { id } = await begin(bench, {}, rounds(9))
    const done = await say(bench, id, 'Rome', rounds(9))
    expect(done.status).toBe('completed')
    expect(results(bench)).toEqual(['Rome', expect.stringContaining('answered this question already: Rome')])
    expect(stateOf(bench, id).clarifications).toHaveLength(1)
  })

  it('beyond max_clarifications is refused, and so is a second one in the same reply', async () => {
    const two = calling('', ['ask_user', { question: 'A?' }], ['ask_user', { question: 'B?' }])
    const bench = sessionBench([two, asking('C?'), 'so'])
    const { id } = await begin(bench, { max_clarifications: 1 }, rounds(9))
    expect((await say(bench, id, 'a', rounds(9))).status).toBe('completed')
    expect(results(bench)).toEqual([
      'a',
      expect.stringContaining('one reply asks one question'),
      expect.stringContaining('1 questions of this task have been answered'),
    ])
  })

  it('without a text is refused, and what is wrong is told', async () => {
    const bench = sessionBench([calling('', ['ask_user', { question: '' }]), 'so'])
    await begin(bench, {}, rounds(9))
    expect(results(bench)).toEqual([expect.stringContaining('question')])
  })

  it('needs no approval, and neither does a call that is refused', async () => {
    const bench = sessionBench([asking('A?'), asking('A?'), 'so'])
    const waiting = await begin(bench, { approve: 'actions' }, rounds(9))
    expect(waiting.pending).toMatchObject({ kind: 'question' })
    expect((await say(bench, waiting.id, 'a', rounds(9))).status).toBe('completed')
  })

  it('of a paused session is asked again by "continue", and any other text answers it', async () => {
    const bench = sessionBench([asking('A?'), 'so'])
    const { id } = await begin(bench, {}, rounds(9))
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    expect(await say(bench, id, 'continue', ONE)).toMatchObject({ status: 'input_required' })
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    expect(await say(bench, id, 'the answer', rounds(9))).toMatchObject({ status: 'completed' })
    expect(results(bench)).toEqual(['the answer'])
    await expectSound(bench, id)
  })

  it('can be answered at its link, which shows it when it is settled', async () => {
    const bench = sessionBench([asking('A?'), 'so'])
    const waiting = await begin(bench, {}, rounds(9))
    const request_id = waiting.pending?.kind === 'question' ? waiting.pending.request_id : null
    expect(request_id).toBe('question_2')
    const late = await bench.service.inputTask(CALLER, waiting.id, 'x', 'question_9', ONE)
    expect(late).toMatchObject({ ok: false, refusal: { code: 'question_settled' } })
    const answered = taken(await bench.service.inputTask(CALLER, waiting.id, 'yes', request_id, rounds(9)))
    expect(answered.status).toBe('completed')
  })
})

describe('the guard against repetition', () => {
  const list = (said = '') => use(said)

  it('the same call with the same result is made twice; the third one is refused, and told', async () => {
    const bench = sessionBench([list(), list(), list(), list(), 'so'])
    const task = await begin(bench, {}, rounds(9))
    expect(bench.calls).toHaveLength(2)
    expect(results(bench).slice(2)).toEqual([
      expect.stringContaining('has brought the same result twice'),
      expect.stringContaining('has brought the same result twice'),
    ])
    expect(task.counters).toMatchObject({ actions: 4, failed_actions: 2 })
    await expectSound(bench, task.id)
  })

  it('S1-34 a call is made again once its earlier results are left out of the conversation', async () => {
    const page = { ok: true, text: 'y'.repeat(1_900) }
    const bench = sessionBench(
      [...uses(4, 'x'.repeat(900)), 'so'],
      Array.from({ length: 4 }, () => page),
    )
    await begin(bench, { transcript_token_limit: 1_000 }, rounds(12))
    expect(bench.calls).toHaveLength(4)
    expect(JSON.stringify(bench.requests)).not.toContain('has brought the same result twice')
  })

  it('the same call with another result is no repetition', async () => {
    const bench = sessionBench(
      [list(), list(), list(), list(), 'so'],
      ['1', '2', '1', '2'].map((text) => ({ ok: true, text })),
    )
    await begin(bench, {}, rounds(9))
    expect(bench.calls).toHaveLength(4)
  })

  it('a text of a person makes the call possible again', async () => {
    const bench = sessionBench([list(), list(), list(), 'so'])
    const task = await begin(bench, {}, rounds(2))
    await say(bench, task.id, 'look again', ONE)
    await step(bench, task.id)
    expect(bench.calls).toHaveLength(3)
  })
})

it('U37 an answer through a link is the result of the call that asked, as any other answer', async () => {
  const bench = sessionBench([calling('', ['ask_user', { question: 'Which city?' }]), 'Rome it is.'])
  const { id, version } = await begin(bench, {}, rounds(9), { goal: 'a goal' })
  const nonce = rowsIn(bench, id).holder(version) ?? ''
  const ref = { link_epoch: 0, seq: version, nonce, expires_ms: bench.clock.now + 1_000 }
  const ticket = { slice: 'person', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
  await bench.store.of(CALLER.tenant, id).tell({ kind: 'answer', ref, text: 'Rome' }, ticket)
  await step(bench, id, rounds(9))
  expect(said(bench.requests.at(-1)).at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'Rome' })
})
