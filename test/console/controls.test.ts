/** What a status offers, how a run repeats, what ran out, how much more is asked for, what was typed in vain. */
import { describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../../src/console/api/client.ts'
import type { TaskView } from '../../src/console/api/wire.ts'
import { offersOf, type Offers } from '../../src/console/views/task/controls/offers.ts'
import { stepUntilWaiting } from '../../src/console/views/task/controls/step-until-waiting.ts'
import { exhaustedAxis, stopReasonText } from '../../src/console/parts/stop-reasons.ts'
import { addOf, axesOf } from '../../src/console/views/task/budget/amounts.ts'
import {
  closedDrafts,
  changeDrafts,
  verdictOf,
  type AnswerDraft,
  type SentAnswer,
} from '../../src/console/views/task/waiting/answer-drafts.ts'

type Seen = Parameters<typeof offersOf>[0]
const seen = (change: Partial<Seen>): Seen => ({
  status: 'running',
  drive: 'manual',
  mode: 'plan_execute',
  stop_reason: null,
  ...change,
})

describe('only controls that fit the status are offered', () => {
  const NONE: Offers = { step: false, input: null, pause: false, resume: false, cancel: false }
  it.each<[string, Partial<Seen>, Partial<Offers>]>([
    ['a running task steps', {}, { step: true, input: 'remark', pause: true, cancel: true }],
    ['one that the service drives does not', { drive: 'background' }, { input: 'remark', pause: true, cancel: true }],
    ['beside a question a command only', { status: 'input_required' }, { input: 'command', cancel: true }],
    [
      'a remark waits for the report',
      { status: 'waiting_external' },
      { input: 'remark_for_report', pause: true, cancel: true },
    ],
    [
      'held by a person',
      { status: 'paused', stop_reason: 'paused_by_user' },
      { input: 'remark_and_resume', resume: true, cancel: true },
    ],
    [
      'U14: no resume without budget',
      { status: 'paused', stop_reason: 'budget_exhausted:steps' },
      { input: 'remark_for_budget', cancel: true },
    ],
    [
      'a session answers beside its plan',
      { status: 'paused', mode: 'session', stop_reason: 'iteration_limit' },
      { input: 'side_turn', cancel: true },
    ],
    ['a session that is done is spoken to again', { status: 'completed', mode: 'session' }, { input: 'next_run' }],
    ['any other is over', { status: 'completed' }, {}],
    ['failed', { status: 'failed', mode: 'session' }, {}],
    ['replies that broke their contract', { status: 'failed', stop_reason: 'contract_failures' }, { resume: true }],
    ['canceled', { status: 'canceled' }, {}],
  ])('%s', (_, change, offers) => {
    expect(offersOf(seen(change))).toEqual({ ...NONE, ...offers })
  })
})

describe('a run goes on until the task waits', () => {
  const answered = (change: Partial<TaskView>): ApiAnswer<TaskView> => ({
    ok: true,
    status: 200,
    // What the repetition reads of a task.
    value: {
      status: 'running',
      slice: { advanced: true, rounds: 1, events: [] },
      retry_after_ms: null,
      ...change,
    } as TaskView,
    headers: new Headers(),
  })
  const refusal = (code: string, retry_after_s: number | null): ApiAnswer<TaskView> => ({
    ok: false,
    problem: { code, status: 409, title: '', detail: '', errors: [], retry_after_s },
  })
  const still = { slice: { advanced: false, rounds: 0, events: [] } }
  const run = async (answers: (ApiAnswer<TaskView> | null)[], stopped: () => boolean = () => false) => {
    const waits: number[] = []
    const left = [...answers]
    const outcome = await stepUntilWaiting({
      step: () => {
        const next = left.shift()
        if (next === undefined) throw new Error('it stepped once too often')
        return Promise.resolve(next)
      },
      wait: (ms) => {
        waits.push(ms)
        return Promise.resolve()
      },
      isStopped: stopped,
    })
    return { outcome, waits, left: left.length }
  }
  it('goes on while each answer advances the task and it is still running', async () => {
    const answers = [answered({}), answered({}), answered({ status: 'input_required' })]
    expect(await run(answers)).toEqual({ outcome: 'waits', waits: [], left: 0 })
  })
  it('ends when a step has done nothing', async () => {
    expect(await run([answered({}), answered(still)])).toEqual({ outcome: 'waits', waits: [], left: 0 })
  })
  it('R9: ends at a pause that the model asks for', async () => {
    const answers = [answered({ ...still, retry_after_ms: 700 }), answered({ status: 'completed' })]
    expect(await run(answers)).toEqual({ outcome: 'waits', waits: [700], left: 0 })
  })
  it('waits for a busy task as long as the answer says', async () => {
    const answers = [refusal('task_busy', 3), refusal('task_busy', null), answered({ status: 'paused' })]
    expect(await run(answers)).toEqual({ outcome: 'waits', waits: [3000, 1000], left: 0 })
  })
  it('ends at any other refusal', async () => {
    expect(await run([refusal('task_not_found', null)])).toEqual({ outcome: 'refused', waits: [], left: 0 })
    expect(await run([null])).toEqual({ outcome: 'refused', waits: [], left: 0 })
  })
  it('ends after the current request when it is stopped', async () => {
    let asked = 0
    const stopped = () => ++asked > 1
    expect(await run([answered({}), answered({})], stopped)).toEqual({ outcome: 'stopped', waits: [], left: 1 })
  })
  it.each([
    ['a pause that the model wants', answered({ ...still, retry_after_ms: 60_000 })],
    ['a busy task', refusal('task_busy', 60)],
  ])('does not wait for %s when it is stopped during a request', async (_, answer) => {
    let asked = 0
    const stopped = () => ++asked > 1
    expect(await run([answer, answered({})], stopped)).toEqual({ outcome: 'stopped', waits: [], left: 1 })
  })
})

describe('the budget that ran out', () => {
  it.each([
    ['budget_exhausted:steps', 'steps'],
    ['budget_exhausted:cost_usd', 'cost_usd'],
    ['iteration_limit', 'iterations'],
    ['budget_exhausted:tenant', 'tenant'],
    ['budget_exhausted:unheard', null],
    ['question', null],
    [null, null],
  ])('%s: %s', (reason, axis) => {
    expect(exhaustedAxis(reason)).toBe(axis)
  })
  it('an unknown pause reason is shown unchanged', () => {
    expect(stopReasonText('constructor', 'en')).toBe('constructor')
    expect(stopReasonText('loop_detected', 'zh')).toBe('陷入了循环')
  })
  it('U13: actions and commands are granted as steps', () => {
    expect(axesOf('actions')[0]).toBe('steps')
    expect(axesOf('iterations')[0]).toBe('iterations')
  })
  it.each([
    ['steps', ' 5 ', { steps: 5 }],
    ['steps', '0', null],
    ['steps', '1.5', null],
    ['tokens', '1000000001', null],
    ['cost_usd', '0.50', { cost_usd: '0.50' }],
    ['cost_usd', '0', null],
    ['cost_usd', '1e3', null],
  ] as const)('more of %s: %j', (axis, typed, add) => {
    expect(addOf(axis, typed)).toEqual(add)
  })
})

describe('a typed answer whose question was settled', () => {
  const NOTHING = { request_id: 'q1', question: '?', typed: '', answer: null, sent: null, unknown: null }
  const typed = (text: string): AnswerDraft => ({ ...NOTHING, typed: text, answer: text })
  const sent = (answer: string, state: SentAnswer['state']): SentAnswer => ({ answer, typed: answer, state })
  it('is kept while the question is open, and given back afterwards', () => {
    const drafts = changeDrafts(changeDrafts([], typed('Mon')), typed('Monday'))
    expect(closedDrafts(drafts, 'q1')).toEqual([])
    expect(closedDrafts(drafts, 'q2')).toEqual([typed('Monday')])
    expect(changeDrafts([typed('Monday')], typed('  '))).toEqual([])
  })
  it('an answer that arrives late does not change the text that was typed since', () => {
    const under_way = changeDrafts([typed('Monday')], { request_id: 'q1', sent: sent('Monday', 'under_way') })
    const typedOn = changeDrafts(under_way, { request_id: 'q1', typed: 'Monday, or Tuesday' })
    expect(changeDrafts(typedOn, { request_id: 'q1', sent: sent('Monday', 'taken') })).toMatchObject([
      { typed: 'Monday, or Tuesday', sent: { answer: 'Monday', state: 'taken' } },
    ])
  })
  it('an accepted answer is not kept; a refused second try does not hide that the first may have been accepted', () => {
    const under_way = changeDrafts([typed('Monday')], { request_id: 'q1', sent: sent('Monday', 'under_way') })
    expect(changeDrafts(under_way, { request_id: 'q1', sent: sent('Monday', 'taken') })).toEqual([])
    const unknown = changeDrafts(under_way, { request_id: 'q1', sent: sent('Monday', 'unknown') })
    const again = changeDrafts(unknown, { request_id: 'q1', sent: sent('Monday', 'under_way') })
    expect(changeDrafts(again, { request_id: 'q1', sent: null })).toMatchObject([{ sent: { state: 'unknown' } }])
  })
  it.each<[string, SentAnswer | null, string, string | null, ReturnType<typeof verdictOf>]>([
    ['never sent, and another one counts', null, 'Monday', 'Friday', 'elsewhere'],
    ['never sent, and nothing counts', null, 'Monday', null, 'elsewhere'],
    ['never sent, and the same one counts', null, ' Monday ', 'Monday', null],
    ['under way', sent('Monday', 'under_way'), 'Monday', null, null],
    ['taken', sent('Monday', 'taken'), 'Monday', null, null],
    ['taken, and typed on', sent('Monday', 'taken'), 'Tuesday', 'Monday', 'afterwards'],
    ['sent without a reply, and it counts', sent('Monday', 'unknown'), 'Monday', 'Monday', null],
    ['sent without a reply, it counts, and typed on', sent('Monday', 'unknown'), 'Tuesday', 'Monday', 'afterwards'],
    ['sent without a reply, and another one counts', sent('Monday', 'unknown'), 'Monday', 'Friday', 'elsewhere'],
    [
      'sent without a reply, and nobody has said yet which counts',
      sent('Monday', 'unknown'),
      'Monday',
      null,
      'unknown',
    ],
  ])('%s', (_, before, text, counts, verdict) => {
    expect(verdictOf({ ...typed(text), sent: before }, counts)).toBe(verdict)
  })
})
