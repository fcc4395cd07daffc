/** A short script for each mode, in the common form, which every wire can play. */
import type { Event } from '../../src/core/terms/effect.ts'
import type { ModeName } from '../../src/core/terms/mode-names.ts'
import type { ModelPhase, Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { blocks, code, END, look } from '../core/autonomous/support.ts'
import { answered, complete, goOn, action, steps } from '../core/dynamic/support.ts'
import { answered as reported, judge, report, steps as commands } from '../core/orchestrator/support.ts'
import { storedRows } from '../support/forks.ts'
import { act, ALL, calling, closed, createTask, done, planned, type Bench, type Calling } from '../support/scripted.ts'

type Script = Partial<Record<ModelPhase, (Calling | object | string)[]>>

const FEW = { calls: 'few' } as const
const todo = (ends_item: boolean) => calling('', ['todo', { command: '/todo add milk', why: 'milk', ends_item }])
const listed = (said: string) => calling(said, ['todo', { command: '/todo list' }])
const plan = (...marks: [string, string]) => blocks('so', [marks[0], 'Look'], [marks[1], 'Report'])
export const SESSION = {
  turn: [
    calling('[Step] A\n[Step] B', ['todo', { command: '/todo list' }], ['todo', { command: '/todo add milk' }]),
    listed('[Done]'),
    'Milk is on the list.\n[Done]',
  ],
}

export const MODES: [ModeName, Partial<Settings>, Script][] = [
  ['plan_execute', {}, { plan: [planned('A')], thought: [act(), done('added')], replan: [closed()] }],
  ['plan_execute', FEW, { plan: [planned('A')], thought: [todo(true)], replan: [closed()] }],
  [
    'dynamic',
    {},
    {
      plan: [steps('A')],
      think: [{ thought: 'so' }, { thought: 'there' }],
      step_decision: [goOn(), answered('Milk.')],
      action: [action()],
    },
  ],
  [
    'dynamic',
    FEW,
    {
      plan: [steps('A')],
      step_decision: [todo(false), { thought: 'so', ...complete(), answer: 'Milk.', action: null }],
    },
  ],
  ['session', {}, SESSION],
  ['autonomous', {}, { turn: [look(plan(' ', ' ')), code(plan('x', ' ')), `${plan('x', 'x')}\n# Report${END}`] }],
  ['orchestrator', {}, { plan: [commands('A')], evaluate: [judge('next')], summary: ['All is done.'] }],
]

export async function finished(bench: Bench, mode: ModeName, settings: Partial<Settings>): Promise<TaskView> {
  const task = await createTask(bench, settings, ALL, { mode, goal: 'Buy milk' })
  if (task.status !== 'waiting_external') return task
  return (await reported(bench, task.id, report())).task ?? task
}

/** The events of a task, each at its row. */
export function eventsOf(bench: Bench, id: string): Event[] {
  const rows = storedRows(bench, id)
  return [...rows.records.keys()].flatMap((seq) => rows.closed(seq)?.event ?? [])
}

/** The parts that endpoints have refused, as the rows note them. */
export const notedIn = (bench: Bench, id: string) =>
  eventsOf(bench, id).flatMap((event) =>
    event.kind === 'model_replied' ? [...(event.refused ?? []), ...(event.negotiated ?? [])] : [],
  )
