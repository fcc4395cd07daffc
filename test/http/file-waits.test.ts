/** A task that waits for a file, over HTTP: what is shown of it, in JSON and as text, and how it goes on (U36). */
import { describe, expect, it } from 'vitest'
import { TaskView } from '../../src/core/terms/view.ts'
import { calling } from '../support/scripted.ts'
import { ACME, linkBench, ORIGIN, type LinkBench } from '../support/link-bench.ts'
import { action, answered, goOn, steps, thought } from '../core/dynamic/support.ts'

const MISSING = { ok: false, code: 'not_found', text: 'There is no file "notes.md".' }
const SCRIPTS = {
  dynamic: {
    plan: [steps('A')],
    step_decision: [
      { ...thought(), ...goOn(), action: action('{"name":"notes.md"}', 'read_file') },
      { ...thought(), ...answered('the sum'), action: null },
    ],
    tools: [MISSING],
  },
  session: { turn: [calling('', ['read_file', { name: 'notes.md' }]), 'the sum\n[Goal reached]'], tools: [MISSING] },
}

const JSON_TYPE = { ...ACME, 'content-type': 'application/json' }

async function waiting(bench: LinkBench, mode: string, more: object = {}) {
  const settings = mode === 'dynamic' ? { merged_calls: true } : {}
  const body = JSON.stringify({ goal: 'sum up notes.md', mode, settings, rounds: 9, ...more })
  const made = await bench.send('POST', '/tasks', body, JSON_TYPE)
  expect(made.status).toBe(201)
  return TaskView.parse(await made.json())
}

describe.each(['dynamic', 'session'] as const)('mode %s', (mode) => {
  it('U36 shows where the file is put, and the PUT and a step go on', async () => {
    const bench = linkBench(SCRIPTS[mode])
    const task = await waiting(bench, mode)
    const path = `/tasks/${task.id}/files/notes.md`
    expect(task).toMatchObject({
      status: 'input_required',
      stop_reason: 'file',
      pending: { kind: 'file', name: 'notes.md', put_url: `${ORIGIN}${path}`, endings: ['md'] },
    })
    const text = await bench.send('GET', `/tasks/${task.id}`, null, { ...ACME, accept: 'text/plain' })
    expect(await text.text()).toContain(`Put it with PUT ${ORIGIN}${path}`)
    const listed = await bench.send('GET', '/tasks?status=input_required', null, ACME)
    expect(await listed.json()).toMatchObject({ data: [{ id: task.id, pending: { kind: 'file' } }] })
    expect((await bench.send('PUT', path, '# Notes', ACME)).status).toBe(201)
    const after = await (await bench.send('GET', `/tasks/${task.id}`, null, ACME)).json()
    expect(after).toMatchObject({ status: 'running', pending: null })
    const done = await bench.send('POST', `/tasks/${task.id}/step`, '{"rounds":9}', JSON_TYPE)
    expect(await done.json()).toMatchObject({ status: 'completed', result: { text: 'the sum', outcome: 'done' } })
  })

  it('U36 goes on by an input under the id of the request, and refuses that of another', async () => {
    const bench = linkBench(SCRIPTS[mode])
    const { id, pending } = await waiting(bench, mode)
    const say = (request_id: string) =>
      bench.send('POST', `/tasks/${id}/input`, JSON.stringify({ input: 'none', request_id, rounds: 9 }), JSON_TYPE)
    expect((await say('file_77')).status).toBe(409)
    const request_id = pending?.kind === 'file' ? pending.request_id : ''
    expect(await (await say(request_id)).json()).toMatchObject({ status: 'completed' })
  })
})

it('U36 a task of mode plan_execute, which has tools for files, waits for none', async () => {
  const script = { plan: [{ status: 'planned', plan: ['A'] }] }
  const bench = linkBench(script)
  const task = await waiting(bench, 'plan_execute', { rounds: 0 })
  expect(task.tools).toContain('read_file')
  expect((await bench.send('PUT', `/tasks/${task.id}/files/notes.md`, '# Notes', ACME)).status).toBe(201)
  const after = await bench.send('GET', `/tasks/${task.id}`, null, ACME)
  expect(await after.json()).toMatchObject({ version: task.version })
})
