/** What may stand in an error that nobody foresaw, and must not stand in its answer or in the log (F66). */
import { expect, it, vi } from 'vitest'
import { fixture } from '../support/http-fixture.ts'

const CANARY = 'canary-of-thirty-two-characters!'

it.each<[string, string, Record<string, string>]>([
  ['the secret of the runner', CANARY, { CODE_RUNNER_URL: 'https://run.example', CODE_RUNNER_SECRET: CANARY }],
  ['the signing secret', CANARY, { SIGNING_SECRET: CANARY }],
  ['a key in a header', `authorization: Bearer ${CANARY}`, {}],
  ['the signed token of a file', `GET /tasks/task_1/files/a.csv?token=${CANARY}&download=1 broke`, {}],
])('F66 %s is in no line of the log, and in no answer', async (_name, said, env) => {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  const { send } = fixture({ env, behaviour: { throws: new Error(`it broke: ${said}`) } })
  const response = await send('GET', '/tasks')
  spy.mockRestore()
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain(CANARY)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines.join())).toMatchObject({ event: 'request_failed', error: 'Error', reason: 'unexpected' })
  expect(lines.join()).not.toContain(CANARY)
})
