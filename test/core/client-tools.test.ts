/** Tools of a client in a task: what the model is offered, what is run, and what becomes of a call whose worker is lost (D4). */
import { describe, expect, it } from 'vitest'
import { resolveToolName, type ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import { offeredTools } from '../../src/core/engine/tools/offered-tools.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { toolInputOf } from '../../src/core/mode/tools.ts'
import { forecast } from '../../src/core/engine/forecast/forecast.ts'
import { held, MINUTE, journal, outcomes, replied, returned, see, seqOf, ticket, value } from '../support/held.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  MANUAL,
  ONE,
  planned,
  rowsOf,
  type Bench,
  clientToolsOf,
} from '../support/scripted.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'

const PARAMETERS = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] }
const tool = (name: string, more: Partial<ClientTool> = {}): ClientTool => ({
  name,
  description: `what ${name} does`,
  parameters: PARAMETERS,
  url: 'https://example.com/tools?token=canary',
  idempotent: false,
  ...more,
})
const names = (tools: ClientTool[]) => offeredTools({ mode: 'plan_execute', tools }).map(({ name }) => name)
/** What the mode offers by itself, in the order in which it is offered. */
const OWN = names([])
/** The section about tools, which ends the system message of every phase. */
const toolsShown = (request: ModelRequest | undefined) => request?.messages[0]?.content.split('\n# Tools\n')[1] ?? ''
const namesShown = (shown: string) => Array.from(shown.matchAll(/^- (\w+): /gm), ([, name]) => name)
const parametersShown = (shown: string) => Array.from(shown.matchAll(/^ {2}(\{.*)$/gm), ([, schema]) => schema)
const parametersOfOwn = () =>
  offeredTools({ mode: 'plan_execute', tools: [] }).flatMap(({ signature = [] }) => signature)
const BOOK = '{"room":"Oak"}'
const SCRIPT = { plan: [planned('A')], thought: [act(BOOK, 'book_room'), done('a')], replan: [closed()] }
const inFull = (bench: Bench, tools: ClientTool[], bounds = ALL) => createTask(bench, {}, bounds, { tools })

describe('Tools: what is offered', () => {
  it('a client’s tools come behind those of the mode, in their order', () => {
    expect(names([tool('b'), tool('a')])).toEqual([...OWN, 'b', 'a'])
    expect(OWN.toSorted()).toEqual(modeOf('plan_execute').tools.toSorted())
  })

  it.each([
    ['functions.book_room', 'Book_Room'],
    ['Tools.book_room', 'Book_Room'],
    ['book_room()', 'Book_Room'],
    ['book room', 'Book_Room'],
    ['bookRoom', 'Book_Room'],
    ['BOOK-ROOM', 'Book_Room'],
    ['functions.todo', 'todo'],
    ['book_a_room', 'book_a_room'],
  ])('a name may have the signs around it that models write: %s means %s', (given, name) => {
    expect(resolveToolName([tool('Book_Room')], given)).toBe(name)
  })

  it.each(['schedule', 'Schedule'])('an entry with a built-in’s name (%s) replaces it, in its place', async (name) => {
    const tools = [tool('a'), tool(name)]
    const expected = [...OWN.map((own) => (own === 'schedule' ? name : own)), 'a']
    expect(names(tools)).toEqual(expected)
    const script = { ...SCRIPT, thought: [act(BOOK, 'schedule'), done()] }
    const ran: string[] = []
    const client_tools = clientToolsOf(({ name }) => ({
      name,
      run: async () => (ran.push(name), { ok: true, text: '', code: 'x' }),
    }))
    const bench = benchOf(script, { client_tools })
    const task = await inFull(bench, tools)
    expect([task.tools, ran, bench.calls]).toEqual([expected, [name], []])
    bench.spent()
  })

  it('the model sees an object with properties, even if the client left them out', () => {
    const [bare, open] = offeredTools({
      mode: 'plan_execute',
      tools: [tool('a', { parameters: null }), tool('b', { parameters: { type: 'object', title: 'T' } })],
    }).slice(-2)
    expect(bare?.parameters).toEqual({ type: 'object', properties: {} })
    expect(open?.parameters).toEqual({ type: 'object', properties: {}, title: 'T' })
  })

  it('the input of a native call is the JSON of its arguments', () => {
    const card = offeredTools({ mode: 'plan_execute', tools: [tool('a')] }).at(-1)
    expect(toolInputOf(card, '{"room": "Oak"}')).toBe('{"room": "Oak"}')
  })

  it('the prompts of plan and thought show parameters and say that the input is the JSON of the arguments', async () => {
    const bench = benchOf(SCRIPT)
    await inFull(bench, [tool('book_room')], ONE)
    for (const request of bench.requests) {
      const shown = toolsShown(request)
      expect(shown).toContain(`\n- book_room: what book_room does\n  ${JSON.stringify(PARAMETERS)}\n`)
      expect(parametersShown(shown)).toEqual([...parametersOfOwn(), JSON.stringify(PARAMETERS)])
      expect(shown).toContain('JSON object of its arguments')
      expect(JSON.stringify(request)).not.toContain('canary')
    }
    expect(bench.requests).toHaveLength(2)
  })

  it('a task without tools of its own is asked as before, and one task’s tools are not offered to another', async () => {
    const bench = benchOf({ plan: [planned('A'), planned('A')], thought: [act(BOOK, 'book_room')] })
    await createTask(bench, {}, undefined, { tools: [tool('book_room')] })
    const other = await createTask(bench, {}, ONE)
    const shown = toolsShown(bench.requests.at(-1))
    expect([other.tools, namesShown(shown)]).toEqual([OWN, OWN])
    expect(parametersShown(shown)).toEqual(parametersOfOwn())
    expect(bench.calls).toEqual([])
    expect(other).toMatchObject({ counters: { failed_actions: 1 } })
    expect(rowsOf(bench, other.id).at(-1)?.event).toMatchObject({
      code: 'not_offered',
      text: expect.stringContaining('"book_room" is not offered'),
    })
  })
})

describe('Tools: what is run', () => {
  it.each([
    ['as it is named', 'Book-Room'],
    ['in lower case (O0-04)', 'book-room'],
    ['without its signs', 'bookRoom'],
  ])('a tool is found %s, and shown by its own name', async (_how, said) => {
    const bench = benchOf({ ...SCRIPT, thought: [act(BOOK, said), done()] })
    const task = await inFull(bench, [tool('Book-Room')])
    expect(bench.calls).toEqual([{ tool: 'Book-Room', input: BOOK, key: `${task.id}:4` }])
    const shown = task.slice?.events
      .filter(({ type }) => type.startsWith('action_'))
      .map(({ payload }) => payload['tool'])
    expect(shown).toEqual(['Book-Room', 'Book-Room'])
  })

  it('arguments that a thought writes as an object are their JSON', async () => {
    const thought = { ...act('', 'book_room'), next_action: { tool: 'book_room', input: { room: 'Oak' } } }
    const bench = benchOf({ ...SCRIPT, thought: [thought, done()] })
    await inFull(bench, [tool('book_room')])
    expect(bench.calls).toMatchObject([{ tool: 'book_room', input: BOOK }])
    bench.spent()
  })

  it('a dry run keeps them: its plan is made with them, and their names are shown', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const brief = {
      ...MANUAL,
      goal: 'g',
      mode: 'plan_execute',
      settings: DEFAULT_SETTINGS,
      locale: 'en' as const,
      timezone: 'UTC',
      metadata: {},
    }
    const task = { ...brief, tools: [tool('book_room')] }
    const planning = await bench.service.dryRun(CALLER, task)
    expect(planning).toMatchObject({
      value: { planned: { tools: [...OWN, 'book_room'] } },
    })
    expect(namesShown(toolsShown(bench.requests[0]))).toEqual([...OWN, 'book_room'])
    expect(JSON.stringify(planning)).not.toContain('canary')
    expect(planning).toMatchObject({
      value: { planned: { forecast: forecast(task, 1, [], { prices: bench.ports.prices, now_ms: 0 }) } },
    })
  })

  it('U25 a task shows the names of its tools, no address; nor do its events and its journal', async () => {
    const bench = benchOf(SCRIPT)
    const task = await inFull(bench, [tool('book_room')])
    const [listed, events, ledger] = [
      await bench.service.listTasks(
        CALLER,
        { status: null, mode: null, metadata: {}, q: null, outcome: null },
        { limit: 9, after: 0 },
      ),
      await bench.service.listEvents(CALLER, task.id, { limit: 99, after: 0 }),
      await bench.service.listJournal(CALLER, task.id, { limit: 99, after: 0 }),
    ]
    expect(task.tools).toContain('book_room')
    expect(JSON.stringify([task, listed, events, ledger])).not.toContain('canary')
  })

  it('a journal of a task with tools folds to its heads, and its requests are rebuilt exactly', async () => {
    const bench = benchOf(SCRIPT)
    const { id } = await inFull(bench, [tool('book_room')])
    const page = await bench.service.listJournal(CALLER, id, { limit: 99, after: 0 })
    const asked = page.ok ? page.value.data.filter(({ kind }) => kind === 'call_model') : []
    expect(asked.map(({ request_exact }) => request_exact)).toEqual([true, true, true, true])
  })
})

/** A call is under way, held by s1, seq 4. */
function calling(idempotent: boolean) {
  const one = held({}, [tool('book_room', { idempotent })])
  value(one.task.commit(2, replied(planned('A')), ticket('s1')))
  const begun = value(one.task.commit(3, replied(act(BOOK, 'book_room')), ticket('s1')))
  return { one, begun }
}

describe('Tools: D4 a call whose worker is lost', () => {
  it('D4 is not repeated for a tool that is not idempotent: outcome unknown, counted once', () => {
    const { one, begun } = calling(false)
    expect(begun.assignment?.work).toMatchObject({ kind: 'run_tool', remote: { name: 'book_room' }, input: BOOK })
    one.here.now_ms = 2 * MINUTE
    const next = value(one.task.begin(ticket('s2')))
    expect(outcomes(one)).toEqual(['task_created', 'ok', 'ok', 'outcome_unknown', 'call_model'])
    expect(see(one)).toMatchObject({ step_count: 2, counters: { actions: 1, failed_actions: 1 } })
    const { work } = next.assignment ?? {}
    expect(work?.kind === 'call_model' && JSON.parse(work.messages[1]?.content ?? '').observations).toMatchObject([
      { tool: 'book_room', input: BOOK, ok: false, result: expect.stringContaining('outcome unknown') },
    ])
    expect(one.task.commit(4, returned, ticket('s1'))).toMatchObject({ ok: false, refusal: { code: 'lease_lost' } })
  })

  it('D4 is made again for an idempotent tool under the same key with the same arguments, and counted once', () => {
    const { one, begun } = calling(true)
    one.here.now_ms = 2 * MINUTE
    const again = value(one.task.begin(ticket('s2')))
    expect(again.assignment).toEqual(begun.assignment)
    expect(again.assignment?.key).toBe('task_1:4')
    value(one.task.commit(4, returned, ticket('s2', 'this_round')))
    expect(see(one)).toMatchObject({ step_count: 2, counters: { actions: 1, successful_actions: 1 } })
    expect(journal(one)[3]).toMatchObject({ attempt: 2, outcome: 'ok', request: { tool: 'book_room', input: BOOK } })
  })

  it('D4 at its third death an idempotent one is given up', () => {
    const { one } = calling(true)
    for (const slice of ['s2', 's3']) {
      one.here.now_ms += 2 * MINUTE
      expect(seqOf(value(one.task.begin(ticket(slice))))).toBe(4)
    }
    one.here.now_ms += 2 * MINUTE
    value(one.task.begin(ticket('s4')))
    expect(outcomes(one).slice(3)).toEqual(['outcome_unknown', 'call_model'])
  })

  it('D4 one that replaces a built-in tool is repeated only if it says so itself', () => {
    const one = held({}, [tool('todo')])
    value(one.task.commit(2, replied(planned('A')), ticket('s1')))
    value(one.task.commit(3, replied(act('{}', 'todo')), ticket('s1')))
    one.here.now_ms = 2 * MINUTE
    value(one.task.begin(ticket('s2')))
    expect(outcomes(one).slice(3)).toEqual(['outcome_unknown', 'call_model'])
  })
})
