/** The wait for a file that a client has named, beside the rest of the service: forks, alarms, callbacks, plans (U36). */
import { describe, expect, it } from 'vitest'
import { dueOf, Job } from '../../../src/core/protocol/alarm-times.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import { modeOf } from '../../../src/core/modes/index.ts'
import type { Caller } from '../../../src/shell/caller.ts'
import { runJob } from '../../../src/shell/jobs/jobs.ts'
import { performEffect } from '../../../src/shell/slice/perform-effect.ts'
import { EQUAL, expectFold, forkOf, replayOf, storedRows } from '../../support/forks.ts'
import {
  ALL,
  CALLER,
  FREE,
  journalOf,
  MANUAL,
  NONE,
  ONE,
  say,
  step,
  taken,
  titles,
  UNBOUNDED,
  type Bench,
} from '../../support/scripted.ts'
import { begin, end, FILE_MODES, fileBench, put, read, tend, told, use, type FileMode } from './support.ts'

const ARRIVED = 'The file notes.md is here now. Go on with it.'
const WAITS = { status: 'input_required', stop_reason: 'file', pending: { kind: 'file', name: 'notes.md' } }

/** A task that the service drives, and that has a callback. */
async function driven(bench: Bench, mode: FileMode) {
  const settings = Settings.parse({ ...modeOf(mode).presets, merged_calls: true, question_ttl_s: 100 })
  const about = { goal: 'sum up notes.md', mode, locale: 'en' as const, timezone: 'UTC', metadata: {}, settings }
  const brief = { ...MANUAL, ...about, drive: 'background' as const, callback_url: 'https://example.com/hook' }
  return taken(await bench.service.createTask(CALLER, brief, NONE)).id
}
function dueIn(bench: Bench, id: string) {
  const rows = storedRows(bench, id)
  return dueOf(rows, rows.deliveries(), { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED })
}
/** The service advances the task, as its alarm asks for it. */
async function drive(bench: Bench, id: string) {
  const asked = { version: storedRows(bench, id).last()?.seq, asked_ms: bench.clock.now }
  await runJob(bench.ports, Job.parse({ kind: 'drive', ...asked, tenant: CALLER.tenant, task: id }))
  return taken(await bench.service.getTask(CALLER, id))
}

describe.each(FILE_MODES)('in mode %s a task that waits for its file', (mode) => {
  it('U36 is not driven, and the PUT alone makes the service go on', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const id = await driven(bench, mode)
    expect(dueIn(bench, id).drive).toBe(bench.clock.now)
    expect(await drive(bench, id)).toMatchObject(WAITS)
    expect(dueIn(bench, id).drive).toBeNull()
    await put(bench, id, 'other.md')
    expect(dueIn(bench, id).drive).toBeNull()
    expect((await put(bench, id)).status).toBe('running')
    expect(dueIn(bench, id).drive).toBe(bench.clock.now)
    expect(await drive(bench, id)).toMatchObject({ status: 'completed' })
  })

  it('U36 U40 is driven again after a text in place of the file', async () => {
    const bench = fileBench(mode, read('notes.md'), end('without it'))
    const id = await driven(bench, mode)
    await drive(bench, id)
    const { length: asked } = bench.requests
    expect(await say(bench, id, 'there is none', ALL)).toMatchObject({ status: 'running' })
    expect(bench.requests).toHaveLength(asked)
    expect(dueIn(bench, id).drive).toBe(bench.clock.now)
  })

  it('U36 tells its callback of the wait, reminds it once, and tells it of the pause', async () => {
    const bench = fileBench(mode, read('notes.md'))
    const id = await driven(bench, mode)
    await drive(bench, id)
    const statuses = () =>
      storedRows(bench, id)
        .deliveries()
        .map(({ status }) => status)
    expect(statuses()).toEqual(['input_required'])
    for (const [after, more] of [
      [50_000, 'input_required'],
      [50_000, 'paused'],
    ] as const) {
      expect(dueIn(bench, id).tend).toBe(bench.clock.now + after)
      bench.clock.now += after
      await tend(bench, id)
      expect(statuses().at(-1)).toBe(more)
    }
    expect(statuses()).toHaveLength(3)
    expect(taken(await bench.service.getTask(CALLER, id))).toMatchObject({ stop_reason: 'question_expired' })
  })

  it('U36 U26 forks as a task that waits, and the fork goes on with a file of its own', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id, version } = await begin(bench, mode)
    const fork = await forkOf(bench, id, { at: version })
    expect(fork).toMatchObject({ ...WAITS, version })
    expect(fork.pending).toMatchObject({ put_url: `/tasks/${fork.id}/files/notes.md` })
    await put(bench, fork.id)
    expect(await step(bench, fork.id, ALL)).toMatchObject({ status: 'completed' })
    expect(taken(await bench.service.getTask(CALLER, id))).toMatchObject({ ...WAITS, version })
  })

  it('U36 U26 forks as a task that goes on, if its parent got the file later', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'), read('notes.md'), end('another sum'))
    const { id, version } = await begin(bench, mode)
    await put(bench, id)
    await step(bench, id, ALL)
    const keyed: Caller = { ...CALLER, key: { scope: `POST /tasks/${id}/fork`, key: 'k', digest: 'd' } }
    const fork = await forkOf(bench, id, { at: version }, keyed)
    expect(fork).toMatchObject({ status: 'running', pending: null, version: version + 1 })
    expect(await forkOf(bench, id, { at: version }, keyed)).toEqual(fork)
    const last = (await journalOf(bench, fork.id)).at(-1)
    expect(last).toMatchObject({ seq: version + 1, kind: 'file_arrived', reply: { name: 'notes.md' } })
    const done = await step(bench, fork.id, ALL)
    expect(done).toMatchObject({ status: 'completed', result: { text: 'another sum' } })
    expect(told(bench, -2)).toContain(ARRIVED)
    expectFold(bench, fork.id)
    expect(await replayOf(bench, fork.id)).toEqual(EQUAL(done.version))
  })

  it('U36 U26 a fork in which the file was found does not wait, and one in which it was missed does', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id, version } = await begin(bench, mode)
    const found = { ok: true, code: 'file_read', text: 'the text' }
    const fork = await forkOf(bench, id, { at: version, outcome: found })
    expect(fork).toMatchObject({ status: 'running', pending: null })
    const missed = { ok: false, code: 'not_found', text: 'There is no file "notes.md".' }
    expect(await forkOf(bench, fork.id, { at: version, outcome: missed })).toMatchObject(WAITS)
  })

  it('U36 U26 a fork may have another text in place of the file', async () => {
    const bench = fileBench(mode, read('notes.md'), end('without it'), end('with that'))
    const { id } = await begin(bench, mode)
    await say(bench, id, 'there is none', ALL)
    const answered = (await journalOf(bench, id)).find(({ kind }) => kind === 'user_answered')
    const fork = await forkOf(bench, id, { at: answered?.seq ?? 0, outcome: { text: 'take 2 and 3' } })
    expect(await step(bench, fork.id, ALL)).toMatchObject({ status: 'completed' })
    expect(told(bench)).toContain('take 2 and 3')
    expect(told(bench)).not.toContain('there is none')
  })

  it('U36 U18 goes on waiting after an edit of its plan, and then works on the new one', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id } = await begin(bench, mode)
    const edited = taken(await bench.service.editPlan(CALLER, id, [{ title: 'Another step' }], null))
    expect(edited).toMatchObject(WAITS)
    expect(titles(edited)).toEqual(['Another step'])
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(told(bench)).toContain('Another step')
    expect(told(bench)).toContain(ARRIVED)
  })

  it('U36 is canceled as any other, and takes no more files', async () => {
    const bench = fileBench(mode, read('notes.md'))
    const { id } = await begin(bench, mode)
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' }))).toMatchObject({ status: 'canceled' })
    await expect(put(bench, id)).rejects.toThrow('task_ended')
  })

  it('U36 P7 takes nothing over by a PUT while the lost call waits to be repeated: the next request repeats it', async () => {
    const bench = fileBench(mode, read('notes.md'), end('the sum'))
    const { id } = await begin(bench, mode, 'sum up notes.md', {}, NONE)
    const task = bench.store.of(CALLER.tenant, id)
    const ticket = { slice: 'lost', boot: 'boot', more: 'new_round' as const, rounds: 9, wall_ms: 0, key: null }
    let begun = await task.begin(ticket)
    while (begun.ok && begun.value.assignment?.work.kind === 'call_model') {
      const event = await performEffect(bench.ports, CALLER.tenant, begun.value.assignment, null)
      begun = await task.commit(begun.value.assignment.seq, event, ticket)
    }
    expect(storedRows(bench, id).pending()?.effect).toMatchObject({ kind: 'run_tool', tool: 'read_file' })
    bench.clock.now += 600_000
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed', counters: { failed_actions: 0 } })
    expect((await journalOf(bench, id)).find(({ kind }) => kind === 'run_tool')).toMatchObject({ attempt: 2 })
  })

  it('U36 charges nothing for the wait, and the arrival opens no round', async () => {
    const bench = fileBench(mode, read('notes.md'), use('todo', { command: '/todo list' }))
    const { id, step_count } = await begin(bench, mode)
    bench.clock.now += 3_600_000
    expect((await put(bench, id)).step_count).toBe(step_count)
    const { budget } = await step(bench, id, ONE)
    expect(budget.seconds.used).toBe(0)
  })
})
