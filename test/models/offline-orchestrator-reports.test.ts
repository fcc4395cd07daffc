/** The offline model in mode orchestrator: what reports mean for the plan, and what is told in the end (S2-06, S2-15, S2-16, R17). */
import { describe, expect, it } from 'vitest'
import { ask, evaluationOf, titlesOf, type Told } from './orchestrator-asks.ts'

const RESULTS = 'Accuracy is 80.2% now.'
const decisionOf = async (told: Told) => (await evaluationOf(told)).decision

describe('a report of success', () => {
  it('goes on to the next step, with its results as the reason', async () => {
    expect(await evaluationOf({ report: { status: 'SUCCESS', results: `## Results\n- **${RESULTS}**` } })).toEqual({
      decision: 'next',
      reason: `Reported as done: ${RESULTS}`,
      current_step: null,
      adjusted_steps: [],
    })
  })

  it('goes on without results too, with any suggestions', async () => {
    expect(await decisionOf({ report: { status: 'SUCCESS', text: 'ABORT: no', next_steps: '- more' } })).toBe('next')
  })

  it.each(['also publish the weights', 'add a step: publish the weights'])(
    'leads to a replan with the remark %j',
    async (remark) => {
      const said = await evaluationOf({ remarks: [remark], report: { status: 'SUCCESS', results: RESULTS } })
      expect([said.decision, said.current_step]).toEqual(['replan', 'done'])
      expect(titlesOf(said.adjusted_steps)).toEqual(['Write a report', 'Publish the weights'])
      expect(said.reason).toContain('Publish the weights')
    },
  )

  it('leads to a replan with 还要 in a remark', async () => {
    const said = await evaluationOf({
      goal: '复现项目，提高准确率，写报告',
      locale: 'zh',
      remaining: ['写报告'],
      remarks: ['还要发布模型'],
      report: { status: 'SUCCESS' },
    })
    expect(titlesOf(said.adjusted_steps)).toEqual(['写报告', '发布模型'])
    expect(said.reason).toBe('报告称已完成。按补充要求还要做：发布模型')
  })

  it.each<[string, Partial<Told>]>([
    ['it is in the plan', { remaining: ['Publish the weights.'] }],
    ['it was done', { completed: ['publish the Weights'] }],
    ['no replan is left', { replans_left: 0 }],
    ['it asks for no step', { remarks: ['also do not use the GPU'] }],
    ['it is no such remark', { remarks: ['use seed 42', 'drop step 3', 'ok'] }],
  ])('goes on with a remark that adds nothing: %s', async (_, told) => {
    const report = { status: 'SUCCESS' }
    expect(await decisionOf({ remarks: ['also publish the weights'], ...told, report })).toBe('next')
  })
})

describe('a report of failure', () => {
  it.each([2, 0])(
    'S2-15 leads to another try with %i retries left: the engine asks a person after the last',
    async (retries_left) => {
      expect(
        await evaluationOf({
          retries_left,
          report: { status: 'FAILED', results: 'nothing', pitfalls: '- no GPU\n- no disk' },
        }),
      ).toEqual({
        decision: 'retry',
        reason: 'It was not done: no GPU no disk',
        current_step: null,
        adjusted_steps: [],
      })
    },
  )

  it.each(['ABORT: the data is gone', 'Tried twice.\n- **ABORT:** the data is gone', 'ABORT：the data is gone'])(
    'ends the task when it says that the step is impossible: %j',
    async (text) => {
      const said = await evaluationOf({ report: { status: 'FAILED', text, next_steps: '- try' } })
      expect(said).toEqual({
        decision: 'abort',
        reason: 'The report says that it cannot be done: the data is gone',
        current_step: null,
        adjusted_steps: [],
      })
    },
  )

  it('ends the task with 无法完成： and a reason in Chinese', async () => {
    const said = await evaluationOf({
      locale: 'zh',
      report: { status: 'FAILED', text: '试过两次。\n无法完成：数据已丢失' },
    })
    expect(said).toMatchObject({ decision: 'abort', reason: '报告称无法完成：数据已丢失' })
  })

  it.each(['We should not ABORT: go on', 'abort: no', '我认为无法完成：也许', 'ABORTED: x', 'ABORT'])(
    'leads to another try when no line begins with such words: %j',
    async (text) => expect(await decisionOf({ report: { status: 'FAILED', text } })).toBe('retry'),
  )
})

describe('a report of partial success', () => {
  it('S2-16 leads to a replan: its suggestions come before the remaining steps', async () => {
    const next_steps =
      '1. Train for ten more epochs\n2. Reproduce the project\n3. write a report!\n4. Train for ten more epochs'
    const said = await evaluationOf({ report: { status: 'PARTIAL_SUCCESS', results: RESULTS, next_steps } })
    expect([said.decision, said.current_step]).toEqual(['replan', 'open'])
    expect(titlesOf(said.adjusted_steps)).toEqual(['Train for ten more epochs', 'Write a report'])
    expect(said.reason).toBe(`Done in part: ${RESULTS} (one step is suggested to go on with)`)
  })

  it('keeps the details that the goal gives for the remaining steps', async () => {
    const said = await evaluationOf({
      goal: 'Reproduce it; raise it; write a report without tables',
      report: { status: 'PARTIAL_SUCCESS', next_steps: '- train longer' },
    })
    expect(said.adjusted_steps[1]).toMatchObject({ title: 'Write a report', constraints: 'without tables' })
  })

  it('keeps the texts of the remaining steps', async () => {
    const step = { title: 'Write a report', description: 'D', constraints: 'C', expected_output: 'E' }
    const report = { status: 'PARTIAL_SUCCESS', next_steps: '- train longer' }
    expect((await evaluationOf({ plan: [step], report })).adjusted_steps[1]).toEqual(step)
  })

  it('keeps the titles of the remaining steps, by which they are recognised', async () => {
    const remaining = ['write  a report 👩‍💻', 'raise it']
    const report = { status: 'PARTIAL_SUCCESS', next_steps: '- train longer' }
    expect(titlesOf((await evaluationOf({ remaining, report })).adjusted_steps).slice(1)).toEqual(remaining)
  })

  it('adds at most ten suggestions', async () => {
    const next_steps = Array.from({ length: 14 }, (_, index) => `- try variant ${index + 1}`).join('\n')
    const { adjusted_steps } = await evaluationOf({ report: { status: 'PARTIAL_SUCCESS', next_steps } })
    expect(titlesOf(adjusted_steps).slice(9)).toEqual(['Try variant 10', 'Write a report'])
  })

  it('adds the step of a remark together with them', async () => {
    const report = { status: 'PARTIAL_SUCCESS', next_steps: '- train longer' }
    const { adjusted_steps } = await evaluationOf({ remarks: ['also publish'], report })
    expect(titlesOf(adjusted_steps)).toEqual(['Train longer', 'Write a report', 'Publish'])
  })

  it.each([
    ['Train longer. Then use augmentation.', ['Train longer', 'Use augmentation']],
    ['I suggest to train longer', ['Train longer']],
    ['- Consider dropout\n- none', ['Consider dropout']],
    ['The rate should be lower', ['The rate should be lower']],
    ['建议：调大学习率；增加数据', ['调大学习率', '增加数据']],
  ])('accepts suggestions in other forms: %j', async (next_steps, expected) => {
    const { adjusted_steps } = await evaluationOf({ report: { status: 'PARTIAL_SUCCESS', next_steps }, remaining: [] })
    expect(titlesOf(adjusted_steps)).toEqual(expected)
  })

  it.each<[string, Told['report'], Partial<Told>, string]>([
    ['nothing is suggested and there are results', { status: '', results: RESULTS }, {}, 'next'],
    ['nothing is left to suggest', { status: '', results: RESULTS, next_steps: '- None.' }, {}, 'next'],
    ['all that is suggested is planned', { status: '', results: RESULTS, next_steps: '- write a report' }, {}, 'next'],
    ['there are neither suggestions nor results', { status: '', pitfalls: 'no GPU' }, {}, 'retry'],
    ['no replan is left', { status: '', results: RESULTS, next_steps: '- x' }, { replans_left: 0 }, 'retry'],
  ])('%s', async (_, report, told, decision) => {
    expect(await decisionOf({ ...told, report: { ...report, status: 'PARTIAL_SUCCESS' } })).toBe(decision)
  })
})

describe('a report without a status', () => {
  it.each([
    'Done.',
    'Status: completed',
    'All 14 tests pass.',
    'Task completed successfully with 0 errors.',
    'Fixed the failing test; all tests pass now.',
    '已完成。',
    '全部完成，没有错误',
    '修复了登录失败的问题，测试全部通过',
    '已完成 5/5',
  ])('goes on when it plainly says that the step is done: %s', async (text) => {
    expect(await decisionOf({ report: { status: 'UNKNOWN', text } })).toBe('next')
  })

  it.each([
    '',
    'I looked at it.',
    'Not done.',
    'It is not yet fully completed',
    "It isn't finished.",
    'Almost done',
    'Done except for the docs',
    'Will be done tomorrow',
    'Completed 3 of 5',
    'The build is complete but two tests fail',
    '## What was done\n- a look around',
    '## Done\n- a look around',
    'Status: failed',
    '未完成',
    '任务没有完成',
    '基本完成',
    '已完成80%',
    '完成后通知',
    '尚未全部完成',
    '项目已完成，但部署失败',
  ])('leads to another try when it does not say so: %s', async (text) => {
    expect(await decisionOf({ report: { status: 'UNKNOWN', text } })).toBe('retry')
  })
})

describe('the reason', () => {
  it.each(['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS', 'UNKNOWN'])(
    'of a long report with %s is on one line of at most 300 characters',
    async (status) => {
      const long = '😀\n'.repeat(1_500)
      const { reason } = await evaluationOf({ report: { status, results: long, pitfalls: long, text: long } })
      expect(reason.length).toBeLessThanOrEqual(300)
      expect(reason).not.toContain('\n')
      expect(reason.isWellFormed()).toBe(true)
    },
  )
})

const totals = { steps: 3, completed: 1, failed: 1, skipped: 1, commands: 5, failed_attempts: 2, replans: 1 }
const summaryOf = (locale: string, goal: string, steps: object[]) =>
  ask({ phase: 'summary', goal, locale, completed: steps, totals })

describe('the phase summary', () => {
  it('O2-09 says what was reached, what was not and why, and what comes next', async () => {
    const said = await summaryOf('en', 'Reproduce it and raise it', [
      { title: 'Reproduce it', status: 'completed', commands: 1, result: '76%, as in the paper.' },
      { title: 'Raise it', status: 'failed', commands: 3, result: '- no GPU' },
      { title: 'Write a report', status: 'skipped', commands: 1, result: null },
    ])
    expect(said.split('\n')).toEqual([
      '1 of 3 steps are completed. Goal: Reproduce it and raise it',
      'Reached: Reproduce it (76%, as in the paper.)',
      'Failed: Raise it (no GPU)',
      'Skipped: Write a report',
      'Commands: 5; failed attempts: 2; changes of the plan: 1.',
      'Next: take up "Raise it" again, with what its reports say.',
    ])
  })

  it('is in the locale of the task', async () => {
    const said = await summaryOf('zh', '复现项目', [
      { title: '复现项目', status: 'completed', commands: 1, result: '与论文一致' },
    ])
    expect(said.split('\n')).toEqual([
      '共 1 步，完成 1 步。目标：复现项目',
      '已完成：复现项目（与论文一致）',
      '指令 5 条，失败 2 次，调整计划 1 次。',
      '下一步：查看各项成果；没有未完成的步骤。',
    ])
  })

  it('names eight steps of each kind and counts the others', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      title: `Part ${index + 1}`,
      status: 'completed',
      result: null,
    }))
    const [, reached = ''] = (await summaryOf('en', 'all', many)).split('\n')
    expect(reached).toMatch(/Part 8; 12 more$/u)
  })
})
