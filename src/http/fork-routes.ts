/** The routes that take up what a task did: fork and replay, a part of the table in contract.ts. */
import { json, KEYED, MADE, ONE_TASK, route, takes } from './entries.ts'
import { ForkTask, NoQuery, ReplayTask, TaskParams } from './schemas.ts'

const past = {
  tag: 'History',
  open: false,
  method: 'post',
  query: NoQuery,
  params: TaskParams,
  headers: ['Idempotency-Key'],
  also: [],
} as const

export const FORK_ROUTES = {
  forkTask: route({
    ...past,
    path: '/tasks/{id}/fork',
    summary: 'Make a task from the past of another',
    description:
      'A new task in the state after the row `at`: the rows up to it are copied with what they cost, and it goes on by its own limits – ' +
      'those in `settings`, else those of the other task. `edit` has that last row say something else, in the shape in which ' +
      '`/journal` prints its `reply`. Nothing is called and no effect is begun: send `/step` for that, unless the service drives it. Settings by which a copied row would have been ' +
      'decided otherwise are refused with the row that stands against them. Tools that have acted are not undone.',
    body: takes(ForkTask, null, true),
    success: json('The new task', 'Task', 201, MADE),
    problems: [...ONE_TASK, ...KEYED, 'model_not_budgetable', 'quota_exceeded', 'tenant_budget_exceeded'],
  }),
  replayTask: route({
    ...past,
    path: '/tasks/{id}/replay',
    summary: 'Run the state machine again on what is recorded',
    description:
      'No model, no tool, nothing written: each row is held against what the state machine makes of the state before it and the recorded ' +
      'outcome – the effect that was wanted, the request where its wording has not changed since, the state, and the events it caused. ' +
      'A task that goes on meanwhile is compared as far as it has come.',
    body: takes(ReplayTask, null, false),
    success: json('Whether all is as it was decided, else the first difference', 'Replay'),
    problems: [...ONE_TASK, ...KEYED],
  }),
} as const
