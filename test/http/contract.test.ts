/** The check that every HTTP test leans on: an answer that is not in openapi.yaml does not pass it. */
import { describe, expect, it } from 'vitest'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { expectContract } from '../support/contract.ts'

const PATH = `/tasks/${TASK_EXAMPLE.id}`
const PROBLEM = { type: 't', title: 't', status: 404, detail: 'd', instance: PATH, code: 'task_not_found' }
const answer = (body: unknown, { status = 200, type = 'application/json', headers = {} } = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': type, 'x-request-id': 'r', etag: '"1"', link: '</x>', ...headers },
  })
const problem = (body: unknown, status = 404) => answer(body, { status, type: 'application/problem+json' })

describe('expectContract', () => {
  it.each([
    ['the task', 'GET', PATH, answer(TASK_EXAMPLE)],
    ['lines', 'GET', PATH, answer('Task', { type: 'text/plain; charset=utf-8' })],
    ['a problem', 'GET', PATH, problem(PROBLEM)],
    ['a stray path', 'GET', '/nowhere', problem({ ...PROBLEM, code: 'not_found' })],
  ])('passes %s', async (_, method, path, response) => {
    await expect(expectContract(method, path, response)).resolves.toBeUndefined()
  })

  const { goal: _goal, ...withoutGoal } = TASK_EXAMPLE
  it.each([
    ['a member too many', 'GET', PATH, answer({ ...TASK_EXAMPLE, secret: 1 })],
    ['a member too few', 'GET', PATH, answer(withoutGoal)],
    ['a wrong type', 'GET', PATH, answer({ ...TASK_EXAMPLE, version: '5' })],
    ['a wrong value', 'GET', PATH, answer({ ...TASK_EXAMPLE, status: 'done' })],
    ['a nested member too many', 'GET', PATH, answer({ ...TASK_EXAMPLE, plan: { ...TASK_EXAMPLE.plan, aim: '' } })],
    ['a status it does not list', 'GET', PATH, answer(TASK_EXAMPLE, { status: 202 })],
    ['a content type it does not list', 'GET', PATH, answer('<html>', { type: 'text/html' })],
    [
      'a missing header',
      'GET',
      PATH,
      new Response(JSON.stringify(TASK_EXAMPLE), {
        headers: { 'content-type': 'application/json', 'x-request-id': 'r' },
      }),
    ],
    ['no request id', 'GET', PATH, answer(TASK_EXAMPLE, { headers: { 'x-request-id': '' } })],
    ['an unknown code', 'GET', PATH, problem({ ...PROBLEM, code: 'gone' })],
    ['a plain 404', 'GET', PATH, answer('not found', { status: 404, type: 'text/plain' })],
    ['a body where there is none', 'DELETE', PATH, answer('x', { status: 200 })],
    ['an answer of a stray path', 'GET', '/nowhere', answer('{}')],
    ['a refusal of a stray path that is none', 'GET', '/nowhere', problem({ ...PROBLEM, code: 'rate_limited' })],
  ])('refuses %s', async (_, method, path, response) => {
    await expect(expectContract(method, path, response)).rejects.toThrow(/→ \d{3}/)
  })
})
