/** The address of a view and back. */
import { describe, expect, it } from 'vitest'
import { fragmentOf, routeOf, type PageRoute } from '../../src/console/route.ts'

describe('every view has an address that can be linked, reloaded and gone back to', () => {
  it.each<[string, Exclude<PageRoute, { view: 'nowhere' }>]>([
    ['#/tasks', { view: 'tasks', query: {} }],
    ['#/tasks?status=paused&q=a+b', { view: 'tasks', query: { status: 'paused', q: 'a b' } }],
    ['#/tasks/task_1', { view: 'task', id: 'task_1', tab: 'activity' }],
    ['#/tasks/task_1/journal', { view: 'task', id: 'task_1', tab: 'journal' }],
    ['#/tasks/task_1/journal?seq=7', { view: 'task', id: 'task_1', tab: 'journal', seq: 7 }],
    ['#/tasks/a%2Fb%20c', { view: 'task', id: 'a/b c', tab: 'activity' }],
    ['#/new', { view: 'new' }],
    ['#/desk', { view: 'desk' }],
  ])('%s', (fragment, route) => {
    expect(routeOf(fragment)).toEqual(route)
    expect(fragmentOf(route)).toBe(fragment)
  })
  it.each(['#/nothing', '#/tasks/task_1/nothing', '#/tasks/a/journal/b', '#/new/x'])('%s is nowhere', (fragment) => {
    expect(routeOf(fragment)).toEqual({ view: 'nowhere' })
  })
  it.each(['', '#', '#/'])('%j is the list of tasks', (fragment) => {
    expect(routeOf(fragment)).toEqual({ view: 'tasks', query: {} })
  })
  it.each(['#/tasks/task_1/journal?seq=0', '#/tasks/task_1/journal?seq=x', '#/tasks/task_1/journal?seq=1e9'])(
    '%s names no row, and is the journal all the same',
    (fragment) => {
      expect(routeOf(fragment)).toEqual({ view: 'task', id: 'task_1', tab: 'journal' })
    },
  )
  it('only the journal has rows to go to', () => {
    expect(routeOf('#/tasks/task_1/files?seq=3')).toEqual({ view: 'task', id: 'task_1', tab: 'files' })
  })
  it('an id that is not well encoded is taken as it stands', () => {
    expect(routeOf('#/tasks/%E0%A4%A')).toEqual({ view: 'task', id: '%E0%A4%A', tab: 'activity' })
  })
})
