/** GET /tasks/:id with If-None-Match: 304 for who has the version already, never while a time to wait counts down. */
import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { versionsOfIfMatch } from '../../src/http/gate/etag.ts'
import { fixture, ID } from '../support/http-fixture.ts'

const get = (header: string, answers = {}, method = 'GET') =>
  fixture({ answers }).send(method, `/tasks/${ID}`, null, { 'if-none-match': header })

describe('If-None-Match', () => {
  it.each(['"5"', 'W/"5"', '*', ' * ', '"4", "5"', '"4",W/"5" , "6"', '"a,b", "5"'])('%s is 304', async (header) => {
    const response = await get(header)
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect([response.headers.get('etag'), response.headers.has('content-type')]).toEqual(['"5"', false])
  })

  it.each(['"4"', '5', '', '"55"', "'5'", '"5', 'W/5', '"4, 5"', '**', '"*"'])('%s is the task', async (header) => {
    const response = await get(header)
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"5"'])
    expect(await response.json()).toEqual({ ...TASK_EXAMPLE, slice: null })
  })

  it.each(['"5"', '*'])('25 while retry_after_ms counts down %s is the task', async (header) => {
    const getTask = async () => ok({ link_epoch: 0, task: { ...TASK_EXAMPLE, slice: null, retry_after_ms: 800 } })
    expect((await get(header, { getTask })).status).toBe(200)
  })

  it('what a task has made comes and goes without a new version: its tag follows, and If-Match knows the version in it', async () => {
    const artifact = { name: 'a.md', content_type: 'text/plain', size: 1, url: '/x?token=1' }
    const withFiles = (artifacts: (typeof artifact)[]) => ({
      getTask: async () =>
        ok({
          link_epoch: 0,
          task: { ...TASK_EXAMPLE, slice: null, result: { text: '', artifacts, outcome: 'done', unmet: [] } },
        }),
    })
    const tagOf = async (artifacts: (typeof artifact)[]) =>
      (await get('"0"', withFiles(artifacts))).headers.get('etag') ?? ''
    const tag = await tagOf([artifact])
    expect(tag).toMatch(/^"5;[0-9a-f]{16}"$/)
    expect(await tagOf([])).toBe('"5"')
    expect(await tagOf([{ ...artifact, size: 2 }])).not.toBe(tag)
    expect(await tagOf([{ ...artifact, url: '/x?token=2' }])).not.toBe(tag)
    expect((await get(tag, withFiles([artifact]))).status).toBe(304)
    expect((await get('"5"', withFiles([artifact]))).status).toBe(200)
    expect((await get(tag, withFiles([]))).status).toBe(200)
    expect([
      versionsOfIfMatch(tag),
      versionsOfIfMatch(`W/${tag}`),
      versionsOfIfMatch('"5;x"'),
      versionsOfIfMatch('"05"'),
    ]).toEqual([[5], [], [], []])
  })

  it('a task that is gone is 404, not 304', async () => {
    expect((await get('*', { getTask: async () => refuse({ code: 'task_not_found' }) })).status).toBe(404)
  })

  it('HEAD is answered as GET', async () => {
    const response = await get('"5"', {}, 'HEAD')
    expect([response.status, response.headers.get('etag')]).toEqual([304, '"5"'])
  })

  it('other routes do not heed it', async () => {
    const { send } = fixture()
    for (const [method, path] of [
      ['POST', `/tasks/${ID}/step`],
      ['GET', `/tasks/${ID}/journal`],
    ] as const) {
      expect((await send(method, path, null, { 'if-none-match': '*' })).status).toBe(200)
    }
  })
})
