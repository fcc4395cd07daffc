/** Events as entries of the activity: what belongs together is one, and what is drawn is bounded. */
import { describe, expect, it } from 'vitest'
import type { Envelope } from '../../src/console/api/wire.ts'
import {
  addEvents,
  EMPTY_LOG,
  VISIBLE_MAX,
  filterEntries,
  visibleEntries,
} from '../../src/console/views/task/activity/entries.ts'

const activityOf = (events: Parameters<typeof addEvents>[1]) => addEvents(EMPTY_LOG, events).entries

type Told = [type: Envelope['type'], payload?: Envelope['payload']]
const told = (...events: Told[]): Envelope[] =>
  events.map(([type, payload = {}], index) => ({
    seq: index + 1,
    type,
    at: `2026-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`,
    task_id: 'task_1',
    payload: { journal_seq: index + 1, ...payload },
  }))
const started = (tool: string, input: string, item_id: string | null = null): Told => [
  'action_started',
  { tool, input, item_id },
]
const finished = (tool: string, text: string, ok = true, item_id: string | null = null): Told => [
  'action_finished',
  { tool, text, ok, item_id },
]
const items = (...titles: string[]) => ({ items: titles.map((title) => ({ id: `i_${title[0]}`, title })) })

describe('an action is one entry', () => {
  it('holds its start and its end, and stands where it started', () => {
    const entries = activityOf(
      told(started('todo', 'add milk'), ['item_started', { title: 'x' }], finished('todo', 'ok')),
    )
    expect(entries).toMatchObject([
      {
        kind: 'action',
        seq: 1,
        row: 1,
        input: 'add milk',
        state: 'success',
        result: 'ok',
        finished_at: '2026-01-01T00:00:02Z',
      },
      { kind: 'item', seq: 2 },
    ])
  })
  it('an end belongs to the oldest open call of the same tool and item', () => {
    const calls = [
      started('search', 'a'),
      started('search', 'b'),
      started('todo', 'c'),
      started('search', 'd', 'item_2'),
    ]
    const ends = [finished('todo', 'C'), finished('search', 'D', false, 'item_2'), finished('search', 'A')]
    expect(activityOf(told(...calls, ...ends))).toMatchObject([
      { input: 'a', state: 'success', result: 'A' },
      { input: 'b', state: 'running', result: null },
      { input: 'c', state: 'success', result: 'C' },
      { input: 'd', state: 'error', result: 'D' },
    ])
  })
  it('an action without an end stops running when the task thinks again or ends', () => {
    expect(activityOf(told(started('a', '')))).toMatchObject([{ state: 'running' }])
    expect(activityOf(told(started('a', ''), ['thought_decided']))[0]).toMatchObject({ state: 'unknown' })
    expect(activityOf(told(started('a', ''), ['llm_thinking']))[0]).toMatchObject({ state: 'unknown' })
    expect(activityOf(told(started('a', ''), ['task_canceled']))[0]).toMatchObject({ state: 'unknown' })
  })
  it('an end belongs to a running action rather than to an abandoned one', () => {
    const entries = activityOf(told(started('a', '1'), ['thought_decided'], started('a', '2'), finished('a', 'R')))
    expect(entries).toMatchObject([{ input: '1', state: 'unknown' }, {}, { input: '2', state: 'success', result: 'R' }])
  })
  it('an end without a start is an entry of its own, because that action was not approved', () => {
    expect(activityOf(told(finished('mail', 'not run: no', false)))).toMatchObject([
      { kind: 'action', input: null, state: 'error', result: 'not run: no' },
    ])
  })
})

describe('thoughts', () => {
  it('S1-29 are marked as real or synthetic when the event says so', () => {
    const thinking = (is_real: boolean): Told => ['llm_thinking', { thinking: 't', is_real }]
    const decided: Told = ['thought_decided', { phase: 'thought', decision: 'done', text: 'said' }]
    expect(activityOf(told(thinking(true), thinking(false), decided))).toMatchObject([
      { kind: 'thought', text: 't', real: true },
      { kind: 'thought', text: 't', real: false },
      { kind: 'thought', text: 'said', real: null, phase: 'thought', decision: 'done' },
    ])
  })
  it('a reason that is repeated is shown once', () => {
    const decided = (text: string, reason: string): Told => ['thought_decided', { text, reason }]
    expect(activityOf(told(decided('why', 'why'), decided('what', 'why')))).toMatchObject([
      { text: 'why' },
      { text: 'what (why)' },
    ])
  })
})

describe('changes of the plan', () => {
  it('say what was added, removed and renamed since the last change', () => {
    const entries = activityOf(
      told(
        ['plan_created', items('a', 'b', 'c')],
        ['plan_edited', { ...items('c', 'a renamed', 'd'), author: 'api:dev' }],
      ),
    )
    expect(entries).toMatchObject([
      { kind: 'plan', total: 3, changes: { added: ['a', 'b', 'c'] }, author: null },
      {
        what: 'plan_edited',
        author: 'api:dev',
        changes: { added: ['d'], removed: ['b'], renamed: [{ from: 'a', to: 'a renamed' }], reordered: true },
      },
    ])
  })
  it('U18: a finished item that leaves the list does not count as removed', () => {
    const entries = activityOf(
      told(
        ['plan_created', items('a', 'b')],
        ['item_completed', { item_id: 'i_a', title: 'a' }],
        ['plan_replanned', items('b')],
      ),
    )
    expect(entries[2]).toMatchObject({ changes: { added: [], removed: [], renamed: [], reordered: false } })
  })
  it('the tasks of a model become an entry only when they differ from the last ones', () => {
    const tasks = (...names: string[]): Told => ['tasks_updated', { tasks: names.map((name, id) => ({ id, name })) }]
    const entries = activityOf(told(['plan_created', items('a', 'b')], tasks('a', 'b'), tasks('a', 'c')))
    expect(entries).toMatchObject([
      { what: 'plan_created' },
      { what: 'tasks_updated', changes: { added: ['c'], removed: ['b'] } },
    ])
  })
})

describe('entries that grow with new events', () => {
  const events = told(['task_created'], started('a', '1'), started('a', '2'), finished('a', 'x'), ['task_completed'])
  it('are the same entries for every way to cut the events into batches', () => {
    for (let cut = 0; cut <= events.length; cut += 1) {
      const before = addEvents(EMPTY_LOG, events.slice(0, cut))
      expect(addEvents(before, events).entries).toEqual(activityOf(events))
    }
  })
  it('keep the object of each entry that does not change', () => {
    const before = addEvents(EMPTY_LOG, events.slice(0, 3))
    const after = addEvents(before, events)
    expect(after.entries[0]).toBe(before.entries[0])
    expect(after.entries[1]).not.toBe(before.entries[1])
    expect(addEvents(after, events)).toBe(after)
  })
  it('an unknown event is shown by its name', () => {
    const [event] = told(['task_paused', { stop_reason: 'approval' }])
    expect(activityOf(event === undefined ? [] : [event])).toMatchObject([
      { kind: 'turn', what: 'task_paused', reason: 'approval' },
    ])
  })
})

describe('the entries that are drawn', () => {
  const entries = activityOf(told(...Array.from({ length: 500 }, (): Told => ['task_resumed'])))
  it('are the newest 200, and more on request', () => {
    expect(visibleEntries(entries, VISIBLE_MAX, null)).toMatchObject({ earlier: 300 })
    expect(visibleEntries(entries, VISIBLE_MAX, null).drawn.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 301),
    )
    expect(visibleEntries(entries, 600, null)).toMatchObject({ earlier: 0 })
  })
  it('stay while newer ones arrive, up to twice the number', () => {
    expect(visibleEntries(entries, 200, 201).drawn[0]?.seq).toBe(201)
    expect(visibleEntries(entries, 200, 1).drawn).toHaveLength(400)
    expect(visibleEntries(entries, 200, 450).drawn).toHaveLength(200)
  })
  it('are of the kind that the reader chose', () => {
    const mixed = activityOf(
      told(['task_created'], ['plan_created', items('a')], ['item_started'], ['thought_decided'], started('a', '')),
    )
    const kinds = (filter: Parameters<typeof filterEntries>[1]) => filterEntries(mixed, filter).map(({ kind }) => kind)
    expect(kinds('all')).toEqual(['turn', 'plan', 'item', 'thought', 'action'])
    expect(kinds('thoughts')).toEqual(['thought'])
    expect(kinds('actions')).toEqual(['action'])
    expect(kinds('plan')).toEqual(['plan', 'item'])
  })
})
