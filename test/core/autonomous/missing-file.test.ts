/** A dataset that is missing is asked for, and its arrival goes on (U36). */
import { describe, expect, it } from 'vitest'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { bodyStream } from '../../../src/shell/network/chunked-body.ts'
import { CALLER, calling, journalOf, say, step, taken, type Bench } from '../../support/scripted.ts'
import { agentBench, begin, blocks, code, END, look, NO_DATASET, payloads, program, rounds, user } from './support.ts'

const FOUND = { ok: true, text: '{"tool":"read_dataset","status":"success"}' }
const REPORT = `# Report${END}`

async function put(bench: Bench, id: string, name = 'sales.csv') {
  const body = bodyStream('a,b\n1,2\n')
  const answer = await bench.service.putFile(CALLER, id, { name, body, length: null, bytes_max: 1_000 })
  expect(answer.ok).toBe(true)
  return taken(await bench.service.getTask(CALLER, id))
}

describe('a missing dataset', () => {
  it('U36 is asked for: input_required, with the place where it is put, its endings and the end of the wait', async () => {
    const bench = agentBench([look()], [NO_DATASET])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'file', result: null })
    expect(task.pending).toEqual({
      kind: 'file',
      request_id: 'file_3',
      name: null,
      prompt: 'Please upload the dataset (.csv, .tsv, .json, .xlsx, .xls).',
      put_url: `/tasks/${task.id}/files/NAME`,
      endings: ['csv', 'tsv', 'json', 'xlsx', 'xls'],
      content_types: [
        'text/csv',
        'text/tab-separated-values',
        'application/json',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'application/vnd.ms-excel',
      ],
      expires_at: new Date(bench.clock.now + task.settings.question_ttl_s * 1000).toISOString(),
    })
    expect(payloads(task, 'file_requested')).toMatchObject([{ request_id: 'file_3', name: null }])
    expect(taskLines(task)).toContain(`Put it with PUT /tasks/${task.id}/files/NAME`)
  })

  it('U36 that the settings name is asked for by its name, and in the language of the task', async () => {
    const bench = agentBench([look()], [NO_DATASET])
    const task = await begin(bench, { dataset: 'sales.csv' }, rounds(9), { locale: 'zh' })
    expect(task.pending).toMatchObject({ name: 'sales.csv', prompt: '请上传文件 sales.csv。', endings: ['csv'] })
  })

  it('U36 with a name that the model has made up is asked for under any name', async () => {
    const invented = calling('', ['read_dataset', { name: 'data.csv' }])
    const task = await begin(agentBench([invented], [NO_DATASET]), {}, rounds(9))
    expect(task.pending).toMatchObject({ kind: 'file', name: null })
    const said = await begin(agentBench([invented], [NO_DATASET]), {}, rounds(9), { goal: 'the trend in data.csv' })
    expect(said.pending).toMatchObject({ kind: 'file', name: 'data.csv' })
  })

  it('U36 arrives: the task goes on in the next request, and the model is told once', async () => {
    const bench = agentBench([look(), look(), REPORT], [NO_DATASET, FOUND])
    const { id } = await begin(bench, {}, rounds(9))
    expect(await put(bench, id)).toMatchObject({ status: 'running', stop_reason: null, pending: null })
    const done = await step(bench, id, rounds(9))
    expect(done).toMatchObject({ status: 'completed', result: { text: '# Report', outcome: 'done' } })
    expect(program(bench.requests[1])).toContain('The file sales.csv is here now')
    expect(program(bench.requests[2])).toBe('')
    expect(bench.calls).toHaveLength(2)
    expect((await journalOf(bench, id)).find(({ kind }) => kind === 'file_arrived')?.reply).toEqual({
      name: 'sales.csv',
    })
  })

  it('U36 a file of another name, or one that nobody waits for, changes nothing', async () => {
    const bench = agentBench([look()], [NO_DATASET])
    const { id } = await begin(bench, { dataset: 'sales.csv' }, rounds(9))
    const { version } = taken(await bench.service.getTask(CALLER, id))
    expect(await put(bench, id, 'other.csv')).toMatchObject({ status: 'input_required', version })
    const idle = agentBench([])
    const made = await begin(idle, {})
    expect(await put(idle, made.id)).toMatchObject({ version: made.version })
  })

  it('U36 a text in its place is a remark, with which the task goes on and asks no more', async () => {
    const bench = agentBench([look(), look(), REPORT], [NO_DATASET, NO_DATASET])
    const { id } = await begin(bench, {}, rounds(9))
    const done = await say(bench, id, 'there is none, write what you know', rounds(9))
    expect(done).toMatchObject({ status: 'completed', counters: { actions: 2 } })
    expect(user(bench.requests[1])).toContain('- there is none, write what you know')
    expect(payloads(done, 'clarification_answered')).toMatchObject([{ request_id: 'file_3' }])
  })

  it('U36 a text that names a file of the task stands for its arrival', async () => {
    const bench = agentBench([look(), REPORT], [NO_DATASET])
    const { id } = await begin(bench, {}, NONE_YET)
    await put(bench, id, 'other.csv')
    await step(bench, id)
    expect(await say(bench, id, 'other.csv', rounds(9))).toMatchObject({ status: 'completed' })
    expect(program(bench.requests[1])).toContain('The file other.csv is here now')
  })

  it('U36 a text that names another dataset of the task goes on with that one, and one that names a text does not', async () => {
    const named = { dataset: 'sales.csv' }
    const bench = agentBench([look(), REPORT], [NO_DATASET])
    const { id } = await begin(bench, named, rounds(9))
    await put(bench, id, 'other.csv')
    expect(await say(bench, id, 'other.csv', rounds(9))).toMatchObject({ status: 'completed' })
    expect(program(bench.requests[1])).toContain('The file other.csv is here now')
    const noted = agentBench([look(), REPORT], [NO_DATASET])
    const asking = await begin(noted, named, rounds(9))
    await put(noted, asking.id, 'notes.md')
    expect(await say(noted, asking.id, 'notes.md', rounds(9))).toMatchObject({ status: 'completed' })
    expect(user(noted.requests[1])).toContain('- notes.md')
  })

  it('U36 an answer to another request is refused', async () => {
    const bench = agentBench([look()], [NO_DATASET])
    const { id } = await begin(bench, {}, rounds(9))
    const answer = await bench.service.inputTask(CALLER, id, 'x', 'file_9', rounds(0))
    expect(answer).toEqual({ ok: false, refusal: { code: 'question_settled' } })
  })

  it('U36 that is put while the tool looks for it is found at the end of the call', async () => {
    let id = ''
    const bench = agentBench([look(), REPORT])
    const tool = bench.ports.tools.get('read_dataset')
    if (tool === undefined) throw new Error('no such tool')
    tool.run = async () => {
      await put(bench, id)
      return NO_DATASET
    }
    id = (await begin(bench, {})).id
    expect(await step(bench, id, rounds(9))).toMatchObject({ status: 'completed' })
    expect(program(bench.requests[1])).toContain('sales.csv is here now')
  })

  it('U36 that its client has named counts behind any number of other uploads during the call', async () => {
    let id = ''
    const bench = agentBench([look(), REPORT])
    const tool = bench.ports.tools.get('read_dataset')
    if (tool === undefined) throw new Error('no such tool')
    tool.run = async () => {
      for (let count = 0; count < 12; count++) await put(bench, id, `other${count}.csv`)
      for (let count = 0; count < 3; count++) await put(bench, id)
      return NO_DATASET
    }
    id = (await begin(bench, { dataset: 'sales.csv' })).id
    expect(await step(bench, id, rounds(9))).toMatchObject({ status: 'completed' })
    const arrived = (await journalOf(bench, id)).filter(({ kind }) => kind === 'file_arrived')
    expect(arrived.map(({ reply }) => reply)).toHaveLength(9)
    expect(program(bench.requests[1])).toContain('sales.csv is here now')
  })

  it('U36 P7 that is put while a lost call waits to be repeated takes nothing over: the next request repeats the call', async () => {
    const bench = agentBench([], [FOUND])
    const { id } = await begin(bench, { agent_mode: 'staged' })
    const ticket = { ...TICKET, more: 'new_round' as const, rounds: 1 }
    const lost = await bench.store.of(CALLER.tenant, id).begin(ticket)
    expect(lost).toMatchObject({ ok: true, value: { assignment: { seq: 2 } } })
    bench.clock.now += 600_000
    await put(bench, id)
    const stepped = await step(bench, id)
    expect(stepped).toMatchObject({ status: 'running', counters: { actions: 1, failed_actions: 0 } })
    expect(bench.calls).toHaveLength(1)
    expect((await journalOf(bench, id))[1]).toMatchObject({ kind: 'run_tool', attempt: 2, outcome: 'ok' })
  })

  it('U36 a task waits for files three times, and then goes on with what there is', async () => {
    const bench = agentBench([look(), look(), look(), look(), REPORT], [NO_DATASET, NO_DATASET, NO_DATASET, NO_DATASET])
    let task = await begin(bench, {}, rounds(9))
    for (let count = 0; count < 3; count++) {
      expect(task.status).toBe('input_required')
      await put(bench, task.id, `file${count}.csv`)
      task = await step(bench, task.id, rounds(9))
    }
    expect(task.status).toBe('completed')
  })

  it('U36 code that lacked its data asks for it too, after all calls of the reply were made', async () => {
    const both = calling('', ['run_code', { code: '1' }], ['run_code', { code: '2' }])
    const bench = agentBench([both, REPORT], [NO_DATASET, { ok: true }])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'input_required', counters: { actions: 2 } })
  })

  it('U36 nobody puts it in time: the task pauses, and the file that comes later continues it', async () => {
    const bench = agentBench([look(), REPORT], [NO_DATASET])
    const { id } = await begin(bench, { question_ttl_s: 60 }, rounds(9))
    bench.clock.now += 61_000
    const tended = await bench.store.of(CALLER.tenant, id).tell({ kind: 'tend' }, TICKET)
    expect(tended).toMatchObject({ ok: true, value: { task: { status: 'paused', stop_reason: 'question_expired' } } })
    expect(await put(bench, id)).toMatchObject({ status: 'running' })
  })

  it('U36 "continue" to a task that stopped waiting asks for the file again', async () => {
    const bench = agentBench([look()], [NO_DATASET])
    const { id } = await begin(bench, { question_ttl_s: 60 }, rounds(9))
    bench.clock.now += 61_000
    await bench.store.of(CALLER.tenant, id).tell({ kind: 'tend' }, TICKET)
    expect(await say(bench, id, 'continue')).toMatchObject({ status: 'input_required', pending: { kind: 'file' } })
  })

  it('U36 the wait and the arrival replay as they were', async () => {
    const bench = agentBench([look(), look(), REPORT], [NO_DATASET, FOUND])
    const { id } = await begin(bench, {}, rounds(9))
    await put(bench, id)
    await step(bench, id, rounds(9))
    const replayed = await bench.service.replayTask(CALLER, id)
    expect(replayed).toMatchObject({ ok: true, value: { equal: true } })
  })
})

describe('a missing dataset in a staged run', () => {
  const STAGED = { agent_mode: 'staged' as const, dataset: 'sales.csv' }
  const PLAN = blocks('one', [' ', 'Trend'])

  it('U36 is asked for before the plan, and looked at again when it is there', async () => {
    const bench = agentBench(
      [PLAN, code(), 'It grew.', '# Report'],
      [NO_DATASET, { ...FOUND, text: '{"tool":"read_dataset","rows":3}' }],
    )
    const task = await begin(bench, STAGED, rounds(9))
    expect(task).toMatchObject({ status: 'input_required', step_count: 0, pending: { name: 'sales.csv' } })
    await put(bench, task.id)
    expect(await step(bench, task.id, rounds(9))).toMatchObject({ status: 'completed' })
    expect(user(bench.requests[0])).toContain('"rows":3')
  })

  it('U36 a text in its place leads to the plan', async () => {
    const bench = agentBench([PLAN], [NO_DATASET])
    const task = await begin(bench, STAGED, rounds(9))
    await say(bench, task.id, 'plan without it')
    expect(user(bench.requests[0])).toContain('- plan without it')
  })
})

const NONE_YET = rounds(0)
const TICKET = { slice: 'x', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
