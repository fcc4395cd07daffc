/** The commands of `loop`, on a service that is a script and a terminal that is a list of lines. */
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../clients/typescript/src/cli/commands.ts'
import { HELP } from '../../clients/typescript/src/cli/help.ts'
import type { Terminal } from '../../clients/typescript/src/cli/terminal.ts'
import { END_TEXT, eventText, json, problem, streamOf, task } from './bench.ts'

const QUESTION = {
  kind: 'question',
  request_id: 'q_1',
  prompt: 'How long?',
  choices: ['30 minutes'],
  other_answers: true,
}
const AT = '2026-11-28T12:00:00Z'
const event = (seq: number, type: string, payload: object) => ({ seq, type, at: AT, task_id: 'task_1', payload })
const EVENTS = [
  event(1, 'plan_created', { items: [{ id: 'a', title: 'Add \u001b[31m"milk"\u202e' }], cursor: 0 }),
  event(2, 'item_started', { item_id: 'a', title: 'Add milk', index: 0, total: 1 }),
  event(3, 'thought_decided', { phase: 'thought', item_id: 'a', decision: 'continue', text: 'I add\nit\u0007.' }),
  event(4, 'action_finished', { item_id: 'a', tool: 'todo', ok: true, status: 'success', text: 'Todo 1' }),
  event(5, 'item_completed', { item_id: 'a', title: 'Add milk', index: 0 }),
]
const whole = (version: number, status: string, more: object = {}) =>
  task(version, status, { mode: 'plan_execute', stop_reason: null, result: null, error: null, handover: null, ...more })
const result = (outcome: string, text = 'Milk is noted.') => ({ result: { text, outcome, unmet: [], artifacts: [] } })

interface Service {
  /** The task after so many posts. */
  states: object[]
  events?: object[]
  answers?: (string | null)[] | null
  env?: Record<string, string>
  reply?: (method: string, path: string) => Response | null
}

/** Runs `loop`, and gives everything that it has printed and asked for. */
async function loop(argv: string[], { states, events = EVENTS, answers = null, env = {}, reply }: Service) {
  const [out, err, asked, sent]: [string[], string[], string[], string[]] = [[], [], [], []]
  let at = -1
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url)
    const method = init.method ?? ''
    sent.push(`${method} ${pathname} ${typeof init.body === 'string' ? init.body : ''}`.trim())
    const own = reply?.(method, pathname) ?? null
    if (own !== null) return own
    if (pathname.endsWith('/events') && searchParams.has('limit')) {
      const after = Number(searchParams.get('after'))
      return json({ data: events.slice(after), has_more: false, next_cursor: null })
    }
    if (method !== 'GET') at += 1
    return json(states[Math.max(0, Math.min(at, states.length - 1))])
  }
  const terminal: Terminal = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    ask:
      answers === null
        ? null
        : async (prompt) => {
            asked.push(prompt)
            return answers.shift() ?? null
          },
    readFile: async (path) => ({ name: path.split('/').at(-1) ?? '', data: 'a,b' }),
    env,
    signal: new AbortController().signal,
    fetch,
  }
  const code = await runCommand(argv, terminal)
  return { code, out: out.join('\n'), err: err.join('\n'), asked, sent }
}

describe('U60 loop run', () => {
  it('U60 shows plan, thoughts and result, without what would steer a terminal', async () => {
    const ended = whole(2, 'completed', { drive: 'manual', ...result('done', 'Milk\u001b]0;x\u0007 is noted.') })
    const { code, out, sent } = await loop(['run', 'Buy milk', '--drive', 'manual', '--max-steps', '5'], {
      states: [ended],
    })
    expect(out).toBe(
      [
        'task_1  plan_execute  manual',
        'Plan',
        '  1. Add [31m"milk"',
        'Step 1/1: Add milk',
        'Thought (continue): I add it.',
        'todo answers: Todo 1',
        'Finished: Add milk',
        'completed: done',
        '',
        'Milk]0;x is noted.',
      ].join('\n'),
    )
    expect(code).toBe(0)
    expect(sent[0]).toBe('POST /tasks {"goal":"Buy milk","drive":"manual","settings":{"max_steps":5}}')
  })

  it.each([
    ['done', 0],
    ['partial', 1],
    ['not_done', 1],
  ])('U60 ends with the outcome %s as %d', async (outcome, code) => {
    const { code: ended } = await loop(['run', 'a'], { states: [whole(1, 'completed', result(outcome))] })
    expect(ended).toBe(code)
  })

  it.each(['failed', 'canceled'])('U60 ends with 1 when the task is %s, and says why', async (status) => {
    const error = { code: 'contract_failures', detail: 'no \u009b0mJSON' }
    const { code, out } = await loop(['run', 'a'], { states: [whole(1, status, { error })] })
    expect([code, out.split('\n').slice(-2)]).toEqual([1, [status, 'contract_failures: no 0mJSON']])
  })

  it('U60 counts iterations in session', async () => {
    const argv = ['run', 'a', '--mode', 'session', '--max-steps', '3']
    const { sent } = await loop(argv, { states: [whole(1, 'completed', result('done'))] })
    expect(sent[0]).toContain('"mode":"session","settings":{"max_iterations":3}')
  })

  it('U60 without a terminal says how to answer, and ends with 3', async () => {
    const waits = whole(1, 'input_required', { stop_reason: 'question', pending: QUESTION })
    const { code, out } = await loop(['run', 'a'], { states: [waits] })
    expect(code).toBe(3)
    expect(out).toContain('input_required (question)\n\nHow long?\n  - 30 minutes')
    expect(out).toContain('It goes on with: loop answer task_1 "…"')
  })

  it.each([
    [{ kind: 'approval', request_id: 'a_1', action: null }, 'loop answer task_1 yes', 'input_required'],
    [
      { kind: 'file', request_id: 'f_1', name: 'sales.csv', prompt: 'Please' },
      'loop put task_1 sales.csv',
      'input_required',
    ],
    [{ kind: 'resume', hint: 'continue' }, 'loop answer task_1 continue', 'paused'],
  ])('U60 names the command that lets a task go on: %j', async (pending, command, status) => {
    const { code, out } = await loop(['run', 'a'], { states: [whole(1, status, { pending })] })
    expect([code, out.endsWith(`It goes on with: ${command}`)]).toEqual([3, true])
  })

  it('U60 asks at the terminal, and goes on with the answer', async () => {
    const states = [whole(1, 'input_required', { pending: QUESTION }), whole(2, 'completed', result('done'))]
    const { code, err, asked, sent } = await loop(['run', 'a'], { states, answers: ['45 minutes'] })
    expect([code, asked]).toEqual([0, ['> ']])
    expect(err).toContain('How long?')
    expect(sent).toContain('POST /tasks/task_1/input {"input":"45 minutes","request_id":"q_1"}')
  })

  it('U60 asks for the path of a file, and stores it under the name that is wanted', async () => {
    const pending = { kind: 'file', request_id: 'f_1', name: 'sales.csv', prompt: 'Please upload sales.csv.' }
    const states = [whole(1, 'input_required', { pending }), whole(2, 'completed', result('done'))]
    const { code, asked, sent } = await loop(['run', 'a'], { states, answers: ['data/may.csv'] })
    expect([code, asked]).toEqual([0, ['path> ']])
    expect(sent).toContain('PUT /tasks/task_1/files/sales.csv')
  })

  it('U60 takes an empty answer for none', async () => {
    const states = [whole(1, 'input_required', { pending: QUESTION })]
    for (const answer of ['', null]) expect((await loop(['run', 'a'], { states, answers: [answer] })).code).toBe(3)
  })

  it('U60 with --json has nothing but the task on stdout', async () => {
    const ended = whole(1, 'completed', result('done', '\u009b31m'))
    const { out, err } = await loop(['run', 'a', '--json'], { states: [ended] })
    expect(JSON.parse(out)).toEqual(ended)
    expect(out).not.toContain('\u009b')
    expect(err).toContain('Step 1/1: Add milk')
  })

  it('U60 sends its files along', async () => {
    const argv = ['run', 'a', '--mode', 'autonomous', '--file', 'data/a.csv']
    const { code, sent } = await loop(argv, { states: [whole(1, 'completed', result('done'))] })
    expect([code, sent[0]]).toEqual([0, 'POST /tasks'])
  })
})

describe('U60 the other commands of loop', () => {
  it('U60 answer shows only what is new, and steps a task whose drive is manual', async () => {
    const states = [
      whole(1, 'running', { drive: 'manual' }),
      whole(2, 'completed', { drive: 'manual', ...result('done') }),
    ]
    const waits = whole(0, 'input_required', { drive: 'manual', pending: QUESTION })
    let looks = 0
    const reply = (method: string, path: string) =>
      method === 'GET' && path === '/tasks/task_1' && (looks += 1) === 1 ? json(waits) : null
    const { code, out, sent } = await loop(['answer', 'task_1', '-5 degrees'], { states, reply })
    expect(code).toBe(0)
    expect(out).not.toContain('Step 1/1')
    expect(sent).toContain('POST /tasks/task_1/input {"input":"-5 degrees","request_id":"q_1"}')
    expect(sent).toContain('POST /tasks/task_1/step {}')
  })

  it('U60 watch steps nothing unless it is told to', async () => {
    const states = [
      whole(1, 'running', { drive: 'manual' }),
      whole(2, 'completed', { drive: 'manual', ...result('done') }),
    ]
    const stepped = await loop(['watch', 'task_1', '--step'], { states })
    expect([stepped.code, stepped.sent.includes('POST /tasks/task_1/step {}')]).toEqual([0, true])
    let looks = 0
    const reply = (method: string, path: string) =>
      method === 'GET' && path === '/tasks/task_1' ? json(states[(looks += 1) > 2 ? 1 : 0]) : problem(404, 'not_found')
    const only = (method: string, path: string) => (path.endsWith('/events') ? null : reply(method, path))
    const { code, err, sent } = await loop(['watch', 'task_1'], { states, reply: only })
    expect([code, sent.filter((one) => one.startsWith('POST'))]).toEqual([0, []])
    expect(err).toContain('with --step')
  })

  it('U60 tail prints a line for each event', async () => {
    const reply = () => streamOf([eventText(1), eventText(2, 'task_completed'), END_TEXT])
    const { code, out } = await loop(['tail', 'task_1'], { states: [], reply })
    expect([code, out]).toEqual([0, `1  ${AT}  task_resumed\n2  ${AT}  task_completed`])
    const lines = (await loop(['tail', 'task_1', '--json'], { states: [], reply })).out.split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ seq: 1 }, { seq: 2 }])
  })

  it('U60 list prints so many tasks at most', async () => {
    const entry = (id: string) => ({
      ...whole(1, 'running', { title: null }),
      id,
      goal: `Buy\n${id}`,
      budget: { used: 2, max: 20 },
    })
    const data = [entry('task_1'), entry('task_2'), entry('task_3')]
    const reply = () => json({ data, has_more: true, next_cursor: '3' })
    const { code, out, sent } = await loop(['list', '--limit', '2', '--status', 'running'], { states: [], reply })
    expect([code, out]).toEqual([0, 'task_1  running  -  2/20  Buy task_1\ntask_2  running  -  2/20  Buy task_2'])
    expect(sent).toEqual(['GET /tasks'])
  })

  it('U60 show, cancel and put say what a task has come to', async () => {
    const states = [whole(1, 'canceled')]
    expect(await loop(['show', 'task_1'], { states })).toMatchObject({ code: 0, sent: ['GET /tasks/task_1'] })
    expect(await loop(['cancel', 'task_1'], { states })).toMatchObject({
      code: 0,
      sent: ['POST /tasks/task_1/cancel {}'],
    })
    const put = await loop(['put', 'task_1', 'data/may.csv'], { states: [whole(1, 'completed', result('done'))] })
    expect([put.code, put.sent.includes('PUT /tasks/task_1/files/may.csv')]).toEqual([0, true])
  })

  it('U60 retry makes the task again, and shows it to its end', async () => {
    const states = [{ ...whole(1, 'completed', result('done')), id: 'task_2' }]
    const { code, out, sent } = await loop(['retry', 'task_1', '--drive', 'manual'], { states })
    expect([code, sent[0]]).toEqual([0, 'POST /tasks/task_1/retry {"drive":"manual"}'])
    expect(out).toContain('task_2  plan_execute')
  })
})

describe('U60 a mistake', () => {
  it('U60 of the command line ends with 2, and asks for nothing', async () => {
    const { code, err, sent } = await loop(['rum', 'a'], { states: [] })
    expect([code, sent]).toEqual([2, []])
    expect(err).toBe('error: There is no command "rum". Did you mean "run"?\nloop --help tells more.')
  })

  it('U60 in the address or the key ends with 2', async () => {
    const mistakes: Record<string, string>[] = [{ LOOP_AGENT_URL: 'agent.example' }, { LOOP_AGENT_KEY: 'dev\nkey' }]
    for (const env of mistakes) {
      const { code, err } = await loop(['list'], { states: [], env })
      expect([code, err.startsWith('error: LOOP_AGENT_URL or LOOP_AGENT_KEY: ')]).toEqual([2, true])
    }
  })

  it('U60 that the service refuses ends with 1, and says what it said', async () => {
    const { code, err } = await loop(['show', 'task_1'], { states: [], reply: () => problem(401, 'unauthorized') })
    expect([code, err]).toEqual([
      1,
      'error: GET /tasks/task_1: 401 unauthorized: because of unauthorized\nLOOP_AGENT_KEY has the key.',
    ])
  })

  it('U60 help is printed and ends with 0', async () => {
    expect(await loop(['--help'], { states: [] })).toMatchObject({ code: 0, out: HELP })
  })
})
