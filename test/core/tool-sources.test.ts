/** Sources of tools: their lists are effects of their own, and calls of their tools may be held for a person or for work outside. */
import { describe, expect, it } from 'vitest'
import type { EventOf } from '../../src/core/terms/effect.ts'
import type { ClientTool, ToolSource } from '../../src/core/terms/tools/client-tools.ts'
import type { ClientTools, HeldCall, ToolResult } from '../../src/shell/tool-ports.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  calling,
  closed,
  createTask,
  done,
  journalOf,
  ONE,
  planned,
  say,
  step,
  taken,
  types,
  type Bench,
  type Script,
} from '../support/scripted.ts'
import { forkOf } from '../support/forks.ts'
import { held, journal, MINUTE, outcomes, replied, see, ticket, value } from '../support/held.ts'

const source = (more: object = {}): ToolSource => ({
  kind: 'mcp',
  name: 'tickets',
  headers: {},
  optional: false,
  url: 'https://tickets.example.com/mcp',
  auth: null,
  tools: null,
  on_lost: 'skip',
  ...more,
})
const tool = (name: string, more: Partial<ClientTool> = {}): ClientTool => ({
  name,
  description: `what ${name} does`,
  parameters: { type: 'object', properties: { title: { type: 'string' } } },
  url: 'https://tickets.example.com/mcp',
  idempotent: false,
  call: { kind: 'mcp', source: 0, tool: name.split('.')[1] ?? name, output_schema: null },
  ...more,
})
const listed = (...names: string[]) => ({
  kind: 'tools_listed' as const,
  tools: names.map((name) => tool(name)),
  digest: `digest of ${names.join()}`,
  notes: [],
})
const unlisted = (passing: boolean) => ({
  kind: 'tools_unlisted' as const,
  reason: 'the server answered HTTP 503',
  passing,
  retry_after_ms: null,
})
const returned = (text = 'ticket 7'): ToolResult => ({ ok: true, code: 'tool_result', text })
const asked = (text = 'Which queue?', schema: object | null = QUEUE): HeldCall => ({
  kind: 'tool_asked',
  question: { text, schema: schema as Record<string, unknown> | null },
  state: 'state of the question',
})
const waits = (poll_ms = 5_000): HeldCall => ({ kind: 'tool_waits', state: 'task 9', poll_ms, message: 'half done' })
const QUEUE = {
  type: 'object',
  properties: { queue: { type: 'string', enum: ['bugs', 'ideas'] } },
  required: ['queue'],
}

type Listing = Awaited<ReturnType<ClientTools['list']>>
interface Outside extends ClientTools {
  lists: number[]
  runs: { tool: string; input: string; held: unknown }[]
  dropped: { tool: string; state: string }[]
}
/** A server that gives these lists and results, in order. */
function outsideOf(lists: Listing[], results: (ToolResult | HeldCall)[] = []): Outside {
  const outside: Outside = {
    lists: [],
    runs: [],
    dropped: [],
    run(one, _sources, input, { held: from }) {
      outside.runs.push({ tool: one.name, input, held: from })
      const result = results.shift()
      if (result === undefined) throw new Error('no more results')
      return Promise.resolve(result)
    },
    list({ position }) {
      outside.lists.push(position)
      const list = lists.shift()
      if (list === undefined) throw new Error('no more lists')
      return Promise.resolve(list)
    },
    abandon({ tool: one, state }) {
      outside.dropped.push({ tool: one.name, state })
      return Promise.resolve()
    },
  }
  return outside
}
const INPUT = '{"title":"broken"}'
const script = (more: Partial<Script> = {}): Script => ({
  plan: [planned('A')],
  thought: [act(INPUT, 'tickets.create'), done('made')],
  replan: [closed()],
  ...more,
})
const create = (bench: Bench, bounds = ALL, more: Parameters<typeof createTask>[3] = {}) =>
  createTask(bench, {}, bounds, { sources: [source()], ...more })
const kinds = async (bench: Bench, id: string) => (await journalOf(bench, id)).map(({ kind }) => kind)

describe('Lists of tools', () => {
  it('U49 a source is listed by a row of its own before the first effect, at no step, and its tools are offered from then on', async () => {
    const outside = outsideOf([listed('tickets.create', 'tickets.close')], [returned()])
    const bench = benchOf(script(), { client_tools: outside })
    const task = await create(bench)
    expect(task.status).toBe('completed')
    expect(task.tools).toEqual(expect.arrayContaining(['tickets.create', 'tickets.close']))
    const rows = await journalOf(bench, task.id)
    expect(rows.map(({ kind }) => kind)).toEqual([
      'task_created',
      'list_tools',
      'call_model',
      'call_model',
      'run_tool',
      'call_model',
      'call_model',
    ])
    expect(rows[1]).toMatchObject({
      counted: false,
      outcome: 'ok',
      request: { source: 'tickets' },
      reply: { tools: ['tickets.create', 'tickets.close'], digest: 'digest of tickets.create,tickets.close' },
    })
    expect(outside.runs).toEqual([{ tool: 'tickets.create', input: INPUT, held: undefined }])
    expect(bench.requests[0]?.messages[0]?.content).toContain('tickets.close: what tickets.close does')
    bench.spent()
  })

  it('U49 a model that calls a tool by the name that wires take gets the tool', async () => {
    const outside = outsideOf([listed('tickets.create')], [returned()])
    const turns = [calling('', ['tickets_create', { title: 'broken' }]), 'It is done.']
    const bench = benchOf({ turn: turns }, { client_tools: outside })
    const task = await create(bench, ALL, { mode: 'session' })
    expect(task.status).toBe('completed')
    expect(outside.runs.map(({ tool: name }) => name)).toEqual(['tickets.create'])
  })

  it('U49 a replay and a fork see the list of the row and ask no source', async () => {
    const outside = outsideOf([listed('tickets.create')], [returned()])
    const bench = benchOf(
      script({ thought: [act(INPUT, 'tickets.create'), done('made'), done('other')], replan: [closed(), closed()] }),
      {
        client_tools: outside,
      },
    )
    const task = await create(bench)
    const replay = await bench.service.replayTask(CALLER, task.id)
    expect(replay.ok && replay.value).toMatchObject({ equal: true, first_difference: null })
    const fork = await forkOf(bench, task.id, { at: 5 })
    const ended = await step(bench, fork.id, ALL)
    expect(ended).toMatchObject({ status: 'completed' })
    expect(ended.tools).toContain('tickets.create')
    expect(outside.lists).toEqual([0])
  })

  it('U49 a source that cannot be listed is asked three times with growing waits, and then pauses the task', async () => {
    const outside = outsideOf([unlisted(true), unlisted(true), unlisted(true), listed('tickets.create')], [returned()])
    const bench = benchOf(script(), { client_tools: outside })
    const { id, retry_after_ms, status } = await create(bench, ONE)
    expect([status, retry_after_ms]).toEqual(['running', 1_000])
    expect((await step(bench, id)).retry_after_ms).toBe(2_000)
    const paused = await step(bench, id)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'tools_unavailable', step_count: 0 })
    expect(paused.handover?.unfinished_reason).toContain('HTTP 503')
    expect(types(paused)).toEqual(['tools_unavailable', 'task_paused'])
    expect((await say(bench, id, 'continue', ALL)).status).toBe('completed')
  })

  it('U49 a failure that lasts pauses the task at once, and an optional source is gone without', async () => {
    const lasting = benchOf(script(), { client_tools: outsideOf([unlisted(false)]) })
    expect(await create(lasting, ONE)).toMatchObject({ status: 'paused', stop_reason: 'tools_unavailable' })
    const outside = outsideOf([unlisted(false)])
    const bench = benchOf(script({ thought: [done('without')] }), { client_tools: outside })
    const task = await create(bench, ALL, { sources: [source({ optional: true })] })
    expect(task.status).toBe('completed')
    expect(task.tools.some((name) => name.startsWith('tickets'))).toBe(false)
  })

  it('U49 a list that changed is noted, and taken when the task goes on after a stop', async () => {
    const outside = outsideOf(
      [listed('tickets.create'), listed('tickets.create', 'tickets.merge')],
      [{ ...returned(), list_changed: true }],
    )
    const bench = benchOf(
      { turn: [calling('', ['tickets.create', {}]), 'Done.', 'Hello again.'] },
      { client_tools: outside },
    )
    const first = await create(bench, ALL, { mode: 'session' })
    expect(first.tools).not.toContain('tickets.merge')
    const second = await say(bench, first.id, 'and now?', ALL)
    expect(second.tools).toContain('tickets.merge')
    expect(outside.lists).toEqual([0, 0])
  })

  it('U49 D4 a list whose worker was lost is fetched again under its key, and is given up after three', async () => {
    const one = held({}, [], [source()])
    for (const slice of ['again', 'once more']) {
      one.here.now_ms += MINUTE
      expect(value(one.task.begin(ticket(slice))).assignment).toMatchObject({
        key: 'task_1:2',
        work: { kind: 'list_tools' },
      })
    }
    one.here.now_ms += MINUTE
    expect(value(one.task.begin(ticket('last'))).assignment).toBeNull()
    expect(outcomes(one)).toEqual(['task_created', 'outcome_unknown'])
    expect(see(one)).toMatchObject({ status: 'running', retry_after_ms: 1_000, step_count: 0 })
  })

  it('U50 D4 a call without a hint whose worker was lost is asked about where the source says so, and made again only if a person wants it', () => {
    const lost = (on_lost: 'ask' | 'skip') => {
      const one = held({}, [], [source({ on_lost })])
      value(one.task.commit(2, listed('tickets.create'), ticket('s1')))
      value(one.task.commit(3, replied(planned('A')), ticket('s1')))
      value(one.task.commit(4, replied(act(INPUT, 'tickets.create')), ticket('s1')))
      one.here.now_ms += MINUTE
      return { one, next: value(one.task.begin(ticket('later'))) }
    }
    expect(lost('skip').next.assignment?.work.kind).toBe('call_model')
    const { one, next } = lost('ask')
    expect(next.assignment).toBeNull()
    expect(see(one)).toMatchObject({
      status: 'input_required',
      pending: { request_id: 'tool_5', choices: ['repeat', 'skip'] },
    })
    const told = (text: string) => value(one.task.tell({ kind: 'input', text, request_id: null }, ticket('told')))
    expect(told('repeat').assignment).toMatchObject({
      key: 'task_1:7',
      work: { tool: 'tickets.create', held: undefined },
    })
    expect(journal(one).map(({ outcome, kind }) => outcome ?? kind)).toContain('outcome_unknown')
    const other = lost('ask').one
    const skipped = value(other.task.tell({ kind: 'input', text: 'skip', request_id: null }, ticket('told')))
    expect(skipped.assignment).toMatchObject({
      work: { kind: 'run_tool', refused: expect.stringContaining('outcome unknown') },
    })
  })
})

describe('Held calls', () => {
  it('U50 a tool that asks makes the task wait for a person, and goes on with the answer under the same action and one step', async () => {
    const outside = outsideOf([listed('tickets.create')], [asked(), returned()])
    const bench = benchOf(script(), { client_tools: outside })
    const waiting = await create(bench)
    expect(waiting).toMatchObject({
      status: 'input_required',
      stop_reason: 'question',
      pending: {
        kind: 'question',
        request_id: 'tool_5',
        question: 'tickets.create asks: Which queue?',
        response_schema: QUEUE,
        choices: null,
      },
    })
    const steps = waiting.step_count
    const ended = await say(bench, waiting.id, 'bugs', ALL)
    expect(ended.status).toBe('completed')
    expect(outside.runs[1]).toEqual({
      tool: 'tickets.create',
      input: INPUT,
      held: { state: 'state of the question', answer: { action: 'accept', content: { queue: 'bugs' } } },
    })
    expect(ended.counters.actions).toBe(1)
    expect(steps).toBe(1)
    expect(await kinds(bench, ended.id)).toEqual(
      expect.arrayContaining(['task_created', 'list_tools', 'run_tool', 'tool_answered', 'run_tool']),
    )
    const replay = await bench.service.replayTask(CALLER, ended.id)
    expect(replay.ok && replay.value.equal).toBe(true)
  })

  it.each([
    ['an answer of no member', 'other', 422],
    ['a JSON answer that does not fit', '{"queue":"x"}', 422],
  ])('U50 %s is refused and the question stays open', async (_, text) => {
    const bench = benchOf(script(), { client_tools: outsideOf([listed('tickets.create')], [asked()]) })
    const { id } = await create(bench)
    const refused = await bench.service.inputTask(CALLER, id, text, null, ALL)
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: 'validation_failed', errors: [{ pointer: '/input' }] },
    })
    expect(taken(await bench.service.getTask(CALLER, id)).status).toBe('input_required')
  })

  it.each([
    ['decline', QUEUE, { action: 'decline', content: null }],
    ['accept', null, { action: 'accept', content: null }],
    ['{"queue":"ideas"}', QUEUE, { action: 'accept', content: { queue: 'ideas' } }],
  ])('U50 a person may answer %s', async (text, schema, answer) => {
    const outside = outsideOf([listed('tickets.create')], [asked('?', schema), returned()])
    const bench = benchOf(script(), { client_tools: outside })
    const { id } = await create(bench)
    expect((await say(bench, id, text, ALL)).status).toBe('completed')
    expect(outside.runs[1]?.held).toEqual({ state: 'state of the question', answer })
  })

  it('U50 D4 a call that was lost while it went on goes on from there if a person wants it, and else its server is told', () => {
    const lost = () => {
      const one = held({}, [], [source({ on_lost: 'ask' })])
      value(one.task.commit(2, listed('tickets.create'), ticket('s1')))
      value(one.task.commit(3, replied(planned('A')), ticket('s1')))
      value(one.task.commit(4, replied(act(INPUT, 'tickets.create')), ticket('s1')))
      value(one.task.commit(5, asked() as EventOf<'tool_asked'>, ticket('s1')))
      const told = value(one.task.tell({ kind: 'input', text: 'bugs', request_id: null }, ticket('s2')))
      expect(told.assignment).toMatchObject({ work: { held: GOES_ON } })
      one.here.now_ms += MINUTE
      expect(value(one.task.begin(ticket('later'))).assignment).toBeNull()
      return (text: string) => value(one.task.tell({ kind: 'input', text, request_id: null }, ticket('s3')))
    }
    const GOES_ON = { state: 'state of the question', answer: { action: 'accept', content: { queue: 'bugs' } } }
    expect(lost()('repeat').assignment).toMatchObject({ work: { kind: 'run_tool', held: GOES_ON } })
    const skipped = lost()('skip')
    expect(skipped.assignment).toMatchObject({ work: { refused: expect.stringContaining('outcome unknown') } })
  })

  it('U50 a tool that works on outside is looked at again when its time has come, and costs one step', async () => {
    const outside = outsideOf([listed('tickets.create')], [waits(5_000), waits(5_000), returned('done at last')])
    const bench = benchOf(script(), { client_tools: outside })
    const waiting = await create(bench)
    expect(waiting).toMatchObject({
      status: 'waiting_external',
      stop_reason: 'tool',
      pending: { kind: 'tool', tool: 'tickets.create', message: 'half done' },
      retry_after_ms: 5_000,
    })
    const early = taken(await bench.service.stepTask(CALLER, waiting.id, ALL))
    expect([early.status, outside.runs.length]).toEqual(['waiting_external', 1])
    expect((await step(bench, waiting.id, ALL)).status).toBe('waiting_external')
    const ended = await step(bench, waiting.id, ALL)
    expect(ended.status).toBe('completed')
    expect(outside.runs.map(({ held: from }) => from)).toEqual([
      undefined,
      { state: 'task 9', answer: null },
      { state: 'task 9', answer: null },
    ])
    expect(ended.counters).toMatchObject({ actions: 1, successful_actions: 1 })
    const replay = await bench.service.replayTask(CALLER, ended.id)
    expect(replay.ok && replay.value.equal).toBe(true)
  })

  it('U50 a tool that works on beyond report_timeout_s is given up, and its server is told', async () => {
    const outside = outsideOf([listed('tickets.create')], [waits(), waits()])
    const bench = benchOf(script(), { client_tools: outside })
    const { id } = await createTask(bench, { report_timeout_s: 60 }, ALL, { sources: [source()] })
    bench.clock.now += 120_000
    const ended = await step(bench, id, ALL)
    expect(ended.status).toBe('completed')
    expect((await journalOf(bench, id)).find(({ reply }) => JSON.stringify(reply)?.includes('"refused"'))).toBeDefined()
    expect(outside.dropped).toEqual([{ tool: 'tickets.create', state: 'task 9' }])
  })

  it('U50 a cancel is passed on to the server of a held call', async () => {
    const outside = outsideOf([listed('tickets.create')], [waits()])
    const bench = benchOf(script(), { client_tools: outside })
    const { id } = await create(bench)
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' })).status).toBe('canceled')
    expect(outside.dropped).toEqual([{ tool: 'tickets.create', state: 'task 9' }])
  })
})

describe('Names of listed tools', () => {
  it('U49 no listed tool has a name that could be taken for another tool, in any spelling', async () => {
    const lists = [
      { ...listed(), tools: [tool('read.file'), tool('ask.user'), tool('a.b_c')] },
      { ...listed(), tools: [tool('a_b.c'), tool('a_b.book_room')] },
    ]
    const outside = outsideOf(lists, [returned()])
    const sources = [source({ name: 'read' }), source({ name: 'a_b' })]
    const bench = benchOf(script({ thought: [act(INPUT, 'read_file_2'), done('made')] }), { client_tools: outside })
    const own = {
      name: 'a_b_book_room',
      description: '',
      parameters: null,
      url: 'https://x.example/',
      idempotent: false,
    }
    const task = await create(bench, ALL, { sources, tools: [own] })
    expect(task.tools.filter((name) => name.includes('.'))).toEqual([
      'read.file_2',
      'ask.user_2',
      'a.b_c',
      'a_b.c_2',
      'a_b.book_room_2',
    ])
    expect(outside.runs.map(({ tool: name }) => name)).toEqual(['read.file_2'])
    expect((await bench.service.replayTask(CALLER, task.id)).ok).toBe(true)
  })

  it('U15 a tool that a person has approved is called as it was listed then, also after a stop', async () => {
    const changed = { ...listed(), tools: [tool('tickets.create', { url: 'https://other.example.com/mcp' })] }
    const outside = outsideOf(
      [listed('tickets.read', 'tickets.create'), changed],
      [{ ...returned(), list_changed: true }, returned()],
    )
    const thought = [act('{}', 'tickets.read'), act(INPUT, 'tickets.create'), done('made')]
    const bench = benchOf(script({ thought }), { client_tools: outside })
    const task = await createTask(bench, { approve: { tools: ['tickets.create'] } }, ALL, { sources: [source()] })
    expect(task.pending?.kind).toBe('approval')
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    await bench.service.tellTask(CALLER, task.id, { kind: 'resume' })
    expect((await say(bench, task.id, 'yes', ALL)).status).toBe('completed')
    expect(outside.lists).toEqual([0])
  })
})

describe('U15 approval by tool', () => {
  const OWN: ClientTool = {
    name: 'book_room',
    description: '',
    parameters: null,
    url: 'https://x.example/',
    idempotent: false,
  }
  const ORDER: ClientTool = {
    ...OWN,
    name: 'orders',
    call: {
      kind: 'http',
      method: 'GET',
      path: [],
      query: [],
      headers: [],
      cookies: [],
      body: null,
      answer: null,
      selects: false,
    },
  }
  const asks = async (patterns: string[], name: string, more: Partial<ClientTool> = {}) => {
    const list = { ...listed(), tools: [tool('tickets.create', more)] }
    const outside = outsideOf([list], [returned()])
    const bench = benchOf(script({ thought: [act(INPUT, name), done('made')] }), { client_tools: outside })
    const given = { sources: [source()], tools: [OWN, ORDER] }
    const task = await createTask(bench, { approve: { tools: patterns } }, ALL, given)
    return task.status === 'input_required' && task.stop_reason === 'approval'
  }

  it.each([
    ['tickets.*', 'tickets.create', {}, true],
    ['TICKETS.Create', 'tickets.create', {}, true],
    ['*', 'tickets.create', {}, true],
    ['*create', 'tickets.create', {}, true],
    ['t*.c*e', 'tickets.create', {}, true],
    ['t*t*t*t*', 'tickets.create', {}, false],
    ['tickets', 'tickets.create', {}, false],
    ['create', 'tickets.create', {}, false],
    ['tickets_*', 'tickets.create', {}, true],
    ['tickets_create', 'tickets.create', {}, true],
    ['http:POST', 'tickets.create', {}, false],
    ['http:POST', 'book_room', {}, true],
    ['http:GET', 'orders', {}, true],
    ['http:*', 'orders', {}, true],
    ['http:POST', 'orders', {}, false],
    ['hint:destructive', 'tickets.create', { destructive: true }, true],
    ['hint:destructive', 'tickets.create', {}, false],
    ['hint:acts', 'tickets.create', {}, true],
    ['hint:acts', 'tickets.create', { read_only: true }, false],
  ])('%s and a call of %s (%j): asked is %s', async (pattern, name, more, expected) => {
    expect(await asks([pattern], name, more)).toBe(expected)
    expect(await asks(['other', pattern], name, more)).toBe(expected)
  })

  it('an approved call is made once, and a call of another tool is not asked about', async () => {
    const outside = outsideOf([listed('tickets.create', 'tickets.read')], [returned(), returned()])
    const thought = [act('{}', 'tickets.read'), act(INPUT, 'tickets.create'), done('made')]
    const bench = benchOf(script({ thought }), { client_tools: outside })
    const task = await createTask(bench, { approve: { tools: ['tickets.create'] } }, ALL, { sources: [source()] })
    expect(task.pending).toMatchObject({ kind: 'approval', action: { tool: 'tickets.create', input: INPUT } })
    expect(outside.runs.map(({ tool: name }) => name)).toEqual(['tickets.read'])
    expect((await say(bench, task.id, 'yes', ALL)).status).toBe('completed')
    expect(outside.runs.map(({ tool: name }) => name)).toEqual(['tickets.read', 'tickets.create'])
  })
})
