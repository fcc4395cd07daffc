/** `/journal` shows requests again that are kept as references only, and says when they are not the ones that were sent (ruling 4). */
import { describe, expect, it } from 'vitest'
import { done, planned } from '../support/scripted.ts'
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

const exact = (one: ReturnType<typeof held>) => journal(one).map((row) => row.request_exact)

describe('ruling 4 request_exact', () => {
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
    expect(journal(one).map((row) => row.tokens)).toEqual([null, null, { input: 10, output: 5 }])
    const seen = one.task.read()
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
    value(one.task.input('hurry', null, ticket('s1', 'this_round')))
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

  it('protocol 7 a tool that was leased again names its attempt', () => {
    const one = acting()
    one.here.now_ms = 120_000
    value(one.task.begin(ticket('s2')))
    expect(journal(one).at(-1)).toMatchObject({ seq: 4, attempt: 2, outcome: null, counted: false })
  })
})
