/** The judge asks the user, a replan keeps what is done, and what repeats itself ends with a person (rulings 35 and 37). */
import { describe, expect, it } from 'vitest'
import { serviceCaller } from '../../../src/shell/caller.ts'
import { context, say } from '../../support/scripted.ts'
import { answered, eventsOf, judge, orchestrated, report, seen, steps, waitedFor, work } from './support.ts'

type Bench = Awaited<ReturnType<typeof orchestrated>>['bench']
const ask = (question = 'Which port?', more: object = {}) => ({ ...judge('ask', 'it is unclear'), question, ...more })
async function started(evaluate: (object | string)[], names: string[] = ['A', 'B'], settings = {}) {
  const { bench, task } = await orchestrated({ plan: [steps(...names)], evaluate }, settings)
  await work(bench, task.id)
  return { bench, id: task.id }
}
const told = (bench: Bench, id: string, text: string) => say(bench, id, text, { rounds: 4, max_ms: 25_000 })

describe('a judge that asks', () => {
  it('U37 its question waits for the user with its choices, which do not bind', async () => {
    const { bench, id } = await started([ask('Which port?', { choices: ['80', '443'] }), judge('next')])
    const { task } = await answered(bench, id, report())
    expect([task.status, task.stop_reason]).toEqual(['input_required', 'question'])
    expect(task.pending).toMatchObject({ question: 'Which port?', choices: ['80', '443'], other_answers: true })
    expect((await told(bench, id, '4711')).status).toBe('waiting_external')
  })

  it('U37 the same report is judged again with the answer, and no command is sent for it', async () => {
    const { bench, id } = await started([ask(), judge('next', 'A is there')])
    await answered(bench, id, report('SUCCESS', { text: 'a report' }))
    const task = await told(bench, id, '4711')
    const seen_by_judge = context(bench.requests[2])
    expect(seen_by_judge.clarifications).toEqual([{ question: 'Which port?', answer: '4711' }])
    expect([seen_by_judge.report.text, seen_by_judge.questions_left]).toEqual(['a report', 5])
    expect([task.plan.items[0]?.status, task.budget.used]).toEqual(['completed', 2])
  })

  it('U37 the answer reaches every later command', async () => {
    const { bench, id } = await started([ask(), judge('retry', 'use it'), judge('next')])
    await answered(bench, id, report('FAILED'))
    await told(bench, id, '4711')
    const part = '### What the user has answered\n\n- Which port?\n  4711'
    expect((await waitedFor(bench, id)).command.task).toContain(part)
    await answered(bench, id, report())
    expect((await waitedFor(bench, id)).command).toMatchObject({ item_id: 'step_2' })
    expect((await waitedFor(bench, id)).command.task).toContain(part)
  })

  it.each([
    ['skip', ['80', '443'], 'skipped', 'waiting_external'],
    ['abort', ['80', '443'], 'failed', 'failed'],
    ['skip', ['skip', 'keep'], 'completed', 'waiting_external'],
  ])('U37 the answer %s to choices %j makes the step %s', async (answer, choices, item, status) => {
    const { bench, id } = await started([ask('Which?', { choices }), judge('next')])
    await answered(bench, id, report())
    const task = await told(bench, id, answer)
    expect([task.plan.items[0]?.status, task.status]).toEqual([item, status])
  })

  it('U37 a question beyond max_clarifications is refused and told, and does not fail the task', async () => {
    const { bench, id } = await started([ask(), judge('next')], ['A'], { max_clarifications: 0 })
    const { task } = await answered(bench, id, report())
    expect(context(bench.requests[2]).correction).toMatchObject({
      your_reply: expect.stringContaining('Which port?'),
      problem: 'no more questions may be asked in this task; decide with what is known',
    })
    expect(task.status).toBe('completed')
  })

  it('U37 a question that was answered is refused and told', async () => {
    const { bench, id } = await started([ask(), ask(' which PORT? '), judge('next')], ['A'])
    await answered(bench, id, report())
    const task = await told(bench, id, '4711')
    expect(context(bench.requests[3]).correction.problem).toBe(
      'the user has answered this question; use the answer in clarifications',
    )
    expect(task.status).toBe('completed')
  })

  it('an edit of the plan while the judge asks leads to a new judgement, not to a new command', async () => {
    const { bench, id } = await started([ask(), judge('next')], ['A'])
    await answered(bench, id, report())
    const items = (await seen(bench, id)).plan.items.map(({ id: item, title }) => ({ id: item, title }))
    const caller = serviceCaller('acme')
    const edited = await bench.service.editPlan(caller, id, [...items, { title: 'C' }], null)
    expect(edited.ok).toBe(true)
    const task = await work(bench, id)
    expect([task.plan.items[0]?.status, (await waitedFor(bench, id)).command.item_id]).toEqual(['completed', 'step_2'])
  })
})

describe('U35 a step that was not achieved', () => {
  it('U35 next with achieved: false makes the step failed, with its reason, and the outcome says so', async () => {
    const { bench, id } = await started([{ ...judge('next', 'no such data'), achieved: false }, judge('next')])
    await answered(bench, id, report())
    const { task } = await answered(bench, id, report())
    expect(task.plan.items.map(({ status }) => status)).toEqual(['failed', 'completed'])
    expect(task.result).toMatchObject({ outcome: 'partial', unmet: [{ item: 'A', reason: 'no such data' }] })
  })
})

describe('a replan keeps what is done', () => {
  const replan = (current_step: string | null, ...names: string[]) => ({
    ...judge('replan', 'so', ...names),
    current_step,
  })
  const statuses = async (bench: Bench, id: string) =>
    (await seen(bench, id)).plan.items.map(({ title, status }) => `${title} ${status}`)

  it.each([
    ['done', 'SUCCESS', ['A completed', 'X running']],
    ['done', 'FAILED', ['A failed', 'X running']],
    ['failed', 'PARTIAL_SUCCESS', ['A failed', 'X running']],
    ['open', 'SUCCESS', ['X running']],
    [null, 'SUCCESS', ['A completed', 'X running']],
    [null, 'PARTIAL_SUCCESS', ['X running']],
  ] as const)('S2-16 current_step %s with a report of %s leaves: %j', async (current, status, left) => {
    const { bench, id } = await started([replan(current, 'X')])
    await answered(bench, id, report(status))
    expect(await statuses(bench, id)).toEqual(left)
  })

  it('S2-16 a step that the new list names is open, whatever its report says', async () => {
    const { bench, id } = await started([replan(null, 'A', 'X')])
    await answered(bench, id, report())
    expect(await statuses(bench, id)).toEqual(['A running', 'X pending'])
  })

  it('U32 with strict_replies nothing is inferred', async () => {
    const { bench, id } = await started([replan(null, 'X')], ['A'], { strict_replies: true })
    await answered(bench, id, report())
    expect(await statuses(bench, id)).toEqual(['X running'])
  })

  it('S2-16 R17 a finished step ends also when the plan may not be replaced again, and the later steps stay', async () => {
    const { bench, id } = await started([replan('done', 'X')], ['A', 'B'], { max_replans: 0 })
    await answered(bench, id, report())
    expect(await statuses(bench, id)).toEqual(['A completed', 'B running'])
    const guards = (await eventsOf(bench, id)).filter(({ type }) => type === 'loop_guard')
    expect(guards.map(({ payload }) => payload['guard'])).toEqual(['max_replans'])
  })
})

describe('answers to the question after failures', () => {
  it.each(['yes', 'OK.', 'try again', '重试', '是的'])(
    'S2-17 "%s" tries the step again as it is, and never becomes its instruction',
    async (answer) => {
      const { bench, id } = await started([judge('retry', 'no figures')], ['A'], { max_retries_per_step: 0 })
      await answered(bench, id, report('FAILED'))
      await told(bench, id, answer)
      const { command } = await waitedFor(bench, id)
      expect(command).toMatchObject({ type: 'continue', session_id: 'session-1' })
      expect(command.task).toContain('Do A')
      expect(command.task).toContain('no figures')
      expect(command.task).not.toContain('New instruction')
    },
  )

  it('S2-17 an instruction that was given before stays when the step is tried again', async () => {
    const { bench, id } = await started([judge('retry', 'a'), judge('retry', 'b')], ['A'], { max_retries_per_step: 0 })
    await answered(bench, id, report('FAILED'))
    await told(bench, id, 'Use the cache')
    await answered(bench, id, report('FAILED'))
    await told(bench, id, 'yes')
    expect((await waitedFor(bench, id)).command.task).toContain('### New instruction\n\nUse the cache')
  })
})

describe('the guard against repetitions', () => {
  const same = () => judge('retry', 'the same again')

  it('the same command with the same report twice is told to the judge, and is not sent a third time', async () => {
    const { bench, id } = await started([judge('retry', 'the same again'), same(), same()], ['A'], {
      max_retries_per_step: 20,
    })
    await answered(bench, id, report('FAILED'))
    await answered(bench, id, report('FAILED'))
    expect(context(bench.requests[2])).not.toHaveProperty('warning')
    const { task } = await answered(bench, id, report('FAILED'))
    expect(context(bench.requests[3]).warning).toContain('has brought the same report 2 times')
    expect([task.status, task.budget.used]).toEqual(['input_required', 3])
    const guards = (await eventsOf(bench, id)).filter(({ type }) => type === 'loop_guard')
    expect(guards.map(({ payload }) => payload['guard'])).toEqual(['repeated_command'])
  })

  it('another report, another reason or the word of a person begins anew', async () => {
    const { bench, id } = await started([same(), same(), same(), judge('retry', 'new advice'), same()], ['A'], {
      max_retries_per_step: 20,
    })
    await answered(bench, id, report('FAILED'))
    await answered(bench, id, report('FAILED'))
    await answered(bench, id, report('FAILED', { text: 'something else' }))
    expect((await answered(bench, id, report('FAILED'))).task.status).toBe('waiting_external')
    expect((await answered(bench, id, report('FAILED'))).task.status).toBe('waiting_external')
  })

  it('a person may have it tried once more', async () => {
    const { bench, id } = await started([same(), same(), same()], ['A'], { max_retries_per_step: 20 })
    for (let times = 0; times < 3; times++) await answered(bench, id, report('FAILED'))
    expect((await told(bench, id, 'yes')).status).toBe('waiting_external')
  })
})

it('U33 no two requests about a refused judgement are the same, and the correction goes when a reply is accepted', async () => {
  const { bench, id } = await started(['I think it is fine', judge('next'), judge('next')])
  await answered(bench, id, report())
  await answered(bench, id, report())
  const [, first, second, third] = bench.requests.map((request) => context(request))
  expect(first).not.toHaveProperty('correction')
  expect(second.correction).toEqual({ your_reply: 'I think it is fine', problem: expect.any(String) })
  expect(Object.keys(second).at(-1)).toBe('correction')
  expect(third).not.toHaveProperty('correction')
})

it('U33 a plan that was refused is shown to the next attempt with what was wrong', async () => {
  const { bench } = await orchestrated({ plan: [{ steps: 'A' }, steps('A')] })
  expect(context(bench.requests[1]).correction).toMatchObject({
    your_reply: '{"steps":"A"}',
    problem: expect.stringContaining('steps'),
  })
})
