/** What becomes of an effect whose worker is gone, and of what is said meanwhile (P4 to P9, U3 and U14). */
import { describe, expect, it } from 'vitest'
import { done, planned } from '../support/scripted.ts'
import {
  acting,
  held,
  MINUTE,
  journal,
  outcomes,
  replied,
  returned,
  see,
  seqOf,
  stored,
  thinking,
  ticket,
  types,
  value,
  withEffect,
  damage,
} from '../support/held.ts'

const LOST = { ok: false, refusal: { code: 'lease_lost' } }
/** As a tool that must not be done twice would be stored. */
const once = withEffect({ idempotent: false })

describe('a word to a task whose worker is gone', () => {
  it('P6 P11 a lost model call is closed first, counted once, and the remark is heard behind it', () => {
    const one = thinking()
    one.here.now_ms = 2 * MINUTE
    const told = value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))
    expect(outcomes(one)).toEqual(['task_created', 'ok', 'orphaned', 'user_remarked', 'call_model'])
    expect(see(one)).toMatchObject({ step_count: 1, counters: { model_calls: 2 }, retry_after_ms: null })
    const { work } = told.assignment ?? {}
    expect(work).toMatchObject({ kind: 'call_model', phase: 'replan' })
    expect(work?.kind === 'call_model' && JSON.parse(work.messages[1]?.content ?? '').remarks).toEqual(['hurry'])
    expect(one.task.commit(3, replied(done()), ticket('s1'))).toEqual(LOST)
    expect(see(one).step_count).toBe(1)
  })

  it('P7 P11 a remark that finds a lost idempotent tool takes it over and is heard after it', () => {
    const one = acting()
    one.here.now_ms = 2 * MINUTE
    expect(seqOf(value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2'))))).toBe(4)
    value(one.task.commit(4, returned, ticket('s2', 'this_round')))
    expect(outcomes(one)).toEqual(['task_created', 'ok', 'ok', 'ok', 'user_remarked'])
    expect(see(one)).toMatchObject({ step_count: 2, counters: { successful_actions: 1, failed_actions: 0 } })
  })

  it('P7 P11 at its third death the tool is given up and the remark is heard', () => {
    const one = acting()
    for (const slice of ['s2', 's3']) {
      one.here.now_ms += 2 * MINUTE
      value(one.task.begin(ticket(slice)))
    }
    one.here.now_ms += 2 * MINUTE
    value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s4', 'this_round')))
    expect(outcomes(one)).toEqual(['task_created', 'ok', 'ok', 'outcome_unknown', 'user_remarked'])
  })

  it('U8 "continue" to a task whose last plan attempt was lost resumes it: it means what it means after that', () => {
    const one = held({ plan_retries: 0 })
    one.here.now_ms = 2 * MINUTE
    const told = value(one.task.tell({ kind: 'input', text: 'continue', request_id: null }, ticket('s2')))
    expect(outcomes(one)).toEqual(['task_created', 'orphaned', 'resumed', 'call_model'])
    expect(types(told)).toEqual(['task_paused', 'task_resumed'])
    expect(told).toMatchObject({ status_before: 'running', status: 'running', assignment: { seq: 4 } })
    expect(see(one).step_count).toBe(0)
  })

  it('a word that is refused writes nothing: the dead effect stays as it was', () => {
    const one = thinking()
    const before = stored(one)
    one.here.now_ms = 2 * MINUTE
    const refused = one.task.tell({ kind: 'input', text: 'hurry', request_id: 'question_9' }, ticket('s2'))
    expect(refused).toEqual({ ok: false, refusal: { code: 'question_settled' } })
    expect(stored(one)).toBe(before)
  })
})

describe('a lost tool that must not be done twice', () => {
  it('P6 closes as outcome unknown at once, a failed action counted once', () => {
    const one = acting()
    damage(one, 4, once)
    one.here.now_ms = 2 * MINUTE
    const next = value(one.task.begin(ticket('s2')))
    expect(outcomes(one)).toEqual(['task_created', 'ok', 'ok', 'outcome_unknown', 'call_model'])
    expect(see(one)).toMatchObject({
      step_count: 2,
      counters: { actions: 1, failed_actions: 1, successful_actions: 0 },
    })
    const { work } = next.assignment ?? {}
    expect(work?.kind === 'call_model' && JSON.parse(work.messages[1]?.content ?? '').observations).toMatchObject([
      { tool: 'todo', ok: false, result: expect.stringContaining('outcome unknown') },
    ])
    expect(one.task.commit(4, returned, ticket('s1'))).toEqual(LOST)
  })

  it('P6 P11 does not make a remark wait', () => {
    const one = acting()
    damage(one, 4, once)
    one.here.now_ms = 2 * MINUTE
    value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2', 'this_round')))
    expect(outcomes(one).slice(3)).toEqual(['outcome_unknown', 'user_remarked'])
  })

  it('P4 is busy like any other while its worker lives', () => {
    const one = acting()
    damage(one, 4, once)
    one.here.now_ms = 34_999
    expect(one.task.begin(ticket('s2'))).toMatchObject({ refusal: { code: 'task_busy', expires_ms: 35_000 } })
    one.here.now_ms = 35_000
    expect(seqOf(value(one.task.begin(ticket('s2'))))).toBe(5)
  })
})

describe('U11 working time', () => {
  const late = 10 * MINUTE
  it.each<[string, () => ReturnType<typeof held>, (one: ReturnType<typeof held>) => unknown, number, number]>([
    ['a thought in time', thinking, (one) => one.task.commit(3, replied(done()), ticket('s1')), 12_000, 12],
    ['a thought that commits late', thinking, (one) => one.task.commit(3, replied(done()), ticket('s1')), late, 60],
    ['a thought found dead by a step', thinking, (one) => one.task.begin(ticket('s2')), late, 60],
    [
      'a thought found dead by a word',
      thinking,
      (one) => one.task.tell({ kind: 'input', text: 'x', request_id: null }, ticket('s2')),
      late,
      60,
    ],
    ['a thought abandoned late', thinking, (one) => one.task.tell({ kind: 'cancel' }, ticket('s9')), late, 60],
    [
      'a thought abandoned at once, which is charged in full',
      thinking,
      (one) => one.task.tell({ kind: 'cancel' }, ticket('s9')),
      3_000,
      60,
    ],
    ['a tool that commits late', acting, (one) => one.task.commit(4, returned, ticket('s1')), late, 30],
  ])('is the time that %s took, at most up to its deadline', (_name, begun, close, ms, seconds) => {
    const one = begun()
    one.here.now_ms = ms
    expect(close(one)).toMatchObject({ ok: true })
    expect(see(one).budget.seconds.used).toBe(seconds)
  })

  it('has the deadline of the task: model_timeout_s', () => {
    const one = thinking({ model_timeout_s: 7 })
    one.here.now_ms = late
    value(one.task.commit(3, replied(done()), ticket('s1', 'this_round')))
    expect(see(one).budget.seconds.used).toBe(7)
  })
})

describe('P9 a repeated commit', () => {
  const other = replied(done('something else'))

  it('writes nothing, does not compare events, and answers the effect that is still its own', () => {
    const one = acting()
    const before = stored(one)
    const again = value(one.task.commit(3, other, ticket('s1')))
    expect(again).toMatchObject({ advanced: false, events: [], assignment: { seq: 4, work: { kind: 'run_tool' } } })
    expect(stored(one)).toBe(before)
    expect(journal(one)[2]?.reply).toMatchObject({ text: expect.stringContaining('"continue"') })
  })

  it('is not handed the effect that another slice has taken over', () => {
    const one = acting()
    one.here.now_ms = 2 * MINUTE
    expect(seqOf(value(one.task.begin(ticket('s2'))))).toBe(4)
    const before = stored(one)
    const again = value(one.task.commit(3, other, ticket('s1')))
    expect(again).toMatchObject({ advanced: false, assignment: null, status: 'running' })
    expect(stored(one)).toBe(before)
  })

  it('begins nothing where nothing is under way', () => {
    const one = acting()
    value(one.task.commit(4, returned, ticket('s1', 'this_round')))
    const before = stored(one)
    const again = value(one.task.commit(4, { ...returned, ok: false }, ticket('s1')))
    expect(again).toMatchObject({ advanced: false, assignment: null, task: { step_count: 2 } })
    expect(stored(one)).toBe(before)
  })

  it.each([
    ['a row of another slice', 3, 's2'],
    ['a row that is no effect', 1, 's1'],
    ['a row that is not there yet', 6, 's1'],
  ])('is lease_lost for %s', (_name, seq, slice) => {
    const one = acting()
    value(one.task.commit(4, returned, ticket('s1', 'this_round')))
    expect(one.task.commit(seq, other, ticket(slice))).toEqual(LOST)
  })

  it('is lease_lost for a row that was closed without its slice', () => {
    const one = thinking()
    one.here.now_ms = 2 * MINUTE
    value(one.task.begin(ticket('s2')))
    expect(one.task.commit(3, other, ticket('s1'))).toEqual(LOST)
    expect(one.task.commit(3, other, ticket('s2'))).toEqual(LOST)
  })
})

describe('an allowance that arrives late (U16)', () => {
  const CHUNK = { tokens: 1_000_000, cost: 0, day: '2026-11-21' }

  it.each([
    ['there is nothing left of the day', null],
    ['it brings a chunk', CHUNK],
  ])('finds a task that was canceled meanwhile as it is, when %s', (_name, allowance) => {
    const one = held()
    one.here.daily = { tokens: true, cost: false }
    expect(value(one.task.commit(2, replied(planned('A')), ticket('s1'))).wants).not.toBeNull()
    value(one.task.tell({ kind: 'cancel' }, ticket('s2')))
    const before = stored(one)
    expect(value(one.task.tell({ kind: 'fund', allowance }, ticket('s1')))).toMatchObject({
      assignment: null,
      advanced: false,
    })
    expect(stored(one)).toEqual(before)
    expect(see(one).status).toBe('canceled')
  })
})
