/** Questions: when one is put, what waiting suspends, and how many are too many. */
import { describe, expect, it } from 'vitest'
import { offlineModel } from '../../../src/models/offline/index.ts'
import {
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  ONE,
  planned,
  realBench,
  replanned,
  say,
  step,
  types,
} from '../../support/scripted.ts'

describe('flow', () => {
  it('S0-19 S0-62 waiting for an answer suspends the task: a step does nothing and costs nothing', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const waiting = await createTask(bench, {}, ALL)
    const task = await step(bench, waiting.id, ALL)
    expect(task).toMatchObject({ status: 'input_required', step_count: 1, version: waiting.version })
    expect(task.slice).toEqual({ advanced: false, rounds: 0, events: [] })
    bench.spent()
  })

  it('S0-25 S0-77 F12 a slash command during waiting runs first and keeps the pending task', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const waiting = await createTask(bench, {}, ALL)
    const answer = await bench.service.inputTask(CALLER, waiting.id, '/todo add milk', null, ONE)
    expect(answer.ok && answer.value.command?.kind).toBe('todo_added')
    expect(answer.ok && { ...answer.value.task, slice: null }).toEqual({ ...waiting, slice: null })
  })

  it.each([
    ['en', 'Please confirm: When?'],
    ['zh', '请确认：When?'],
  ] as const)('S0-63 the question is returned with the literal prefix (%s)', async (locale, prompt) => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const task = await createTask(bench, {}, ALL, { locale })
    expect(task.pending).toMatchObject({ kind: 'question', prompt })
  })

  it('O0-12 R25 F28 questions are limited by max_clarifications; a refused one is not shown', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask('One?'), ask('Two?'), done()],
      replan: [replanned('A'), closed()],
    })
    let task = await createTask(bench, { max_clarifications: 1 }, ALL)
    task = await say(bench, task.id, 'first', ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 5 })
    expect(types(task)).toContain('loop_guard')
    bench.spent()
  })

  it('O0-12 U9 a repeated question does not touch the failure streak', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask(), ask(), 'bad', done()],
      replan: [replanned('A'), closed()],
    })
    let task = await createTask(bench, { failure_limit: 2 }, ALL)
    task = await say(bench, task.id, 'tomorrow', ALL)
    expect(task.status).toBe('completed')
    bench.spent()
  })
})

describe('levels and states', () => {
  it.each([
    ['buy milk', 'completed'],
    ['买牛奶', 'completed'],
    ['book the dentist', 'input_required'],
    ['约牙医', 'input_required'],
  ])('S0-18 a question comes only when information is missing: "%s" is %s', async (goal, status) => {
    const bench = realBench({})
    bench.ports.model = offlineModel()
    const locale = /[a-z]/.test(goal) ? 'en' : 'zh'
    const task = await createTask(bench, {}, ALL, { goal, locale })
    expect(task.status).toBe(status)
    expect(types(task).includes('clarification_requested')).toBe(status === 'input_required')
  })
})
