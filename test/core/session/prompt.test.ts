/** The prompts of a session, each kept as a snapshot: before a plan, with one, with all steps done, beside the work (S4-21, S4-22). */
import { describe, expect, it } from 'vitest'
import { CALLER, say, step } from '../../support/scripted.ts'
import { begin, rounds, sessionBench, steps, system, use } from './support.ts'

const GOAL = { en: 'Download five annual reports and draw a chart', zh: '下载五年财报并制作图表' }

async function prompts(locale: 'en' | 'zh') {
  const bench = sessionBench([
    use(steps('download', 'draw')),
    use('[Done]'),
    use('[Done]', '/todo list --view today'),
    'the answer to the question',
    'done',
    use('', '/todo list --view inbox'),
    'done again',
  ])
  const task = await begin(bench, { max_iterations: 3 }, rounds(9), { locale, goal: GOAL[locale] })
  await say(bench, task.id, 'what about 2024?', rounds(1))
  await say(bench, task.id, 'continue', rounds(9))
  await say(bench, task.id, 'and another chart', rounds(9))
  return bench.requests
}

describe.each(['en', 'zh'] as const)('prompts in %s', (locale) => {
  it('S4-21 S4-22 goal, current step with its number, hints; without steps it asks for them', async () => {
    const requests = await prompts(locale)
    const [empty, planned, , aside, all_done, next_run] = requests.map(system)
    expect({ empty, planned, aside, all_done, next_run }).toMatchSnapshot()
  })

  it('the conversation behind it', async () => {
    expect((await prompts(locale)).at(-1)?.messages.slice(1)).toMatchSnapshot()
  })
})

describe('the plan part', () => {
  it('S4-18 S4-21 is made anew before every turn', async () => {
    const [first, second, third] = await prompts('en')
    expect(system(first)).toContain('Plan the steps of the task first')
    expect(system(second)).toContain('Current step (1/2): download\n⏳ download\n⏸ draw')
    expect(system(third)).toContain('Current step (2/2): draw\n✓ download\n⏳ draw')
  })

  it('S4-22 steps may be declared later: the prompt goes on asking while there are none', async () => {
    const bench = sessionBench([use(), use(steps('late')), use()])
    const task = await begin(bench, {}, rounds(2))
    await step(bench, task.id)
    expect(bench.requests.map((request) => system(request).includes('"[Step] description"'))).toEqual([
      true,
      true,
      true,
    ])
    expect(system(bench.requests[1])).toContain('Plan the steps of the task first')
    expect(system(bench.requests[2])).toContain('Current step (1/1): late')
  })

  it('O4-10 the id of a session is its key: letters, digits, - and _; its files and its plan are its own', async () => {
    const bench = sessionBench([use()])
    const task = await begin(bench, {}, rounds(1))
    expect(task.id).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(await bench.service.getTask({ ...CALLER, tenant: 'other' }, task.id)).toMatchObject({ ok: false })
  })
})
