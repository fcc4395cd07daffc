/** The curl line of a request, run by a real shell: what reaches the service is what the page itself would have sent. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { curlOf, get, taskPath, post, queryText, type ApiRequest } from '../../src/console/api/request.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'

let server: FaultServer
let place: string
beforeAll(async () => {
  server = await startFaultServer()
  place = mkdtempSync(join(tmpdir(), 'loop-agent-curl-'))
})
beforeEach(() => server.reset())
afterAll(async () => {
  rmSync(place, { recursive: true })
  await server.close()
})

async function run(request: ApiRequest) {
  server.script({ body: '{}' })
  const line = curlOf(request, server.origin)
  const shell = spawn('sh', ['-c', line], {
    cwd: place,
    env: { PATH: process.env['PATH'], KEY: 'authorization: Bearer s3cret' },
    stdio: 'ignore',
  })
  expect(await once(shell, 'exit'), line).toEqual([0, null])
  expect(server.received).toHaveLength(1)
  return { line, sent: server.received[0] }
}

const HOSTILE = [
  "it's 'quoted'",
  'say "yes"',
  'two\nlines\r\nand\ttabs',
  '$HOME $(touch pwned) `touch pwned` ${KEY}',
  '买牛奶 🥛 “好”',
  '--data-raw x; touch pwned; #',
  '-o pwned',
  '@/etc/hostname',
  String.raw`\ \' \\ \u0000 %s %0a`,
  "'; touch pwned; '",
  '!! !$ ~ * ? [a] {a,b} & | < >',
  '',
]
it.each(HOSTILE)('the goal %j arrives unchanged as JSON, and the shell runs nothing of it', async (goal) => {
  const { sent } = await run(post('/tasks', { goal }))
  expect(sent).toMatchObject({
    method: 'POST',
    path: '/tasks',
    headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json' },
  })
  expect(JSON.parse(sent?.body ?? '')).toEqual({ goal })
})

it.each<ApiRequest['method']>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is sent as %s', async (method) => {
  const { sent } = await run({ method, path: '/tasks/task_1' })
  expect(sent).toMatchObject({ method, path: '/tasks/task_1', body: '' })
})

it.each([
  taskPath('task_1', 'files', "it's $(touch pwned) 报告.md"),
  `/tasks${queryText({ q: "a'b&c=`d`", cursor: null, limit: 20 })}`,
  '/tasks/task_1/journal?limit=10&after=3',
  '/calendar?[1-3]{a,b}',
])('the path %s is requested unchanged: curl does not read it as a pattern', async (path) => {
  const { sent } = await run(get(path))
  expect(sent?.path).toBe(path)
})

it('the headers are sent, and the key is a variable and never shown', async () => {
  const { sent, line } = await run({ ...post('/tasks/t/plan'), headers: { 'if-match': `"3"'$KEY` } })
  expect(sent?.headers).toMatchObject({ 'if-match': `"3"'$KEY`, authorization: 'Bearer s3cret' })
  expect(line).toContain('$KEY')
  expect(line).not.toContain('s3cret')
})

it.each(["it's 报告 $(touch pwned).csv", '-o', 'a;b,c.csv'])(
  'a file %s is sent unchanged, byte by byte',
  async (name) => {
    writeFileSync(join(place, name), 'a,b\r\n1,2\n')
    const file = new File(['a,b\r\n1,2\n'], name, { type: 'text/csv' })
    const { sent } = await run({ method: 'PUT', path: taskPath('t', 'files', name), file })
    expect(sent).toMatchObject({ method: 'PUT', path: taskPath('t', 'files', name), body: 'a,b\r\n1,2\n' })
  },
)

it('a file is sent with the type that the page sends', async () => {
  writeFileSync(join(place, 'a.csv'), 'a,b\n')
  const { sent } = await run({ method: 'PUT', path: '/f', file: new File([''], 'a.csv', { type: 'text/csv' }) })
  expect(sent?.headers['content-type']).toBe('text/csv')
})

it('a file without a type is sent without one, and not as a form', async () => {
  writeFileSync(join(place, 'data'), 'a,b\n')
  const { sent, line } = await run({ method: 'PUT', path: '/f', file: new File(['a,b\n'], 'data') })
  expect(line).toContain("-H 'content-type:'")
  expect(sent).toMatchObject({ method: 'PUT', body: 'a,b\n' })
  expect(sent?.headers).not.toHaveProperty('content-type')
})
