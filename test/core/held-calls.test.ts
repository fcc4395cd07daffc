/** A held call while its task does something else: a side turn comes between, an edit takes the call away, a stop takes a new list. */
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/terms/effect.ts'
import { held, MINUTE, replied, see, ticket, value } from '../support/held.ts'
import { TICKETS, ticketServer, ticketTool, waiting } from '../support/client-sources.ts'
import {
  act,
  ALL,
  benchOf,
  calling,
  closed,
  CALLER,
  createTask,
  done,
  ONE,
  planned,
  replanned,
  say,
  step,
  taken,
} from '../support/scripted.ts'

const sources = [TICKETS]
const TOOLS = [ticketTool('tickets.create')]

describe('Held calls', () => {
  it('U50 D4 a side turn comes between a call and its result: the call is not given up, and is not begun again', async () => {
    const server = ticketServer(TOOLS, [waiting()])
    const turn = [calling('', ['tickets.create', {}]), 'It is under way.', 'Done.']
    const bench = benchOf({ turn }, { client_tools: server })
    const { id, status } = await createTask(bench, {}, ALL, { mode: 'session', sources })
    expect(status).toBe('waiting_external')
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    const aside = taken(await bench.service.inputTask(CALLER, id, 'how far is it?', null, ALL))
    expect(aside).toMatchObject({ status: 'paused', slice: { rounds: 1 } })
    expect(server).toMatchObject({ dropped: [], runs: [{ held: undefined }] })
    const ended = await say(bench, id, 'continue', ALL)
    expect(ended.status).toBe('completed')
    expect(server.runs.slice(1)).toMatchObject([{ tool: 'tickets.create', held: { state: 'work 9', answer: null } }])
    expect(ended.counters.actions).toBe(1)
    expect(server.dropped).toEqual([])
    bench.spent()
  })

  it('a remark while a call works on outside is heard at once, and its answer comes again under its key', async () => {
    const bench = benchOf(
      { turn: [calling('', ['tickets.create', {}])] },
      { client_tools: ticketServer(TOOLS, [waiting()]) },
    )
    const { id } = await createTask(bench, {}, ALL, { mode: 'session', sources })
    const caller = { ...CALLER, key: { scope: `POST /tasks/${id}/input`, key: 'k1', digest: 'body' } }
    const remark = () => bench.service.inputTask(caller, id, 'and hurry', null, ALL)
    const [first, again] = [taken(await remark()), taken(await remark())]
    expect(first).toMatchObject({ status: 'waiting_external', slice: { advanced: true } })
    expect(again).toEqual(first)
  })

  it('a held call goes on with its tool as it was listed, although its source has another list by now', async () => {
    const changing = { ok: true, code: 'tool_result', text: 'done', list_changed: true } as const
    const server = ticketServer(TOOLS, [changing, waiting()])
    const turn = [calling('', ['tickets.create', {}], ['tickets.create', { title: 'other' }]), 'Done.', 'And again.']
    const bench = benchOf({ turn }, { client_tools: server })
    const { id, status } = await createTask(bench, {}, ALL, { mode: 'session', sources })
    expect(status).toBe('waiting_external')
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    const gone = ticketServer([])
    server.list = (...call) => gone.list(...call)
    const ended = await say(bench, id, 'continue', ALL)
    expect(ended.status).toBe('completed')
    expect(server.runs.at(-1)).toMatchObject({ held: { state: 'work 9' } })
    expect((await say(bench, id, 'and now?', ALL)).tools).not.toContain('tickets.create')
  })

  it('a side turn has its part of the total of the day while a call works on outside', async () => {
    const server = ticketServer(TOOLS, [waiting()])
    const turn = [calling('', ['tickets.create', {}]), 'It is under way.']
    const bench = benchOf({ turn }, { client_tools: server, daily: { tokens: 1_000_000, cost: null } })
    const { id } = await createTask(bench, {}, ALL, { mode: 'session', sources })
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    const aside = await say(bench, id, 'how far is it?', ALL)
    expect(aside).toMatchObject({ status: 'paused', stop_reason: 'paused_by_user', slice: { rounds: 1 } })
    bench.spent()
  })

  it('a plan that is edited while a call works on outside goes on at once, and the server is told', async () => {
    const server = ticketServer(TOOLS, [waiting('work 9', 600_000)])
    const bench = benchOf(
      { plan: [planned('A')], thought: [act('{}', 'tickets.create'), done('b')], replan: [replanned('B'), closed()] },
      { client_tools: server },
    )
    const { id } = await createTask(bench, {}, ALL, { sources })
    const edited = await bench.service.editPlan(CALLER, id, [{ title: 'B' }], null)
    expect(taken(edited)).toMatchObject({ status: 'running', retry_after_ms: null })
    expect(server.dropped).toEqual(['work 9'])
    expect((await step(bench, id, ONE)).slice?.rounds).toBe(1)
  })

  it('D4 what a person decides of a lost call waits until the step budget has room for it', () => {
    const one = held({ max_steps: 2 }, [], [{ ...TICKETS, on_lost: 'ask' }])
    const listed: Event = { kind: 'tools_listed', tools: TOOLS, digest: 'the only list', notes: [] }
    const rows = [listed, replied(planned('A')), replied(act('{}', 'tickets.create'))]
    for (const [index, event] of rows.entries()) value(one.task.commit(index + 2, event, ticket('s1')))
    one.here.now_ms += MINUTE
    expect(see(one)).toMatchObject({ step_count: 1 })
    value(one.task.begin(ticket('later')))
    expect(see(one)).toMatchObject({ status: 'input_required', step_count: 2 })
    value(one.task.tell({ kind: 'input', text: 'repeat', request_id: null }, ticket('told')))
    expect(see(one)).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    const added = one.task.tell({ kind: 'top_up', add: { steps: 5 } }, ticket('added'))
    expect(value(added)).toMatchObject({ assignment: { work: { kind: 'run_tool', tool: 'tickets.create' } } })
  })
})
