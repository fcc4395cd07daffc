/** A worker over HTTP and a task of mode orchestrator, as they are: a command goes out, its file is read, its report comes back by the link. */
import { describe, expect, it } from 'vitest'
import { readCommandFile } from '../../src/delegations/command-file.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import { serviceCaller } from '../../src/shell/caller.ts'
import { linkBench, type LinkBench } from '../support/link-bench.ts'
import { ALL, createTask, step, type Script } from '../support/scripted.ts'
import { JSON_TYPE } from './sent.ts'

const KEYS = { API_KEYS: 'acme:acme-key,acme:hand-key:worker' }
const HAND = { authorization: 'Bearer hand-key' }
const MARKDOWN = { 'content-type': 'text/markdown' }
const SCRIPT: Script = {
  plan: [[{ title: 'Build', description: 'Build the page', constraints: 'No scripts', expected_output: 'A page' }]],
  evaluate: [{ decision: 'next', reason: 'it is there', adjusted_steps: [] }],
  summary: ['All is done.'],
}

async function dispatched(settings: Partial<Settings> = {}) {
  const bench = linkBench(SCRIPT, KEYS)
  const task = await createTask(bench, settings, ALL, { mode: 'orchestrator' })
  const { pending } = task
  if (pending?.kind !== 'report') throw new Error(`it waits for ${pending?.kind}`)
  const path = `/delegations/${pending.delegation_id}`
  const file = await (await bench.send('GET', path, null, { ...HAND, accept: 'text/markdown' })).text()
  const command = readCommandFile(file)
  if (command === null || command.report_url === null) throw new Error('no command file with a link')
  return { bench, task, path, command, link: command.report_url }
}
const statusOf = async (bench: LinkBench, path: string) => {
  const found = await bench.send('GET', path, null, HAND)
  return ((await found.json()) as Record<string, unknown>)['status']
}

describe('a worker', () => {
  it('S2-12 S2-13 reads the command file, claims it, and reports by the link: the next slice evaluates the report', async () => {
    const { bench, task, path, command, link } = await dispatched()
    expect(command).toMatchObject({ command_type: 'new', session_id: 'auto', constraints: 'No scripts' })
    expect(command.task).toContain('Build the page')
    const claimed = await bench.send('POST', `${path}/claim`, '{"worker":"me"}', { ...HAND, ...JSON_TYPE })
    expect(await claimed.json()).toMatchObject({ status: 'claimed', command_id: command.id, report_url: link })
    const listed = await bench.send('GET', '/delegations?status=claimed', null, HAND)
    expect(await listed.json()).toMatchObject({ data: [{ command_id: command.id, claim: { worker: 'me' } }] })

    const report = `---\ncommand_id: ${command.id}\nstatus: SUCCESS\nsession_id: s-7\n---\n\n## 核心成果\nThe page.\n`
    const sent = await bench.send('POST', link, report, MARKDOWN)
    expect(await sent.json()).toMatchObject({
      status: 'reported',
      report: { status: 'SUCCESS', session_id: 's-7', results: 'The page.' },
    })
    const after = await bench.service.listTasks(
      serviceCaller('acme'),
      { status: 'running', mode: null, metadata: {}, q: null, outcome: null },
      { limit: 5, after: 0 },
    )
    expect(after).toMatchObject({ ok: true, value: { data: [{ id: task.id }] } })
    expect(await step(bench, task.id, ALL)).toMatchObject({
      status: 'completed',
      result: { text: expect.stringContaining('All is done.') },
    })
    bench.spent()
  })

  it('who sends the same again, with a key or the link, changes nothing; another report is already_reported', async () => {
    const { bench, path, link } = await dispatched()
    const key = { 'idempotency-key': 'k' }
    const file = '---\nstatus: FAILED\n---\nNo.\n'
    const first = await bench.send('POST', `${path}/report`, file, { ...HAND, ...MARKDOWN, ...key })
    const body = await first.text()
    const again = await bench.send('POST', `${path}/report`, file, { ...HAND, ...MARKDOWN, ...key })
    expect([again.status, again.headers.get('idempotency-replayed'), await again.text()]).toEqual([200, 'true', body])
    expect((await bench.send('POST', link, file, MARKDOWN)).status).toBe(200)
    const other = await bench.send('POST', link, '---\nstatus: SUCCESS\n---\n', MARKDOWN)
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'already_reported' }])
    const reused = await bench.send('POST', `${path}/report`, 'x', { ...HAND, ...MARKDOWN, ...key })
    expect([reused.status, await reused.json()]).toMatchObject([422, { code: 'idempotency_key_reused' }])
  })

  it('U19 who is late is told so, and the delegation is expired', async () => {
    const { bench, path, link } = await dispatched({ report_timeout_s: 60 })
    bench.clock.now += 59_999
    expect(await statusOf(bench, path)).toBe('pending')
    bench.clock.now += 1
    expect(await statusOf(bench, path)).toBe('expired')
    const late = await bench.send('POST', link, '---\nstatus: SUCCESS\n---\n', MARKDOWN)
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'delegation_expired' }])
    const claim = await bench.send('POST', `${path}/claim`, '{"worker":"me"}', { ...HAND, ...JSON_TYPE })
    expect([claim.status, await claim.json()]).toMatchObject([409, { code: 'delegation_expired' }])
  })

  it('whose task was canceled sees that the command was withdrawn', async () => {
    const { bench, task, path, link } = await dispatched()
    await bench.send('POST', `/tasks/${task.id}/cancel`, null, { authorization: 'Bearer acme-key' })
    expect(await statusOf(bench, path)).toBe('canceled')
    const late = await bench.send('POST', link, '---\nstatus: SUCCESS\n---\n', MARKDOWN)
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'delegation_canceled' }])
  })

  it('who answers another command is told which was wanted', async () => {
    const { bench, command, link } = await dispatched()
    const wrong = await bench.send('POST', link, '---\ncommand_id: task-other\nstatus: SUCCESS\n---\n', MARKDOWN)
    expect([wrong.status, await wrong.json()]).toMatchObject([
      409,
      { code: 'wrong_command', detail: expect.stringContaining(command.id) },
    ])
  })
})
