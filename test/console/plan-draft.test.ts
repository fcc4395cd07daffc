/** A plan under edit: moved about, sent, and made again from another plan without losing what was typed. */
import { describe, expect, it } from 'vitest'
import type { Envelope, PlanItem } from '../../src/console/api/wire.ts'
import { earlierItems, finishedIn } from '../../src/console/views/task/plan/finished-items.ts'
import { changesOf, isUnchanged, planChanges } from '../../src/console/views/task/plan/changes.ts'
import {
  changeItem,
  draftOf,
  editOf,
  emptyItem,
  isTouched,
  moveItem,
  findUntitled,
  type PlanDraft,
} from '../../src/console/views/task/plan/plan-draft.ts'
import { rebase } from '../../src/console/views/task/plan/rebase.ts'

const item = (id: string, more: Partial<PlanItem> = {}): PlanItem => ({
  id,
  title: `title ${id}`,
  description: `about ${id}`,
  expected_output: null,
  status: 'pending',
  result: null,
  progress: null,
  ...more,
})
const BASE = [item('a', { status: 'completed' }), item('b', { status: 'running' }), item('c'), item('d')]
const NONE: ReadonlySet<string> = new Set()

describe('a draft', () => {
  it('U18: has the unfinished items alone', () => {
    expect(draftOf(BASE, '"1"').items.map(({ id }) => id)).toEqual(['b', 'c', 'd'])
  })
  it('items go up and down one by one, and stay at the ends', () => {
    const { items } = draftOf(BASE, null)
    const order = (key: string, by: -1 | 1) => moveItem(items, key, by).map(({ id }) => id)
    expect(order('c', -1)).toEqual(['c', 'b', 'd'])
    expect(order('c', 1)).toEqual(['b', 'd', 'c'])
    expect(order('b', -1)).toEqual(['b', 'c', 'd'])
    expect(order('d', 1)).toEqual(['b', 'c', 'd'])
  })
  it('is touched by a letter, a move, an addition and a removal', () => {
    const draft = draftOf(BASE, null)
    const { items } = draft
    expect(isTouched(draft)).toBe(false)
    const others = [
      changeItem(items, 'b', { title: 'x' }),
      moveItem(items, 'b', 1),
      [...items, emptyItem('n')],
      items.slice(1),
    ]
    expect(others.map((items) => isTouched({ ...draft, items }))).toEqual([true, true, true, true])
  })
  it('each item needs a title', () => {
    const { items } = draftOf(BASE, null)
    expect(findUntitled(items)).toBeNull()
    expect(findUntitled(changeItem(items, 'c', { title: '  ' }))?.key).toBe('c')
  })
})

describe('what is sent', () => {
  it('names known items and only those of their details that were changed', () => {
    const draft = draftOf(BASE, null)
    const edited = changeItem(changeItem(draft.items, 'c', { title: ' new c ', expected_output: 'a file' }), 'd', {
      description: '',
    })
    const added = { ...emptyItem('n'), title: 'n', description: 'about n' }
    expect(editOf({ ...draft, items: [...edited, added] })).toEqual({
      items: [
        { id: 'b', title: 'title b' },
        { id: 'c', title: 'new c', expected_output: 'a file' },
        { id: 'd', title: 'title d', description: '' },
        { title: 'n', description: 'about n' },
      ],
    })
  })
  it('an expected output that was emptied is none', () => {
    const draft = draftOf([item('a', { expected_output: 'a file' })], null)
    expect(editOf({ ...draft, items: changeItem(draft.items, 'a', { expected_output: ' ' }) })).toEqual({
      items: [{ id: 'a', title: 'title a', expected_output: null }],
    })
  })
})

describe('an edit made again from another plan', () => {
  const mine = { ...draftOf(BASE, '"1"') }
  const typed = {
    ...mine,
    items: [...changeItem(mine.items, 'c', { title: 'my c' }), { ...emptyItem('n'), title: 'n' }],
  }
  it('leaves out what was finished meanwhile, whether it still stands in the list or has left it', () => {
    const theirs = { items: [item('b', { status: 'completed' }), item('c')], etag: '"9"' }
    const again = rebase(typed, theirs, new Set(['d']))
    expect(again.items.map(({ id, title }) => [id, title])).toEqual([
      ['c', 'my c'],
      [null, 'n'],
    ])
    expect(again).toMatchObject({ base: theirs.items, etag: '"9"' })
  })
  it('what was not touched follows the other plan, what was typed stays', () => {
    const items = [item('b', { title: 'their b' }), item('c', { title: 'their c', description: 'theirs' }), item('d')]
    const again = rebase(typed, { items, etag: null }, NONE)
    expect(again.items).toMatchObject([
      { title: 'their b' },
      { title: 'my c', description: 'theirs' },
      { title: 'title d' },
      { title: 'n' },
    ])
    expect(editOf(again).items[1]).toEqual({ id: 'c', title: 'my c' })
  })
  it('an item that the other plan has no more becomes a new one, with all its texts', () => {
    const again = rebase(typed, { items: [item('x')], etag: null }, NONE)
    expect(editOf(again).items[1]).toEqual({ title: 'my c', description: 'about c' })
  })
  it('an item of a typed text alone that the other plan has no more is kept; one that was not touched stays gone', () => {
    const again = rebase(typed, { items: [item('b'), item('c')], etag: null }, NONE)
    expect(again.items.map(({ id, title }) => [id, title])).toEqual([
      ['b', 'title b'],
      ['c', 'my c'],
      [null, 'n'],
    ])
  })
  const order = (again: PlanDraft) => again.items.map(({ id, title }) => id ?? title)
  it.each<[string, PlanItem[], string[]]>([
    ['at its beginning', [item('x'), item('b'), item('c'), item('d')], ['x', 'b', 'c', 'd', 'n']],
    ['between two', [item('b'), item('x'), item('y'), item('c'), item('d')], ['b', 'x', 'y', 'c', 'd', 'n']],
    ['at its end, before mine', [item('b'), item('c'), item('d'), item('x')], ['b', 'c', 'd', 'x', 'n']],
    ['after one that is over', [item('b', { status: 'completed' }), item('x'), item('c')], ['x', 'c', 'n']],
  ])('what is new in the other plan comes in after the item it follows there: %s', (_, items, expected) => {
    expect(order(rebase(typed, { items, etag: null }, NONE))).toEqual(expected)
  })
  it('the same where I have moved items: mine is the order, what is new of theirs follows its item', () => {
    const draft = { ...mine, items: moveItem(mine.items, 'd', -1) }
    const items = [item('d'), item('b'), item('c'), item('x')]
    expect(order(rebase(draft, { items, etag: null }, NONE))).toEqual(['b', 'd', 'c', 'x'])
  })
  it('where I have moved none, theirs is the order, and what I have added follows its item', () => {
    const added = [...mine.items.slice(0, 1), { ...emptyItem('n'), title: 'n' }, ...mine.items.slice(1)]
    const items = [item('d'), item('c'), item('b')]
    expect(order(rebase({ ...mine, items: added }, { items, etag: null }, NONE))).toEqual(['d', 'c', 'b', 'n'])
  })
  it('what I have taken away stays away, though they have changed it', () => {
    const draft = { ...mine, items: mine.items.filter(({ id }) => id !== 'c') }
    const items = [item('b'), item('c', { title: 'their c' }), item('d')]
    expect(order(rebase(draft, { items, etag: null }, NONE))).toEqual(['b', 'd'])
  })
  it('made again a second time it is still the same edit', () => {
    const first = rebase(typed, { items: [item('b'), item('x')], etag: null }, NONE)
    expect(order(first)).toEqual(['b', 'x', 'my c', 'n'])
    expect(order(rebase(first, { items: [item('b'), item('x'), item('y')], etag: null }, NONE))).toEqual([
      'b',
      'x',
      'y',
      'my c',
      'n',
    ])
  })
  it('finished items are known from events too, as a replan takes them off the list', () => {
    const events = [event('item_started', 'a', 1), event('item_completed', 'b', 2), event('item_failed', 'c', 3)]
    expect([...finishedIn(events, [item('a')], 3)]).toEqual(['b', 'c'])
  })
  it('an item that the plan has as open is over only by an event that is later than the plan', () => {
    const events = [event('item_completed', 'a', 2)]
    expect([...finishedIn(events, [item('a')], 1)]).toEqual(['a'])
    expect([...finishedIn(events, [item('a')], 2)]).toEqual([])
    expect([...finishedIn(events, [item('a', { status: 'completed' })], 2)]).toEqual(['a'])
  })
})

const event = (type: Envelope['type'], item_id: string, journal_seq: number): Envelope => ({
  seq: 1,
  type,
  at: '',
  task_id: '',
  payload: { item_id, journal_seq },
})

describe('what has changed meanwhile', () => {
  it('a plan that only goes on – another item is running – is the same to its editor', () => {
    const now = [
      item('a', { status: 'completed' }),
      item('b', { status: 'pending' }),
      item('c', { status: 'running' }),
      item('d'),
    ]
    expect(isUnchanged(planChanges(BASE, now, NONE))).toBe(true)
  })
  it.each<[string, PlanItem[], object]>([
    ['added', [...BASE, item('e')], { added: ['title e'] }],
    ['removed', BASE.slice(0, 3), { removed: ['title d'] }],
    ['renamed', [...BASE.slice(0, 3), item('d', { title: 'D' })], { renamed: [{ from: 'title d', to: 'D' }] }],
    [
      'finished',
      [BASE[0] ?? item('a'), item('b', { status: 'completed' }), item('c'), item('d')],
      { finished: ['title b'] },
    ],
    ['reordered', [item('b'), item('d'), item('c')], { reordered: true }],
    ['with other details', [item('b'), item('c', { expected_output: 'x' }), item('d')], { detailed: ['title c'] }],
  ])('%s', (_, now, expected) => {
    const nothing = { added: [], removed: [], renamed: [], reordered: false, finished: [], detailed: [] }
    expect(planChanges(BASE, now, NONE)).toEqual({ ...nothing, ...expected })
    expect(isUnchanged(planChanges(BASE, now, NONE))).toBe(false)
  })
  it('an item that events say is over is finished, though the plan that is shown does not say so yet', () => {
    const { added, finished } = planChanges(BASE, BASE, new Set(['b']))
    expect({ added, finished }).toEqual({ added: [], finished: ['title b'] })
  })
  it('an item that was finished and has left the list is finished, not removed', () => {
    expect(planChanges(BASE, [item('c'), item('d')], new Set(['b']))).toMatchObject({
      removed: [],
      finished: ['title b'],
    })
  })
  it('of two items of one title that have no ids each counts', () => {
    const list = (...titles: string[]) => titles.map((title) => ({ id: null, title }))
    expect(changesOf(list('a', 'a', 'b'), list('a', 'b', 'b'))).toMatchObject({ added: ['b'], removed: ['a'] })
  })
})

describe('items that were finished under earlier revisions', () => {
  const event = (seq: number, type: Envelope['type'], item_id: string): Envelope => ({
    seq,
    type,
    at: '2026-01-01T00:00:00Z',
    task_id: 'task_1',
    payload: { item_id, title: `do ${item_id}`, index: 0 },
  })
  it('are told by their events, once, by their last word, and not while the plan lists them', () => {
    const events = [
      event(1, 'item_started', 'step_1'),
      event(2, 'item_failed', 'step_1'),
      event(3, 'item_completed', 'step_1'),
      event(4, 'item_completed', 'step_2'),
    ]
    const listed = [{ id: 'step_2' }] as PlanItem[] // of an item its id is all that is asked for here
    expect(earlierItems(events, listed)).toEqual([{ id: 'step_1', title: 'do step_1', status: 'completed' }])
  })
})
