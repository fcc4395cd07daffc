/** What the program tells the model, how a run may end, and questions (rulings 33, 35, 37). */
import { describe, expect, it } from 'vitest'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { CALLER, calling, cutReply, say, taken, type Line } from '../../support/scripted.ts'
import {
  agentBench,
  begin,
  blocks,
  code,
  END,
  history,
  look,
  payloads,
  program,
  ran,
  roles,
  rounds,
  states,
  system,
  user,
} from './support.ts'

const OPEN = blocks('t', ['x', 'Explore'], [' ', 'Trend'], [' ', 'Regions'])
const DONE = blocks('t', ['x', 'Explore'], ['x', 'Trend'], ['x', 'Regions'])
const play = async (...turn: Line[]) => {
  const bench = agentBench(turn)
  return { bench, task: await begin(bench, {}, rounds(50)) }
}

describe('a marker while tasks are open', () => {
  it('R15 is told once with the names of the tasks, and may be followed by the work', async () => {
    const { bench, task } = await play(`${OPEN}\n# Report${END}`, code(OPEN), `${DONE}\n# All${END}`)
    expect(program(bench.requests[1])).toContain('2 tasks are open: Trend; Regions')
    expect(program(bench.requests[2])).toBe('')
    expect(task.result).toMatchObject({ text: '# All', outcome: 'done', unmet: [] })
  })

  it('R15 is accepted the second time: outcome partial, with the reasons of the report', async () => {
    const report = `${OPEN}\n# Report\n- Not done: Trend: there are no dates.${END}`
    const { task } = await play(report, report)
    expect(task).toMatchObject({ status: 'completed', step_count: 2 })
    expect(task.result).toMatchObject({
      outcome: 'partial',
      unmet: [
        { item: 'Trend', reason: 'there are no dates.' },
        { item: 'Regions', reason: 'left open by the model' },
      ],
    })
  })

  it.each([
    ['the ticked list and the marker', `${DONE}${END}`],
    ['the ticked list alone', DONE],
  ])('R15 the report is kept, and %s end the run with it', async (_, reply) => {
    const { bench, task } = await play(`${OPEN}\n# Report\nIt grew.${END}`, `${OPEN}\nNow I tick them.`, reply)
    expect(program(bench.requests[1])).toContain('Your report is kept')
    expect(task).toMatchObject({ status: 'completed', step_count: 3 })
    expect(task.result).toMatchObject({ text: '# Report\nIt grew.', outcome: 'done', unmet: [] })
  })

  it('R15 the report is kept across tool calls', async () => {
    const { task } = await play(`${OPEN}\n# Report${END}`, code(OPEN), `${DONE}${END}`)
    expect(task.result).toMatchObject({ text: '# Report', outcome: 'done' })
  })

  it('R15 lines that only say what was not done are added to the report that is kept', async () => {
    const open = blocks('t', ['x', 'Explore'], [' ', 'Trend'])
    const added = 'Not done: Trend: there are no dates.'
    const { bench, task } = await play(`${open}\n# Report${END}`, `${open}\n${added}${END}`)
    expect(program(bench.requests[1])).toContain('because the task "Trend" is open.')
    expect(task.result).toMatchObject({
      text: `# Report\n\n${added}`,
      outcome: 'partial',
      unmet: [{ item: 'Trend', reason: 'there are no dates.' }],
    })
    expect(payloads(task, 'report_generated')).toMatchObject([{ report: `# Report\n\n${added}` }])
  })

  it('S1-48 a marker on its own behind a reply without any text is a report of nothing, and is told', async () => {
    const { task } = await play(DONE, `${DONE}${END}`, `${DONE}\n# R${END}`)
    expect(payloads(task, 'contract_failed')).toMatchObject([{ reason: expect.stringContaining('without a report') }])
    expect(task.result?.text).toBe('# R')
  })

  it.each([
    'Write the report',
    'Final report',
    'Write the final analysis report in Markdown',
    '编写报告',
    '生成最终分析报告',
  ])('R15 the task %j is done by the reply with the report', async (name) => {
    const { task } = await play(`${blocks('t', ['x', 'Trend'], [' ', name])}\n# R${END}`)
    expect(task).toMatchObject({ status: 'completed', step_count: 1, result: { outcome: 'done', unmet: [] } })
    expect(states(task)).toEqual(['completed', 'completed'])
    const strict = await begin(
      agentBench([`${blocks('t', [' ', name])}\n# R${END}`]),
      { strict_replies: true },
      rounds(1),
    )
    expect(strict.result?.outcome).not.toBe('done')
  })

  it.each(['Read the sales report', 'Report by region', '读取销售报告'])(
    'R15 the task %j is one like any other',
    async (name) => {
      const { task } = await play(`${blocks('t', [' ', name])}\n# R${END}`, code())
      expect(states(task)).toEqual(['running'])
    },
  )

  it('R15 a report without a list is told that the list is missing', async () => {
    const { bench, task } = await play(code(OPEN), `# Report${END}`, `${DONE}${END}`)
    expect(program(bench.requests[2])).toContain(
      'the reply has no <tasks> block, and in your latest list 2 tasks are open',
    )
    expect(task.result).toMatchObject({ text: '# Report', outcome: 'done' })
  })

  it('R15 a report without a list ends the run if the latest list has no open task', async () => {
    const { task } = await play(code(DONE), `# Report${END}`)
    expect(task).toMatchObject({ status: 'completed', result: { text: '# Report', outcome: 'done' } })
  })

  it('R15 a marker on its own the second time stands for the report before', async () => {
    const { task } = await play(`${OPEN}\n# Report${END}`, '---\n[ANALYSIS_COMPLETE]')
    expect(task.result?.text).toBe('# Report')
  })

  it('U32 with strict_replies it ends the run at once, as it did before', async () => {
    const bench = agentBench([`${OPEN}\n# Report${END}`])
    const task = await begin(bench, { strict_replies: true }, rounds(9))
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'partial' } })
  })
})

describe('corrections', () => {
  it('U33 a refused reply stands with what was wrong at the end of the request, and is gone with the next one', async () => {
    const { bench } = await play(`${DONE}${END}`, code(DONE), `${DONE}\n# R${END}`)
    expect(roles(bench.requests[1])).toEqual(['system', 'user', 'assistant', 'user'])
    expect(program(bench.requests[1])).toMatch(/^\[Program\] Your last reply was not used: .*without a report/)
    expect(program(bench.requests[2])).toBe('')
    expect(new Set(bench.requests.map(system)).size).toBe(1)
  })

  it('U33 a cut reply is no answer: its calls are not made, and the model is shown it', async () => {
    const { bench, task } = await play(cutReply(`${DONE}\n# Half a rep`), `${DONE}\n# R${END}`)
    expect(history(bench.requests[1])[0]?.content).toContain('# Half a rep')
    expect(program(bench.requests[1])).toContain('cut off')
    expect(task).toMatchObject({ status: 'completed', result: { text: '# R' } })
  })

  it('U33 a call beside other text is no call, and the model is told which tool it has to call, and how', async () => {
    const text = '{"name":"run_code","arguments":{"code":"1"}}'
    const { bench, task } = await play(`${OPEN}\nI will run:\n\`\`\`json\n${text}\n\`\`\``, `${DONE}\n# R${END}`)
    expect(program(bench.requests[1])).toContain('wrote a call of run_code as text')
    expect(task.counters.actions).toBe(0)
  })

  it('U32 a call written as text behind the blocks, and nothing else, is made', async () => {
    const text = '<tool_call>{"name":"run_code","arguments":{"code":"1"}}</tool_call>'
    const { bench } = await play(`${OPEN}\n${text}`, `${DONE}\n# R${END}`)
    expect(bench.calls).toMatchObject([{ tool: 'run_code' }])
    expect(roles(bench.requests[1])).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  it('U32 arguments with a comma too many are mended; unreadable ones are told', async () => {
    const mended = await play(calling(OPEN, ['run_code', '{"code":"1",}']), `${DONE}\n# R${END}`)
    expect(mended.bench.calls).toMatchObject([{ input: '{"code":"1"}' }])
    const broken = await play(calling(OPEN, ['run_code', '{"code":']), `${DONE}\n# R${END}`)
    expect(broken.bench.calls).toEqual([])
    expect(history(broken.bench.requests[1])[1]?.content).toContain('one JSON object')
  })

  it('U33 in a staged run they stand behind the instruction of the stage', async () => {
    const bench = agentBench(['no list', blocks('t', [' ', 'A'])], [ran()])
    await begin(bench, { agent_mode: 'staged', failure_limit: 5 }, rounds(2))
    expect(program(bench.requests[1])).toMatch(
      /^Plan 3 to 5[^]*\[Program\] Your last reply was not used: the plan has no <tasks>/,
    )
  })
})

describe('a reply that calls nothing', () => {
  it('is told to go on with the open tasks, and how to leave one that cannot be done', async () => {
    const { bench } = await play(`${OPEN}\nI will look at the trend.`, `${DONE}\n# R${END}`)
    expect(program(bench.requests[1])).toMatch(
      /Go on with the first open task\. If no task is open.* Only if a task cannot/,
    )
    expect(program(bench.requests[1])).not.toContain('was not run')
  })

  it.each([
    ['js', true],
    ['', true],
    ['markdown', false],
  ])('is told that the code in a fence of %j was not run: %s', async (language, told) => {
    const { bench } = await play(`${OPEN}\nI run:\n\`\`\`${language}\nprint(1)\n\`\`\``, `${DONE}\n# R${END}`)
    const text = program(bench.requests[1])
    expect(text.includes('The code in your text was not run') && text.includes('run_code')).toBe(told)
  })
})

describe('a call of a tool that is not offered', () => {
  it('is told the names of those that are, with the one that asks', async () => {
    const { bench } = await play(calling(OPEN, ['python', { code: '1' }]), `${DONE}\n# R${END}`)
    expect(history(bench.requests[1])[1]?.content).toContain('list_files, think, read_dataset, run_code, ask_user')
  })
})

describe('the guard', () => {
  it('the same call with the same result is told after the second time, and a third one is not made', async () => {
    const { bench } = await play(code(OPEN), code(OPEN), code(OPEN), `${DONE}\n# R${END}`)
    expect(bench.calls).toHaveLength(2)
    expect(program(bench.requests[1])).toBe('')
    expect(program(bench.requests[2])).toContain('same call of run_code has now brought the same result 2 times')
    expect(history(bench.requests[3]).at(-2)?.content).toContain('not called')
  })
})

describe('a question', () => {
  const asked = calling(OPEN, ['ask_user', { question: 'Which year?' }], ['run_code', { code: '1' }])

  it('U37 waits for its answer, which is the result of its call; the other calls of the reply follow', async () => {
    const { bench, task } = await play(asked, `${DONE}\n# R${END}`)
    expect(task).toMatchObject({ status: 'input_required', pending: { kind: 'question', question: 'Which year?' } })
    expect(taskLines(task)).toContain('Please confirm: Which year?')
    const done = await say(bench, task.id, '2024', rounds(9))
    expect(done).toMatchObject({ status: 'completed', counters: { actions: 1 } })
    expect(roles(bench.requests[1])).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
    expect(JSON.parse(history(bench.requests[1])[1]?.content ?? '')).toMatchObject({ tool: 'ask_user', text: '2024' })
    expect(user(bench.requests[1])).not.toContain('2024')
  })

  it('U37 may be put in a staged run too', async () => {
    const bench = agentBench([calling('', ['ask_user', { question: 'Which?' }]), blocks('t', [' ', 'A'])], [ran()])
    const task = await begin(bench, { agent_mode: 'staged' }, rounds(9))
    expect(task).toMatchObject({ status: 'input_required', pending: { question: 'Which?' } })
    const next = taken(await bench.service.inputTask(CALLER, task.id, 'that one', null, rounds(1)))
    expect(states(next)).toEqual(['running'])
  })
})

describe('outcomes of a staged run', () => {
  it('U35 a failed task is unmet with what the model said of it, and a completed one has its result', async () => {
    const bench = agentBench(
      [
        blocks('two', [' ', 'Trend'], [' ', 'Regions']),
        code(),
        'There are no dates.',
        code('', '2'),
        'North leads.',
        '# R',
      ],
      [ran(), ran('no', false), ran()],
    )
    const task = await begin(bench, { agent_mode: 'staged' }, rounds(20))
    expect(task.result).toMatchObject({ outcome: 'partial', unmet: [{ item: 'Trend', reason: 'There are no dates.' }] })
    expect(task.plan.finished.map(({ result }) => result)).toEqual(['There are no dates.', 'North leads.'])
  })
})

describe('the beginning of a request', () => {
  it('at least seventy percent of a request is the beginning of the one before, in a task of twelve calls', async () => {
    const turns = Array.from({ length: 11 }, (_, index) => code(OPEN, `print(${index})`))
    const bench = agentBench(
      [look(OPEN), ...turns, `${DONE}\n# R${END}`],
      turns.map((_, index) => ran(`figure ${index} `.repeat(20))),
    )
    const minute = bench.requests
    await begin(bench, {}, rounds(50))
    const texts = minute.map(({ tools, messages }) => JSON.stringify([tools, messages]))
    const shares = texts.slice(1).map((text, index) => {
      const before = texts[index] ?? ''
      let length = 0
      while (length < before.length && before[length] === text[length]) length++
      return length / text.length
    })
    expect(shares).toHaveLength(12)
    expect(Math.min(...shares)).toBeGreaterThan(0.7)
  })

  it('names the date and no minute, so that the system message stays the same all day', async () => {
    const bench = agentBench([look(), look()])
    const { id } = await begin(bench, {}, rounds(1))
    bench.clock.now += 3_600_000
    await bench.service.stepTask(CALLER, id, rounds(1))
    expect(system(bench.requests[0])).toContain('Local date: Sat 2026-11-21 (UTC)')
    expect(system(bench.requests[1])).toBe(system(bench.requests[0]))
  })
})

describe('the latest thought', () => {
  it('is what the model wrote, where it has no block of its own', async () => {
    const task = await begin(agentBench([code('First I count the rows.')]), {}, rounds(1))
    expect(task.last_thought?.text).toBe('First I count the rows.')
    expect(payloads(task, 'llm_thinking')).toMatchObject([{ is_real: false }])
  })
})
