/**
 * The routes: one table that the router mounts and openapi.yaml is written from, so that neither can have one more
 * (API9). A route that is not built is absent here (U29).
 */
import * as z from 'zod'
import { ANSWER_ROUTES } from './answer-routes.ts'
import { GET_CALENDAR } from './calendar-route.ts'
import { DELEGATION_ROUTES } from './delegation-routes.ts'
import { file, json, KEYED, MADE, ONE_TASK, route, takes, VERSIONED, WATCHED } from './entries.ts'
import { FILE_ROUTES } from './file-routes.ts'
import { FORK_ROUTES } from './fork-routes.ts'
import { HISTORY_ROUTES } from './history-routes.ts'
import type { Route } from './route.ts'
import {
  CancelTask,
  CreateQuery,
  CreateTask,
  EditPlan,
  InputTask,
  NoQuery,
  PauseTask,
  ResumeTask,
  RunCommand,
  StepTask,
  TaskParams,
  TaskQuery,
  TopUpTask,
} from './schemas.ts'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

const NoParams = z.object({})
const StaticParams = z.object({ file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/) })

const ONE_SLICE = [...ONE_TASK, ...KEYED, 'task_busy', 'lease_lost'] as const

const tasks = { tag: 'Tasks', open: false, query: NoQuery, headers: [], also: [] } as const
const oneTask = { ...tasks, params: TaskParams } as const
const meta = { tag: 'Service', open: true, params: NoParams, body: null, headers: [], also: [], problems: [] } as const
const document = { ...meta, query: null, problems: ['not_found'] } as const

export const ROUTES = {
  createTask: route({
    ...tasks,
    method: 'post',
    path: '/tasks',
    summary: 'Make a task',
    description:
      'Makes the task, plans it, then advances one slice. A task whose planning failed is still 201: see its status. ' +
      'As a form, `goal` (or `input`, `Body`, `text`) is the goal, and `mode`, `locale`, `timezone`, `rounds` and ' +
      '`max_ms` may stand beside it; as plain text the whole body is the goal. With `dry_run=true` it is planned and ' +
      'not kept: 200, `id` null, and a `forecast` of what it would cost.',
    params: NoParams,
    query: CreateQuery,
    body: takes(CreateTask, 'goal', true),
    headers: ['Idempotency-Key'],
    success: json('The new task', 'Task', 201, MADE),
    also: [json('A dry run: the plan, not kept, and the forecast', 'DryRun')],
    problems: [...ONE_SLICE, 'llm_not_configured', 'model_not_budgetable', 'quota_exceeded', 'tenant_budget_exceeded'],
  }),
  listTasks: route({
    ...tasks,
    method: 'get',
    path: '/tasks',
    summary: 'List tasks',
    description: "The tenant's tasks, newest first, without slice, plan items, last thought and handover.",
    params: NoParams,
    query: TaskQuery,
    body: null,
    success: json('One page of tasks', 'TaskPage'),
    problems: [],
  }),
  getTask: route({
    ...oneTask,
    method: 'get',
    path: '/tasks/{id}',
    summary: 'Read a task',
    description: 'The task as it stands; `slice` is null. Changes nothing.',
    body: null,
    headers: ['If-None-Match'],
    success: json('The task', 'Task', 200, WATCHED),
    also: [{ status: 304, description: 'It is the version you have', content: null, headers: VERSIONED }],
    problems: ONE_TASK,
  }),
  deleteTask: route({
    ...oneTask,
    method: 'delete',
    path: '/tasks/{id}',
    summary: 'Delete a task',
    description: 'Removes everything stored for it, also while a slice runs. After that it is 404.',
    body: null,
    success: { status: 204, description: 'It is gone', content: null, headers: {} },
    problems: ['task_not_found'],
  }),
  endLinks: route({
    ...oneTask,
    method: 'delete',
    path: '/tasks/{id}/links',
    summary: 'End all links of a task',
    description:
      'Links to its events, its files, its question and its commands that were made before open nothing any more, whoever holds them; ' +
      'what watches it is cut off and may come again. Its next answers carry new ones. Once more ends those too.',
    body: null,
    success: { status: 204, description: 'They are ended', content: null, headers: {} },
    problems: ['task_not_found', 'state_unreadable'],
  }),
  stepTask: route({
    ...oneTask,
    method: 'post',
    path: '/tasks/{id}/step',
    summary: 'Advance one slice',
    description:
      'At most `rounds` rounds, none begun after `max_ms`; an empty body means the defaults. On a task that waits or ' +
      'has ended nothing is done: 200 with `slice.advanced: false`, so a loop of requests ends cleanly.',
    body: takes(StepTask, null, false),
    headers: ['Idempotency-Key', 'Prefer'],
    success: json('The task after the slice', 'Task', 200, VERSIONED),
    problems: ONE_SLICE,
  }),
  inputTask: route({
    ...oneTask,
    method: 'post',
    path: '/tasks/{id}/input',
    summary: 'Say something to a task',
    description:
      'The cancel phrase cancels; a text that begins with `/` runs as a slash command and leaves the task as it is; ' +
      'otherwise it answers the open question, decides what waits for approval (approve, yes, ok, 同意, 批准; reject, no, 拒绝; ' +
      'anything else says what to change), resumes a paused task, or is kept as a remark. A paused `session` answers other text beside ' +
      'its work, by one model call without tools; said to a completed one it begins its next run. A task with `drive: background` is ' +
      'answered at once as it then stands, whatever `rounds` says: the service goes on with it. As a form the field is ' +
      '`input` (or `Body`, `text`); as plain text the whole body is the input.',
    body: takes(InputTask, 'input', true),
    headers: ['Idempotency-Key', 'Prefer'],
    success: json('The task after the input', 'Task', 200, VERSIONED),
    problems: [...ONE_SLICE, 'task_ended', 'question_settled', 'quota_exceeded', 'tenant_budget_exceeded'],
  }),
  topUpTask: route({
    ...oneTask,
    method: 'post',
    path: '/tasks/{id}/budget',
    summary: 'Top up the budget',
    description:
      'Raises the maximum of each axis named; an axis without a maximum stays without one. A task paused by an axis that ' +
      'was raised can go on. No round is begun: send `/step` for that.',
    body: takes(TopUpTask, null, true),
    headers: ['Idempotency-Key', 'Prefer'],
    success: json('The task with its new budget', 'Task', 200, VERSIONED),
    problems: [...ONE_SLICE, 'task_ended', 'quota_exceeded'],
  }),
  editPlan: route({
    ...oneTask,
    method: 'patch',
    path: '/tasks/{id}/plan',
    summary: 'Edit the plan',
    description:
      'Replaces the items that are not finished; those that are stay as they are. While an effect is under way the answer shows the ' +
      'task as it is, and the edit follows when that is done: of its items those that have been finished by then are left out (the ' +
      'event `plan_edited` names them), as is the whole of it when the task has ended. A plan that waits for its approval waits ' +
      'again, under a new `request_id`. No round is begun: send `/step` for that, unless the service drives it.',
    body: takes(EditPlan, null, true),
    headers: ['Idempotency-Key', 'If-Match', 'Prefer'],
    success: json('The task with its new plan', 'Task', 200, VERSIONED),
    problems: [
      ...ONE_SLICE,
      'task_ended',
      'plan_not_editable',
      'precondition_failed',
      'precondition_required',
      'quota_exceeded',
    ],
  }),
  pauseTask: route({
    ...oneTask,
    method: 'post',
    path: '/tasks/{id}/pause',
    summary: 'Hold a task',
    description:
      'Before its next round; an effect under way is finished first, and the answer then shows the task as it is until that is ' +
      'done. 200 also when it is paused already or has ended.',
    body: takes(PauseTask, null, false),
    headers: ['Idempotency-Key', 'Prefer'],
    success: json('The task', 'Task', 200, VERSIONED),
    problems: [...ONE_SLICE, 'quota_exceeded'],
  }),
  resumeTask: route({
    ...oneTask,
    method: 'post',
    path: '/tasks/{id}/resume',
    summary: 'Let a paused task go on',
    description:
      'Never grants budget: a task whose budget is spent stays as it is. No round is begun: send `/step` for that, unless the ' +
      'service drives it. 200 also when nothing changes.',
    body: takes(ResumeTask, null, false),
    headers: ['Idempotency-Key', 'Prefer'],
    success: json('The task', 'Task', 200, VERSIONED),
    problems: [...ONE_SLICE, 'quota_exceeded'],
  }),
  cancelTask: route({
    ...oneTask,
    method: 'post',
    path: '/tasks/{id}/cancel',
    summary: 'Cancel a task',
    description: 'Also while a slice runs, whose late commit is refused. 200 also when it has ended already.',
    body: takes(CancelTask, null, false),
    headers: ['Idempotency-Key'],
    success: json('The task', 'Task', 200, VERSIONED),
    problems: [...ONE_TASK, ...KEYED],
  }),
  ...HISTORY_ROUTES,
  ...FORK_ROUTES,
  ...FILE_ROUTES,
  runCommand: route({
    method: 'post',
    path: '/commands',
    tag: 'Commands',
    open: false,
    also: [],
    summary: 'Run a slash command',
    description:
      'Todos, schedule and views of the tenant, by fixed rules and without a model. A command that fails is 200 with ' +
      '`ok: false`. As a form the field is `command` (or `input`, `Body`, `text`); as plain text the whole body is the command.',
    params: NoParams,
    query: NoQuery,
    body: takes(RunCommand, 'command', true),
    headers: ['Idempotency-Key'],
    success: json('What the command answered', 'CommandResult'),
    problems: [...ONE_TASK, ...KEYED, 'quota_exceeded'],
  }),
  ...WEBHOOK_ROUTES,
  ...ANSWER_ROUTES,
  ...DELEGATION_ROUTES,
  getCalendar: route(GET_CALENDAR),
  getHealth: route({
    ...meta,
    method: 'get',
    path: '/health',
    summary: 'Liveness and version',
    description: 'Answers without touching any storage.',
    query: NoQuery,
    success: json('The service is up', 'Health'),
  }),
  getOpenapiJson: route({
    ...document,
    method: 'get',
    path: '/openapi.json',
    summary: 'This contract as JSON',
    description: 'The document you are reading.',
    success: file('OpenAPI 3.1', 'application/json'),
  }),
  getOpenapiYaml: route({
    ...document,
    method: 'get',
    path: '/openapi.yaml',
    summary: 'This contract as YAML',
    description: 'The document you are reading.',
    success: file('OpenAPI 3.1', 'application/yaml'),
  }),
  getDocs: route({
    ...document,
    method: 'get',
    path: '/docs',
    summary: 'This contract as a page',
    description: 'A readable page of this contract. It loads nothing from anywhere else.',
    success: file('The page', 'text/html; charset=utf-8'),
  }),
  getDocsFile: route({
    ...document,
    method: 'get',
    path: '/docs/{file}',
    summary: 'A file of the page',
    description: 'Script and style of the readable page.',
    params: StaticParams,
    success: file('The file', '*/*'),
  }),
  getConsole: route({
    ...document,
    method: 'get',
    path: '/',
    summary: 'The console',
    description:
      'A page to see and steer tasks with. It asks for a key and does nothing that this contract does not offer.',
    success: file('The page', 'text/html; charset=utf-8'),
  }),
  getConsoleFile: route({
    ...document,
    method: 'get',
    path: '/console/{file}',
    summary: 'A file of the console',
    description: 'Script and style of the console.',
    params: StaticParams,
    success: file('The file', '*/*'),
  }),
} as const satisfies Record<string, Route>

export type Routes = typeof ROUTES
export type RouteName = keyof Routes
