/** Answers of a session: which replies are none and what is told then, what an answer says of its goal, and what comes behind a question. */
import { describe, expect, it } from 'vitest'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import { calling, CALLER, cutReply, ONE, say, step, taken, titles, type Bench } from '../../support/scripted.ts'
import { begin, payloads, rounds, said, sessionBench, states, steps, system, use } from './support.ts'

const PLAN = steps('A', 'B')
const last = (bench: Bench) => bench.requests.at(-1)?.messages.at(-1)?.content ?? ''

async function expectSound(bench: Bench, id: string): Promise<void> {
  expectFold(bench, id)
  const { version } = taken(await bench.service.getTask(CALLER, id))
  expect(await replayOf(bench, id)).toEqual(EQUAL(version))
}

describe('a reply that is no answer', () => {
  it.each([
    ['a mark and nothing else', '[Done]', 'it has a mark but no answer'],
    ['steps without a call', `${PLAN}\nI begin.`, 'it declares steps but calls no tool'],
    [
      'a call as text beside other text',
      'So I call:\n```json\n{"name":"todo","arguments":{"command":"/todo list"}}\n```',
      'it has a call as text, which is not made',
    ],
  ])('%s is told at the end of the next request, and stands in the conversation', async (_name, reply, problem) => {
    const bench = sessionBench([reply, 'The answer.', 'More.'])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', result: { text: 'The answer.' }, counters: { iterations: 2 } })
    expect(payloads(task, 'contract_failed')).toMatchObject([{ reason: expect.stringContaining(problem) }])
    expect(bench.requests[1]?.messages.at(-2)).toEqual({ role: 'assistant', content: reply })
    expect(last(bench)).toContain(`Your last reply was not used: ${problem}`)
    expect(bench.calls).toEqual([])
    // It goes when a reply is accepted.
    await say(bench, task.id, 'more', rounds(9))
    expect(last(bench)).not.toContain('was not used')
    await expectSound(bench, task.id)
  })

  it('a cut reply is shown with what was wrong, and its calls are not made', async () => {
    const cut = { ...calling('I write it', ['write_file', '{"name":"a.md","content":"x']), ...cutReply('I write it') }
    const bench = sessionBench([cut, 'so'])
    const task = await begin(bench, {}, rounds(9))
    expect([task.status, bench.calls]).toEqual(['completed', []])
    expect(said(bench.requests[1])).toMatchObject([
      { role: 'assistant', content: expect.stringMatching(/^I write it\nwrite_file \{"name"/) },
    ])
    expect(last(bench)).toContain('Your last reply was not used: it was cut off')
    await expectSound(bench, task.id)
  })

  it('is told failure_limit - 1 times, and then it is the answer', async () => {
    const bench = sessionBench(['[Done]', '[Done]', '[Done]'])
    const task = await begin(bench, { failure_limit: 3 }, rounds(9))
    expect(task).toMatchObject({ status: 'completed', counters: { iterations: 3 } })
    expect(task.result?.text).toMatch(/^Goal: a goal/)
    const strict = await begin(sessionBench(['[Done]']), { strict_replies: true }, rounds(9))
    expect(strict).toMatchObject({ status: 'completed', counters: { iterations: 1 } })
  })

  it.each([
    [
      'steps without a call',
      `${PLAN}\nI begin.`,
      'the last reply announces steps but calls no tool, so they were not done',
    ],
    [
      'a call as text beside other text',
      'So I call:\n```json\n{"name":"todo","arguments":{"command":"/todo list"}}\n```',
      'the last reply has a call as text, which was not made',
    ],
    ['a mark and nothing else', '[Goal reached]', 'the last reply has a mark but no answer'],
  ])('U35 %s, which is told and comes again, ends the run as not done', async (_name, reply, reason) => {
    const bench = sessionBench([reply, reply])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', counters: { iterations: 2 } })
    expect(task.result).toMatchObject({ outcome: 'not_done', unmet: [{ item: 'a goal', reason }] })
    await expectSound(bench, task.id)
    const chinese = await begin(sessionBench([reply, reply]), {}, rounds(9), { locale: 'zh' })
    expect(chinese.result).toMatchObject({
      outcome: 'not_done',
      unmet: [{ reason: expect.stringMatching(/^最后一条回复/) }],
    })
    const strict = await begin(sessionBench([reply]), { strict_replies: true }, rounds(9))
    expect(strict.result).toMatchObject({ outcome: 'done', unmet: [] })
  })

  it('after completed steps such an end is partial, and the current step has the reason', async () => {
    const [more, again] = [`[Done]\n${steps('C')}`, steps('C')]
    const bench = sessionBench([use(PLAN), more, more, again, again])
    const task = await begin(bench, {}, rounds(9))
    expect(task.result).toMatchObject({
      outcome: 'partial',
      unmet: [{ item: 'B', reason: 'the last reply announces steps but calls no tool, so they were not done' }],
    })
    expect(states(task)).toEqual(['completed', 'running'])
    await expectSound(bench, task.id)
  })

  it('such an end has not done what has results but no mark, and says so of a plan whose steps are all completed', async () => {
    const announced = steps('C')
    const open = await begin(sessionBench([use(PLAN), announced, announced, announced, announced]), {}, rounds(9))
    expect(open.result).toMatchObject({
      outcome: 'not_done',
      unmet: [
        { item: 'A', reason: expect.stringContaining('announces steps') },
        { item: 'B', reason: 'not worked on' },
      ],
    })
    const closed = await begin(sessionBench([use(`${steps('A')}\n[Done]`), announced, announced]), {}, rounds(9))
    expect(closed.result).toMatchObject({
      outcome: 'partial',
      unmet: [{ item: 'a goal', reason: expect.stringContaining('announces steps') }],
    })
  })

  it.each([
    ['behind a kept reply', [use(PLAN), 'Both are there.', '[Goal reached]']],
    ['which completes the last step', [use(steps('A')), '[Done]', '[Done]']],
    [
      'with known steps, when all are completed',
      [use(`${PLAN}\n[Done]\n[Done]`), `${PLAN}\n[Done]`, `${PLAN}\n[Done]`],
    ],
    [
      'with the last step, which is declared again',
      [use(steps('A')), `[Done]\n${steps('A')}`, `[Done]\n${steps('A')}`],
    ],
    ['after a call without a plan of steps', [use(), '[Done]', '[Done]']],
  ])('a mark %s ends the run as done', async (_name, turns) => {
    const task = await begin(sessionBench(turns), {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', counters: { iterations: turns.length } })
    expect(task.result).toMatchObject({ outcome: 'done', unmet: [] })
  })

  it('the outcome of a run is not that of the one before it', async () => {
    const bench = sessionBench([PLAN, PLAN, 'Paris.'])
    const first = await begin(bench, {}, rounds(9))
    expect(first.result?.outcome).toBe('not_done')
    const second = await say(bench, first.id, 'the capital of France?', rounds(9))
    expect(second.result).toMatchObject({ text: 'Paris.', outcome: 'done', unmet: [] })
  })

  it('an answer that repeats the steps of the plan is one', async () => {
    const bench = sessionBench([use(PLAN), `${PLAN}\nAll is well.\n[Done]`])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', result: { text: 'All is well.' } })
  })
})

describe('the outcome of a session', () => {
  it.each([
    ['[Done] says that all is done', 'So.\n[Done]', 'done', []],
    [
      'open steps without results are unmet, and the current one has its results',
      'So.',
      'partial',
      [{ item: 'B', reason: 'not worked on' }],
    ],
    [
      'a line says what is not done',
      'So.\n[Not done: the site is down]',
      'not_done',
      [
        { item: 'B', reason: 'not worked on' },
        { item: 'a goal', reason: 'the site is down' },
      ],
    ],
  ])('%s', async (_name, answer, outcome, unmet) => {
    const task = await begin(sessionBench([use(PLAN), answer, answer]), {}, rounds(9))
    expect(task.result).toMatchObject({ text: 'So.', outcome, unmet })
  })

  it('an answer without a plan is done, unless it says otherwise', async () => {
    expect((await begin(sessionBench(['Paris.']), {}, rounds(9))).result).toMatchObject({ outcome: 'done', unmet: [] })
    const no = await begin(sessionBench(['[Partly done: half of it]']), {}, rounds(9))
    expect(no.result).toMatchObject({ text: 'half of it', outcome: 'partial' })
  })

  it('where replies are read strictly, the answer replaces all open steps', async () => {
    const task = await begin(sessionBench([use(PLAN), 'So.']), { strict_replies: true }, rounds(9))
    expect(task.result).toMatchObject({ outcome: 'done', unmet: [] })
  })
})

describe('a reply without a call and without a final mark, while steps are open', () => {
  const THREE = steps('A', 'B', 'C')
  const POEM = '[Done]\n\nNow the sad poem: rain.'

  it('does not end the run: its mark ends its step, the open steps are told once, and a tool call goes on', async () => {
    const bench = sessionBench([use(THREE), POEM, use('[Done]'), 'The files are there.\n[Goal reached]'])
    const task = await begin(bench, {}, rounds(9))
    expect(last(bench)).not.toContain('has no final mark')
    expect(bench.requests[2]?.messages.at(-1)?.content).toMatch(
      /has no final mark, while 2 steps are open: B; C\. It is kept/,
    )
    expect(task).toMatchObject({ status: 'completed', counters: { iterations: 4, actions: 2 } })
    expect(task.result).toMatchObject({ text: 'The files are there.', outcome: 'done', unmet: [] })
    expect(payloads(task, 'contract_failed')).toEqual([])
    await expectSound(bench, task.id)
  })

  it('the second one ends the run, with what is unmet', async () => {
    const bench = sessionBench([use(THREE), POEM, 'And the glad one: sun.'])
    const task = await begin(bench, {}, rounds(9))
    expect(task.result).toMatchObject({
      text: 'And the glad one: sun.',
      outcome: 'partial',
      unmet: [{ item: 'B' }, { item: 'C' }],
    })
  })

  it('a final mark on its own makes the kept reply the answer', async () => {
    const bench = sessionBench([use(THREE), POEM, '[Goal reached]'])
    const task = await begin(bench, {}, rounds(9))
    expect(task.result).toMatchObject({ text: 'Now the sad poem: rain.', outcome: 'done', unmet: [] })
  })

  it('with strict_replies it ends the run, as it did before', async () => {
    const task = await begin(sessionBench([use(THREE), POEM]), { strict_replies: true }, rounds(9))
    expect(task).toMatchObject({ status: 'completed', counters: { iterations: 2 } })
  })
})

describe('several marks of one reply', () => {
  it.each([
    ['a line each', '[Done]\n[Done]', ['completed', 'completed', 'running', 'pending']],
    ['one line', '- [Done] [Done]', ['completed', 'completed', 'running', 'pending']],
    ['as many as there are steps', '[Done]\n'.repeat(9), ['completed', 'completed', 'completed', 'completed']],
    ['one and a mention', '[Done] as I said [Done]', ['completed', 'running', 'pending', 'pending']],
  ])('end as many steps: %s', async (_name, marks, found) => {
    const bench = sessionBench([use(steps('A', 'B', 'C', 'D')), use(marks)])
    const task = await begin(bench, {}, rounds(2))
    expect(states(task)).toEqual(found)
    await expectSound(bench, task.id)
  })
})

describe('marks of steps that have ended before', () => {
  const FOUR = steps('Note the milk', 'Note the bread', 'Note the tea', 'Tell the user')
  const ended = ['completed', 'completed', 'running', 'pending']

  it.each([
    ['a list of marks', '- [Done] Note the milk: number 1\n- [Done] Note the bread\nThe tea comes next.'],
    ['marks behind the titles', '1. Note the milk [Done]\n2. Note the bread [Done]'],
    ['titles with numbers', 'Step 1: Note the milk [Done]\nStep 2: Note the bread [Done]'],
  ])('end no other step, and do not say that the goal is reached: %s', async (_name, list) => {
    const bench = sessionBench([use(FOUR), use('[Done]\n[Done]'), list, list])
    const task = await begin(bench, {}, rounds(9))
    expect([states(task), task.counters.iterations]).toEqual([ended, 4])
    expect(task.result).toMatchObject({ outcome: 'partial', unmet: [{ item: 'Tell the user' }] })
    await expectSound(bench, task.id)
    const going = sessionBench([use(FOUR), use('[Done]\n[Done]'), use(list)])
    expect(states(await begin(going, {}, rounds(3)))).toEqual(ended)
  })

  it.each([
    ['the title of an open step', '[Done] Note the tea', 3],
    ['a title that only begins like an ended one', '[Done] Note the milkman', 3],
    ['marks of ended and open steps', '[Done] Note the milk\n[Done] Note the tea\n[Done] Tell the user', 4],
    ['no title', '[Done] All is noted', 3],
  ])('%s counts', async (_name, marks, count) => {
    const bench = sessionBench([use(FOUR), use('[Done]\n[Done]'), use(marks)])
    const task = await begin(bench, {}, rounds(3))
    expect(task.plan.cursor).toBe(count)
    await expectSound(bench, task.id)
  })

  it('a step whose title comes again is ended by its own mark', async () => {
    const bench = sessionBench([use(steps('Search', 'Write', 'Search')), use('[Done]\n[Done]'), use('[Done] Search')])
    expect((await begin(bench, {}, rounds(3))).plan.cursor).toBe(3)
  })
})

describe('after a question in a final reply', () => {
  it('the answer of the user continues the run: its goal, its plan', async () => {
    const bench = sessionBench([use(PLAN), 'Which colour do you want?', use('[Done]'), 'Painted.\n[Done]'])
    const first = await begin(bench, {}, rounds(9), { goal: 'paint the wall' })
    expect(first).toMatchObject({ status: 'completed', result: { outcome: 'partial' } })
    const next = await say(bench, first.id, 'blue', ONE)
    expect(next).toMatchObject({ status: 'running', plan: { goal: 'paint the wall', status: 'running' } })
    expect([titles(next), states(next)]).toEqual([
      ['A', 'B'],
      ['completed', 'running'],
    ])
    const shown = last(bench)
    expect(shown).toContain(
      'Current task: paint the wall\nThe user has answered your question, or wants something else: blue',
    )
    expect(said(bench.requests.at(-1)).at(-1)).toEqual({ role: 'user', content: 'blue' })
    expect(await step(bench, first.id)).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
    await expectSound(bench, first.id)
  })

  it.each([
    ['a finished plan', [use(`${steps('A')}\n[Done]`), 'Is it fine?']],
    ['a question whether more is wanted', ['It is Paris. Is there anything else?']],
    ['a statement', ['It is Paris.']],
    ['a mark', ['Is that so? Yes?\n[Done]']],
  ])('%s begins a new run with the next text', async (_name, turns) => {
    const bench = sessionBench([...turns, 'so'])
    const first = await begin(bench, {}, rounds(9))
    await say(bench, first.id, 'write a poem', rounds(9))
    expect(system(bench.requests.at(-1))).toContain('Current task: write a poem')
  })
})

describe('the layout of the request', () => {
  /** The share of each request that is the beginning of the one before it, the tools first. */
  function shares({ requests }: Bench): number[] {
    const texts = requests.map(({ tools, messages }) => JSON.stringify(tools) + JSON.stringify(messages))
    return texts.slice(1).map((text, index) => {
      const before = texts[index] ?? ''
      let same = 0
      while (same < text.length && text[same] === before[same]) same += 1
      return same / text.length
    })
  }

  it('at least 70 % of each request of twelve calls is the beginning of the one before', async () => {
    const calls = Array.from({ length: 11 }, (_, at) => use(at % 4 === 3 ? '[Done]' : '', `/todo add number ${at}`))
    const bench = sessionBench(
      [use(steps('A', 'B', 'C')), ...calls, 'so'],
      Array.from({ length: 12 }, (_, at) => ({ ok: true, text: `result ${at} ${'x'.repeat(300)}` })),
    )
    const task = await begin(bench, {}, rounds(1))
    for (let turn = 1; turn < 13; turn++) {
      bench.clock.now += 60_000
      await step(bench, task.id)
    }
    expect(bench.requests).toHaveLength(13)
    expect(Math.min(...shares(bench))).toBeGreaterThan(0.7)
  })

  it('a repeated call is told behind its second time', async () => {
    const bench = sessionBench([use(), use(), 'so'])
    await begin(bench, {}, rounds(9))
    expect(bench.requests.map((request) => system(request).includes('the same result 2 times'))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('ask_user is offered, and not where no question is allowed', async () => {
    const names = async (max_clarifications: number) => {
      const bench = sessionBench(['so'])
      await begin(bench, { max_clarifications }, rounds(9))
      return bench.requests[0]?.tools.map(({ name }) => name)
    }
    expect((await names(6))?.at(-1)).toBe('ask_user')
    expect(await names(0)).not.toContain('ask_user')
  })
})
