/** Fork and replay through the whole service in workerd (S3-17, U26): the real objects, their storage, their alarms. */
import type { RemoteTask } from '../../src/core/replay/stored-task.ts'
import { env, exports } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { Replay } from '../../src/core/shown/replay-view.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'

const GOAL = 'Plan my Friday: buy milk, book the dentist at 3pm'
const Journal = z.object({
  data: z.array(z.object({ seq: z.int(), kind: z.string(), outcome: z.string().nullable(), reply: z.unknown() })),
})

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const sent = { authorization: 'Bearer dev-key', 'content-type': 'application/json', ...headers }
  const response = await exports.default.fetch(`http://service${path}`, { method, ...json, headers: sent })
  await expectContract(method, path, response)
  return response
}
const task = async (method: string, path: string, body?: unknown, headers = {}) =>
  TaskView.parse(await (await call(method, path, body, headers)).json())
const replayed = async (id: string) => Replay.parse(await (await call('POST', `/tasks/${id}/replay`)).json())
const journalOf = async (id: string) =>
  Journal.parse(await (await call('GET', `/tasks/${id}/journal?limit=100`)).json()).data
/** Nothing here waits for time; a loaded machine may be slow all the same. */
const PATIENCE = { timeout: 20_000, interval: 20 }
const stubOf = (id: string) => env.TASKS.getByName(JSON.stringify(['dev', id]))

async function worked(goal = GOAL): Promise<TaskView> {
  return task('POST', '/tasks', { goal, rounds: 50 })
}
const unlinked = (text: string) => text.replaceAll(/"answer_url":"[^"]*"/g, '"answer_url":null')

describe('U26 fork in workerd', () => {
  it('U26 gives the same state under its own id, at every row of a task that waits', async () => {
    const parent = await worked()
    expect(parent.status).toBe('input_required')
    for (let at = 1; at <= parent.version; at++) {
      const response = await call('POST', `/tasks/${parent.id}/fork`, { at })
      const fork = TaskView.parse(await response.clone().json())
      expect([response.status, response.headers.get('location')]).toEqual([201, `/tasks/${fork.id}`])
      expect(fork).toMatchObject({ version: at, slice: { advanced: false, rounds: 0, events: [] } })
      expect(await replayed(fork.id)).toEqual({ equal: true, events: at, first_difference: null })
    }
    const last = await task('POST', `/tasks/${parent.id}/fork`, { at: parent.version })
    const { id: _id, created_at: _created, updated_at: _updated, slice: _slice, forked_from, pending, ...rest } = last
    expect(parent).toMatchObject(rest)
    expect(forked_from).toEqual({ id: parent.id, at: parent.version })
    expect(pending).toMatchObject({ kind: 'question', answer_url: expect.stringContaining('/answers/') })
    expect(unlinked(JSON.stringify(pending))).not.toBe(JSON.stringify(pending))
  })

  it('S3-17 U26 with another observation ends differently, and the replays of both tasks match', async () => {
    const parent = await worked('buy milk')
    expect(parent.status).toBe('completed')
    const acted = (await journalOf(parent.id)).find((row) => row.kind === 'run_tool')
    const outcome = { ok: false, code: 'error', text: 'the list is locked' }
    const edit = { seq: acted?.seq, outcome }
    const fork = await task('POST', `/tasks/${parent.id}/fork`, { at: acted?.seq, edit })
    expect(fork.counters).toMatchObject({ actions: 1, failed_actions: 1 })
    const ended = await task('POST', `/tasks/${fork.id}/step`, { rounds: 50 })
    expect([ended.status, ended.result?.text]).not.toEqual([parent.status, parent.result?.text])
    expect((await journalOf(fork.id)).at((acted?.seq ?? 0) - 1)).toMatchObject({
      outcome: 'tool_error',
      reply: outcome,
    })
    for (const one of [parent, ended]) {
      expect(await replayed(one.id)).toEqual({ equal: true, events: one.version, first_difference: null })
    }
  })

  it('U26 is stored like any task: it survives an eviction, is listed, exported, forked again and deleted', async () => {
    const parent = await worked()
    const fork = await task('POST', `/tasks/${parent.id}/fork`, { at: 5, settings: { max_steps: 33 } })
    await evictDurableObject(stubOf(fork.id))
    expect(await task('GET', `/tasks/${fork.id}`)).toMatchObject({ version: 5, budget: { max: 33 } })
    expect(await (await call('GET', '/tasks?limit=5')).text()).toContain(fork.id)
    const again = await task('POST', `/tasks/${fork.id}/fork`, { at: 4 })
    expect(again).toMatchObject({ version: 4, budget: { max: 33 } })
    expect(await replayed(again.id)).toMatchObject({ equal: true })
    expect((await call('DELETE', `/tasks/${parent.id}`)).status).toBe(204)
    expect((await task('POST', `/tasks/${fork.id}/step`, { rounds: 1 })).slice?.advanced).toBe(true)
    expect((await call('DELETE', `/tasks/${fork.id}`)).status).toBe(204)
    expect((await call('POST', `/tasks/${fork.id}/fork`, { at: 1 })).status).toBe(404)
  })

  it('U26 U6 is made once under a key, however often it is requested at the same time', async () => {
    const parent = await worked()
    const path = `/tasks/${parent.id}/fork`
    const key = { 'idempotency-key': 'fork-once' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { at: 3 }, key)))
    expect(answers.map((one) => one.status)).toEqual(answers.map(() => 201))
    const bodies = await Promise.all(answers.map((one) => one.text()))
    expect(new Set(bodies).size).toBe(1)
    expect(answers.filter((one) => one.headers.get('idempotency-replayed') === null)).toHaveLength(1)
    const { id } = TaskView.parse(JSON.parse(bodies[0] ?? ''))
    await task('POST', `/tasks/${id}/step`)
    await call('DELETE', `/tasks/${parent.id}`)
    expect(await (await call('POST', path, { at: 3 }, key)).text()).toBe(bodies[0])
    const other = await call('POST', path, { at: 2 }, key)
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'idempotency_key_reused' }])
  })

  it('U26 sends the largest journal that can be forked to an object in one call, even with letters of two bytes', async () => {
    const { id } = await worked('buy milk')
    const first = await (stubOf(id) as unknown as RemoteTask).ask({ kind: 'past_rows', after: 0, limit: 1 })
    const [created] = first.ok ? first.value.data : []
    if (created?.event.kind !== 'task_created') throw new Error('a task begins with its brief')
    const said = { kind: 'user_remarked' as const, text: '奶'.repeat(95_000) }
    const remarks = Array.from({ length: 100 }, (_, n) => ({ ...created, seq: n + 2, kind: said.kind, event: said }))
    const large = { id: `${id}large`, tenant: 'dev', brief: created.event.brief, at: 101, outcome: null }
    const ticket = { slice: 's', boot: 'b', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
    const made = await stubOf(large.id).fork({ ...large, rows: [created, ...remarks], files: [] }, ticket)
    expect(made).toMatchObject({ ok: true, value: { advanced: false } })
    expect(await replayed(large.id)).toEqual({ equal: true, events: 101, first_difference: null })
    expect((await call('POST', `/tasks/${large.id}/fork`, { at: 101 })).status).toBe(201)
  })

  it.each([
    ['a row that is not there', { at: 99 }, '/at'],
    ['a setting out of its range', { at: 2, settings: { max_steps: 0 } }, '/settings/max_steps'],
    ['settings by which it had gone another way', { at: 4, settings: { max_tokens: 100 } }, '/settings'],
    ['an edit of another row', { at: 2, edit: { seq: 3, outcome: { text: 'x' } } }, '/edit/seq'],
    ['an edit that is no outcome of its row', { at: 2, edit: { seq: 2, outcome: { ok: true } } }, '/edit/outcome'],
  ])('U26 with %s is 422, and no task is made', async (_name, body, pointer) => {
    const parent = await worked('buy milk')
    const newest = async () => {
      const page: { data: { id: string }[] } = await (await call('GET', '/tasks?limit=1')).json()
      return page.data.map(({ id }) => id)
    }
    const listed = await newest()
    const refused = await call('POST', `/tasks/${parent.id}/fork`, body)
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ pointer }] }])
    expect(await newest()).toEqual(listed)
  })

  it('U52 a fork of a background task does nothing until told, and names its parent', async () => {
    const parent = await task('POST', '/tasks', { goal: 'buy milk', drive: 'background' })
    expect(parent).toMatchObject({ status: 'queued', forked_from: null })
    const fork = await task('POST', `/tasks/${parent.id}/fork`, { at: 1 })
    expect(fork).toMatchObject({ status: 'running', drive: 'manual', callback_url: null, slice: { advanced: false } })
    expect(fork.forked_from).toEqual({ id: parent.id, at: 1 })
    // The parent ends, and has used each chance to act that the fork had too. No alarm of the fork is set but that of its deletion.
    const view = (id: string) => stubOf(id).ask({ kind: 'view' })
    await vi.waitFor(
      async () => expect(await view(parent.id)).toMatchObject({ value: { status: 'completed' } }),
      PATIENCE,
    )
    const alarm = await runInDurableObject(stubOf(fork.id), (_object, { storage }) => storage.getAlarm())
    expect(alarm).toBeNull()
    expect(await task('GET', `/tasks/${fork.id}`)).toMatchObject({ version: 1, counters: { model_calls: 0 } })
    const listed: { data: { id: string }[] } = await (await call('GET', `/tasks?forked_from=${parent.id}`)).json()
    expect(listed.data.map(({ id }) => id)).toEqual([fork.id])
    const told = await task('POST', `/tasks/${fork.id}/step`, { rounds: 50 })
    expect(told.status).toBe('completed')
  })

  it('U52 a fork is driven by its own alarm where its request asks for that', async () => {
    const parent = await task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
    const fork = await task('POST', `/tasks/${parent.id}/fork`, { at: 1, drive: 'background' })
    expect(fork).toMatchObject({ status: 'queued', drive: 'background', slice: { advanced: false } })
    const read = () => stubOf(fork.id).ask({ kind: 'view' })
    await vi.waitFor(async () => expect(await read()).toMatchObject({ value: { status: 'completed' } }), PATIENCE)
  })
})

describe('S3-17 replay in workerd', () => {
  it('S3-17 names the row that was altered in storage, and does not change it', async () => {
    const { id } = await worked('buy milk')
    expect(await replayed(id)).toMatchObject({ equal: true })
    await runInDurableObject(stubOf(id), (_object, { storage: { sql } }) => {
      sql.exec(`UPDATE journal SET head = json_set(head, '$.budget.steps.used', 9) WHERE seq = 4`)
    })
    await evictDurableObject(stubOf(id))
    const altered = { seq: 4, path: '/head/budget/steps/used', found: 9 }
    expect(await replayed(id)).toMatchObject({ equal: false, events: 4, first_difference: altered })
    expect(await replayed(id)).toMatchObject({ equal: false, events: 4, first_difference: altered })
  })

  it('S3-17 gives state_unreadable for a task that cannot be read, and 404 for an unknown one', async () => {
    const { id } = await worked('buy milk')
    await runInDurableObject(stubOf(id), (_object, { storage: { sql } }) => {
      sql.exec(`UPDATE journal SET head = '{}' WHERE seq = 3`)
    })
    await evictDurableObject(stubOf(id))
    const unreadable = await call('POST', `/tasks/${id}/replay`)
    expect([unreadable.status, await unreadable.json()]).toMatchObject([500, { code: 'state_unreadable' }])
    expect((await call('POST', `/tasks/${id}/fork`, { at: 4 })).status).toBe(500)
    expect((await call('POST', `/tasks/task_0000000000000000000000/replay`)).status).toBe(404)
  })
})
