/** The worked example of the seed (S3-10) and its three scenarios (S3-34…S3-36), through the service with scripted models and tools. */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../../src/core/modes/index.ts'
import { benchOf, titles, types } from '../../support/scripted.ts'
import { action, complete, dynamicTask, eventsOf, goOn, played, steps, told, type Round } from './support.ts'

const readFile = (name: string, save_as: string | null = null) => action(`{"name":"${name}"}`, 'read_file', save_as)
const writeFile = (name: string, content: string) => action(JSON.stringify({ name, content }), 'write_file')
const think = (text: string, save_as: string | null = null) => action(text, 'think', save_as)
const run = (calls: { tool: string; input: string }[]) => calls.map(({ tool, input }) => `${tool} ${input}`)

const EXAMPLE: Round[] = [
  [goOn({}, 'the file is not read'), readFile('hello_world_psm.md', 'psm')],
  [goOn({}, 'read, not analysed'), think('what the PSM asks for: {{psm}}', 'analysis')],
  [
    goOn({ add: ['write the config', 'write the docs'] }, 'several files are needed'),
    writeFile('main.py', '# {{psm}}'),
  ],
  [complete('the main code is written')],
  [goOn({}, 'nothing is written'), writeFile('config.json', '{}')],
  [complete('the config is written')],
  [goOn(), writeFile('README.md', 'docs')],
  [complete('the docs are written')],
]
const PSM = { ok: true, text: 'a "hello" program' }

describe('the worked example', () => {
  it('S3-10 two steps are added while the first goes on; then the first is completed and the added ones run', async () => {
    const { bench, task } = await played({ ...told([steps('read and generate')], EXAMPLE), tools: [PSM] })
    expect(task).toMatchObject({
      status: 'completed',
      stop_reason: 'done',
      step_count: 5,
      budget: { unit: 'actions', used: 5 },
    })
    expect(titles(task)).toEqual(['read and generate', 'write the config', 'write the docs'])
    expect(run(bench.calls)).toEqual([
      'read_file {"name":"hello_world_psm.md"}',
      'think what the PSM asks for: a "hello" program',
      'write_file {"name":"main.py","content":"# a \\"hello\\" program"}',
      'write_file {"name":"config.json","content":"{}"}',
      'write_file {"name":"README.md","content":"docs"}',
    ])
    expect(task.result?.text).toBe('the docs are written')
    const order = (await eventsOf(bench, task.id))
      .filter(({ type }) => /^(plan|item)_/.test(type))
      .map(({ type, payload }) => `${type} ${String(payload['title'] ?? payload['revision'])}`)
    expect(order).toEqual([
      'plan_created 1',
      'item_started read and generate',
      'plan_adjusted 2',
      'item_completed read and generate',
      'item_started write the config',
      'item_completed write the config',
      'item_started write the docs',
      'item_completed write the docs',
    ])
    bench.spent()
  })
})

describe('scenarios', () => {
  it('S3-34 S3-33 code is generated: read, analyse, then a file a step', async () => {
    const rounds: Round[] = [
      [goOn(), readFile('psm.md', 'psm')],
      [goOn(), think('{{psm}} needs a model and a test', 'parts')],
      [complete('two files', { add: ['model.py', 'test.py'] })],
      [goOn(), writeFile('model.py', '{{parts}}')],
      [complete('written')],
      [goOn(), writeFile('test.py', 'assert')],
      [complete('written')],
    ]
    const { bench, task } = await played({
      ...told([steps('analyse')], rounds),
      tools: [PSM, { ok: true, text: 'model' }],
    })
    expect([task.status, titles(task)]).toEqual(['completed', ['analyse', 'model.py', 'test.py']])
    expect(run(bench.calls).slice(2)).toEqual([
      'write_file {"name":"model.py","content":"model"}',
      'write_file {"name":"test.py","content":"assert"}',
    ])
    expect(task.plan.items.every(({ status }) => status === 'completed')).toBe(true)
    bench.spent()
  })

  it('S3-35 S3-33 data are processed: a problem is found, a cleaning step is added before the conversion', async () => {
    const rounds: Round[] = [
      [goOn(), readFile('sales.csv', 'rows')],
      [complete('loaded; dates in two formats', { add: ['clean the dates'] })],
      [goOn(), think('one format: {{rows}}', 'clean')],
      [complete('cleaned')],
      [goOn(), writeFile('sales.json', '{{clean}}')],
      [complete('converted')],
    ]
    const tools = [
      { ok: true, text: '1/2/26,7' },
      { ok: true, text: '2026-02-01,7' },
    ]
    const { bench, task } = await played({ ...told([steps('load', 'convert')], rounds), tools })
    expect([task.status, titles(task)]).toEqual(['completed', ['load', 'clean the dates', 'convert']])
    expect(task.plan.items.map(({ id }) => id)).toEqual(['step_1', 'step_3', 'step_2'])
    expect(run(bench.calls).at(-1)).toBe('write_file {"name":"sales.json","content":"2026-02-01,7"}')
    bench.spent()
  })

  const RECOVERY: Round[] = [
    [goOn(), readFile('config.json')],
    [goOn({ add: ['write a config', 'load again'] }, 'there is no config')],
    [goOn(), writeFile('config.json', '{}')],
    [complete('written')],
    [goOn(), readFile('config.json')],
    [complete('loaded')],
  ]
  it('S3-36 S3-33 R20 an error is recovered from: the failed step adds a repair and a retry', async () => {
    const script = { ...told([steps('load')], RECOVERY), tools: [{ ok: false, text: 'not found' }] }
    const { bench, task } = await played(script, { max_actions_per_step: 1 })
    expect(task).toMatchObject({ status: 'completed', counters: { failed_actions: 1, successful_actions: 2 } })
    expect(task.plan.items.map(({ title, status }) => [title, status])).toEqual([
      ['load', 'failed'],
      ['write a config', 'completed'],
      ['load again', 'completed'],
    ])
    expect(types(task).filter((type) => type.startsWith('item_'))).toEqual([
      'item_started',
      'item_failed',
      'item_started',
      'item_completed',
      'item_started',
      'item_completed',
    ])
    bench.spent()
  })

  it('S3-36 O3-03 a failed action does not end its step: the next thought knows of it, and the step may try again', async () => {
    const rounds: Round[] = [
      [goOn(), readFile('a')],
      [goOn(), writeFile('a', 'x')],
      [goOn(), readFile('a')],
      [complete()],
    ]
    const script = { ...told([steps('load')], rounds), tools: [{ ok: false, text: 'file not found' }] }
    const bench = benchOf(script)
    const task = await dynamicTask(bench)
    expect(task).toMatchObject({ status: 'completed', step_count: 3, counters: { failed_actions: 1 } })
    bench.spent()
  })

  it('S3-25 S3-26 the mode of a task is its switch: left out it is plan_execute, whose phases and prompts know nothing of this', () => {
    const { tools } = modeOf('plan_execute')
    expect(tools).toEqual(expect.arrayContaining(['todo', 'schedule', 'internet_search']))
    expect(Object.keys(modeOf('plan_execute').contracts)).toEqual(['plan', 'thought', 'thought_few', 'replan'])
    expect(modeOf('plan_execute').counter.unit).toBe('steps')
  })
})
