/** Replay (S3-17): the state machine run again on what is recorded is equal at each row, and names the first one that somebody altered. */
import { describe, expect, it } from 'vitest'
import type { StoredRow } from '../../src/core/terms/view.ts'
import { replayRow } from '../../src/core/replay/replay.ts'
import { EQUAL, longRun, place, recordsOf, replayOf, storedRows } from '../support/forks.ts'
import { damage } from '../support/held.ts'
import { benchOf, CALLER, createTask, done, planned, playMany, type Bench } from '../support/scripted.ts'

/** Changes a part of a row that is stored as JSON. */
const inPart =
  (part: 'effect' | 'event' | 'head' | 'reserved', change: (value: Record<string, unknown>) => object) =>
  (record: StoredRow) => ({ [part]: JSON.stringify(change(JSON.parse(record[part] ?? '{}'))) })
const member = (name: string, value: unknown) => (object: Record<string, unknown>) => ({ ...object, [name]: value })

async function altered(seq: number, change: (record: StoredRow) => object) {
  const { bench, task } = await playMany()
  const records = recordsOf(bench, task.id)
  place(
    bench,
    task.id,
    records.map((row) => (row.seq === seq ? { ...row, ...change(row) } : row)),
  )
  return replayOf(bench, task.id)
}

describe('S3-17 a replay', () => {
  it('S3-17 is equal at each of 200 events, and calls and writes nothing', async () => {
    const { bench, id } = await longRun(110)
    const before = JSON.stringify(recordsOf(bench, id))
    const asked = bench.requests.length
    const { equal, events, first_difference } = await replayOf(bench, id)
    expect([equal, first_difference]).toEqual([true, null])
    expect(events).toBeGreaterThan(220)
    expect(events).toBe(recordsOf(bench, id).length)
    expect(JSON.stringify(recordsOf(bench, id))).toBe(before)
    expect(bench.requests).toHaveLength(asked)
  })

  it('S3-17 is equal wherever it begins: every closed row is a checkpoint', async () => {
    const { bench, id } = await longRun(20)
    const task = bench.store.of(CALLER.tenant, id)
    const last = recordsOf(bench, id).length
    for (let after = 0; after < last; after++) {
      const next = after + 7 < last ? after + 7 : null
      const rows = Math.min(7, last - after)
      expect(await task.ask({ kind: 'replay', after, limit: 7 })).toEqual({
        ok: true,
        value: { rows, first_difference: null, next },
      })
    }
  })

  it('S3-17 also checks the effect under way, and counts the closed rows', async () => {
    const { bench, id } = await underWay()
    expect(await replayOf(bench, id)).toEqual(EQUAL(2))
    damage({ rows: storedRows(bench, id) }, 3, inPart('effect', member('phase', 'replan')))
    expect(await replayOf(bench, id)).toEqual({
      equal: false,
      events: 2,
      first_difference: { seq: 3, path: '/effect/phase', expected: 'thought', found: 'replan' },
    })
  })

  it('S3-17 D6 does not compare members that a migration has guessed', async () => {
    const { bench, task } = await playMany()
    const rows = storedRows(bench, task.id)
    const row = rows.closed(6)
    if (row === null) throw new Error('row 6 is missing')
    const head = { ...row.head, thought_row: 1, state: { ...row.head.state, remarked: true } }
    const differs = (guessed: typeof row.guessed) =>
      replayRow({ ...row, head, guessed }, rows.closed(5)?.head ?? null, rows.recall)
    expect(row.guessed).toEqual([])
    expect(differs([])).toMatchObject({ path: '/head/state/remarked' })
    expect(differs(['/state/remarked'])).toEqual({ seq: 6, path: '/head/thought_row', expected: 6, found: 1 })
    expect(differs(['/thought_row', '/state/remarked'])).toBeNull()
  })

  it('S3-17 is 404 for a task that does not exist, and state_unreadable for a task that cannot be read', async () => {
    const { bench, id } = await underWay()
    expect(await bench.service.replayTask(CALLER, 'task_none')).toEqual({
      ok: false,
      refusal: { code: 'task_not_found' },
    })
    damage({ rows: storedRows(bench, id) }, 2, () => ({ head: '{"schema_version":99}' }))
    expect(await bench.service.replayTask(CALLER, id)).toMatchObject({ refusal: { code: 'state_unreadable' } })
  })
})

async function underWay(): Promise<{ bench: Bench; id: string }> {
  const bench = benchOf({ plan: [planned('A')], thought: [done()] })
  const { id } = await createTask(bench)
  const ticket = {
    slice: 'other',
    boot: 'boot',
    more: 'new_round' as const,
    rounds: 9,
    wall_ms: bench.clock.now,
    key: null,
  }
  await bench.store.of(CALLER.tenant, id).begin(ticket)
  return { bench, id }
}

// Of playMany: 1 create, 2 plan, 3 thought, 4 action, 5 broken thought, 6 done, 7 broken replan, 8 replan, 9 question, 10 answer, 11 replan, 12 thought, 13 action, 14 done, 15 replan that ends it.
describe('S3-17 a replay finds a row that somebody altered, and names it', () => {
  it.each<
    [string, number, (record: StoredRow) => object, { at?: number; path: string; expected: unknown; found: unknown }]
  >([
    [
      'the state',
      6,
      inPart('head', (head) => ({ ...head, state: { ...Object(head['state']), phase: 'thinking' } })),
      { path: '/head/state/phase', expected: 'replanning', found: 'thinking' },
    ],
    [
      'a step less',
      7,
      inPart('head', (head) => ({ ...head, budget: { ...Object(head['budget']), steps: { used: 3, max: 20 } } })),
      { path: '/head/budget/steps/used', expected: 5, found: 3 },
    ],
    [
      'a counter',
      13,
      inPart('head', (head) => ({ ...head, counters: { ...Object(head['counters']), failed_actions: 0 } })),
      { path: '/head/counters/failed_actions', expected: 1, found: 0 },
    ],
    [
      'how many events it caused',
      2,
      inPart('head', member('events', { first: 2, count: 1 })),
      { path: '/head/events/count', expected: 2, found: 1 },
    ],
    [
      'the ids of its events',
      3,
      inPart('head', member('events', { first: 5, count: 2 })),
      { path: '/head/events/first', expected: 4, found: 5 },
    ],
    [
      'its end',
      15,
      inPart('head', member('end', null)),
      { path: '/head/end', expected: { status: 'completed', reason: 'done', row: 15 }, found: null },
    ],
    [
      'a row of its state',
      4,
      inPart('head', (head) => ({ ...head, state: { ...Object(head['state']), observations: [] } })),
      { path: '/head/state/observations/0', expected: 4, found: null },
    ],
    [
      'the effect: another tool',
      4,
      inPart('effect', member('tool', 'schedule')),
      { path: '/effect/tool', expected: 'todo', found: 'schedule' },
    ],
    [
      'the effect: chosen by another thought',
      13,
      inPart('effect', member('by', 3)),
      { path: '/effect/by', expected: 12, found: 3 },
    ],
    [
      'the effect: another item',
      4,
      inPart('effect', member('item_id', 'step_2')),
      { path: '/effect/item_id', expected: 'step_1', found: 'step_2' },
    ],
    [
      'the effect: another phase',
      8,
      inPart('effect', member('phase', 'thought')),
      { path: '/effect/phase', expected: 'replan', found: 'thought' },
    ],
    [
      'the effect: whether it opens a round',
      3,
      inPart('effect', member('opens_round', false)),
      { path: '/effect/opens_round', expected: true, found: false },
    ],
    [
      'the effect: a tool where a model was wanted',
      3,
      () => ({ kind: 'run_tool', effect: TOOL, event: TOLD }),
      { path: '/effect/kind', expected: 'call_model', found: 'run_tool' },
    ],
    [
      'the effect: none',
      10,
      () => ({ kind: 'call_model', effect: CALL, event: REPLY, reserved: NOTHING }),
      { path: '/effect/kind', expected: 'nothing: wait', found: 'call_model' },
    ],
    [
      'the hash of its request',
      9,
      inPart('effect', member('hash', '0000000000000000')),
      { path: '/effect/hash', expected: expect.stringMatching(/^[0-9a-f]{16}$/), found: '0000000000000000' },
    ],
    [
      'the wall clock of its request',
      9,
      inPart('effect', member('wall_ms', 60_000)),
      { path: '/effect/hash', expected: expect.any(String), found: expect.any(String) },
    ],
    [
      'the event: a tool that did work',
      4,
      inPart('event', member('ok', true)),
      { path: '/head/state/action_failures', expected: 0, found: 1 },
    ],
    [
      'the event: what a tool said, which the guard against repetitions remembers',
      4,
      inPart('event', member('text', 'well done')),
      { path: '/head/state/seen/0/1', expected: expect.any(String), found: expect.any(String) },
    ],
    [
      'the event: what the user said',
      10,
      inPart('event', member('text', 'never')),
      { at: 11, path: '/effect/hash', expected: expect.any(String), found: expect.any(String) },
    ],
    [
      'the event: another decision',
      6,
      inPart('event', member('text', JSON.stringify({ status: 'ask_user', current_step: 'x', question: 'Why?' }))),
      { path: '/head/state/phase', expected: 'asking', found: 'replanning' },
    ],
    [
      'the event: what it used',
      3,
      inPart('event', member('usage', { input_tokens: 1, output_tokens: 1 })),
      { path: '/head/budget/tokens/used', expected: 17, found: 30 },
    ],
    [
      'the event: none that an effect can have',
      6,
      inPart('event', () => ({ kind: 'user_remarked', text: 'x' })),
      { path: '/event/kind', expected: expect.stringContaining('model_replied'), found: 'user_remarked' },
    ],
    [
      'the event: one that only an effect can have',
      10,
      () => ({ kind: 'model_replied', event: REPLY }),
      { path: '/event/kind', expected: 'an event from outside', found: 'model_replied' },
    ],
    [
      'the event: an answer that nobody asked for',
      14,
      () => ({ kind: 'user_answered', effect: null, event: '{"kind":"user_answered","text":"x"}' }),
      { path: '/event/kind', expected: 'no answer', found: 'user_answered' },
    ],
    [
      'the event: a question that expired and was not open',
      14,
      () => ({ kind: 'question_expired', effect: null, event: '{"kind":"question_expired"}' }),
      { path: '/event/kind', expected: 'no open question', found: 'question_expired' },
    ],
    [
      'the event: a budget that is not spent',
      14,
      () => ({ kind: 'budget_spent', effect: null, event: '{"kind":"budget_spent","axis":"steps"}' }),
      { path: '/event/kind', expected: 'call_model', found: 'budget_spent' },
    ],
    [
      'the event: a second beginning',
      10,
      () => ({ kind: 'task_created', event: CREATED }),
      { path: '/event/kind', expected: 'row 1', found: 'task_created' },
    ],
    [
      'the beginning',
      1,
      () => ({ kind: 'canceled', event: '{"kind":"canceled"}' }),
      { path: '/event/kind', expected: 'task_created', found: 'canceled' },
    ],
    ['its kind', 4, () => ({ kind: 'call_model' }), { path: '/kind', expected: 'run_tool', found: 'call_model' }],
    [
      'when it was closed',
      4,
      inPart('head', member('updated_at', 1_795_262_400_500)),
      { path: '/head/budget/working_ms/used', expected: 500, found: 0 },
    ],
  ])('S3-17 %s, row %i', async (_name, seq, change, { at = seq, ...difference }) => {
    const found = await altered(seq, change)
    expect(found).toEqual({ equal: false, events: at, first_difference: { seq: at, ...difference } })
    expect(JSON.stringify(found).length).toBeLessThan(1_000)
  })
})

const NOTHING = '{"input_tokens":0,"output_tokens":0,"cost":0,"ms":0,"price":null}'
const TOOL = '{"kind":"run_tool","phase":"act","tool":"todo","by":2,"item_id":null,"idempotent":true,"wall_ms":0}'
const CALL = '{"kind":"call_model","phase":"thought","prompt":"p","hash":"h","wall_ms":0,"opens_round":true}'
const REPLY = '{"kind":"model_replied","text":"x","usage":null,"model":"m","form":"text"}'
const TOLD = '{"kind":"tool_returned","ok":true,"code":"x","text":"y"}'
const CREATED = JSON.stringify({
  kind: 'task_created',
  brief: { goal: 'g', mode: 'plan_execute', settings: {}, locale: 'en', timezone: 'UTC', metadata: {} },
})
