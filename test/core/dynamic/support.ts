/** What tests of mode dynamic say: replies by phase, and a task made with them. */
import type { Settings } from '../../../src/core/terms/settings.ts'
import { DynamicState } from '../../../src/core/modes/dynamic/state.ts'
import { ALL, benchOf, CALLER, createTask, type Bench, type Line, type Script } from '../../support/scripted.ts'
import type { Bounds } from '../../../src/shell/caller.ts'

export const step = (name: string, expected_output = `${name} is done`) => ({
  name,
  description: `do ${name}`,
  expected_output,
})
export const steps = (...names: string[]) => ({ steps: names.map((name) => step(name)) })
export const thought = (text = 'so far so good') => ({ thought: text })
export interface Changes {
  add?: string[]
  remove?: string[]
}
const decision = (is_complete: boolean, reason: string, { add = [], remove = [] }: Changes) => ({
  reason,
  is_complete,
  achieved: null as boolean | null,
  answer: null as string | null,
  add_steps: add.map((name) => step(name)),
  remove_steps: remove,
})
export const goOn = (changes: Changes = {}, reason = 'not yet') => decision(false, reason, changes)
/** The reason is the answer to the goal too, if no step is left. */
export const complete = (reason = 'it is done', changes: Changes = {}) => ({
  ...decision(true, reason, changes),
  answer: reason as string | null,
})
/** A step that the model calls not achievable. */
export const failed = (reason = 'it cannot be done', changes: Changes = {}) => ({
  ...complete(reason, changes),
  achieved: false as boolean | null,
})
/** The last step, with the answer to the goal. */
export const answered = (answer: string, reason = 'it is done') => ({
  ...complete(reason),
  answer: answer as string | null,
})
export const action = (input = '/todo add milk', tool = 'todo', save_as: string | null = null) => ({
  tool,
  input,
  save_as,
})

/** One round as it is told: with an action it goes on, without one it ends the step. */
export type Round = [decision: ReturnType<typeof goOn>, act?: ReturnType<typeof action>]
/** The replies of these rounds, by phase; `merged`: as one call each. */
export function told(plan: Line[], rounds: Round[], merged = false): Script {
  if (merged) {
    return { plan, step_decision: rounds.map(([decided, act = null]) => ({ ...thought(), ...decided, action: act })) }
  }
  return {
    plan,
    think: rounds.map(() => thought()),
    step_decision: rounds.map(([decided]) => decided),
    action: rounds.flatMap(([, act]) => (act === undefined ? [] : [act])),
  }
}
/** Distinct actions, so that no guard minds them. */
export const acts = (count: number): Round[] =>
  Array.from({ length: count }, (_, index): Round => [goOn(), action(`/todo add ${index}`)])

/** A task of this mode, as far as its bounds go. */
export const dynamicTask = (bench: Bench, settings: Partial<Settings> = {}, bounds: Bounds = ALL, goal = 'a goal') =>
  createTask(bench, settings, bounds, { mode: 'dynamic', goal })

export async function played(script: Script, settings: Partial<Settings> = {}, bounds: Bounds = ALL) {
  const bench = benchOf(script)
  const task = await dynamicTask(bench, settings, bounds)
  return { bench, task, state: stateOf(bench, task.id) }
}

/** The state after the newest closed row. */
export function stateOf(bench: Bench, id: string): DynamicState {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  return DynamicState.parse(rows?.last()?.head.state)
}

export async function eventsOf(bench: Bench, id: string) {
  const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 1_000 })
  if (!page.ok) throw new Error('no events')
  return page.value.data
}
