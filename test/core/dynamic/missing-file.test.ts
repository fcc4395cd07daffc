/** A dynamic task that lacks a file which its client has named: what its step is charged, what its prompts tell (U36). */
import { describe, expect, it } from 'vitest'
import { serviceCaller } from '../../../src/shell/caller.ts'
import { ALL, benchOf, calling, context, createTask, say, step, type Bench, type Line } from '../../support/scripted.ts'
import { put, toolOf, withFiles } from '../file-waits/support.ts'
import { action, answered, complete, dynamicTask, goOn, stateOf, steps, thought, told } from './support.ts'

const GOAL = 'sum up notes.md'
const WAITS = { status: 'input_required', stop_reason: 'file', pending: { kind: 'file', name: 'notes.md' } }
const ARRIVED = 'The file notes.md is here now. Go on with it.'
const readNotes = (name = 'notes.md') => action(`{"name":"${name}"}`, 'read_file')
const moving = (decided: object, act: object | null = null) => ({ ...thought(), ...decided, action: act })
const END = moving(answered('the sum'))

const merged = (plan: Line[], ...moves: Line[]): Bench =>
  withFiles(benchOf({ plan, step_decision: moves, numbered_results: true }))
const MERGED = { merged_calls: true }
const warnings = (bench: Bench): string[] => bench.requests.slice(1).map((request) => context(request).warning ?? '')

describe('a file that is missing', () => {
  it('U36 is told to the thought, the decision and the choice of the round after its arrival', async () => {
    const script = told([steps('A')], [[goOn(), readNotes()], [goOn(), readNotes()], [answered('the sum')]])
    const bench = withFiles(benchOf(script))
    const { id } = await dynamicTask(bench, {}, ALL, GOAL)
    expect(stateOf(bench, id)).toMatchObject({ phase: 'waiting', by: null, waits: 1 })
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed', result: { text: 'the sum' } })
    const [before, after] = [warnings(bench).slice(0, 3), warnings(bench).slice(3)]
    expect(before.some((text) => text.includes(ARRIVED))).toBe(false)
    expect(after.map((text) => text.includes(ARRIVED))).toEqual([true, true, true, false, false])
    bench.spent()
  })

  it('U36 is waited for with native calls, too', async () => {
    const call = calling('', ['Read-File', { name: 'notes.md', why: 'to know it', ends_item: false }])
    const bench = withFiles(benchOf({ plan: [steps('A')], step_decision: [call, call, moving(answered('the sum'))] }))
    const { id, status } = await createTask(bench, { calls: 'few' }, ALL, { mode: 'dynamic', goal: GOAL })
    expect(status).toBe('input_required')
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
  })

  it('U36 may be named by the result of an action', async () => {
    const name = action('notes.md', 'think', 'file')
    const bench = merged([steps('A')], moving(goOn(), name), moving(goOn(), readNotes('{{file}}')))
    toolOf(bench, 'think').run = (input) => Promise.resolve({ ok: true, code: 'thought', text: input })
    expect(await dynamicTask(bench, MERGED, ALL, GOAL)).toMatchObject(WAITS)
  })

  it('U36 uses up no action of its step, so that a step of one action can read it', async () => {
    const bench = merged([steps('A')], moving(goOn(), readNotes()), moving(goOn(), readNotes()), END)
    const { id } = await dynamicTask(bench, { ...MERGED, max_actions_per_step: 1 }, ALL, GOAL)
    expect(stateOf(bench, id).step.actions).toBe(0)
    await put(bench, id)
    const done = await step(bench, id, ALL)
    expect(done).toMatchObject({ status: 'completed', step_count: 2, counters: { actions: 2 } })
    expect(JSON.stringify(context(bench.requests.at(-1)).actions)).toContain('the text of the notes')
  })

  it('U36 may be read again after its arrival, however few repetitions are allowed', async () => {
    const bench = merged([steps('A')], moving(goOn(), readNotes()), moving(goOn(), readNotes()), END)
    const { id } = await dynamicTask(bench, { ...MERGED, repeat_action_limit: 1 }, ALL, GOAL)
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed', counters: { actions: 2 } })
    bench.spent()
  })

  it('U36 is news until an action is chosen, also beyond a refused reply and the end of its step', async () => {
    const bench = merged(
      [steps('A', 'B')],
      moving(goOn(), readNotes()),
      'broken',
      moving(complete('nothing to do')),
      moving(goOn(), readNotes()),
      END,
    )
    const { id } = await dynamicTask(bench, MERGED, ALL, GOAL)
    await put(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ status: 'completed' })
    expect(warnings(bench).map((text) => text.includes(ARRIVED))).toEqual([false, true, true, true, false])
  })

  it('U36 is not waited for any more once an edit has left no step', async () => {
    const bench = merged([steps('A')], moving(goOn(), readNotes()))
    const { id } = await dynamicTask(bench, MERGED, ALL, GOAL)
    const edited = await bench.service.editPlan(serviceCaller('acme'), id, [], null)
    expect(edited).toMatchObject({ ok: true, value: { task: { status: 'completed', pending: null } } })
  })
})

describe('a text in place of the file', () => {
  const SAID =
    'The latest of remarks is the answer to the request for a file that is missing: read_file {"name":"notes.md"}.'

  it('U36 is a remark, of which the model is told what it answers until the user says something else', async () => {
    const list = (index: number) => moving(goOn(), action(`/todo add ${index}`))
    const bench = merged([steps('A')], moving(goOn(), readNotes()), list(1), list(2), END)
    const { id } = await dynamicTask(bench, MERGED, ALL, GOAL)
    await say(bench, id, 'there is none')
    expect(context(bench.requests.at(-1))).toMatchObject({
      remarks: ['there is none'],
      warning: `${SAID} Go on without the file, and do not ask for it again.`,
    })
    await say(bench, id, 'and be brief', ALL)
    expect(context(bench.requests.at(-1)).remarks).toEqual(['there is none', 'and be brief'])
    expect(warnings(bench).map((text) => text.includes(SAID))).toEqual([false, true, false, false])
  })

  it('U36 begins the guards of the step anew', async () => {
    const bench = merged([steps('A')], moving(goOn(), readNotes()), moving(goOn(), readNotes()), END)
    const { id } = await dynamicTask(bench, { ...MERGED, repeat_action_limit: 1 }, ALL, GOAL)
    expect(await say(bench, id, 'look again', ALL)).toMatchObject({ status: 'completed', counters: { actions: 2 } })
  })
})
