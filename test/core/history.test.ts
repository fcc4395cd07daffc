/** `/journal` shows requests again that are kept as references only, and says when they are not the ones that were sent (U4). */
import { describe, expect, it } from 'vitest'
import { ask, done, planned } from '../support/scripted.ts'
import {
  acting,
  damage,
  failed,
  held,
  journal,
  replied,
  returned,
  thinking,
  ticket,
  value,
  withEffect,
} from '../support/held.ts'

const UNPRICED = { charged_tokens: null, cost_usd: null, price_version: null, over_reserve: false }
const exact = (one: ReturnType<typeof held>) => journal(one).map((row) => row.request_exact)

describe('U4 request_exact', () => {
  it('is true as long as the same prompt is made again, null for a row that is no effect', () => {
    expect(exact(acting())).toEqual([null, true, true, true])
  })

  it.each([
    ['another hash: the rebuilt prompt is not the one that was sent', { hash: '0000000000000000' }],
    ['another prompt version: the wording has changed since', { prompt: 'plan_execute/thought@0' }],
    ['another wall clock', { wall_ms: 60_000 }],
  ])('is false for a row with %s', (_name, change) => {
    const one = acting()
    damage(one, 3, withEffect(change))
    expect(exact(one)).toEqual([null, true, false, true])
  })

  it('is false for such a row while it is under way, too', () => {
    const one = thinking()
    damage(one, 3, withEffect({ hash: '0000000000000000' }))
    expect(exact(one)).toEqual([null, true, false])
  })
})

describe('what the journal shows of a row', () => {
  it('usage the endpoint did not report is null, and its whole reservation is charged', () => {
    const one = held()
    value(one.task.commit(2, replied(planned('A')), ticket('s1')))
    const usage = { input_tokens: 10, output_tokens: 5 }
    value(one.task.commit(3, { ...replied(done()), usage }, ticket('s1', 'this_round')))
    expect(journal(one).map((row) => row.tokens)).toMatchObject([null, null, { input: 10, output: 5 }])
    const seen = one.task.ask({ kind: 'view' })
    const charged = journal(one).map((row) => row.charged_tokens)
    expect(charged).toEqual([null, expect.any(Number), 15])
    expect(charged[1]).toBeGreaterThan(4_096)
    expect(seen.ok && seen.value.budget.tokens.used).toBe((charged[1] ?? 0) + 15)
  })

  it('forms the endpoint refused on the way are noted in the row, and only there', () => {
    const one = held()
    const refused = ['json_schema', 'json_object'] as const
    value(one.task.commit(2, { ...replied(planned('A'), 'text'), negotiated: [...refused] }, ticket('s1')))
    value(one.task.commit(3, replied(done(), 'text'), ticket('s1', 'this_round')))
    const replies = journal(one).map((row) => row.reply)
    expect(replies[1]).toMatchObject({ negotiated: refused })
    expect(replies[2]).not.toHaveProperty('negotiated')
  })

  it('every kind of reply is shown, with its attempt, its phase and when it was begun and closed', () => {
    const one = acting()
    one.here.now_ms = 1_500
    value(one.task.commit(4, returned, ticket('s1')))
    value(one.task.commit(5, failed(), ticket('s1')))
    value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s1', 'this_round')))
    const rows = journal(one).slice(3)
    expect(rows.map((row) => [row.kind, row.phase, row.attempt, row.outcome, row.reply])).toEqual([
      ['run_tool', 'act', 1, 'ok', { ok: true, code: 'ok', text: 'fine' }],
      ['call_model', 'thought', 1, 'model_error', { reason: 'down', status: 503 }],
      ['user_remarked', null, null, null, { text: 'hurry' }],
    ])
    expect(rows[0]).toMatchObject({
      request: { tool: 'todo', input: '/todo add milk' },
      started_at: '1970-01-01T00:00:00.000Z',
      finished_at: '1970-01-01T00:00:01.500Z',
    })
  })

  it('P7 a tool that was leased again names its attempt', () => {
    const one = acting()
    one.here.now_ms = 120_000
    value(one.task.begin(ticket('s2')))
    expect(journal(one).at(-1)).toMatchObject({ seq: 4, attempt: 2, outcome: null, counted: false })
  })

  it('usage of a failed call is shown; what answered has its model, a row that is no effect neither price nor duration', () => {
    const one = held()
    const usage = { input_tokens: 7, output_tokens: 3 }
    const refused = ['json_schema' as const]
    value(one.task.commit(2, { ...failed(), status: null, usage, negotiated: refused }, ticket('s1')))
    value(one.task.commit(3, replied(planned('A')), ticket('s1', 'this_round')))
    const [created, lost, plan] = journal(one)
    expect(created).toMatchObject({
      ...UNPRICED,
      model: null,
      duration_ms: null,
      tokens: null,
      reply: { settings: { max_steps: 20 } },
    })
    expect(lost).toMatchObject({
      tokens: { input: 7, output: 3 },
      charged_tokens: 10,
      model: null,
      duration_ms: 0,
      reply: { reason: 'down', status: null, negotiated: refused },
    })
    expect(plan).toMatchObject({ model: 'm', price_version: 'free', over_reserve: false })
    expect(plan?.request).toMatchObject({
      prompt: expect.stringMatching(/^plan_execute\/plan@\d+$/),
      messages: [{ role: 'system' }, { role: 'user' }],
    })
  })

  it('a row that is queued behind an effect is shown as it will be applied, and one under way without an outcome', () => {
    const one = thinking()
    one.here.now_ms = 1_000
    value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))
    const rows = journal(one).slice(2)
    const open = {
      endpoint: null,
      counted: false,
      outcome: null,
      tokens: null,
      model: null,
      finished_at: null,
      duration_ms: null,
    }
    expect(rows[0]).toMatchObject({ ...UNPRICED, ...open, seq: 3, reply: null })
    expect(rows[1]).toEqual({
      ...UNPRICED,
      ...open,
      seq: 4,
      kind: 'user_remarked',
      phase: null,
      attempt: null,
      started_at: '1970-01-01T00:00:01.000Z',
      request: null,
      request_exact: null,
      reply: { text: 'hurry' },
    })
  })

  it('an answer is shown with its text, a top-up with what it added, a cancel with nothing', () => {
    const one = thinking()
    value(one.task.commit(3, replied(ask()), ticket('s1')))
    value(one.task.tell({ kind: 'input', text: 'tomorrow', request_id: null }, ticket('s2', 'nothing')))
    value(one.task.tell({ kind: 'top_up', add: { steps: 5 } }, ticket('s3', 'nothing')))
    value(one.task.tell({ kind: 'cancel' }, ticket('s4')))
    expect(
      journal(one)
        .slice(3)
        .map(({ kind, reply }) => [kind, reply]),
    ).toEqual([
      ['user_answered', { text: 'tomorrow' }],
      ['budget_added', { steps: 5 }],
      ['canceled', null],
    ])
  })

  it('U9 U11 what became of an attempt: ok, contract_error, model_error, tool_error', () => {
    const one = acting({ failure_limit: 9 })
    value(one.task.commit(4, { ...returned, ok: false }, ticket('s1')))
    value(one.task.commit(5, replied('bad'), ticket('s1')))
    value(one.task.commit(6, failed(), ticket('s1')))
    expect(journal(one).map((row) => row.outcome)).toEqual([
      null,
      'ok',
      'ok',
      'tool_error',
      'contract_error',
      'model_error',
    ])
  })

  it('U4 a row keeps the number of events it was stored with, however many it would cause today', () => {
    const one = thinking()
    const fewer = { events: { first: 2, count: 1 } }
    damage(one, 2, (record) => ({ head: JSON.stringify({ ...JSON.parse(record.head ?? '{}'), ...fewer }) }))
    const page = one.task.ask({ kind: 'events', after: 0, limit: 100 })
    expect(page.ok && page.value.data.map((event) => [event.seq, event.type])).toEqual([
      [1, 'task_created'],
      [2, 'plan_created'],
    ])
  })
})

describe('what events say', () => {
  it('about a start, a broken contract, a pause and an end', () => {
    const one = held({ plan_retries: 1 })
    value(one.task.commit(2, replied('bad'), ticket('s1')))
    value(one.task.commit(3, failed(), ticket('s1')))
    value(one.task.tell({ kind: 'input', text: 'continue', request_id: null }, ticket('s2')))
    value(one.task.commit(5, replied('bad'), ticket('s2')))
    value(one.task.commit(6, replied('bad'), ticket('s2')))
    const page = one.task.ask({ kind: 'events', after: 0, limit: 100 })
    const reason = expect.stringContaining('JSON')
    expect(page.ok && page.value.data.map(({ type, payload }) => [type, payload])).toMatchObject([
      ['task_created', { mode: 'plan_execute', goal: 'g' }],
      ['contract_failed', { phase: 'plan', reason }],
      ['task_paused', { stop_reason: 'model_unavailable' }],
      ['task_resumed', {}],
      ['contract_failed', { phase: 'plan', reason }],
      ['contract_failed', { phase: 'plan', reason }],
      ['task_failed', { stop_reason: 'contract_failures' }],
    ])
  })

  const said = ({ task }: ReturnType<typeof held>) => {
    const page = task.ask({ kind: 'events', after: 3, limit: 100 })
    return page.ok ? page.value.data.map(({ type, payload }) => [type, payload]) : []
  }

  it('about a question and its answer', () => {
    const one = thinking()
    value(one.task.commit(3, replied(ask('When?')), ticket('s1')))
    value(one.task.tell({ kind: 'input', text: 'tomorrow', request_id: 'question_3' }, ticket('s2', 'nothing')))
    expect(said(one)).toMatchObject([
      ['thought_decided', { decision: 'ask_user' }],
      ['clarification_requested', { request_id: 'question_3', question: 'When?' }],
      ['clarification_answered', { request_id: 'question_3', answer: 'tomorrow' }],
    ])
  })

  it('about a lost tool that cannot be repeated', () => {
    const one = acting()
    damage(one, 4, withEffect({ idempotent: false }))
    one.here.now_ms = 120_000
    value(one.task.begin(ticket('s2')))
    expect(said(one).at(-1)).toMatchObject([
      'action_finished',
      { item_id: 'step_1', tool: 'todo', ok: false, status: 'error', text: 'outcome unknown' },
    ])
  })
})
