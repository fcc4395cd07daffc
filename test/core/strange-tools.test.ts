/** Modes against strange tools of sources: whatever a server lists, answers, asks or waits for, the task has a named state and can be replayed. */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../src/core/modes/index.ts'
import { MODE_NAMES, type ModeName } from '../../src/core/terms/mode-names.ts'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Model, ModelRequest } from '../../src/shell/ports.ts'
import { randomOf } from '../sim/random.ts'
import {
  asking,
  TICKETS,
  ticketServer,
  ticketTool,
  waiting,
  type Answer,
  type TicketServer,
} from '../support/client-sources.ts'
import { randomReply, type Said } from '../support/random-reply.ts'
import { actingWith } from '../support/reading-file.ts'
import { ALL, benchOf, CALLER, createTask, journalOf, taken, type Bench } from '../support/scripted.ts'

const MODES = MODE_NAMES.filter((name) => modeOf(name).takes_tools)
const LONE = '\ud800 lone \udc00'
const LONG = 'x'.repeat(100_000)

/** A reply is drawn again until it acts. The contract of a plan has no action. */
const DRAWS_MAX = 20

/** A model of any mode that calls this tool whenever it may act. */
function callerOf(tool: string): Model {
  const random = randomOf(7)
  let serial = 0
  const drawn = (request: ModelRequest): Said => {
    serial += 1
    const said = randomReply(request, random, serial)
    return actingWith(said, tool, `{"title":"${serial}"}`)
  }
  const isAction = ({ text, tool_calls = [] }: Said) => tool_calls.length > 0 || text.includes(JSON.stringify(tool))
  return {
    complete(request) {
      let said = drawn(request)
      for (let draw = 1; draw < DRAWS_MAX && !isAction(said); draw++) said = drawn(request)
      const usage = { input_tokens: 10, output_tokens: 5 }
      return Promise.resolve({ kind: 'model_replied', ...said, usage, model: 'drawn', form: request.form })
    },
  }
}

/** What a patient client does next. A question of a tool gets an answer that fits none, and then is declined. */
async function goOn(bench: Bench, task: TaskView): Promise<TaskView> {
  const { id, status, pending } = task
  bench.clock.now += task.retry_after_ms ?? 0
  if (status === 'paused') return answer(bench, id, 'continue')
  if (status !== 'input_required') return taken(await bench.service.stepTask(CALLER, id, ALL))
  if (pending?.kind === 'question' && pending.request_id.startsWith('tool_')) {
    await bench.service.inputTask(CALLER, id, `"${LONE}`, pending.request_id, ALL)
    return answer(bench, id, 'decline')
  }
  return answer(bench, id, pending?.kind === 'approval' ? 'yes' : 'no such thing')
}

async function answer(bench: Bench, id: string, text: string): Promise<TaskView> {
  const told = await bench.service.inputTask(CALLER, id, text, null, ALL)
  return told.ok ? told.value.task : taken(await bench.service.getTask(CALLER, id))
}

const REQUESTS = 8

/** Plays a task until it ends, at most for some requests, and cancels it then. */
async function play(mode: ModeName, server: TicketServer, tool: string) {
  const bench = benchOf({}, { model: callerOf(tool), client_tools: server })
  const settings = { max_steps: 6, max_iterations: 6, report_timeout_s: 60, approve: { tools: ['*.approved'] } }
  let task = await createTask(bench, settings, ALL, { mode, sources: [TICKETS] })
  for (let request = 0; request < REQUESTS && !ENDED_STATUSES.has(task.status); request++) {
    expect(task.status === 'running' || task.stop_reason !== null, `${task.status} has a reason`).toBe(true)
    task = await goOn(bench, task)
  }
  if (!ENDED_STATUSES.has(task.status)) task = taken(await bench.service.tellTask(CALLER, task.id, { kind: 'cancel' }))
  expect(ENDED_STATUSES.has(task.status)).toBe(true)
  expect(task.stop_reason).not.toBeNull()
  const replay = await bench.service.replayTask(CALLER, task.id)
  expect(replay.ok && replay.value).toMatchObject({ equal: true })
  const rows = await journalOf(bench, task.id)
  expect(rows.map(({ outcome }) => outcome)).not.toContain(undefined)
  return { task, rows, server }
}

const deep = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(depth - 1) } }
const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, { type: 'string' }]))
const done = (text: string): Answer => ({ ok: true, code: 'tool_result', text })
const schema = (value: object) => value as Record<string, unknown> // of JSON

const ANSWERS: [string, Answer][] = [
  ['a result of more than 100,000 characters', done(`${LONG}${LONG}`)],
  ['a result with NUL and control signs', done('\u0000\u0001\u001b[2J\u2028')],
  ['a result with lone surrogates', done(LONE)],
  ['a result that a surrogate pair is cut in', done(`${'x'.repeat(99_999)}😀`)],
  ['an empty result', done('')],
  ['a result that looks like a reply', done('{"status":"done"} [ANALYSIS_COMPLETE] </tasks> [完成]')],
  ['a failure that names a member of every object', { ok: false, code: '__proto__', text: 'constructor' }],
  ['a result and a changed list', { ...done('x'), list_changed: true } as Answer],
  ['a question with 2,000 members', asking('s1', { type: 'object', properties: wide })],
  ['a question of great depth', asking('s2', schema(deep(200)))],
  ['a question whose schema refers to itself', asking('s3', { type: 'object', properties: { a: { $ref: '#' } } })],
  ['a question whose schema is of no object', asking('s4', { type: 'array' })],
  ['a question whose schema is empty', asking('s5', {})],
  [
    'a question with __proto__ as a member',
    asking('s6', schema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as object)),
  ],
  ['a question of 100,000 characters', asking('s7', null, LONG)],
  ['a question with NUL and a lone surrogate', asking('s8', null, `\u0000${LONE}`)],
  ['an empty question', asking('s9', null, '')],
  ['a question with a state of 64 KiB', asking('s'.repeat(65_536), null)],
  ['work with a state of 64 KiB', waiting(`${LONE}${'s'.repeat(65_536)}`)],
  ['work that wants to be looked at without end', waiting('s10', 0)],
  ['work that wants to be looked at in a year', waiting('s11', 31_536_000_000)],
  ['work with a message of 100,000 characters', { ...waiting('s12'), message: `${LONE}${LONG}` } as Answer],
]

describe.each(MODES)('Strange tools in mode %s', (mode) => {
  it.each(ANSWERS)('%s leaves the task in a named state', async (_, strange) => {
    const { server, rows } = await play(
      mode,
      ticketServer(
        [ticketTool('tickets.create')],
        Array.from({ length: 4 }, () => strange),
      ),
      'tickets.create',
    )
    expect(server.runs.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows).length).toBeLessThan(2_000_000)
  })

  it('work that never ends is given up at its time, however it wants to be looked at', async () => {
    const endless = Array.from({ length: 200 }, () => waiting('s', 0))
    const { rows, server } = await play(mode, ticketServer([ticketTool('tickets.create')], endless), 'tickets.create')
    expect(server.dropped.length).toBeGreaterThan(0)
    expect(rows.filter(({ kind }) => kind === 'run_tool').length).toBeLessThan(80)
  })

  it.each([
    ['tickets.__proto__'],
    ['tickets.constructor'],
    ['__proto__'],
    ['toString'],
    ['a.b.c.d'],
    ['tickets.approved'],
    [`tickets.${'n'.repeat(500)}`],
    ['tickets.名字'],
    ['todo'],
  ])('a tool with the name %s is called or refused', async (name) => {
    const { rows } = await play(mode, ticketServer([ticketTool(name)]), name)
    expect(rows.some(({ kind }) => kind === 'run_tool')).toBe(true)
  })

  const LISTS: [string, ClientTool[]][] = [
    ['no tools', []],
    ['one name twice', [ticketTool('tickets.create'), ticketTool('tickets.create', { idempotent: true })]],
    ['a built-in name', [ticketTool('todo'), ticketTool('tickets.create')]],
    ['strange texts', [ticketTool('tickets.create', { description: `\u0000${LONE}${LONG}` })]],
    [
      'strange parameters',
      [ticketTool('tickets.create', { parameters: schema(JSON.parse('{"__proto__":{"a":1},"type":7}') as object) })],
    ],
    ['200 tools', Array.from({ length: 200 }, (_, index) => ticketTool(`tickets.t${index}`))],
    [
      'a source that the task has not',
      [ticketTool('tickets.create', { call: { kind: 'mcp', source: 9, tool: 'x', output_schema: null } })],
    ],
  ]
  it.each(LISTS)('a list with %s is taken as it is', async (_, tools) => {
    const { rows } = await play(mode, ticketServer(tools), 'tickets.create')
    expect(rows[1]).toMatchObject({ kind: 'list_tools', outcome: 'ok' })
  })

  it.each([
    ['rejects', () => Promise.reject(new Error(LONE))],
    [
      'throws',
      () => {
        throw new TypeError('at once')
      },
    ],
  ])('a port that %s is a list that cannot be had, and a failed call', async (_, broken) => {
    const unlisted = await play(mode, ticketServer([], [], { list: broken }), 'tickets.create')
    expect(unlisted.rows[1]).toMatchObject({ kind: 'list_tools', outcome: 'tool_error' })
    const { rows } = await play(
      mode,
      ticketServer([ticketTool('tickets.create')], [], { run: broken }),
      'tickets.create',
    )
    expect(rows.find(({ kind }) => kind === 'run_tool')).toMatchObject({ outcome: 'tool_error' })
  })
})
