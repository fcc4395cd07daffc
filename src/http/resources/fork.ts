/** Fork and replay: make a task from the past of another, and run the state machine again on recorded rows. */
import type { Replay } from '../../core/shown/replay-view.ts'
import { answerReply, endpoint, refusalReply, replyTo } from '../endpoint.ts'
import { addressesIn, addressRefusal } from '../gate/callback-address.ts'
import { configFor } from '../gate/caller-config.ts'
import { bodyOf, CREATED_HEADERS, IDEMPOTENCY_PROBLEMS, jsonAnswer, TASK_PROBLEMS } from '../route-builders.ts'
import { NoQuery, TaskAnswerQuery, TaskParams } from '../shapes/fields.ts'
import { ForkTask, ReplayTask, RetryTask } from '../shapes/requests.ts'
import { createdReply } from './tasks/task-reply.ts'

const FORK_ROUTE = {
  tag: 'History',
  open: false,
  method: 'post',
  query: NoQuery,
  params: TaskParams,
  headers: ['Idempotency-Key'],
  also: [],
} as const

export const FORK_ROUTES = {
  forkTask: endpoint(
    {
      ...FORK_ROUTE,
      path: '/tasks/{id}/fork',
      query: TaskAnswerQuery,
      summary: 'Make a task from the past of another',
      description:
        'A new task in the state after the row `at`: the rows up to it are copied with what they cost, and it goes on by its own limits – ' +
        'those in `settings`, else those of the other task. `edit` has that last row say something else, in the shape in which ' +
        '`/journal` prints its `reply`. Nothing is called and no effect is begun: send `/step` for that, or ask for `drive: background` here. ' +
        'Neither `drive` nor `callback_url` is that of the other task. Settings by which a copied row would have been ' +
        'decided otherwise are refused with the row that stands against them. Tools that have acted are not undone.',
      body: bodyOf(ForkTask, null, true),
      success: jsonAnswer('The new task', 'Task', 201, CREATED_HEADERS),
      problems: [
        ...TASK_PROBLEMS,
        ...IDEMPOTENCY_PROBLEMS,
        'model_not_budgetable',
        'quota_exceeded',
        'tenant_budget_exceeded',
      ],
    },
    async (ports, { caller, params, query, body }) => {
      const { at, settings = {}, edit, drive, callback_url = null } = body
      const config = await configFor(ports, caller)
      const refusal = addressRefusal(config, caller.tenant, addressesIn({ callback_url: body.callback_url }))
      if (refusal !== null) return refusalReply(refusal)
      const wish = { at, settings, outcome: edit?.outcome ?? null, drive, callback_url }
      return createdReply(ports, { caller, query }, await ports.service.forkTask(caller, params.id, wish))
    },
  ),
  retryTask: endpoint(
    {
      ...FORK_ROUTE,
      path: '/tasks/{id}/retry',
      query: TaskAnswerQuery,
      summary: 'Make a task again that has ended',
      description:
        'A new task with the goal, mode, settings, tools, labels and files of the ended one, and with a budget of its own. It begins anew: ' +
        'nothing that the other task found or spent is in it. `settings` has those that are to differ. It is driven as the other task is and ' +
        'reports to its callback, unless `drive` and `callback_url` say otherwise; without `background` it waits for `/step`. It names the ' +
        'other task as `forked_from`.',
      body: bodyOf(RetryTask, null, false),
      success: jsonAnswer('The new task', 'Task', 201, CREATED_HEADERS),
      problems: [
        ...TASK_PROBLEMS,
        ...IDEMPOTENCY_PROBLEMS,
        'task_not_ended',
        'model_not_budgetable',
        'quota_exceeded',
        'tenant_budget_exceeded',
      ],
    },
    async (ports, { caller, params, query, body }) => {
      const { settings = {}, drive, callback_url } = body
      const config = await configFor(ports, caller)
      const refusal = addressRefusal(config, caller.tenant, addressesIn({ callback_url: callback_url ?? undefined }))
      if (refusal !== null) return refusalReply(refusal)
      const wish = {
        at: 1,
        settings,
        outcome: null,
        again: true,
        ...(drive === undefined ? {} : { drive }),
        ...(callback_url === undefined ? {} : { callback_url }),
      }
      return createdReply(ports, { caller, query }, await ports.service.forkTask(caller, params.id, wish))
    },
  ),
  replayTask: endpoint(
    {
      ...FORK_ROUTE,
      path: '/tasks/{id}/replay',
      scope: 'tasks:read',
      summary: 'Run the state machine again on what is recorded',
      description:
        'No model, no tool, nothing written: each row is held against what the state machine makes of the state before it and the recorded ' +
        'outcome – the effect that was wanted, the request where its wording has not changed since, the state, and the events it caused. ' +
        'A task that goes on meanwhile is compared as far as it has come.',
      body: bodyOf(ReplayTask, null, false),
      success: jsonAnswer('Whether all is as it was decided, else the first difference', 'Replay'),
      problems: [...TASK_PROBLEMS, ...IDEMPOTENCY_PROBLEMS],
    },
    async ({ service }, { caller, params }) =>
      replyTo(await service.replayTask(caller, params.id), (replay) => answerReply(replay, () => replayText(replay))),
  ),
}

function replayText({ events, first_difference }: Replay): string[] {
  if (first_difference === null) return [`equal  ${events} rows`]
  const { seq, path, expected, found } = first_difference
  return [`differs  row ${seq}  ${path}`, `expected  ${JSON.stringify(expected)}`, `found  ${JSON.stringify(found)}`]
}
