/** Side turns of a paused session (U14), and what comes too late to be one. */
import { NO_RULES } from '../../../src/core/engine/model-rules.ts'
import { describe, expect, it } from 'vitest'
import type { Ticket } from '../../../src/core/protocol/advance.ts'
import { memoryStore } from '../../support/memory/memory-store.ts'
import {
  benchOf,
  calling,
  CALLER,
  FREE,
  NONE,
  ONE,
  say,
  step,
  taken,
  types,
  UNBOUNDED,
  type Bench,
} from '../../support/scripted.ts'
import { begin, payloads, rounds, rowsIn, said, sessionBench, stateOf, steps, system, use } from './support.ts'

const PLAN = steps('A', 'B')
const LIMIT = { max_iterations: 1 }

describe('a side turn', () => {
  it('U14 another text is answered beside the work: the session stays paused as it is', async () => {
    const bench = sessionBench([use(PLAN), 'It is A.', 'so\n[Done]'])
    const before = await begin(bench, LIMIT, rounds(9))
    const task = await say(bench, before.id, 'what are you doing?', rounds(9))
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'iteration_limit', result: { text: 'It is A.' } })
    expect(task.plan).toEqual(before.plan)
    expect(task.budget).toMatchObject({ used: 1, max: 1 })
    expect(task.counters).toMatchObject({ iterations: 2, model_calls: 2 })
    expect(task.step_count).toBe(1)
    expect(task.slice).toMatchObject({ advanced: true, rounds: 1 })
    expect(payloads(task, 'thought_decided')).toMatchObject([{ decision: 'answer', text: 'It is A.' }])
    // Gone on with, it has no result any more.
    expect(await say(bench, task.id, 'continue', NONE)).toMatchObject({ status: 'running', result: null })
  })

  it('U14 it is one call without tools, in the conversation as it stands', async () => {
    const bench = sessionBench([use(PLAN), 'It is A.', 'And B is next.', 'so\n[Done]'])
    const task = await begin(bench, LIMIT, rounds(9))
    await say(bench, task.id, 'what now?', ONE)
    const [, aside] = bench.requests
    expect(aside?.tools).toEqual([])
    expect(aside?.metadata.phase).toBe('turn')
    expect(system(aside)).toContain('The task is paused.')
    expect(said(aside).at(-1)).toEqual({ role: 'user', content: 'what now?' })
    await say(bench, task.id, 'and then?', ONE)
    await say(bench, task.id, 'continue', rounds(9))
    expect(said(bench.requests.at(-1)).map(({ role, content }) => [role, content.split('\n')[0]])).toEqual([
      ['assistant', '[Step] A'],
      ['tool', 'todo done'],
      ['user', 'what now?'],
      ['assistant', 'It is A.'],
      ['user', 'and then?'],
      ['assistant', 'And B is next.'],
      ['user', 'continue'],
    ])
  })

  it('U14 a call that fails leaves the text as a remark, and is no failure of the work', async () => {
    const bench = sessionBench([use(PLAN), new Error('down'), '', 'so\n[Done]'])
    const task = await begin(bench, { ...LIMIT, failure_limit: 1 }, rounds(9))
    for (const word of ['first?', 'second?']) {
      expect(await say(bench, task.id, word, ONE)).toMatchObject({ status: 'paused', result: null })
    }
    await say(bench, task.id, 'continue', ONE)
    const words = said(bench.requests.at(-1)).filter(({ role }) => role === 'user')
    expect(words.map(({ content }) => content.split('\n')[0])).toEqual(['first?', 'second?', 'continue'])
  })

  it('U14 without room for it no call is made, and the text stays as a remark', async () => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, { max_tokens: 14_000, max_output_tokens: 64 }, ONE)
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    bench.requests.length = 0
    const long = 'why? '.repeat(3_000)
    const refused = await say(bench, task.id, long, ONE)
    expect(bench.requests).toEqual([])
    expect(refused).toMatchObject({ status: 'paused', stop_reason: 'paused_by_user', result: null })
    expect(payloads(refused, 'loop_guard')).toMatchObject([{ guard: 'aside_refused', evidence: 'tokens' }])
  })

  it('U14 no call is made with a model that is no longer allowed, and neither events nor history blame the budget', async () => {
    const here = {
      now_ms: 0,
      boot: 'boot',
      prices: FREE,
      daily: UNBOUNDED,
      model_rules: { ...NO_RULES, names: ['old'] },
    }
    const store = memoryStore(() => here)
    const bench = benchOf({ turn: [use(PLAN), 'so\n[Done]'] }, { store })
    const task = await begin(bench, { model: 'old' }, ONE)
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    here.model_rules = { ...NO_RULES, names: ['new'] }
    bench.requests.length = 0
    const refused = await say(bench, task.id, 'why?', ONE)
    expect([bench.requests, refused.status, refused.stop_reason]).toEqual([[], 'paused', 'paused_by_user'])
    expect(payloads(refused, 'loop_guard')).toMatchObject([{ guard: 'model_not_allowed', count: 1, evidence: '' }])
    const rows = await bench.service.listJournal(CALLER, task.id, { after: 0, limit: 100 })
    const refusal = { kind: 'aside_refused', reply: { reason: 'model_not_allowed' } }
    expect(rows).toMatchObject({
      ok: true,
      value: { data: expect.arrayContaining([expect.objectContaining(refusal)]) },
    })
  })

  it('U14 what is asked while one is still to be made stays a remark', async () => {
    const bench = sessionBench([use(PLAN), 'Both.'])
    const task = await begin(bench, LIMIT, rounds(9))
    await say(bench, task.id, 'one?', NONE)
    await say(bench, task.id, 'two?', NONE)
    expect(stateOf(bench, task.id).phase).toBe('aside')
    expect((await step(bench, task.id, rounds(9))).result?.text).toBe('Both.')
    expect(
      said(bench.requests.at(-1))
        .slice(-2)
        .map(({ content }) => content),
    ).toEqual(['one?', 'two?'])
    expect(bench.requests).toHaveLength(2)
  })

  it('U14 one that was not made is given up when the session goes on', async () => {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, LIMIT, rounds(9))
    await say(bench, task.id, 'one?', NONE)
    const last = await say(bench, task.id, 'continue', rounds(9))
    expect(last).toMatchObject({ status: 'completed', counters: { model_calls: 2 } })
    expect(bench.requests.at(-1)?.tools).not.toEqual([])
  })

  it('U14 between the calls of a reply the others are told as not made yet; afterwards as they were', async () => {
    const two = calling(PLAN, ['todo', { command: '/todo list' }], ['internet_search', { query: 'q' }])
    const bench = sessionBench([two, 'Half of it.', 'so\n[Done]'])
    const task = await begin(bench, {}, NONE)
    const ticket = await lastTicket(bench, task.id)
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    await commitTool(bench, task.id, ticket)
    const asked = await say(bench, task.id, 'how far?', ONE)
    expect(asked).toMatchObject({ status: 'paused', result: { text: 'Half of it.' } })
    expect(said(bench.requests.at(-1)).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', PLAN],
      ['tool', 'one'],
      ['tool', 'not made yet: the task is paused'],
      ['user', 'how far?'],
    ])
    await say(bench, task.id, 'continue', rounds(9))
    expect(said(bench.requests.at(-1)).map(({ role, content }) => [role, content.split('\n')[0]])).toEqual([
      ['assistant', '[Step] A'],
      ['tool', 'one'],
      ['tool', 'internet_search done'],
      ['user', 'how far?'],
      ['assistant', 'Half of it.'],
      ['user', 'continue'],
    ])
  })
})

const TICKET = { boot: 'boot', rounds: 9, key: null, more: 'new_round' as const }
/** A worker that has made the first turn and is at the first of its calls. */
async function lastTicket(bench: Bench, id: string): Promise<Ticket> {
  const ticket: Ticket = { ...TICKET, slice: 'slow', wall_ms: bench.clock.now }
  const begun = await bench.store.of(CALLER.tenant, id).begin(ticket)
  const assignment = begun.ok ? begun.value.assignment : null
  const work = assignment?.work
  if (assignment === null || work?.kind !== 'call_model') throw new Error('no turn was begun')
  const metadata = { task: id, mode: 'session' as const, phase: 'turn', seq: assignment.seq }
  const request = { ...work, contract: null, metadata }
  const event = await bench.ports.model?.complete(request, { timeout_ms: 1_000, traceparent: null })
  if (event === undefined) throw new Error('no model')
  await bench.store.of(CALLER.tenant, id).commit(assignment.seq, event, ticket)
  return ticket
}
async function commitTool(bench: Bench, id: string, ticket: Ticket): Promise<void> {
  const seq = rowsIn(bench, id).pending()?.seq ?? 0
  const event = { kind: 'tool_returned' as const, ok: true, text: 'one', code: 'scripted' }
  await bench.store.of(CALLER.tenant, id).commit(seq, event, ticket)
}

describe('what was said to a session that rested and goes on by now', () => {
  /** A side turn under way, and behind it the words that are queued. */
  async function queued(...words: string[]) {
    const bench = sessionBench([use(PLAN), 'so\n[Done]'])
    const task = await begin(bench, LIMIT, rounds(9))
    const store = bench.store.of(CALLER.tenant, task.id)
    const ticket: Ticket = { ...TICKET, slice: 'slow', wall_ms: bench.clock.now, more: 'this_round' }
    await store.tell({ kind: 'input', text: 'what now?', request_id: null }, { ...ticket, more: 'new_round' })
    for (const [index, word] of words.entries()) {
      await store.tell(
        { kind: 'input', text: word, request_id: null },
        { ...ticket, slice: `s${index}`, more: 'nothing' },
      )
    }
    const seq = rowsIn(bench, task.id).pending()?.seq ?? 0
    const event = { kind: 'model_failed' as const, reason: 'down', status: 500, retry_after_ms: null }
    await store.commit(seq, event, ticket)
    return { bench, id: task.id }
  }

  it('U14 a question that waited behind a continue is a remark of the work: no call beside the counter', async () => {
    const { bench, id } = await queued('continue', 'and B?')
    expect(taken(await bench.service.getTask(CALLER, id))).toMatchObject({ status: 'running', budget: { used: 1 } })
    const last = await step(bench, id, rounds(9))
    expect(last).toMatchObject({ status: 'completed', budget: { used: 2, max: 2 } })
    expect(said(bench.requests.at(-1)).at(-1)).toEqual({ role: 'user', content: 'and B?' })
  })

  it('P11 the text of a second continue is heard, and grants nothing twice', async () => {
    const { bench, id } = await queued('continue', 'go on with B')
    const last = await step(bench, id, rounds(9))
    expect(last.budget).toMatchObject({ used: 2, max: 2 })
    expect(said(bench.requests.at(-1)).at(-1)).toEqual({ role: 'user', content: 'go on with B' })
  })
})

describe('remarks', () => {
  it('S4-18 what is said while it runs is a message of the next turn', async () => {
    const bench = sessionBench([use(PLAN), use(), 'so\n[Done]'])
    const task = await begin(bench, {}, ONE)
    const next = await say(bench, task.id, 'only 2024 please', ONE)
    expect(next.status).toBe('running')
    expect(said(bench.requests.at(-1)).at(-1)).toEqual({ role: 'user', content: 'only 2024 please' })
    expect(types(next)).toContain('thought_decided')
  })

  it('P11 what is said during the last turn begins the next run', async () => {
    const bench = sessionBench(['second'])
    const task = await begin(bench, {}, NONE)
    const store = bench.store.of(CALLER.tenant, task.id)
    const ticket: Ticket = { ...TICKET, slice: 'slow', wall_ms: bench.clock.now }
    await store.begin(ticket)
    await say(bench, task.id, 'one more thing', NONE)
    const event = {
      text: 'first',
      usage: null,
      model: 'scripted',
      form: 'text' as const,
      kind: 'model_replied' as const,
    }
    await store.commit(2, event, { ...ticket, more: 'nothing' })
    expect(taken(await bench.service.getTask(CALLER, task.id))).toMatchObject({ status: 'running', result: null })
    expect((await step(bench, task.id)).result?.text).toBe('second')
    expect(said(bench.requests.at(-1)).map(({ content }) => content)).toEqual(['first', 'one more thing'])
  })
})
