/** What the model is told (S1-07…S1-19, S1-39…S1-42), and what people are shown of it (S1-29, S1-54, S1-55). */
import { describe, expect, it } from 'vitest'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { CALLER, createTask, step } from '../../support/scripted.ts'
import { agentBench, begin, blocks, code, END, look, rounds, system, user } from './support.ts'

async function asked(locale: 'en' | 'zh'): Promise<string> {
  const bench = agentBench([look()])
  await begin(bench, {}, rounds(1), { locale })
  return system(bench.requests[0])
}

describe.each(['en', 'zh'] as const)('the system message in %s', (locale) => {
  it.each([
    [
      'S1-08 explore first, by read_dataset',
      /1\. (?:Explore: call `read_dataset` first|探索：首先调用 `read_dataset`)/,
    ],
    ['S1-09 then plan three to five tasks', /2\. (?:Plan: .*3 to 5 analysis tasks|规划：.*3 到 5 个分析任务)/],
    [
      'S1-10 then one task at a time by run_code, announced before and checked after',
      /3\. (?:Execute: one task at a time with `run_code`\. Say .* before; check .* afterwards|执行：每次只用 `run_code` 执行一个任务。执行前说明.*；执行后检查)/,
    ],
    [
      'S1-11 and the report in Markdown when all are done',
      /4\. (?:Report: when all tasks are done, .* in Markdown|报告：所有任务完成后，用 Markdown)/,
    ],
    [
      'S1-12 S1-40 every reply has a thinking block: state, next, why',
      /(?:Every reply begins with both|每次回复都必须包含)[^]*<thinking>\n.*\n.*\n.*\n<\/thinking>/,
    ],
    [
      'S1-13 S1-41 and a block of all tasks',
      /<tasks>\n[^]*<\/tasks>[^]*(?:List all tasks in every reply|每次都列出全部任务)/,
    ],
    ['S1-14 ticked is done, not ticked is not', /`\[x\]`.*`\[ \]`/],
    ['S1-15 ticked only when checked', /Tick a task only when you have checked its result|只有检查过结果才能勾选/],
    [
      'S1-16 failed code leaves the task open, and the thinking says why',
      /When code fails, the task stays `\[ \]` and the thinking says why|代码执行失败时任务保持 `\[ \]`，并在思考中说明原因/,
    ],
    ['S1-17 two tools, and the one that asks', /- `read_dataset`[^]*- `run_code`[^]*- `ask_user`/],
    [
      'S1-09 the report is no task, in the rules and in the example',
      /(?:The report is no task of its own|撰写报告本身不算任务)[^]*<tasks>\n(?:(?!eport|报告)[^])*<\/tasks>/,
    ],
    [
      'U33 messages of the program are explained',
      /(?:begins with \[Program\] comes from the program|以【程序】开头的消息)/,
    ],
    [
      'S1-18 rules for code: chart, results, key findings',
      /chart[^]*saveResult[^]*(?:Print the key findings|打印关键发现)/,
    ],
    ['S1-19 the end marker behind a rule', /---\n\[ANALYSIS_COMPLETE\]/],
    ['S1-35 no task is skipped', /Skip no task|不得跳过任务/],
  ])('%s', async (_, words) => {
    expect(await asked(locale)).toMatch(words)
  })
})

describe('the messages', () => {
  it('S1-07 S1-39 S1-42 one merged system prompt from the first turn to the last: no prompt of a phase', async () => {
    const bench = agentBench([look(), code(), 'talk', `x${END}`])
    await begin(bench, { dataset: 'sales.csv' }, rounds(9))
    const [first = ''] = bench.requests.map(system)
    expect(bench.requests.map(system).every((text) => text.startsWith(first))).toBe(true)
    expect(new Set(bench.requests.map(user)).size).toBe(1)
  })

  it('S1-17 S1-18 where Python runs, prompt and tool speak of it: pandas, result.png, result.json, stdout', async () => {
    const bench = agentBench([look()])
    await createTask(bench, {}, rounds(1), { mode: 'autonomous', code_language: 'python' })
    const text = system(bench.requests[0])
    for (const word of ['pandas', 'result.png', 'result.json', 'stdout']) expect(text).toContain(word)
    const told = bench.requests[0]?.tools.find(({ name }) => name === 'run_code')
    expect(told?.description).toContain('pandas')
    expect(text).not.toContain('JavaScript')
  })
})

describe('what people read', () => {
  it('S1-29 S1-54 S1-55 real thinking is told from made-up words, and the ticks of each reply are shown', async () => {
    const bench = agentBench([
      look(blocks('first the data', [' ', 'Explore'], [' ', 'Trend'])),
      code(),
      code(blocks('now', ['x', 'Explore'], [' ', 'Trend'])),
    ])
    const lines = taskLines(await begin(bench, {}, rounds(3)))
    expect(lines).toContain('Thinking: first the data')
    expect(lines).toContain('(no thought given) calls run_code')
    expect(lines.filter((line) => line.startsWith('  ['))).toEqual([
      '  [ ] 1. Explore',
      '  [ ] 2. Trend',
      '  [x] 1. Explore',
      '  [ ] 2. Trend',
    ])
  })
})

describe('think blocks', () => {
  const TASKS = blocks('Look first.', [' ', 'Trend'])
  it.each([
    ['a block', `<think>secret</think>${TASKS}`],
    ['a block within a block', `<think>secret <think>more</think> secret</think>\n${TASKS}`],
    ['a block that is not closed', `${TASKS}\n<think>secret\n# Secret`],
    ['a block whose begin the endpoint has kept', `secret <tasks>\n- [ ] secret\n</tasks></think>\n${TASKS}`],
  ])('S0-72 %s beside a call reaches no thought, no event, no task and no later request', async (_name, text) => {
    const bench = agentBench([look(text), `${blocks('Done.', ['x', 'Trend'])}\n# Report${END}`])
    const first = await begin(bench, {}, rounds(1))
    expect(first.last_thought).toMatchObject({ text: 'Look first.' })
    expect(first.plan.items).toMatchObject([{ title: 'Trend' }])
    const last = await step(bench, first.id, rounds(2))
    expect(last.result).toMatchObject({ text: '# Report', outcome: 'done' })
    const page = await bench.service.listEvents(CALLER, first.id, { after: 0, limit: 100 })
    expect(JSON.stringify([first, last, page, bench.requests]).toLowerCase()).not.toContain('secret')
  })

  it('S0-72 nor does one before a report whose begin the endpoint has kept', async () => {
    const bench = agentBench([look(TASKS), `secret\n</think>\n${blocks('Done.', ['x', 'Trend'])}\n# Report${END}`])
    const task = await begin(bench, {}, rounds(9))
    expect(task.result?.text).toBe('# Report')
    expect(JSON.stringify(task)).not.toContain('secret')
  })
})
