/** One question by its row (P16): which reference opens it, what it is by now, what an answer to it does. */
import { describe, expect, it } from 'vitest'
import type { LinkedQuestion } from '../../src/core/protocol/view/stored-task-view.ts'
import { ALL, ask, benchOf, CALLER, createTask, NONE, planned, replanned, rowsOf, say } from '../support/scripted.ts'

const LATER_MS = 1_000

async function asking() {
  const script = { plan: [planned('A')], thought: [ask('When?'), ask('Who pays?')], replan: [replanned('A')] }
  const bench = benchOf(script)
  const task = await createTask(bench, {}, ALL)
  const stored = bench.store.of(CALLER.tenant, task.id)
  const nonce = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))?.holder(task.version) ?? ''
  const ref: LinkedQuestion = { link_epoch: 0, seq: task.version, nonce, expires_ms: bench.clock.now + LATER_MS }
  const ticket = { slice: 'person', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
  const answer = (text: string, to = ref) => stored.tell({ kind: 'answer', ref: to, text }, ticket)
  const heard = () =>
    rowsOf(bench, task.id).flatMap(({ event }) => (event.kind === 'user_answered' ? [event.text] : []))
  return { bench, task, stored, ref, ticket, answer, heard }
}
const refused = (code: string) => ({ ok: false, refusal: { code } })

describe('P16', () => {
  it('the row and its slice open the question as it was put', async () => {
    const { stored, ref } = await asking()
    const value = {
      locale: 'en',
      prompt: 'Please confirm: When?',
      choices: null,
      other_answers: false,
      response_schema: null,
    }
    expect(await stored.ask({ kind: 'question', ref })).toEqual({
      ok: true,
      value: { ...value, state: 'open', answer: null },
    })
  })

  it.each([
    ['another slice', (ref: LinkedQuestion) => ({ ...ref, nonce: 'another' })],
    ['the row before', (ref: LinkedQuestion) => ({ ...ref, seq: ref.seq - 1 })],
    ['a row that is not there yet', (ref: LinkedQuestion) => ({ ...ref, seq: ref.seq + 1 })],
  ])('%s opens nothing', async (_, change) => {
    const { stored, ref, answer, heard } = await asking()
    expect(await stored.ask({ kind: 'question', ref: change(ref) })).toEqual(refused('link_not_found'))
    expect(await answer('at 3', change(ref))).toEqual(refused('link_not_found'))
    expect(heard()).toEqual([])
  })

  it('a row that asked nothing opens nothing, though its slice is known', async () => {
    const { bench, task, stored, ref } = await asking()
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    const before = { ...ref, seq: ref.seq - 1, nonce: rows?.holder(ref.seq - 1) ?? '' }
    expect(before.nonce).not.toBe('')
    expect(await stored.ask({ kind: 'question', ref: before })).toEqual(refused('link_not_found'))
  })

  it('an unknown task opens nothing', async () => {
    const { bench, ref, ticket } = await asking()
    const nowhere = bench.store.of(CALLER.tenant, 'task_nowhere')
    expect(await nowhere.ask({ kind: 'question', ref })).toEqual(refused('link_not_found'))
    expect(await nowhere.tell({ kind: 'answer', ref, text: 'x' }, ticket)).toEqual(refused('link_not_found'))
  })

  it('the first answer is heard and trimmed, begins nothing, and stands', async () => {
    const { bench, task, stored, ref, answer, heard } = await asking()
    const first = await answer(' at 3 ')
    expect(first).toMatchObject({ ok: true, value: { recorded: 'at 3', advanced: { assignment: null } } })
    expect(rowsOf(bench, task.id).at(-1)?.event).toEqual({ kind: 'user_answered', text: 'at 3' })
    expect(await answer('at 3')).toEqual({ ok: true, value: { recorded: 'at 3', advanced: null } })
    expect(await answer('at 4')).toEqual({ ok: false, refusal: { code: 'question_settled', recorded: 'at 3' } })
    expect(await stored.ask({ kind: 'question', ref })).toMatchObject({ value: { state: 'settled', answer: 'at 3' } })
    expect(heard()).toEqual(['at 3'])
  })

  it('a blank one is refused and leaves it open', async () => {
    const { stored, ref, answer } = await asking()
    const errors = [{ pointer: '/input', message: 'input must not be empty' }]
    expect(await answer('  ')).toEqual({ ok: false, refusal: { code: 'validation_failed', errors } })
    expect(await stored.ask({ kind: 'question', ref })).toMatchObject({ value: { state: 'open' } })
  })

  it('a link expires at its time and not before, and then shows no answer', async () => {
    const { bench, stored, ref, answer } = await asking()
    bench.clock.now = ref.expires_ms - 1
    expect((await answer('at 3')).ok).toBe(true)
    bench.clock.now = ref.expires_ms
    expect(await stored.ask({ kind: 'question', ref })).toMatchObject({ value: { state: 'expired', answer: null } })
    expect(await answer('at 3')).toEqual(refused('expired'))
  })

  it('a task whose question has expired takes no answer by link, even if the link has time left', async () => {
    const { bench, ref, stored, ticket, answer } = await asking()
    bench.clock.now += 604_800_000
    await stored.tell({ kind: 'tend' }, ticket)
    expect(await answer('at 3', { ...ref, expires_ms: bench.clock.now + LATER_MS })).toEqual(refused('expired'))
  })

  it('an earlier question keeps its answer while a later one is open; with its task an open one is settled', async () => {
    const { bench, task, stored, ref, answer, ticket } = await asking()
    const next = await say(bench, task.id, 'tomorrow', ALL)
    expect(next.pending).toMatchObject({ question: 'Who pays?' })
    expect(await stored.ask({ kind: 'question', ref })).toMatchObject({
      value: { state: 'settled', answer: 'tomorrow' },
    })
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    const later = { ...ref, seq: next.version, nonce: rows?.holder(next.version) ?? '' }
    expect(await stored.ask({ kind: 'question', ref: later })).toMatchObject({
      value: { state: 'open', prompt: 'Please confirm: Who pays?' },
    })
    await stored.tell({ kind: 'cancel' }, ticket)
    expect(await stored.ask({ kind: 'question', ref: later })).toMatchObject({
      value: { state: 'settled', answer: null },
    })
    expect(await answer('me', later)).toEqual({ ok: false, refusal: { code: 'question_settled', recorded: null } })
    expect((await bench.service.stepTask(CALLER, task.id, NONE)).ok).toBe(true)
  })

  it('the end of a later question leaves an answered one as it is', async () => {
    const { bench, task, stored, ref, ticket } = await asking()
    await say(bench, task.id, 'tomorrow', ALL)
    bench.clock.now += 604_800_000
    await stored.tell({ kind: 'tend' }, ticket)
    const long = { ...ref, expires_ms: bench.clock.now + LATER_MS }
    expect(await stored.ask({ kind: 'question', ref: long })).toMatchObject({
      value: { state: 'settled', answer: 'tomorrow' },
    })
  })

  it('an answer resumes a paused task, also if it is a continue text', async () => {
    const { bench, stored, ticket, answer, heard, task } = await asking()
    await stored.tell({ kind: 'pause' }, ticket)
    expect((await answer('continue')).ok).toBe(true)
    expect(heard()).toEqual(['continue'])
    expect(rowsOf(bench, task.id).at(-1)?.event).toEqual({ kind: 'resumed', grant: false })
  })
})
