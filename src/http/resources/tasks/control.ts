/** What a caller tells a task: go on, take this input, this budget or this plan, pause, resume, cancel. */
import type * as z from 'zod'
import type { Grant } from '../../../core/terms/axes.ts'
import { microDollars } from '../../../core/terms/money.ts'
import type { Caller, TaskAnswer } from '../../../shell/caller.ts'
import { endpoint, refusalReply, type AdmittedCall, type Ports, type Reply } from '../../endpoint.ts'
import { addressesIn, addressRefusal } from '../../gate/callback-address.ts'
import { configFor } from '../../gate/caller-config.ts'
import { versionsOfIfMatch } from '../../gate/etag.ts'
import {
  answerInForms,
  bodyOf,
  IDEMPOTENCY_PROBLEMS,
  jsonAnswer,
  ONE_TASK_ROUTE,
  SLICE_PROBLEMS,
  STREAMED_HEADERS,
  TASK_PROBLEMS,
  VERSION_HEADERS,
} from '../../route-builders.ts'
import { TaskAnswerQuery } from '../../shapes/fields.ts'
import {
  CancelTask,
  ChangeTask,
  EditPlan,
  InputTask,
  PauseTask,
  ResumeTask,
  StepTask,
  TopUpTask,
} from '../../shapes/requests.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'
import { taskReply, type TaskCall } from './task-reply.ts'

const STREAMED =
  '`Accept: text/event-stream` shows the slice as it happens: its events as `/tasks/{id}/events` does, `thought_delta` with the next words of the model ' +
  '(`journal_seq`, `phase`, `from` as the number of characters before, `text`), and at the end `event: answer` with the task, or `event: problem`. Hanging up then ' +
  'ends the model call within two seconds, and it is charged as a lost one.'

/** Each of these answers with the task as it then is. */
const CONTROL_ROUTE = {
  ...ONE_TASK_ROUTE,
  method: 'post',
  query: TaskAnswerQuery,
  headers: ['Idempotency-Key', 'Prefer'],
} as const
const taskAnswer = (description: string) => jsonAnswer(description, 'Task', 200, VERSION_HEADERS)
const streamedAnswer = (description: string) => ({
  ...answerInForms(description, 'Task', 'text/event-stream'),
  headers: STREAMED_HEADERS,
})

export const TASK_CONTROL_ROUTES = {
  stepTask: endpoint(
    {
      ...CONTROL_ROUTE,
      path: '/tasks/{id}/step',
      summary: 'Advance one slice',
      description:
        'At most `rounds` rounds, none begun after `max_ms`; an empty body means the defaults. On a task that waits or ' +
        'has ended nothing is done: 200 with `slice.advanced: false`, so a loop of requests ends cleanly. ' +
        STREAMED,
      body: bodyOf(StepTask, null, false),
      success: streamedAnswer('The task after the slice'),
      problems: SLICE_PROBLEMS,
    },
    (ports, call) => sliceReply(ports, call, (caller) => ports.service.stepTask(caller, call.params.id, call.body)),
  ),
  inputTask: endpoint(
    {
      ...CONTROL_ROUTE,
      path: '/tasks/{id}/input',
      summary: 'Say something to a task',
      description:
        'The cancel phrase cancels; a text that begins with `/` runs as a slash command and leaves the task as it is; ' +
        'otherwise it answers the open question, decides what waits for approval (approve, yes, ok, 同意, 批准; reject, no, 拒绝; ' +
        'anything else says what to change), answers a request for a file (the name of a file of the task, or any other text to go on without it), ' +
        'resumes a paused task, or is kept as a remark. A paused `session` answers other text beside ' +
        'its work, by one model call without tools; said to a completed one it begins its next run. A text that says "continue" lets a task go on that ended with ' +
        '`contract_failures`. A task with `drive: background` is ' +
        'answered at once as it then stands, whatever `rounds` says: the service goes on with it. As a form the field is ' +
        '`input` (or `Body`, `text`); as plain text the whole body is the input. ' +
        STREAMED,
      body: bodyOf(InputTask, 'input', true),
      success: streamedAnswer('The task after the input'),
      problems: [...SLICE_PROBLEMS, 'task_ended', 'question_settled', 'quota_exceeded', 'tenant_budget_exceeded'],
    },
    (ports, call) => {
      const { input, request_id = null, ...bounds } = call.body
      return sliceReply(ports, call, (caller) =>
        ports.service.inputTask(caller, call.params.id, input, request_id, bounds),
      )
    },
  ),
  topUpTask: endpoint(
    {
      ...CONTROL_ROUTE,
      path: '/tasks/{id}/budget',
      summary: 'Top up the budget',
      description:
        'Raises the maximum of each axis named; an axis without a maximum stays without one. A task paused by an axis that ' +
        'was raised can go on, and so can one that ended with `contract_failures`, with `attempts`. No round is begun: send ' +
        '`/step` for that, unless the service drives it.',
      body: bodyOf(TopUpTask, null, true),
      success: taskAnswer('The task with its new budget'),
      problems: [...SLICE_PROBLEMS, 'task_ended', 'quota_exceeded', 'tenant_budget_exceeded'],
    },
    async ({ service }, { caller, params, query, body }) =>
      taskReply(await service.tellTask(caller, params.id, { kind: 'top_up', add: grantOf(body.add) }), { query }),
  ),
  editPlan: endpoint(
    {
      ...CONTROL_ROUTE,
      method: 'patch',
      path: '/tasks/{id}/plan',
      summary: 'Edit the plan',
      description:
        'Replaces the items that are not finished; those that are stay as they are. While an effect is under way the answer shows the ' +
        'task as it is, and the edit follows when that is done: of its items those that have been finished by then are left out (the ' +
        'event `plan_edited` names them), as is the whole of it when the task has ended. A plan that waits for its approval waits ' +
        'again, under a new `request_id`. No round is begun: send `/step` for that, unless the service drives it.',
      body: bodyOf(EditPlan, null, true),
      headers: ['Idempotency-Key', 'If-Match', 'Prefer'],
      success: taskAnswer('The task with its new plan'),
      problems: [
        ...SLICE_PROBLEMS,
        'task_ended',
        'plan_not_editable',
        'precondition_failed',
        'precondition_required',
        'quota_exceeded',
      ],
    },
    async ({ service }, { caller, params, query, body, request }) => {
      const header = request.headers.get('if-match')
      if (header === null) return refusalReply({ code: 'precondition_required' })
      const edited = await service.editPlan(caller, params.id, body.items, versionsOfIfMatch(header))
      return taskReply(edited, { query })
    },
  ),
  changeTask: endpoint(
    {
      ...CONTROL_ROUTE,
      method: 'patch',
      path: '/tasks/{id}',
      summary: 'Change drive, callback, labels or title',
      description:
        'Each member that is named takes the place of the earlier one, also of a task that has ended; nothing else of a task can be changed. ' +
        'While an effect is under way the answer shows the task as it is, and the change follows when that is done. With `If-Match` it is ' +
        'made only if the task is at that version. What the callback was not told yet goes to the new address.',
      body: bodyOf(ChangeTask, null, true),
      headers: ['Idempotency-Key', 'If-Match', 'Prefer'],
      success: taskAnswer('The task'),
      problems: [...SLICE_PROBLEMS, 'precondition_failed', 'quota_exceeded'],
    },
    async (ports, { caller, params, query, body, request }) => {
      const { drive, callback_url, metadata, title } = body
      const { service } = ports
      const config = await configFor(ports, caller)
      const refusal = addressRefusal(config, caller.tenant, addressesIn({ callback_url: callback_url ?? undefined }))
      if (refusal !== null) return refusalReply(refusal)
      const change = {
        ...(drive === undefined ? {} : { drive }),
        ...(callback_url === undefined ? {} : { callback_url }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(title === undefined ? {} : { title }),
      }
      const header = request.headers.get('if-match')
      const versions = header === null ? null : versionsOfIfMatch(header)
      return taskReply(await service.changeTask(caller, params.id, change, versions), { query })
    },
  ),
  pauseTask: endpoint(
    {
      ...CONTROL_ROUTE,
      path: '/tasks/{id}/pause',
      summary: 'Hold a task',
      description:
        'Before its next round; an effect under way is finished first, and the answer then shows the task as it is until that is ' +
        'done. 200 also when it is paused already or has ended.',
      body: bodyOf(PauseTask, null, false),
      success: taskAnswer('The task'),
      problems: [...SLICE_PROBLEMS, 'quota_exceeded'],
    },
    async ({ service }, { caller, params, query }) =>
      taskReply(await service.tellTask(caller, params.id, { kind: 'pause' }), { query }),
  ),
  resumeTask: endpoint(
    {
      ...CONTROL_ROUTE,
      path: '/tasks/{id}/resume',
      summary: 'Let a paused task go on',
      description:
        'Never grants budget: a task whose budget is spent stays as it is. A task that ended with `contract_failures` goes on, with ' +
        'as many attempts as before. No round is begun: send `/step` for that, unless the service drives it. 200 also when nothing ' +
        'changes.',
      body: bodyOf(ResumeTask, null, false),
      success: taskAnswer('The task'),
      problems: [...SLICE_PROBLEMS, 'quota_exceeded', 'tenant_budget_exceeded'],
    },
    async ({ service }, { caller, params, query }) =>
      taskReply(await service.tellTask(caller, params.id, { kind: 'resume' }), { query }),
  ),
  cancelTask: endpoint(
    {
      ...CONTROL_ROUTE,
      path: '/tasks/{id}/cancel',
      summary: 'Cancel a task',
      description: 'Also while a slice runs, whose late commit is refused. 200 also when it has ended already.',
      body: bodyOf(CancelTask, null, false),
      headers: ['Idempotency-Key'],
      success: taskAnswer('The task'),
      problems: [...TASK_PROBLEMS, ...IDEMPOTENCY_PROBLEMS],
    },
    async ({ service }, { caller, params, query }) =>
      taskReply(await service.tellTask(caller, params.id, { kind: 'cancel' }), { query }),
  ),
}

/** In the units of the stored axes. */
function grantOf({ steps, iterations, attempts, tokens, cost_usd, seconds }: z.output<typeof TopUpTask>['add']): Grant {
  return {
    ...(steps === undefined ? {} : { steps }),
    ...(iterations === undefined ? {} : { iterations }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost_usd === undefined ? {} : { cost: microDollars(cost_usd) }),
    ...(seconds === undefined ? {} : { working_ms: seconds * 1000 }),
  }
}

/** The slice as it happens, for those who ask for that, or the task after it. */
async function sliceReply(
  ports: Ports,
  call: AdmittedCall & TaskCall & { form: string },
  advance: (caller: Caller) => Promise<HttpResult<TaskAnswer>>,
): Promise<Reply> {
  if (call.form !== 'text/event-stream') return taskReply(await advance(call.caller), call)
  return (await import('./slice-stream.ts')).sliceStream(ports, call, advance)
}
