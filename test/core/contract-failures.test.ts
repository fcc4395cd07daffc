/** A task that ended because replies of its model broke their contract goes on: by a continue text, a resume or more attempts (U9, U14). */
import { describe, expect, it } from 'vitest'
import type { Grant } from '../../src/core/terms/axes.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import {
  ALL,
  act,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  rowsOf,
  say,
  step,
  taken,
  types,
  type Bench,
  type Script,
} from '../support/scripted.ts'
import { complete, steps as dynamicSteps, thought } from './dynamic/support.ts'
import { EQUAL, forkOf, replayOf } from '../support/forks.ts'
import {
  answered,
  judge,
  orchestrated,
  report,
  send,
  steps as commandSteps,
  waitedFor,
  work,
} from './orchestrator/support.ts'
import { END } from './autonomous/support.ts'

const NOISE = 'I would rather not.'
const bad = (count: number) => Array.from({ length: count }, (_, index) => `${NOISE} ${index}`)
const topUp = (bench: Bench, id: string, add: Grant) => bench.service.tellTask(CALLER, id, { kind: 'top_up', add })
const resume = (bench: Bench, id: string) => bench.service.tellTask(CALLER, id, { kind: 'resume' })
const FAILED = { status: 'failed', stop_reason: 'contract_failures' }

/** A task of `plan_execute` whose thoughts failed twice. */
async function failedThoughts(thoughts: Script['thought'] = [], settings: Partial<Settings> = {}, more: Script = {}) {
  const bench = benchOf({ plan: [planned('A')], thought: [...bad(2), ...(thoughts ?? [])], ...more })
  const task = await createTask(bench, settings, ALL)
  expect(task).toMatchObject(FAILED)
  return { bench, task }
}

describe('a continue text', () => {
  it('U9 lets a task go on in the same request, with as many attempts as before', async () => {
    const { bench, task } = await failedThoughts([act(), done()], {}, { replan: [closed()] })
    const after = await say(bench, task.id, 'continue', ALL)
    expect(after).toMatchObject({ status: 'completed', stop_reason: 'done', error: null })
    expect(types(after)[0]).toBe('task_resumed')
    bench.spent()
  })

  it('U9 ends again after the same number of failures in a row, and goes on again', async () => {
    const { bench, task } = await failedThoughts([...bad(2), done()], {}, { replan: [closed()] })
    const once = await say(bench, task.id, 'continue', ONE)
    expect(once).toMatchObject({ status: 'running', step_count: 3 })
    expect(await step(bench, task.id, ALL)).toMatchObject({ ...FAILED, step_count: 4 })
    expect((await say(bench, task.id, '请继续', ALL)).status).toBe('completed')
    bench.spent()
  })

  it('ruling 33: the next request shows the reply that ended the task', async () => {
    const { bench, task } = await failedThoughts([done()])
    await say(bench, task.id, 'continue', ONE)
    const [, second, third] = bench.requests.slice(1).map(({ messages }) => JSON.stringify(messages))
    expect(third).toContain(`${NOISE} 1`)
    expect(third).not.toBe(second)
  })

  it('U14 keeps what it says beyond that as a remark; a bare one is none', async () => {
    const one = await failedThoughts()
    await say(one.bench, one.task.id, 'please go on!', NONE)
    expect(rowsOf(one.bench, one.task.id).at(-1)?.event.kind).toBe('resumed')
    const two = await failedThoughts()
    await say(two.bench, two.task.id, 'continue, and answer with JSON', NONE)
    const last = rowsOf(two.bench, two.task.id).slice(-2)
    expect(last.map(({ event }) => event)).toEqual([
      { kind: 'resumed', grant: false, reopens: true },
      { kind: 'user_remarked', text: 'continue, and answer with JSON' },
    ])
  })

  it('any other text is refused, and is told how the task goes on', async () => {
    const { bench, task } = await failedThoughts()
    const version = task.version
    const refused = { ok: false, refusal: { code: 'task_ended', status: 'failed', takes_attempts: true } }
    expect(await bench.service.inputTask(CALLER, task.id, 'try harder', null, ONE)).toEqual(refused)
    expect(await bench.service.inputTask(CALLER, task.id, 'do not continue', null, ONE)).toEqual(refused)
    expect(taken(await bench.service.getTask(CALLER, task.id)).version).toBe(version)
  })

  it('an answer to a question that is not open is refused as such', async () => {
    const { bench, task } = await failedThoughts()
    expect(await bench.service.inputTask(CALLER, task.id, 'continue', 'question_9', ONE)).toEqual({
      ok: false,
      refusal: { code: 'question_settled' },
    })
  })
})

describe('a resume', () => {
  it('U9 lets a task go on and begins no round', async () => {
    const { bench, task } = await failedThoughts([done()], {}, { replan: [closed()] })
    const after = taken(await resume(bench, task.id))
    expect(after).toMatchObject({ status: 'running', stop_reason: null, handover: null, version: task.version + 1 })
    expect(bench.requests).toHaveLength(3)
    expect((await step(bench, task.id, ALL)).status).toBe('completed')
  })

  it('changes nothing of a task with any other end', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(taken(await resume(bench, task.id))).toMatchObject({ status: 'completed', version: task.version })
  })
})

describe('more attempts', () => {
  it('U9 let a task go on for exactly so many failures in a row', async () => {
    const { bench, task } = await failedThoughts([...bad(3), done()], {}, { replan: [closed()] })
    const after = taken(await topUp(bench, task.id, { attempts: 3, steps: 5 }))
    expect(after).toMatchObject({ status: 'running', budget: { max: 25 } })
    expect(types(after)).toEqual(['budget_added', 'budget_added', 'task_resumed'])
    expect(after.slice?.events[1]?.payload).toMatchObject({ axis: 'attempts', amount: 3, max: 3 })
    expect(await step(bench, task.id, ALL)).toMatchObject({ ...FAILED, step_count: 5 })
  })

  it('U9 raise the limit of a task that goes on, until its next valid decision', async () => {
    const script = { plan: [planned('A')], thought: [...bad(1), ...bad(2), act(), ...bad(2)] }
    const bench = benchOf(script)
    const task = await createTask(bench, {}, ONE)
    expect(taken(await topUp(bench, task.id, { attempts: 2 })).slice?.events[0]?.payload).toMatchObject({ max: 3 })
    expect(await step(bench, task.id, ALL)).toMatchObject({ ...FAILED, step_count: 7 })
    bench.spent()
  })

  it('U9 let a task go on that lacks its model', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [new Error('x'), new Error('x'), done()],
      replan: [closed()],
    })
    const task = await createTask(bench, { failure_limit: 1 }, ALL)
    expect(task.stop_reason).toBe('model_unavailable')
    expect(taken(await topUp(bench, task.id, { tokens: 5 })).status).toBe('paused')
    expect(taken(await topUp(bench, task.id, { attempts: 1 })).status).toBe('running')
    expect((await step(bench, task.id, ALL)).stop_reason).toBe('model_unavailable')
    bench.clock.now += 60_000
    expect((await say(bench, task.id, 'continue', ALL)).status).toBe('completed')
  })

  it('a top-up of another axis alone is refused, as it is after every other end', async () => {
    const { bench, task } = await failedThoughts()
    expect(await topUp(bench, task.id, { steps: 5 })).toMatchObject({ refusal: { code: 'task_ended' } })
    const other = await createTask(benchOf({ plan: [planned('A')] }), {}, NONE)
    expect(other.status).toBe('running')
    const ended = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const { id } = await createTask(ended, {}, ALL)
    expect(await topUp(ended, id, { attempts: 5 })).toEqual({
      ok: false,
      refusal: { code: 'task_ended', status: 'completed' },
    })
  })

  it('that arrive while the last attempt is under way save the task', async () => {
    const raised: Promise<unknown>[] = []
    const last = () => {
      raised.push(topUp(bench, id, { attempts: 1 }))
      return NOISE
    }
    const bench: Bench = benchOf({ plan: [planned('A')], thought: [NOISE, last, done()], replan: [closed()] })
    const { id } = await createTask(bench, {}, ONE)
    expect((await step(bench, id, ALL)).status).toBe('completed')
    await Promise.all(raised)
    expect(rowsOf(bench, id).map(({ event }) => event.kind)).toContain('budget_added')
  })

  it('a resume that arrives while the last attempt is under way does not take the end back', async () => {
    const said: Promise<unknown>[] = []
    const last = () => {
      for (const kind of ['pause', 'resume'] as const) said.push(bench.service.tellTask(CALLER, id, { kind }))
      return NOISE
    }
    const bench: Bench = benchOf({ plan: [planned('A')], thought: [NOISE, last] })
    const { id } = await createTask(bench, {}, ONE)
    expect(await step(bench, id, ALL)).toMatchObject(FAILED)
    await Promise.all(said)
    expect(rowsOf(bench, id).map(({ event }) => event.kind)).toContain('resumed')
  })
})

describe('the answer of a task that ended so', () => {
  it.each([
    ['en', 'Send "continue" to let the model try again, or top up its attempts (add.attempts).'],
    ['zh', '发送“继续”让模型重试，或追加尝试次数（add.attempts）。'],
  ] as const)('says in %s how it goes on', async (locale, hint) => {
    const bench = benchOf({ plan: [planned('A')], thought: bad(2) })
    const task = await createTask(bench, {}, ALL, { locale })
    expect(task.handover?.next_steps).toContain(hint)
    expect(task.handover?.text).toContain(hint)
  })
})

describe('every mode', () => {
  const plan = bad(2)
  const MODES: [string, ModeName, Script][] = [
    [
      'plan_execute in its plan',
      'plan_execute',
      { plan: [...plan, planned('A')], thought: [done()], replan: [closed()] },
    ],
    [
      'plan_execute in a replan',
      'plan_execute',
      { plan: [planned('A')], thought: [done()], replan: [...plan, closed()] },
    ],
    [
      'dynamic in its plan',
      'dynamic',
      { plan: [...plan, dynamicSteps('A')], think: [thought()], step_decision: [complete()] },
    ],
    [
      'dynamic in a thought',
      'dynamic',
      { plan: [dynamicSteps('A')], think: ['', '', thought()], step_decision: [complete()] },
    ],
    [
      'dynamic in a decision',
      'dynamic',
      { plan: [dynamicSteps('A')], think: [thought()], step_decision: [...plan, complete()] },
    ],
    ['session', 'session', { turn: ['', '', 'The answer.'] }],
    ['autonomous', 'autonomous', { turn: ['', '', `It is done.${END}`] }],
  ]
  it.each(MODES)('U9 %s: the task goes on where it was, and its rows fold to its head', async (_name, mode, script) => {
    const bench = benchOf(script)
    const task = await createTask(bench, { plan_retries: 1, failure_limit: 2 }, ALL, { mode })
    expect(task).toMatchObject(FAILED)
    const failed = bench.requests.length
    const after = await say(bench, task.id, 'continue', ALL)
    expect(after).toMatchObject({ status: 'completed', error: null })
    // The first of the two failed attempts was shown no failure, and the next one is.
    expect(bench.requests[failed]?.messages).not.toEqual(bench.requests[failed - 2]?.messages)
    expect(await replayOf(bench, task.id)).toMatchObject({ equal: true })
    bench.spent()
  })

  it('U9 orchestrator: the task is judged again in a new session, and the `end` command of the old one is withdrawn', async () => {
    const { bench, task } = await orchestrated({
      plan: [commandSteps('A')],
      evaluate: [...bad(2), judge('retry')],
    })
    await work(bench, task.id)
    const { task: failed } = await answered(bench, task.id, report())
    expect(failed).toMatchObject(FAILED)
    const end = failed.version
    const delegation = () => bench.ports.store.of(CALLER.tenant, task.id).ask({ kind: 'delegation', seq: end })
    expect(await delegation()).toMatchObject({ value: { command: { type: 'end' }, status: 'pending' } })
    expect((await say(bench, task.id, 'continue', ALL)).status).toBe('waiting_external')
    expect(await delegation()).toMatchObject({ value: { status: 'canceled' } })
    expect((await waitedFor(bench, task.id)).command).toMatchObject({ type: 'new', session_id: 'auto' })
    expect(await send(bench, task.id, end, { report: report() })).toEqual({ refused: 'delegation_canceled' })
    expect(await replayOf(bench, task.id)).toMatchObject({ equal: true })
  })
})

describe('U26 a fork', () => {
  it('of a task that went on is the same task, and one at the end goes on too', async () => {
    const { bench, task } = await failedThoughts([act(), done()], {}, { replan: [closed()] })
    const after = await say(bench, task.id, 'continue, and be brief', ALL)
    expect(after.status).toBe('completed')
    const whole = await forkOf(bench, task.id, { at: after.version })
    expect(whole).toMatchObject({ status: 'completed', step_count: after.step_count })
    expect(await replayOf(bench, whole.id)).toEqual(EQUAL(after.version))
    const early = await forkOf(bench, task.id, { at: task.version })
    expect(early).toMatchObject(FAILED)
    expect(taken(await resume(bench, early.id)).status).toBe('running')
  })

  it('with a higher limit had not ended, and its continue text is no event of an end', async () => {
    const { bench, task } = await failedThoughts()
    const { version } = taken(await resume(bench, task.id))
    const fork = await forkOf(bench, task.id, { at: version, settings: { failure_limit: 5 } })
    expect(fork).toMatchObject({ status: 'running', version })
    expect(rowsOf(bench, fork.id).at(-1)?.head.streak).toEqual({ count: 2, max: null })
  })
})
