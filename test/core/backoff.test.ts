/** After a failed call: how long the task waits, what ends the wait, and what is kept of the endpoint (U7, U9, U14). */
import { describe, expect, it } from 'vitest'
import { closed, done, planned } from '../support/scripted.ts'
import { failed, head, held, replied, see, thinking, ticket, types, value } from '../support/held.ts'

/** A thought failed and asked for 90 s; its only step is spent, so that the task is paused in the middle of the wait. */
function spentWhileWaiting() {
  const one = thinking({ max_steps: 1, failure_limit: 2 })
  value(one.task.commit(3, failed(90_000), ticket('s1')))
  expect(see(one)).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', retry_after_ms: 90_000 })
  return one
}
/** A thought failed and asked for 90 s. */
function waiting(settings = {}) {
  const one = thinking({ failure_limit: 3, ...settings })
  value(one.task.commit(3, failed(90_000), ticket('s1')))
  expect(see(one).retry_after_ms).toBe(90_000)
  return one
}

describe('U9 the wait after a failed call', () => {
  it('holds back the next attempt to the millisecond, and no longer', () => {
    const one = waiting()
    one.here.now_ms = 89_999
    expect(value(one.task.begin(ticket('s2')))).toMatchObject({ advanced: false, assignment: null })
    expect(see(one).retry_after_ms).toBe(1)
    one.here.now_ms = 90_000
    expect(value(one.task.begin(ticket('s2'))).assignment).toMatchObject({ seq: 4 })
  })

  it('holds back what a remark asks for as well', () => {
    const one = waiting()
    expect(value(one.task.tell({ kind: 'input', text: 'hurry', request_id: null }, ticket('s2')))).toMatchObject({
      advanced: true,
      assignment: null,
    })
    one.here.now_ms = 90_000
    expect(value(one.task.begin(ticket('s2'))).assignment?.work).toMatchObject({ phase: 'replan' })
  })

  it('ends when someone resumes the task: the next attempt begins at once', () => {
    const one = spentWhileWaiting()
    const told = value(one.task.tell({ kind: 'input', text: 'continue', request_id: null }, ticket('s2')))
    expect(told.assignment).toMatchObject({ seq: 6, work: { phase: 'thought' } })
    expect(see(one)).toMatchObject({ status: 'running', stop_reason: null, retry_after_ms: null })
  })

  it('ends with the task when that is canceled, and so does the pause', () => {
    const one = spentWhileWaiting()
    expect(value(one.task.tell({ kind: 'cancel' }, ticket('s9'))).status).toBe('canceled')
    expect(see(one)).toMatchObject({ stop_reason: 'canceled', retry_after_ms: null, handover: null, pending: null })
    expect(head(one)).toMatchObject({ pause_reason: null, retry_at: null })
  })

  it.each([
    ['a good reply', replied(done()), 'running'],
    ['a reply that breaks its contract', replied('bad'), 'running'],
  ])('is forgotten after %s', (_name, event, status) => {
    const one = waiting()
    one.here.now_ms = 90_000
    value(one.task.begin(ticket('s2')))
    value(one.task.commit(4, event, ticket('s2', 'this_round')))
    expect(see(one).status).toBe(status)
    // On the clock of another machine that moment may still be to come.
    one.here.now_ms = 0
    expect(see(one).retry_after_ms).toBeNull()
    expect(value(one.task.begin(ticket('s3'))).assignment).toMatchObject({ seq: 5 })
  })

  it.each([
    ['completes', closed(), 'completed'],
    ['fails', 'bad', 'failed'],
  ])('is forgotten when the task %s', (_name, reply, status) => {
    const one = thinking()
    value(one.task.commit(3, replied(done()), ticket('s1')))
    value(one.task.commit(4, failed(90_000), ticket('s1')))
    one.here.now_ms = 90_000
    value(one.task.begin(ticket('s2')))
    expect(value(one.task.commit(5, replied(reply), ticket('s2'))).status).toBe(status)
    expect(head(one)).toMatchObject({ pause_reason: null, retry_at: null, streak: { count: 0 } })
  })

  it('is none at the pause for the model: nothing but a word is waited for', () => {
    const one = waiting({ failure_limit: 2 })
    one.here.now_ms = 90_000
    value(one.task.begin(ticket('s2')))
    expect(value(one.task.commit(4, failed(90_000), ticket('s2'))).status).toBe('paused')
    one.here.now_ms = 0
    expect(see(one)).toMatchObject({ stop_reason: 'model_unavailable', retry_after_ms: null })
  })
})

describe('U9 the streak', () => {
  it('begins anew when the task is resumed', () => {
    const one = thinking({ failure_limit: 2 })
    value(one.task.commit(3, replied('bad'), ticket('s1')))
    expect(value(one.task.commit(4, failed(), ticket('s1'))).status).toBe('paused')
    value(one.task.tell({ kind: 'input', text: 'continue', request_id: null }, ticket('s2')))
    expect(value(one.task.commit(6, replied('bad'), ticket('s2', 'this_round'))).status).toBe('running')
    expect(head(one).streak.count).toBe(1)
  })

  it('is not touched by a call that was lost, which costs its step (U3)', () => {
    const one = thinking({ failure_limit: 2 })
    value(one.task.commit(3, replied('bad'), ticket('s1')))
    one.here.now_ms = 120_000
    value(one.task.begin(ticket('s2')))
    expect(head(one).streak.count).toBe(1)
    expect(see(one)).toMatchObject({ status: 'running', step_count: 2 })
  })
})

describe('U7 the reply form the endpoint took', () => {
  it.each([
    ['a reply that breaks its contract', replied('bad', 'json_object'), 'json_object'],
    ['a good reply', replied(planned('A'), 'text'), 'text'],
    ['a failed call', failed(), 'json_schema'],
  ])('is asked for in the next attempt after %s', (_name, event, form) => {
    const one = held()
    const next = value(one.task.commit(2, event, ticket('s1')))
    expect(next.assignment?.work).toMatchObject({ form })
  })

  it('is kept through a failed call', () => {
    const one = held()
    value(one.task.commit(2, replied(planned('A'), 'json_object'), ticket('s1')))
    value(one.task.commit(3, failed(), ticket('s1')))
    one.here.now_ms = 1_000
    expect(value(one.task.begin(ticket('s2'))).assignment?.work).toMatchObject({ form: 'json_object' })
  })
})

describe('U14 a spent budget', () => {
  it.each([true, false])(
    'keeps a text that is no continue text and emits nothing (continue_grants %s)',
    (continue_grants) => {
      const one = thinking({ max_steps: 1, continue_grants })
      value(one.task.commit(3, replied('bad'), ticket('s1')))
      const told = value(one.task.tell({ kind: 'input', text: 'use the other list', request_id: null }, ticket('s2')))
      expect(types(told)).toEqual([])
      expect(told).toMatchObject({ advanced: true, assignment: null, status: 'paused' })
      const events = one.task.ask({ kind: 'events', after: 0, limit: 100 })
      expect(events.ok && events.value.data.map((event) => event.type)).not.toContain('task_resumed')
    },
  )
})
