/** Plan, thought and replan as three requests: prompt, contract, context and form of each. */
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../../src/core/modes/plan-execute/contract.ts'
import { readReply } from '../../../src/core/mode/reply.ts'
import { LENIENT } from '../../support/readers.ts'
import { schemaOf } from '../../../src/core/engine/contracts.ts'
import { modeOf } from '../../../src/core/modes/index.ts'
import {
  act,
  ALL,
  benchOf,
  closed,
  context,
  createTask,
  done,
  ONE,
  phases,
  planned,
  playMany,
  replanned,
} from '../../support/scripted.ts'

describe('three duties', () => {
  it('S0-73 S0-74 S0-99 plan, thought and replan are three requests, each with its own prompt and contract', async () => {
    const { bench } = await playMany()
    expect(new Set(phases(bench))).toEqual(new Set(['plan', 'thought', 'replan']))
    const duties = bench.requests.map(({ metadata, contract, messages }) =>
      JSON.stringify([metadata.phase, contract?.name, contract?.schema, messages[0]?.content]),
    )
    expect(new Set(duties).size).toBe(3)
    expect(bench.requests.map((request) => request.contract?.name)).toEqual(
      phases(bench).map((phase) => `plan_execute_${phase}`),
    )
  })

  it.each([
    ['plan', planned('A')],
    ['thought', act()],
    ['replan', replanned('A')],
  ] as const)('S0-75 three validators: a reply of %s satisfies its own and no other', (phase, reply) => {
    const { plan, thought, replan } = CONTRACTS
    const fits = Object.entries({ plan, thought, replan }).flatMap(([name, contract]) =>
      readReply<unknown>(contract, JSON.stringify(reply), LENIENT).ok ? [name] : [],
    )
    expect(fits).toEqual([phase])
  })

  it('S0-76 tests speak in three kinds of payloads: a dry script stops the task, a leftover fails the test', async () => {
    const dry = benchOf({ plan: [planned('A')] })
    const task = await createTask(dry, { failure_limit: 1 }, ALL)
    expect(task.error?.detail ?? task.handover?.unfinished_reason).toContain('the model adapter failed')
    for (const leftover of [
      { plan: [planned()] },
      { thought: [done()] },
      { replan: [closed()] },
      { tools: [{ ok: true }] },
    ]) {
      expect(() => benchOf(leftover).spent()).toThrow('to deeply equal')
    }
  })

  it('S0-50 a thought has five fields and three statuses, whether the item was done, and two more for the form of an answer; the tools of the mode are offered to it', async () => {
    const schema = schemaOf('plan_execute', 'thought', []) ?? {}
    const five = ['current_step', 'status', 'next_action', 'question', 'response']
    expect(schema.required).toEqual([...five, 'achieved', 'choices', 'response_schema'])
    expect(schema.properties).toMatchObject({ status: { enum: ['continue', 'ask_user', 'done'] } })
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    await createTask(bench, {}, ONE)
    const system = bench.requests[1]?.messages[0]?.content ?? ''
    const offered = [...(system.split('# Tools')[1]?.matchAll(/^- (\w+): /gm) ?? [])].map(([, name]) => name)
    expect(offered.toSorted()).toEqual(modeOf('plan_execute').tools.toSorted())
    expect(offered).toEqual(expect.arrayContaining(['todo', 'schedule', 'internet_search']))
  })

  it('S0-78 a replan is light: three fields and the verdict, no tool to call, and no list needed to close', async () => {
    expect(schemaOf('plan_execute', 'replan', [])?.required).toEqual(['plan', 'response', 'achieved', 'status'])
    const bench = benchOf({
      plan: [planned('A')],
      thought: [done()],
      replan: [{ status: 'done', response: 'all done' }],
    })
    const task = await createTask(bench, {}, ALL)
    expect(bench.requests.at(-1)?.tools).toEqual([])
    expect(task.result?.text).toBe('all done')
  })

  it('O0-17 the context is JSON: phase, goal, time, units, tools, clarifications, counts, plan, cursor, pending answer, observations', async () => {
    const { bench } = await playMany()
    const shared = ['phase', 'goal', 'local_time', 'completed', 'clarifications', 'remarks', 'step_count', 'max_steps']
    const working = [...shared, 'plan', 'cursor', 'observations']
    const wanted: Record<string, string[]> = {
      plan: shared,
      thought: [...working, 'current_item', 'must_not_act', 'note'],
      replan: [...working, 'pending_answer', 'note'],
    }
    for (const request of bench.requests) {
      expect(Object.keys(context(request))).toEqual(expect.arrayContaining(wanted[request.metadata.phase] ?? ['?']))
    }
    for (const { messages } of bench.requests)
      expect(messages[0]?.content).toMatch(/# Tools.*minutes.*180.*YYYY-MM-DD HH:MM/s)
    expect(context(bench.requests[0]).local_time).toBe('Sat 2026-11-21 12:00')
  })

  it('O0-18 U7 a call is JSON by schema at temperature 0; the form the endpoint took is asked for from then on', async () => {
    const bench = benchOf({})
    const seen: [string, number][] = []
    const replies = [planned('A'), done(), closed()]
    bench.ports.model = {
      complete(request) {
        seen.push([request.form, request.temperature])
        const text = JSON.stringify(replies[seen.length - 1])
        return Promise.resolve({ kind: 'model_replied', text, usage: null, model: 'm', form: 'json_object' })
      },
    }
    expect((await createTask(bench, {}, ALL)).status).toBe('completed')
    expect(seen).toEqual([
      ['json_schema', 0],
      ['json_object', 0],
      ['json_object', 0],
    ])
  })
})
