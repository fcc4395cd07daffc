/** What the state of a task holds after each row, and what of it the model is shown. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Brief, type Fact } from '../../../src/core/terms/effect.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts'
import type { ItemEnd } from '../../../src/core/modes/plan/plan.ts'
import { replacePlan } from '../../../src/core/modes/plan-execute/plan-list.ts'
import { startState, PlanExecuteState } from '../../../src/core/modes/plan-execute/state.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  context,
  createTask,
  done,
  MANY,
  NONE,
  ONE,
  planned,
  playMany,
  rowsOf,
  say,
  step,
  titles,
  type Bench,
  type Script,
} from '../../support/scripted.ts'

const BRIEF = Brief.parse({
  goal: 'g',
  mode: 'plan_execute',
  settings: DEFAULT_SETTINGS,
  locale: 'en',
  timezone: 'UTC',
  metadata: {},
  drive: 'manual',
  callback_url: null,
  origin: '',
  idle_ttl_s: 60,
  made_in: 5,
  code_language: 'javascript',
  tools: [],
  fallbacks: {},
})
const CREATED = { kind: 'task_created' as const, brief: BRIEF }
const REPLY = { usage: null, model: 'm', form: 'text' as const }
const CALL = {
  kind: 'call_model' as const,
  phase: 'plan',
  prompt: 'p',
  hash: 'h',
  wall_ms: 0,
  opens_round: true,
}

const stateOf = (bench: Bench, id: string) => rowsOf(bench, id).at(-1)?.state ?? startState()

describe('stored data', () => {
  it('S0-41 plan_initialized: planning until a list is accepted, and never again', async () => {
    const bench = benchOf({ ...MANY, plan: ['no plan', planned('A', 'B')] })
    const { id } = await createTask(bench, {}, ALL)
    await say(bench, id, 'tomorrow', ALL)
    const planning = rowsOf(bench, id).map((row) => row.state.phase === 'planning')
    expect(planning.slice(0, 3)).toEqual([true, true, false])
    expect(planning.lastIndexOf(true)).toBe(1)
  })

  it('S0-42 S0-43 plan_items are texts and current_plan_index a whole number inside the list', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done()] })
    const task = await createTask(bench, {}, ONE)
    expect(titles(task)).toEqual(['A', 'B'])
    expect(task.plan.cursor).toBe(1)
    const state = stateOf(bench, task.id)
    for (const cursor of [-1, 0.5, '1', null]) {
      expect(PlanExecuteState.safeParse({ ...state, plan: { ...state.plan, cursor } }).success).toBe(false)
    }
  })

  it.each<[string, Script, string]>([
    ['planning', { plan: [planned('A')] }, 'thinking'],
    ['a tool that worked', { plan: [planned('A')], thought: [act()] }, 'thinking'],
    ['a tool that failed', { plan: [planned('A')], thought: [act()], tools: [{ ok: false }] }, 'thinking'],
    ['a broken thought', { plan: [planned('A')], thought: ['bad'] }, 'thinking'],
    ['a question', { plan: [planned('A')], thought: [ask()] }, 'asking'],
    ['a finished item', { plan: [planned('A')], thought: [done()] }, 'replanning'],
  ])('S0-44 S0-45 R4 what is awaited and whether a replan is due, after %s', async (name, script, phase) => {
    const bench = benchOf(script)
    const task = await createTask(bench, {}, name === 'planning' ? NONE : ONE)
    expect(stateOf(bench, task.id).phase).toBe(phase)
    expect(task.status).toBe(phase === 'asking' ? 'input_required' : 'running')
    if (phase !== 'asking') return
    const answered = await say(bench, task.id, 'tomorrow', NONE)
    expect([answered.status, stateOf(bench, task.id).phase]).toEqual(['running', 'replanning'])
  })

  it('S0-46 last_thought is null before the first, then the latest valid one, through waiting and broken replies', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), 'bad', ask()] })
    let task = await createTask(bench)
    expect(task.last_thought).toBeNull()
    const decisions = []
    for (let round = 0; round < 3; round++) {
      task = await step(bench, task.id)
      decisions.push(task.last_thought?.decision)
    }
    expect(decisions).toEqual(['continue', 'continue', 'ask_user'])
  })

  it('S0-47 results, counts, clarifications and the last question are kept', async () => {
    const { bench, task, waiting } = await playMany()
    expect(waiting.pending).toMatchObject({ question: 'When?' })
    const kept = context(bench.requests.at(-1))
    expect(kept.clarifications).toEqual([{ question: 'When?', answer: 'tomorrow' }])
    expect(kept.completed.map((one: { result: string }) => one.result)).toEqual(['a', 'todo done'])
    expect(kept.step_count).toBe(11)
    expect(task.counters).toMatchObject({ successful_actions: 1, failed_actions: 1 })
  })

  it('S0-79 O0-10 R5 F30 any list after any list: the cursor stays inside, kept for the same list, 0 for another; no id twice', () => {
    const list = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { maxLength: 6 })
    fc.assert(
      fc.property(list, fc.nat(6), fc.option(list, { freq: 2 }), (before, done_items, other) => {
        const after = other ?? before
        const recall = (row: number): Fact => ({
          effect: CALL,
          event:
            row === 1
              ? CREATED
              : { kind: 'model_replied', text: JSON.stringify(planned(...(row === 2 ? before : after))), ...REPLY },
          at: 0,
        })
        const first = replacePlan(startState(), before, { seq: 2, recall })
        const cursor = Math.min(done_items, before.length)
        const ends = first.items.slice(0, cursor).map((): ItemEnd => ['completed', 3])
        const plan = replacePlan({ plan: { ...first, cursor, ends }, edited: false }, after, { seq: 9, recall })
        const same = JSON.stringify(before) === JSON.stringify(after)
        expect(plan.cursor).toBe(same ? cursor : 0)
        expect(plan.items).toHaveLength(after.length)
        const ids = plan.items.map(([id]) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(Math.max(0, ...ids)).toBeLessThan(plan.next_id)
        const finished = same ? [] : first.items.slice(0, cursor).map(([id]) => id)
        expect(ids.filter((id) => finished.includes(id))).toEqual([])
      }),
    )
  })
})
