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
  it('from its start to its end, at the place where it began', () => {
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
  it('of several calls each end goes to the oldest open call of its tool and item', () => {
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
  it('without an end it is not running any more once the task thinks again or has ended', () => {
    expect(activityOf(told(started('a', '')))).toMatchObject([{ state: 'running' }])
    expect(activityOf(told(started('a', ''), ['thought_decided']))[0]).toMatchObject({ state: 'unknown' })
    expect(activityOf(told(started('a', ''), ['llm_thinking']))[0]).toMatchObject({ state: 'unknown' })
    expect(activityOf(told(started('a', ''), ['task_canceled']))[0]).toMatchObject({ state: 'unknown' })
  })
  it('an end belongs to a running one before one that was given up', () => {
    const entries = activityOf(told(started('a', '1'), ['thought_decided'], started('a', '2'), finished('a', 'R')))
    expect(entries).toMatchObject([{ input: '1', state: 'unknown' }, {}, { input: '2', state: 'success', result: 'R' }])
  })
  it('an end without a start – it was not approved – stands for itself', () => {
    expect(activityOf(told(finished('mail', 'not run: no', false)))).toMatchObject([
      { kind: 'action', input: null, state: 'error', result: 'not run: no' },
    ])
  })
})

describe('thoughts', () => {
  it('S1-29 are marked real or synthetic where the event says which', () => {
    const thinking = (is_real: boolean): Told => ['llm_thinking', { thinking: 't', is_real }]
    const decided: Told = ['thought_decided', { phase: 'thought', decision: 'done', text: 'said' }]
    expect(activityOf(told(thinking(true), thinking(false), decided))).toMatchObject([
      { kind: 'thought', text: 't', real: true },
      { kind: 'thought', text: 't', real: false },
      { kind: 'thought', text: 'said', real: null, phase: 'thought', decision: 'done' },
    ])
  })
  it('a reason is shown once', () => {
    const decided = (text: string, reason: string): Told => ['thought_decided', { text, reason }]
    expect(activityOf(told(decided('why', 'why'), decided('what', 'why')))).toMatchObject([
      { text: 'why' },
      { text: 'what (why)' },
    ])
  })
})

describe('changes of the plan', () => {
  it('say what was added, removed and renamed since it was told last', () => {
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
  it('U18: a finished item that leaves the list was not removed', () => {
    const entries = activityOf(
      told(
        ['plan_created', items('a', 'b')],
        ['item_completed', { item_id: 'i_a', title: 'a' }],
        ['plan_replanned', items('b')],
      ),
    )
    expect(entries[2]).toMatchObject({ changes: { added: [], removed: [], renamed: [], reordered: false } })
  })
  it('the tasks of a model are an entry only where there are others than before', () => {
    const tasks = (...names: string[]): Told => ['tasks_updated', { tasks: names.map((name, id) => ({ id, name })) }]
    const entries = activityOf(told(['plan_created', items('a', 'b')], tasks('a', 'b'), tasks('a', 'c')))
    expect(entries).toMatchObject([
      { what: 'plan_created' },
      { what: 'tasks_updated', changes: { added: ['c'], removed: ['b'] } },
    ])
  })
})

describe('grown with what is new', () => {
  const events = told(['task_created'], started('a', '1'), started('a', '2'), finished('a', 'x'), ['task_completed'])
  it('is what all of them make together, however they were cut', () => {
    for (let cut = 0; cut <= events.length; cut += 1) {
      const before = addEvents(EMPTY_LOG, events.slice(0, cut))
      expect(addEvents(before, events).entries).toEqual(activityOf(events))
    }
  })
  it('leaves entries that stay the same the same objects', () => {
    const before = addEvents(EMPTY_LOG, events.slice(0, 3))
    const after = addEvents(before, events)
    expect(after.entries[0]).toBe(before.entries[0])
    expect(after.entries[1]).not.toBe(before.entries[1])
    expect(addEvents(after, events)).toBe(after)
  })
  it('an event that nobody knows yet is shown by its name', () => {
    const [event] = told(['task_paused', { stop_reason: 'approval' }])
    expect(activityOf(event === undefined ? [] : [event])).toMatchObject([
      { kind: 'turn', what: 'task_paused', reason: 'approval' },
    ])
  })
})

describe('what is drawn', () => {
  const entries = activityOf(told(...Array.from({ length: 500 }, (): Told => ['task_resumed'])))
  it('is the newest 200, and more when asked', () => {
    expect(visibleEntries(entries, VISIBLE_MAX, null)).toMatchObject({ earlier: 300 })
    expect(visibleEntries(entries, VISIBLE_MAX, null).drawn.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 301),
    )
    expect(visibleEntries(entries, 600, null)).toMatchObject({ earlier: 0 })
  })
  it('keeps what is being read while more comes, as many again at most', () => {
    expect(visibleEntries(entries, 200, 201).drawn[0]?.seq).toBe(201)
    expect(visibleEntries(entries, 200, 1).drawn).toHaveLength(400)
    expect(visibleEntries(entries, 200, 450).drawn).toHaveLength(200)
  })
  it('is of the sort that is chosen', () => {
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
