/** U53: paths, methods, names of files and commands that are nearly right. */
import { describe, expect, it } from 'vitest'
import { nearestCommand } from '../../src/core/workspace/commands/forms.ts'
import { fixture, ID, problemOf } from '../support/http-fixture.ts'

const detailOf = async (method: string, path: string) => {
  const response = await fixture().send(method, path)
  return [response.status, (await problemOf(response))['detail']]
}

describe('U53 a path that is no route', () => {
  it.each([
    ['/task', 'did you mean /tasks?'],
    ['/tasks/', 'did you mean /tasks?'],
    ['/api/v1/tasks', 'did you mean /tasks?'],
    [`/task/${ID}/evnts`, 'did you mean /tasks/{id}/events?'],
    ['/delegation', 'did you mean /delegations?'],
    ['/openapi.yml', 'did you mean /openapi.yaml?'],
    [`/tasks/${ID}/run`, 'did you mean POST /tasks/{id}/step?'],
    [`/tasks/${ID}/messages`, 'did you mean POST /tasks/{id}/input?'],
    [`/tasks/${ID}/logs`, 'did you mean GET /tasks/{id}/events?'],
    [`/tasks/${ID}/nothing`, 'under /tasks/{id} there are links, step, input, budget, plan'],
    [`/tasks/${ID}/files/data/sales.csv`, 'a file has one name without "/": 1 to 128 letters, digits'],
  ])('U53 %s: %s', async (path, hint) => {
    const [status, detail] = await detailOf('GET', path)
    expect(status).toBe(404)
    expect(detail).toContain(`There is no such route: ${hint}`)
    expect(detail).toContain('GET /openapi.yaml lists all of them.')
  })

  it.each(['/nowhere', '/wp-login.php', '/answers/secret-token/more', `/${'x'.repeat(2_000)}`])(
    'U53 nothing is near %s',
    async (path) => {
      const [, detail] = await detailOf('GET', path)
      expect(detail).toBe('There is no such route; GET /openapi.yaml lists all of them.')
    },
  )

  it('U53 another method is answered with those that the route takes', async () => {
    expect(await detailOf('PUT', `/tasks/${ID}`)).toEqual([
      405,
      'This route takes DELETE (deletes), GET (reads), HEAD, PATCH (changes).',
    ])
  })
})

it.each([
  ['data%2Fsales.csv', '; there are no folders, so put it as "sales.csv"'],
  ['..%5Cb.csv', '; there are no folders, so put it as "b.csv"'],
  ['a%20b.csv', ''],
])('U53 the name %s is answered with the rule of names', async (name, advice) => {
  const response = await fixture().send('PUT', `/tasks/${ID}/files/${name}`, 'a')
  const rule = 'name must be 1 to 128 letters, digits, ".", "_" or "-", and not "." or ".."'
  expect((await problemOf(response))['errors']).toEqual([{ pointer: '/name', message: rule + advice }])
})

it.each([
  ['/todoo', '/todo'],
  ['/todoo add milk', '/todo add'],
  ['/todo ad milk', '/todo add'],
  ['todo list', '/todo list'],
  ['/TODO LIST', '/todo list'],
  ['/schedul view week', '/schedule view'],
  ['/hlep', '/help'],
  ['/foo', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('U53 a command that is nearly one: %s', (input, meant) => {
  expect(nearestCommand(input)).toBe(meant)
})
