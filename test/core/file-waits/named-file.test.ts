/** A file that a client has named is asked for when the model finds it missing, and its arrival goes on (U36). */
import { describe, expect, it } from 'vitest'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import { modeOf } from '../../../src/core/modes/index.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import {
  ALL,
  CALLER,
  clientToolsOf,
  createTask,
  journalOf,
  MANUAL,
  say,
  step,
  taken,
  types,
} from '../../support/scripted.ts'
import { begin, end, FILE_MODES, fileBench, payloads, put, read, tend, told, toolOf, use } from './support.ts'

const ARRIVED = 'The file notes.md is here now. Go on with it.'
const WAITS = { status: 'input_required', stop_reason: 'file' }

describe.each(FILE_MODES)('in mode %s a missing file', (mode) => {
  it('U36 that the goal names is asked for, with the place where it is put, its ending and the end of the wait', async () => {
    const bench = fileBench(mode, read('notes.md'))
    const task = await begin(bench, mode)
    expect(task).toMatchObject({ ...WAITS, result: null, step_count: 1, counters: { actions: 1, failed_actions: 1 } })
    const request_id = task.pending !== null && 'request_id' in task.pending ? task.pending.request_id : ''
    expect(task.pending).toEqual({
      kind: 'file',
      request_id: expect.stringMatching(/^file_\d+$/),
      name: 'notes.md',
      prompt: 'Please upload the file notes.md.',
      put_url: `/tasks/${task.id}/files/notes.md`,
      endings: ['md'],
      content_types: ['text/markdown; charset=utf-8'],
      expires_at: new Date(bench.clock.now + task.settings.question_ttl_s * 1000).toISOString(),
    })
    expect(payloads(task, 'file_requested')).toMatchObject([
      { request_id, name: 'notes.md', prompt: 'Please upload the file notes.md.' },
    ])
    expect(taskLines(task)).toContain(`Put it with PUT /tasks/${task.id}/files/notes.md`)
    // Another request does nothing.
    expect(await step(bench, task.id, ALL)).toMatchObject({ ...WAITS, version: task.version })
  })

  it('U36 is asked for in the language of the task', async () => {
    const bench = fileBench(mode, read('data.tsv'))
    const settings = { merged_calls: true }
    const task = await createTask(bench, settings, ALL, { mode, goal: '汇总data.tsv的内容', locale: 'zh' })
    expect(task.pending).toMatchObject({ name: 'data.tsv', prompt: '请上传文件 data.tsv。', endings: ['tsv'] })
    await put(bench, task.id, 'data.tsv')
  })

  it('U36 arrives: the task goes on with the next request, and the model is told once and reads it', async () => {
    const bench = fileBench(mode, read('notes.md'), read('notes.md'), end('the sum'))
    const { id } = await begin(bench, mode)
    expect(await put(bench, id)).toMatchObject({ status: 'running', stop_reason: null, pending: null })
    const done = await step(bench, id, ALL)
    expect(done).toMatchObject({ status: 'completed', result: { text: 'the sum', outcome: 'done' } })
    expect(told(bench, -2)).toContain(ARRIVED)
    expect(told(bench)).not.toContain(ARRIVED)
    expect(told(bench)).toContain('the text of the notes')
    expect(bench.calls).toHaveLength(2)
    const arrived = (await journalOf(bench, id)).find(({ kind }) => kind === 'file_arrived')
    expect(arrived).toMatchObject({ reply: { name: 'notes.md' }, counted: false, outcome: null })
    bench.spent()
  })

  it.each(['notes.md', 'a.txt', 'sales.csv', 'sales.tsv', 'rows.json', 'book.xlsx', 'book.xls'])(
    'U36 may be a text or a dataset: %s',
    async (name) => {
      const task = await begin(fileBench(mode, read(name)), mode, `look at ${name}`)
      expect(task).toMatchObject({ ...WAITS, pending: { name, endings: [name.split('.')[1]] } })
    },
  )

  it.each([
    ['a name that the model has made up', 'data.csv', 'sum up my data'],
    ['a part of a longer name', 'data.csv', 'sum up my_data.csv'],
    ['a name with another ending', 'data.csv', 'sum up data.csv.gz'],
    ['a file that no client can put', 'main.py', 'run main.py'],
    ['the file of the results of code', 'result.json', 'sum up result.json'],
    ['no valid name', '../notes.md', 'sum up ../notes.md'],
  ])('U36 stays an error of the tool: %s', async (_, name, goal) => {
    const bench = fileBench(mode, read(name), end('not there'))
    const task = await begin(bench, mode, goal)
    expect(task).toMatchObject({ status: 'completed', counters: { failed_actions: 1 } })
    expect(types(task)).not.toContain('file_requested')
    bench.spent()
  })

  it.each([
    ['with a full stop behind it', 'Sum up notes.md.'],
    ['in a folder', 'Sum up docs/notes.md, please'],
    ['in quotes', 'Sum up "notes.md"'],
    ['between words without blanks', '请汇总notes.md的内容'],
    ['behind a longer name that contains it', 'compare my-notes.md with notes.md'],
  ])('U36 is named by its client %s', async (_, goal) => {
    expect(await begin(fileBench(mode, read('notes.md')), mode, goal)).toMatchObject(WAITS)
  })

  it('U36 is named by the settings', async () => {
    const settings = { dataset: 'sales.csv' }
    const task = await begin(fileBench(mode, read('sales.csv')), mode, 'a goal', settings)
    expect(task).toMatchObject({ ...WAITS, pending: { name: 'sales.csv' } })
  })

  it('U36 is named by a later remark', async () => {
    const bench = fileBench(mode, use('todo', { command: '/todo list' }), read('late.md'))
    const { id } = await begin(bench, mode, 'a goal', {}, { rounds: 1, max_ms: 25_000 })
    expect(await say(bench, id, 'look into late.md too', ALL)).toMatchObject({ ...WAITS, pending: { name: 'late.md' } })
  })

  it('U36 is named by the answer to a question', async () => {
    const bench = fileBench(mode, use('ask_user', { question: 'Which file?' }), read('late.md'))
    const { id } = await begin(bench, mode, 'a goal')
    expect(await say(bench, id, 'late.md', ALL)).toMatchObject({ ...WAITS, pending: { name: 'late.md' } })
  })

  it('U36 that a tool of the client with the name of the built-in one did not find stays an error', async () => {
    const own = { name: 'read_file', description: 'd', parameters: null, url: 'https://x.example/', idempotent: true }
    const bench = fileBench(mode, read('notes.md'), end('not there'))
    bench.ports.client_tools = clientToolsOf(({ name }) => ({
      name,
      run: () => Promise.resolve({ ok: false, code: 'not_found', text: 'There is no file "notes.md".' }),
    }))
    const settings = { merged_calls: true }
    const task = await createTask(bench, settings, ALL, { mode, goal: 'sum up notes.md', tools: [own] })
    expect(task.status).toBe('completed')
  })

  it('U36 of another name changes nothing, and neither does one that nobody waits for', async () => {
    const bench = fileBench(mode, read('notes.md'))
    const { id, version } = await begin(bench, mode)
    expect(await put(bench, id, 'other.md')).toMatchObject({ ...WAITS, version })
    const idle = fileBench(mode)
    const made = await begin(idle, mode, 'sum up notes.md', {}, { rounds: 0, max_ms: 25_000 })
    expect(await put(idle, made.id)).toMatchObject({ version: made.version })
  })

  it('U36 a text that names another file of the task goes on with that one', async () => {
    const bench = fileBench(mode, read('notes.md'), read('other.md'), end('the sum'))
    const { id } = await begin(bench, mode)
    await put(bench, id, 'other.md', 'the other text')
    const done = await say(bench, id, ' other.md ', ALL)
    expect(done.status).toBe('completed')
    expect(payloads(done, 'file_arrived')).toMatchObject([{ name: 'other.md' }])
    expect(told(bench, -2)).toContain('The file other.md is here now')
    expect(told(bench)).toContain('the other text')
    bench.spent()
  })

  it('U36 a text in its place goes on without it: the model is shown the text, and no other file is asked for', async () => {
    const goal = 'sum up notes.md and more.md'
    const bench = fileBench(mode, read('notes.md'), read('more.md'), read('notes.md'), end('nothing to sum up'))
    const { id } = await begin(bench, mode, goal)
    const { length: asked } = bench.requests
    const done = await say(bench, id, 'there is none, sum up 2 and 3', ALL)
    expect(done).toMatchObject({ status: 'completed', counters: { actions: 3 } })
    expect(told(bench, asked)).toContain('there is none, sum up 2 and 3')
    expect(payloads(done, 'clarification_answered')).toMatchObject([{ answer: 'there is none, sum up 2 and 3' }])
    expect(types(done)).not.toContain('file_requested')
    bench.spent()
  })

  it('U36 a text that names no file of the task is a text in its place', async () => {
    const bench = fileBench(mode, read('notes.md'), end('without it'))
    const { id } = await begin(bench, mode)
    expect(await say(bench, id, 'notes.md', ALL)).toMatchObject({ status: 'completed' })
    expect(told(bench)).not.toContain(ARRIVED)
  })

  it('U36 an answer to another request is refused', async () => {
    const bench = fileBench(mode, read('notes.md'))
    const { id } = await begin(bench, mode)
    const answer = await bench.service.inputTask(CALLER, id, 'x', 'file_99', { rounds: 0, max_ms: 1 })
    expect(answer).toEqual({ ok: false, refusal: { code: 'question_settled' } })
  })

  it('U36 a task waits for files three times, and then goes on with what there is', async () => {
    const names = ['a.md', 'b.md', 'c.md', 'd.md']
    const bench = fileBench(mode, ...names.map(read), end('the sum'))
    let task = await begin(bench, mode, `sum up ${names.join(', ')}`)
    for (const name of names.slice(0, 3)) {
      expect(task).toMatchObject({ ...WAITS, pending: { name } })
      await put(bench, task.id, name)
      task = await step(bench, task.id, ALL)
    }
    expect(task).toMatchObject({ status: 'completed', counters: { failed_actions: 4 } })
    bench.spent()
  })

  it('U36 that is put while the tool looks for it is told at the end of the call, and not waited for', async () => {
    const bench = fileBench(mode, read('notes.md'), read('notes.md'), end('the sum'))
    const tool = toolOf(bench, 'read_file')
    const { run } = tool
    let id = ''
    tool.run = async (input, call) => {
      const result = await run(input, call)
      if (!result.ok) for (const name of ['notes.md', 'other.md', 'notes.md']) await put(bench, id, name)
      return result
    }
    id = (await begin(bench, mode, 'sum up notes.md and other.md', {}, { rounds: 0, max_ms: 25_000 })).id
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    const arrived = (await journalOf(bench, id)).filter(({ kind }) => kind === 'file_arrived')
    expect(arrived.map(({ reply }) => reply)).toEqual([{ name: 'notes.md' }])
    expect(told(bench, -2)).toContain(ARRIVED)
  })

  it('U36 that is put during a call of the model is just there', async () => {
    let id = ''
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { model } = bench.ports
    if (model === null) throw new Error('no model')
    bench.ports.model = {
      async complete(request, call) {
        if (id !== '') await put(bench, id)
        return model.complete(request, call)
      },
    }
    id = (await begin(bench, mode, 'sum up notes.md', {}, { rounds: 0, max_ms: 25_000 })).id
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed', counters: { failed_actions: 0 } })
    expect((await journalOf(bench, id)).map(({ kind }) => kind)).not.toContain('file_arrived')
  })

  it('U36 P11 a remark during the call does not end the wait', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const tool = toolOf(bench, 'read_file')
    const { run } = tool
    let id = ''
    tool.run = async (input, call) => {
      await say(bench, id, 'and be brief', { rounds: 0, max_ms: 1 })
      return run(input, call)
    }
    id = (await begin(bench, mode, 'sum up notes.md', {}, { rounds: 0, max_ms: 25_000 })).id
    expect(await step(bench, id, ALL)).toMatchObject(WAITS)
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(told(bench)).toContain('and be brief')
  })

  it('U36 nobody puts it in time: the task pauses, and the file that comes later continues it', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id } = await begin(bench, mode, 'sum up notes.md', { question_ttl_s: 60 })
    bench.clock.now += 61_000
    const tended = await tend(bench, id)
    expect(tended).toMatchObject({ ok: true, value: { task: { status: 'paused', stop_reason: 'question_expired' } } })
    expect(await put(bench, id)).toMatchObject({ status: 'running' })
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(told(bench)).toContain(ARRIVED)
  })

  it('U36 nobody puts it in time, and the settings end the task: the file is refused', async () => {
    const settings = { question_ttl_s: 60, on_question_expired: 'fail' as const }
    const bench = fileBench(mode, read('notes.md'))
    const { id } = await begin(bench, mode, 'sum up notes.md', settings)
    bench.clock.now += 61_000
    expect(await tend(bench, id)).toMatchObject({
      value: { task: { status: 'failed', stop_reason: 'question_expired' } },
    })
    await expect(put(bench, id)).rejects.toThrow('task_ended')
  })

  it.each(['question_expired', 'paused_by_user'])(
    'U36 "continue" after the pause %s asks for the file again',
    async (reason) => {
      const bench = fileBench(mode, read('notes.md'))
      const { id } = await begin(bench, mode, 'sum up notes.md', { question_ttl_s: 60 })
      if (reason === 'question_expired') bench.clock.now += 61_000
      if (reason === 'question_expired') await tend(bench, id)
      else taken(await bench.service.tellTask(CALLER, id, { kind: 'pause' }))
      expect(taken(await bench.service.getTask(CALLER, id))).toMatchObject({ status: 'paused', stop_reason: reason })
      expect(await say(bench, id, 'continue')).toMatchObject({ ...WAITS, pending: { name: 'notes.md' } })
    },
  )

  it('U36 that comes while the task is paused by its user is kept for when it goes on', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id } = await begin(bench, mode)
    taken(await bench.service.tellTask(CALLER, id, { kind: 'pause' }))
    expect(await put(bench, id)).toMatchObject({ status: 'paused', stop_reason: 'paused_by_user' })
    expect(await say(bench, id, 'continue', ALL)).toMatchObject({ status: 'completed' })
    expect(told(bench)).toContain(ARRIVED)
  })

  it('U36 U15 is waited for after an approved call, too', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id } = await begin(bench, mode, 'sum up notes.md', { approve: 'actions' })
    expect(await say(bench, id, 'yes', ALL)).toMatchObject({ ...WAITS, pending: { kind: 'file' } })
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
  })

  it('U36 the wait, the arrival and the text in its place replay as they were', async () => {
    const bench = fileBench(mode, read('a.md'), read('b.md'), read('a.md'), end('the sum'))
    const { id } = await begin(bench, mode, 'sum up a.md and b.md')
    await put(bench, id, 'a.md')
    expect(await step(bench, id, ALL)).toMatchObject({ pending: { name: 'b.md' } })
    const done = await say(bench, id, 'there is no b.md', ALL)
    expect(done.status).toBe('completed')
    expectFold(bench, id)
    expect(await replayOf(bench, id)).toEqual(EQUAL(done.version))
  })

  it('U36 is not asked for in a task that was made before its mode waited', async () => {
    const bench = fileBench(mode, read('notes.md'), end('not there'))
    const settings = Settings.parse({ ...modeOf(mode).presets, merged_calls: true })
    const task = {
      ...MANUAL,
      goal: 'sum up notes.md',
      mode,
      settings,
      locale: 'en' as const,
      timezone: 'UTC',
      metadata: {},
    }
    const made = await bench.service.createTask(CALLER, { ...task, made_in: 5 }, ALL)
    expect(taken(made)).toMatchObject({ status: 'completed', counters: { failed_actions: 1 } })
  })
})
