/** Which tasks the list asks for, and the ways from its page. */
import { describe, expect, it } from 'vitest'
import {
  withFilters,
  isFiltered,
  readAgainAfter,
  newerPage,
  olderPage,
  pageNumber,
  pathOf,
  statusesOf,
  waitingPath,
} from '../../src/console/views/tasks/listing.ts'

describe('the address of the list', () => {
  it('holds the query for the service, and nothing that the service does not know', () => {
    expect(pathOf({})).toBe('/tasks?limit=20')
    expect(
      pathOf({
        q: '50% ä&b',
        status: 'completed',
        outcome: 'partial',
        mode: 'session',
        after: '7',
        trail: '9',
        other: 'x',
      }),
    ).toBe('/tasks?q=50%25+%C3%A4%26b&status=completed&outcome=partial&mode=session&limit=20&after=7')
  })

  it('starts at the first page after a change of a filter, and leaves out an empty filter', () => {
    const asked = { q: 'milk', status: 'paused', after: '7', trail: '9' }
    expect(withFilters(asked, { mode: 'session' }).query).toEqual({ q: 'milk', status: 'paused', mode: 'session' })
    expect(withFilters(asked, { q: '', status: '' }).query).toEqual({})
    expect([isFiltered(asked), isFiltered({ after: '7', trail: '9' })]).toEqual([true, false])
  })

  it('leads back from an older page through the pages before it, with the filters', () => {
    const first = { status: 'paused' }
    const second = olderPage(first, '80').query
    const third = olderPage(second, '60').query
    const fourth = olderPage(third, '40').query
    expect([first, second, third, fourth].map(pageNumber)).toEqual([1, 2, 3, 4])
    expect(pathOf(fourth)).toBe('/tasks?status=paused&limit=20&after=40')
    expect(newerPage(fourth).query).toEqual(third)
    expect(newerPage(third).query).toEqual(second)
    expect(newerPage(second).query).toEqual(first)
  })
})

describe('a list that updates itself', () => {
  it('asks less often during a search, because a search reads every goal', () => {
    expect(readAgainAfter({ q: 'milk' })).toBeGreaterThan(2 * readAgainAfter({ status: 'paused' }))
  })

  it('asks for a few waiting tasks to count them, and not for a whole page', () => {
    expect(waitingPath('paused')).toBe('/tasks?status=paused&limit=5')
  })

  it('distinguishes a change of status from any other change', () => {
    const before = statusesOf([{ id: 'task_1', status: 'running' }])
    expect(statusesOf([{ id: 'task_1', status: 'running' }])).toBe(before)
    expect(statusesOf([{ id: 'task_1', status: 'paused' }])).not.toBe(before)
    expect(statusesOf([])).not.toBe(before)
  })
})
