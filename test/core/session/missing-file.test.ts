/** A session that lacks a file which its user has named: calls beside the one that missed it, side turns, later runs (U36). */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../../src/core/modes/index.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import { expectFold } from '../../support/forks.ts'
import {
  benchOf,
  calling,
  CALLER,
  journalOf,
  MANUAL,
  ONE,
  say,
  step,
  taken,
  type Bench,
  type Line,
} from '../../support/scripted.ts'
import { put, toolOf, withFiles } from '../file-waits/support.ts'
import { begin, payloads, rounds, said, stateOf, steps, system, use } from './support.ts'

const read = (name: string): [string, object] => ['read_file', { name }]
const LIST: [string, object] = ['todo', { command: '/todo list' }]
const ARRIVED = 'The file notes.md is here now. Go on with it.'
const WAITS = { status: 'input_required', stop_reason: 'file' }
const GOAL = { goal: 'sum up notes.md' }

const bench = (...turn: Line[]): Bench => withFiles(benchOf({ turn, numbered_results: true }))
const pause = async (one: Bench, id: string) => taken(await one.service.tellTask(CALLER, id, { kind: 'pause' }))

describe('the other calls of a reply', () => {
  it('U36 are made before the session waits', async () => {
    const one = bench(calling('', read('notes.md'), LIST, ['list_files', {}]), 'the sum')
    const task = await begin(one, {}, rounds(9), GOAL)
    expect(task).toMatchObject({ ...WAITS, counters: { actions: 3, failed_actions: 1 } })
    expect(one.calls.map(({ tool }) => tool)).toEqual(['read_file', 'todo', 'list_files'])
    await put(one, task.id)
    expect(await step(one, task.id, rounds(9))).toMatchObject({ status: 'completed' })
    expect(system(one.requests.at(-1))).toContain(ARRIVED)
  })

  it('U36 may ask first: the wait for the file follows the answer', async () => {
    const one = bench(calling('', read('notes.md'), ['ask_user', { question: 'How long?' }]), 'the sum')
    const { id, pending } = await begin(one, {}, rounds(9), GOAL)
    expect(pending).toMatchObject({ kind: 'question' })
    expect(await say(one, id, 'short', rounds(9))).toMatchObject({ ...WAITS, pending: { name: 'notes.md' } })
    expect(stateOf(one, id)).toMatchObject({ phase: 'waiting', waits: 1 })
  })

  it('U36 the file may come while they are made, and then nothing is waited for', async () => {
    const one = bench(calling('', read('notes.md'), ['ask_user', { question: 'How long?' }]), 'the sum')
    const { id } = await begin(one, {}, rounds(9), GOAL)
    expect(await put(one, id)).toMatchObject({ pending: { kind: 'question' } })
    expect(stateOf(one, id)).toMatchObject({ phase: 'acting', missing: null, waits: 0 })
    expect(await say(one, id, 'short', rounds(9))).toMatchObject({ status: 'completed' })
    expect(system(one.requests.at(-1))).toContain(ARRIVED)
  })

  it('U36 the file may come during a later call', async () => {
    const one = bench(calling('', read('notes.md'), LIST), 'the sum')
    let id = ''
    toolOf(one, 'todo').run = async () => {
      for (const name of ['other.md', 'notes.md']) await put(one, id, name)
      return { ok: true, code: 'listed', text: 'nothing' }
    }
    id = (await begin(one, {}, rounds(0), GOAL)).id
    expect(await step(one, id, rounds(9))).toMatchObject({ status: 'completed' })
    const arrived = (await journalOf(one, id)).filter(({ kind }) => kind === 'file_arrived')
    expect(arrived.map(({ reply }) => reply)).toEqual([{ name: 'notes.md' }])
  })

  it('U36 may write the file themselves, and then nobody is asked for it', async () => {
    const write: [string, object] = ['write_file', { name: 'notes.md', content: 'mine' }]
    const one = bench(calling('', read('notes.md'), write), 'written')
    const task = await begin(one, {}, rounds(9), { goal: 'keep notes.md up to date' })
    expect(task).toMatchObject({ status: 'completed' })
    expect(payloads(task, 'file_requested')).toEqual([])
    const failing = bench(calling('', read('notes.md'), write))
    toolOf(failing, 'write_file').run = () => Promise.resolve({ ok: false, code: 'quota_exceeded', text: 'no room' })
    expect(await begin(failing, {}, rounds(9), { goal: 'keep notes.md up to date' })).toMatchObject(WAITS)
  })

  it('U36 may miss another file: it is the one that is waited for, and the first one is asked for after it', async () => {
    const both = calling('', read('a.md'), read('b.md'))
    const one = bench(both, both, 'the sum')
    const { id, pending } = await begin(one, {}, rounds(9), { goal: 'a.md and b.md' })
    expect(pending).toMatchObject({ name: 'b.md' })
    await put(one, id, 'b.md')
    expect(await step(one, id, rounds(9))).toMatchObject({ ...WAITS, pending: { name: 'a.md' } })
    await put(one, id, 'a.md')
    expect(await step(one, id, rounds(9))).toMatchObject({ status: 'completed' })
  })
})

describe('a text in place of the file', () => {
  it('U36 is a message of the user behind the results, and stays one', async () => {
    const one = bench(calling('', read('notes.md')), use(), 'the sum')
    const { id } = await begin(one, {}, rounds(9), GOAL)
    await say(one, id, 'there is none', rounds(9))
    for (const request of one.requests.slice(1)) {
      const [, result, text] = said(request)
      expect([result?.role, text]).toEqual(['tool', { role: 'user', content: 'there is none' }])
    }
    expectFold(one, id)
  })

  it('U36 holds for its run: the next request of the user may need a file again', async () => {
    const one = bench(
      calling('', read('notes.md')),
      calling('', read('notes.md')),
      'nothing there',
      calling('', read('late.md')),
      'the sum',
    )
    const { id } = await begin(one, {}, rounds(9), GOAL)
    expect(await say(one, id, 'there is none', rounds(9))).toMatchObject({ status: 'completed' })
    expect(await say(one, id, 'then sum up late.md', rounds(9))).toMatchObject({
      ...WAITS,
      pending: { name: 'late.md' },
    })
    expect(stateOf(one, id)).toMatchObject({ waits: 2, declined: false })
  })

  it('U36 begins the rounds of the step anew, and any call may be made again', async () => {
    const again = calling('', read('notes.md'))
    const one = bench(calling(steps('A', 'B'), read('notes.md')), again, again, 'the sum')
    const { id } = await begin(one, {}, rounds(9), GOAL)
    await say(one, id, 'look again', ONE)
    expect(stateOf(one, id).seen).toHaveLength(1)
    expect(stateOf(one, id).plan).toMatchObject({ rounds: 1, cursor: 0 })
  })
})

describe('a session that is paused', () => {
  it('U36 between its calls hears of the file, also while it answers a question beside the work', async () => {
    const one = bench(calling('', read('notes.md'), LIST), 'I am halfway.', 'the sum')
    let id = ''
    const { run } = toolOf(one, 'read_file')
    toolOf(one, 'read_file').run = async (input, call) => {
      await pause(one, id)
      return run(input, call)
    }
    id = (await begin(one, {}, rounds(0), GOAL)).id
    expect(await step(one, id, rounds(9))).toMatchObject({ status: 'paused' })
    expect(stateOf(one, id)).toMatchObject({ phase: 'acting', call: 1 })
    expect(await say(one, id, 'how far are you?', rounds(9))).toMatchObject({ result: { text: 'I am halfway.' } })
    expect(await put(one, id)).toMatchObject({ status: 'paused' })
    expect(await say(one, id, 'continue', rounds(9))).toMatchObject({ status: 'completed' })
    expect(system(one.requests.at(-1))).toContain(ARRIVED)
  })

  it('U36 hears of a file that comes during the side turn', async () => {
    const one = bench(calling('', read('notes.md'), LIST), 'I am halfway.', 'the sum')
    let id = ''
    const { run } = toolOf(one, 'read_file')
    toolOf(one, 'read_file').run = async (input, call) => {
      await pause(one, id)
      return run(input, call)
    }
    const { model } = one.ports
    if (model === null) throw new Error('no model')
    one.ports.model = {
      async complete(request, call) {
        if (one.requests.length === 1) await put(one, id)
        return model.complete(request, call)
      },
    }
    id = (await begin(one, {}, rounds(0), GOAL)).id
    await step(one, id, rounds(9))
    await say(one, id, 'how far are you?', rounds(9))
    expect(stateOf(one, id)).toMatchObject({ phase: 'acting', missing: null })
    expect(await say(one, id, 'continue', rounds(9))).toMatchObject({ status: 'completed' })
  })
})

it('U36 U40 a session that the service drives hears of a file that comes before its side turn', async () => {
  const one = bench(calling('', read('notes.md'), LIST))
  let id = ''
  const { run } = toolOf(one, 'read_file')
  toolOf(one, 'read_file').run = async (input, call) => {
    await pause(one, id)
    return run(input, call)
  }
  const settings = Settings.parse(modeOf('session').presets)
  const about = { ...GOAL, mode: 'session' as const, locale: 'en' as const, timezone: 'UTC', metadata: {}, settings }
  id = taken(await one.service.createTask(CALLER, { ...MANUAL, ...about, drive: 'background' }, rounds(0))).id
  await step(one, id, rounds(9))
  await say(one, id, 'how far are you?', rounds(9))
  expect(stateOf(one, id)).toMatchObject({ phase: 'aside', back: 'acting' })
  await put(one, id)
  expect(stateOf(one, id)).toMatchObject({ phase: 'aside', missing: null })
})

describe('the texts that name a file', () => {
  it.each([
    ['a later request', 'sum up late.md', 'completed'],
    ['what is said while it is paused', 'continue with late.md', 'paused'],
  ])('U36 are %s', async (_, text, status) => {
    const one = bench(use(), 'done', calling('', read('late.md')))
    const { id } = await begin(one, {}, status === 'completed' ? rounds(9) : ONE, { goal: 'a goal' })
    if (status === 'paused') await pause(one, id)
    const shown = await say(one, id, text, rounds(9))
    if (status === 'completed') expect(shown).toMatchObject({ ...WAITS, pending: { name: 'late.md' } })
    else expect(await say(one, id, 'so?', rounds(9))).toMatchObject({ ...WAITS, pending: { name: 'late.md' } })
  })

  it('U36 are the steps of a template', async () => {
    const plan_templates = [{ words: ['monthly'], steps: ['Read budget.csv', 'Sum it up'] }]
    const one = bench(calling('', read('budget.csv')))
    const task = await begin(one, { plan_templates }, rounds(9), { goal: 'the monthly report' })
    expect(task).toMatchObject({ ...WAITS, pending: { name: 'budget.csv' } })
  })

  it('U36 are what the user wants instead of a call', async () => {
    const one = bench(use(), calling('', read('late.md')))
    const { id } = await begin(one, { approve: 'actions' }, rounds(9), { goal: 'a goal' })
    await say(one, id, 'no todos; read late.md', rounds(9))
    expect(await say(one, id, 'yes', rounds(9))).toMatchObject({ ...WAITS, pending: { name: 'late.md' } })
  })

  it('U36 count after their part of the conversation was left out', async () => {
    const long = (index: number) => calling('x'.repeat(2_000), ['todo', { command: `/todo add ${index}` }])
    const one = bench(use(), ...Array.from({ length: 9 }, (_, index) => long(index)), calling('', read('late.md')))
    const { id } = await begin(one, { transcript_token_limit: 1_000 }, ONE, { goal: 'a goal' })
    await say(one, id, 'later read late.md', rounds(9))
    expect(stateOf(one, id).left_out.said).toHaveLength(1)
    expect(await step(one, id, rounds(9))).toMatchObject({ ...WAITS, pending: { name: 'late.md' } })
  })

  it('U36 are no texts of the model or of a tool', async () => {
    const one = bench(
      calling('I look into made-up.md.', ['think', { thought: 'made-up.md' }]),
      calling('', read('made-up.md')),
      'there is none',
    )
    expect(await begin(one, {}, rounds(9), { goal: 'a goal' })).toMatchObject({ status: 'completed' })
  })
})

it('U36 the news of the file is told again with a reply that was refused, and then no more', async () => {
  const one = bench(calling('', read('notes.md')), '', calling('', read('notes.md')), 'the sum')
  const { id } = await begin(one, {}, rounds(9), GOAL)
  await put(one, id)
  await step(one, id, rounds(9))
  expect(one.requests.map((request) => system(request).includes(ARRIVED))).toEqual([false, true, true, false])
})
