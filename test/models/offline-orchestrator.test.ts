/** The offline model in mode orchestrator: a goal becomes steps, a report a decision, and what was done a summary (S2-02, S2-03). */
import { describe, expect, it } from 'vitest'
import { planOf, titlesOf, type Asked } from './orchestrator-asks.ts'
import { ORCHESTRATED_GOALS } from './offline-orchestrator-goals.ts'

const steps = async (goal: string, more: Asked = {}) => (await planOf(goal, more)).steps
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

describe('S2-02 the goals of the table', () => {
  it('are at least 150, in both languages', () => {
    const chinese = ORCHESTRATED_GOALS.filter(({ goal }) => /\p{Script=Han}/u.test(goal)).length
    expect(ORCHESTRATED_GOALS.length).toBeGreaterThanOrEqual(150)
    expect(chinese / ORCHESTRATED_GOALS.length).toBeGreaterThan(0.35)
  })

  it.each(ORCHESTRATED_GOALS.map((one) => [one.goal, one] as const))('%s', async (goal, expected) => {
    const planned = await steps(goal)
    expect(planned.map(({ title, constraints }) => ({ title, constraints: lines(constraints) }))).toEqual(
      expected.steps,
    )
  })
})

describe('the phase plan', () => {
  it('each of several steps says what to do, and what its report has to show', async () => {
    expect(await steps('Reproduce the project and raise its accuracy')).toEqual([
      {
        title: 'Reproduce the project',
        description: 'Reproduce the project',
        constraints: '',
        expected_output:
          'The report names the commands that were run and their results, next to those that were to be reached.',
      },
      {
        title: 'Raise its accuracy',
        description: 'Raise its accuracy',
        constraints: '',
        expected_output: 'The report gives the figure before and after, and it has moved as asked.',
      },
    ])
  })

  it('the expected report is described in the locale of the task, whatever the language of the goal', async () => {
    const [step] = await steps('Fix the login', { locale: 'zh' })
    expect(step?.expected_output).toBe('报告证明问题已消除，并说明用什么检查得出。')
    const [other] = await steps('修复登录', { locale: 'en' })
    expect(other?.expected_output).toBe('The report shows that the fault is gone, and by which check.')
  })

  it('the kind of the expected report depends on the verb of the step', async () => {
    const verbs = 'reproduce the run; improve x; fix x; remove x; refactor x; test x; train x; deploy x; analyse x'
    const all = await steps(`${verbs}; collect x; write x; handle x`)
    expect(new Set(all.map(({ expected_output }) => expected_output)).size).toBe(12)
  })

  it('text below an item, and code below a line, belongs to its step', async () => {
    const [first, second] = await steps(
      '1. Reproduce the results\n   - with seed 42\n2. Fix this:\n```\nfoo; then bar\n```',
    )
    expect(first?.description).toContain('- with seed 42')
    expect(second).toMatchObject({ title: 'Fix this', description: expect.stringContaining('```\nfoo; then bar\n```') })
  })

  it('constraints under a heading apply to every step, and expectations under a heading to the last', async () => {
    const all = await steps('Goal: build it, then ship it\nConstraints:\n- no cloud\nExpected output: a tarball')
    expect(all.map(({ constraints }) => constraints)).toEqual(['no cloud', 'no cloud'])
    expect(all.map(({ expected_output }) => expected_output === 'a tarball')).toEqual([false, true])
  })

  it('a text that only informs is not a step, and belongs to the step next to it', async () => {
    const all = await steps('The accuracy is 71%. Raise it to 80%. The data is in data.csv. Then publish it.')
    expect(titlesOf(all)).toEqual(['Raise it to 80%', 'Publish it'])
    expect(all[0]?.description).toMatch(/- The accuracy is 71%\n- The data is in data.csv/u)
  })

  it('a line that was wrapped is one line', async () => {
    const goal = 'reproduce the experiments of\nthe paper and raise the\naccuracy by two points'
    expect(titlesOf(await steps(goal))).toEqual([
      'Reproduce the experiments of the paper',
      'Raise the accuracy by two points',
    ])
  })

  it('a goal of more than 20 parts has 20 steps, and the last one names the remaining parts', async () => {
    const all = await steps(Array.from({ length: 26 }, (_, index) => `- write part ${index + 1}`).join('\n'))
    expect(all).toHaveLength(20)
    expect(all[19]?.title).toBe('Do the other 7 parts, in order')
    expect(all[19]?.description).toContain('- Write part 20\n- Write part 21')
    expect(all[19]?.description).toContain('- Write part 26')
  })

  it('steps with the same words get titles that differ', async () => {
    expect(titlesOf(await steps('run tests; fix them; run tests; Run tests.'))).toEqual([
      'Run tests',
      'Fix them',
      'Run tests (2)',
      'Run tests (3)',
    ])
  })

  it('a long step has a title of at most 200 characters, and its whole text in the description', async () => {
    const long = `write a parser for ${'very '.repeat(80)}long lines`
    const [first] = await steps(`${long}; test it`)
    expect(first?.title).toHaveLength(200)
    expect(first?.description).toContain(long)
    const [only] = await steps(`  ${long}  `)
    expect(only?.description).toBe(long)
  })

  it.each(['', '   ', '!!!', '\u0000\uE000', '1.', '- ', '(', '"""', '如果', 'then', 'and', ', ,', '在不的前提下，'])(
    'a goal without any readable part (%j) is one step all the same',
    async (goal) => expect(await steps(goal)).toHaveLength(1),
  )
})

const GOAL = 'Reproduce the project, raise its accuracy, then write a report'
const [A, B, C] = ['Reproduce the project', 'Raise its accuracy', 'Write a report']

describe('remarks on a plan', () => {
  it.each([
    ['add a step: publish the weights', [A, B, C, 'Publish the weights']],
    ['Please add another step to publish the weights.', [A, B, C, 'Publish the weights']],
    ['add a step at the beginning: read the paper', ['Read the paper', A, B, C]],
    ['also measure the latency', [A, B, C, 'Measure the latency']],
    ['also measure the latency, then publish the weights', [A, B, C, 'Measure the latency', 'Publish the weights']],
    ['drop step 2', [A, C]],
    ['remove steps 1 and 3', [B]],
    ['skip steps 1-2', [C]],
    ['delete the last step', [A, B]],
    ['remove the second step', [A, C]],
    ['drop the step "Raise its accuracy"', [A, C]],
    ['drop step 1; drop step 2; add a step: publish', [C, 'Publish']],
    ['replace step 2 with measure the accuracy', [A, 'Measure the accuracy', C]],
    ['增加一步：发布模型', [A, B, C, '发布模型']],
    ['请在最前面增加一个步骤：阅读论文', ['阅读论文', A, B, C]],
    ['删除第2步', [A, C]],
    ['去掉第一、三步', [B]],
    ['不要最后一步', [A, B]],
    ['把第2步改成测量准确率', [A, '测量准确率', C]],
    ['还要测量延迟', [A, B, C, '测量延迟']],
    ['ok', [A, B, C]],
    ['继续', [A, B, C]],
    ['also write a report', [A, B, C]],
  ])('%s', async (remark, expected) => {
    const all = await steps(GOAL, { remarks: [remark] })
    expect(titlesOf(all)).toEqual(expected)
    expect(all.every(({ constraints }) => constraints === '')).toBe(true)
  })

  it.each(['use seed 42', 'drop step 9', 'drop steps 1-3', '注意随机种子', 'also do not use the GPU'])(
    'a remark of another form, or one that cannot be followed, applies to the last step: %s',
    async (remark) => {
      const all = await steps(GOAL, { remarks: [remark, remark] })
      expect(all.map(({ constraints }) => constraints)).toEqual(['', '', remark.replace('also ', '')])
    },
  )

  it('a requested change is made to the plan that was shown, and earlier remarks are not applied twice', async () => {
    const shown = await steps('x', {
      plan: [step(A), step(C)],
      remarks: ['drop step 2'],
      requested_change: 'also publish',
    })
    expect(titlesOf(shown)).toEqual([A, C, 'Publish'])
    expect(shown[0]).toEqual(step(A))
    const byHand = await steps('x', { plan: [step('fix  👩‍💻'), step('b')], requested_change: 'drop step 2' })
    expect(titlesOf(byHand)).toEqual(['fix  👩‍💻'])
    const heard = await steps('x', { plan: [step(A), step(C)], remarks: ['drop step 2'] })
    expect(titlesOf(heard)).toEqual([A])
  })
})

const step = (title: string) => ({ title, description: `about ${title}`, constraints: 'c', expected_output: 'e' })
