/** The address of a view and back. */
import { describe, expect, it } from 'vitest'
import { fragmentOf, routeOf, VIEWS, type PageRoute } from '../../src/console/route.ts'

type PageAddress = Exclude<PageRoute, { view: 'nowhere' }>

describe('every view has an address for links, reloads and the way back', () => {
  it.each<[string, PageAddress]>([
    ['#/tasks', { view: 'tasks', query: {} }],
    ['#/tasks?status=paused&q=a+b', { view: 'tasks', query: { status: 'paused', q: 'a b' } }],
    ['#/tasks/task_1', { view: 'task', id: 'task_1', tab: 'activity' }],
    ['#/tasks/task_1/journal', { view: 'task', id: 'task_1', tab: 'journal' }],
    ['#/tasks/task_1/journal?seq=7', { view: 'task', id: 'task_1', tab: 'journal', seq: 7 }],
    ['#/schedules/morning', { view: 'schedules', name: 'morning' }],
    ['#/agents/shopper%403', { view: 'agents', name: 'shopper@3' }],
    ['#/tasks/a%2Fb%20c', { view: 'task', id: 'a/b c', tab: 'activity' }],
    ...VIEWS.flatMap((view): [string, PageAddress][] => (view === 'tasks' ? [] : [[`#/${view}`, { view }]])),
  ])('%s', (fragment, route) => {
    expect(routeOf(fragment)).toEqual(route)
    expect(fragmentOf(route)).toBe(fragment)
  })
  it.each([
    '#/nothing',
    '#/tasks/task_1/nothing',
    '#/tasks/a/journal/b',
    '#/new/x',
    '#/schedules/a/b',
    '#/agents/a/b/c',
  ])('%s is no view', (fragment) => {
    expect(routeOf(fragment)).toEqual({ view: 'nowhere' })
  })
  it.each(['', '#', '#/'])('%j is the list of tasks', (fragment) => {
    expect(routeOf(fragment)).toEqual({ view: 'tasks', query: {} })
  })
  it.each(['#/tasks/task_1/journal?seq=0', '#/tasks/task_1/journal?seq=x', '#/tasks/task_1/journal?seq=1e9'])(
    '%s names no row, and shows the journal all the same',
    (fragment) => {
      expect(routeOf(fragment)).toEqual({ view: 'task', id: 'task_1', tab: 'journal' })
    },
  )
  it('only the journal has addresses of rows', () => {
    expect(routeOf('#/tasks/task_1/files?seq=3')).toEqual({ view: 'task', id: 'task_1', tab: 'files' })
  })
  it('U62 the version of an agent is read as it stands, encoded or not', () => {
    expect(routeOf('#/agents/shopper@3')).toEqual({ view: 'agents', name: 'shopper@3' })
  })
  it('an id that is not encoded correctly is taken unchanged', () => {
    expect(routeOf('#/tasks/%E0%A4%A')).toEqual({ view: 'task', id: '%E0%A4%A', tab: 'activity' })
  })
})
