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
  it('U18: has only the unfinished items', () => {
    expect(draftOf(BASE, '"1"').items.map(({ id }) => id)).toEqual(['b', 'c', 'd'])
  })
  it('moves an item up or down by one place, and not beyond the ends', () => {
    const { items } = draftOf(BASE, null)
    const order = (key: string, by: -1 | 1) => moveItem(items, key, by).map(({ id }) => id)
    expect(order('c', -1)).toEqual(['c', 'b', 'd'])
    expect(order('c', 1)).toEqual(['b', 'd', 'c'])
    expect(order('b', -1)).toEqual(['b', 'c', 'd'])
    expect(order('d', 1)).toEqual(['b', 'c', 'd'])
  })
  it('counts as touched after a letter, a move, an addition or a removal', () => {
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
  it('needs a title for each item', () => {
    const { items } = draftOf(BASE, null)
    expect(findUntitled(items)).toBeNull()
    expect(findUntitled(changeItem(items, 'c', { title: '  ' }))?.key).toBe('c')
  })
})

describe('the edit that is sent', () => {
  it('names known items, and only the details that were changed', () => {
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
  it('sends null for an expected output that was emptied', () => {
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
  it('leaves out items that were finished meanwhile, whether the list still has them or not', () => {
    const theirs = { items: [item('b', { status: 'completed' }), item('c')], etag: '"9"' }
    const again = rebase(typed, theirs, new Set(['d']))
    expect(again.items.map(({ id, title }) => [id, title])).toEqual([
      ['c', 'my c'],
      [null, 'n'],
    ])
    expect(again).toMatchObject({ base: theirs.items, etag: '"9"' })
  })
  it('untouched texts follow the other plan, and typed texts stay', () => {
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
  it('an edited item that the other plan has removed becomes a new item with all its texts', () => {
    const again = rebase(typed, { items: [item('x')], etag: null }, NONE)
    expect(editOf(again).items[1]).toEqual({ title: 'my c', description: 'about c' })
  })
  it('of the items that the other plan has removed, an edited one is kept and an untouched one stays removed', () => {
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
  ])('a new item of the other plan comes after the item that it follows there: %s', (_, items, expected) => {
    expect(order(rebase(typed, { items, etag: null }, NONE))).toEqual(expected)
  })
  it('my order wins when I have moved items, and their new items follow the same item as before', () => {
    const draft = { ...mine, items: moveItem(mine.items, 'd', -1) }
    const items = [item('d'), item('b'), item('c'), item('x')]
    expect(order(rebase(draft, { items, etag: null }, NONE))).toEqual(['b', 'd', 'c', 'x'])
  })
  it('their order wins when I have moved nothing, and my new items follow the same item as before', () => {
    const added = [...mine.items.slice(0, 1), { ...emptyItem('n'), title: 'n' }, ...mine.items.slice(1)]
    const items = [item('d'), item('c'), item('b')]
    expect(order(rebase({ ...mine, items: added }, { items, etag: null }, NONE))).toEqual(['d', 'c', 'b', 'n'])
  })
  it('an item that I have removed stays removed, although they have changed it', () => {
    const draft = { ...mine, items: mine.items.filter(({ id }) => id !== 'c') }
    const items = [item('b'), item('c', { title: 'their c' }), item('d')]
    expect(order(rebase(draft, { items, etag: null }, NONE))).toEqual(['b', 'd'])
  })
  it('an edit that is made again a second time is still the same edit', () => {
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
  it('finished items are found in events too, because a replan removes them from the list', () => {
    const events = [event('item_started', 'a', 1), event('item_completed', 'b', 2), event('item_failed', 'c', 3)]
    expect([...finishedIn(events, [item('a')], 3)]).toEqual(['b', 'c'])
  })
  it('an item that is open in the plan is finished only by an event that is later than the plan', () => {
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

describe('the changes of a plan during an edit', () => {
  it('a plan is unchanged for the editor when only another item is running', () => {
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
  it('an item counts as finished as soon as an event says so, although the plan does not say it yet', () => {
    const { added, finished } = planChanges(BASE, BASE, new Set(['b']))
    expect({ added, finished }).toEqual({ added: [], finished: ['title b'] })
  })
  it('an item that was finished and has left the list counts as finished, not as removed', () => {
    expect(planChanges(BASE, [item('c'), item('d')], new Set(['b']))).toMatchObject({
      removed: [],
      finished: ['title b'],
    })
  })
  it('two items with the same title and no id count as two', () => {
    const list = (...titles: string[]) => titles.map((title) => ({ id: null, title }))
    expect(changesOf(list('a', 'a', 'b'), list('a', 'b', 'b'))).toMatchObject({ added: ['b'], removed: ['a'] })
  })
})

describe('items that were finished in earlier revisions', () => {
  it('are those that the plan does not list, and all of them are counted, also those that it no longer names', () => {
    const done = (id: string) => ({ id, title: `do ${id}`, status: 'completed' as const, result: 'it is done' })
    const finished = [done('step_7'), done('step_8')]
    const plan = { revision: 3, cursor: 1, source: 'replan', items: [item('step_8')], finished, finished_count: 8 }
    expect(earlierItems(plan)).toEqual({ earlier: [done('step_7')], count: 7 })
    expect(earlierItems({ ...plan, finished: [], finished_count: 0 })).toEqual({ earlier: [], count: 0 })
  })
})
