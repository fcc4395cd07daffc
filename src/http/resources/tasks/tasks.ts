/** Tasks: create, list, read and delete them, and end their links. */
import * as z from 'zod'
import { isResourceName, RESOURCE_NAME_RULE } from '../../../core/terms/values/resource-name.ts'
import { MODE_NAMES } from '../../../core/terms/mode-names.ts'
import { Outcome, Status } from '../../../core/terms/status.ts'
import {
  answerReply,
  emptyReply,
  endpoint,
  refusalReply,
  replayHeaders,
  replyTo,
  type Call,
  type Ports,
  type Reply,
} from '../../endpoint.ts'
import { etagOf, matchesEtag } from '../../gate/etag.ts'
import {
  bodyOf,
  CREATED_HEADERS,
  emptyAnswer,
  jsonAnswer,
  MONITOR_HEADERS,
  ONE_TASK_ROUTE,
  SLICE_PROBLEMS,
  TASK_PROBLEMS,
  TASK_ROUTE,
  VERSION_HEADERS,
} from '../../route-builders.ts'
import { NoParams, nonBlankText, pageRange, TaskAnswerQuery } from '../../shapes/fields.ts'
import type { HttpRefusal } from '../../shapes/http-refusal.ts'
import { CreateTask, METADATA_KEY } from '../../shapes/task-requests.ts'
import { shownTask } from '../../shapes/shown-task.ts'
import { admittedTask } from './new-task.ts'
import { createdReply, monitoredAnswer, type TaskCall } from './task-reply.ts'

const CreateQuery = TaskAnswerQuery.extend({
  dry_run: z.boolean().default(false).meta({
    description: 'the old name of `POST /tasks/dry-run`, whose answer then comes with 200',
    deprecated: true,
  }),
})
const SEARCH_MAX = 200
const TaskQuery = z.strictObject({
  status: Status.optional(),
  mode: z.enum(MODE_NAMES).optional(),
  metadata: z
    .record(z.string().regex(METADATA_KEY), z.string())
    .default({})
    .describe('only tasks with these labels: `metadata.<key>=<value>`, once per key'),
  q: nonBlankText(SEARCH_MAX)
    .optional()
    .describe(
      'only tasks whose goal or id contains this text, in whatever case; one made by a release without this search is found by its id alone. A page looks at 10,000 tasks at most, so it may be empty while `has_more` is true',
    ),
  outcome: Outcome.optional().describe(
    'only tasks whose result has this outcome. Tasks that have failed or were canceled have no result, and so none: use `status`',
  ),
  agent: z
    .string()
    .refine(isResourceName, `must be the name of an agent, without a version: ${RESOURCE_NAME_RULE}`)
    .optional()
    .describe('only tasks that the agent of this name has made'),
  forked_from: z.string().max(200).optional().describe('only forks of the task with this id'),
  ...TaskAnswerQuery.shape,
  ...pageRange,
})

const DRY_RUN_ANSWER = jsonAnswer('A dry run: the plan, not kept, and the forecast', 'DryRun')
export const CREATE_ROUTE = {
  ...TASK_ROUTE,
  method: 'post',
  path: '/tasks',
  summary: 'Make a task',
  description:
    'Makes the task, plans it, then advances one slice. A task whose planning failed is still 201: see its status. ' +
    'As a form, `goal` (or `input`, `Body`, `text`) is the goal, and `mode`, `locale`, `timezone`, `rounds` and ' +
    '`max_ms` may stand beside it; as plain text the whole body is the goal. With `hold: true` it is made and not begun: `paused`, ' +
    'with the stop reason `held`, until `/resume`. ' +
    'As `multipart/form-data` it has files too: the fields first, each as a part or all of them as JSON in the part `task`, then each file under its `filename`, ' +
    'bounded as one that is put. They are there before the task begins; if one is refused, no task is made.',
  params: NoParams,
  query: CreateQuery,
  body: { ...bodyOf(CreateTask, 'goal', true), files: true },
  headers: ['Idempotency-Key'],
  success: jsonAnswer('The new task', 'Task', 201, CREATED_HEADERS),
  also: [{ ...DRY_RUN_ANSWER, deprecated: true }],
  problems: [
    ...SLICE_PROBLEMS,
    'llm_not_configured',
    'model_not_budgetable',
    'quota_exceeded',
    'tenant_budget_exceeded',
    'unreadable_body',
    'file_too_large',
    'too_many_files',
    'file_reserved',
    'not_configured',
    'agent_not_found',
  ],
} as const
const DRY_RUN_ROUTE = {
  ...CREATE_ROUTE,
  body: bodyOf(CreateTask, 'goal', true),
  path: '/tasks/dry-run',
  summary: 'Plan a task without making it',
  description:
    'Takes what `POST /tasks` takes, plans it and keeps nothing: `id` is null, and `forecast` says what the task would cost. ' +
    'Nothing is acted on; `rounds`, `max_ms` and `drive` have no effect.',
  query: TaskAnswerQuery,
  success: DRY_RUN_ANSWER,
  also: [],
} as const

export const TASK_ROUTES = {
  createTask: endpoint(CREATE_ROUTE, async (ports, call) => {
    try {
      return await createReply(ports, call)
    } catch (error) {
      const refusal = call.files === undefined ? null : (await import('../../multipart/form.ts')).refusalOf(error)
      if (refusal === null) throw error
      return refusalReply(refusal)
    } finally {
      call.files?.stop()
    }
  }),
  dryRunTask: endpoint(DRY_RUN_ROUTE, dryRunReply),
  listTasks: endpoint(
    {
      ...TASK_ROUTE,
      method: 'get',
      path: '/tasks',
      summary: 'List tasks',
      description: "The tenant's tasks, newest first, without slice, plan items, last thought and handover.",
      params: NoParams,
      query: TaskQuery,
      body: null,
      success: jsonAnswer('One page of tasks', 'TaskPage'),
      problems: [],
    },
    async ({ service }, { caller, query }) => {
      const {
        status = null,
        mode = null,
        metadata,
        q = null,
        outcome = null,
        agent = null,
        forked_from = null,
        include,
        ...range
      } = query
      const page = await service.listTasks(caller, { status, mode, metadata, q, outcome, agent, forked_from }, range)
      return replyTo(page, (value) => {
        const data = value.data.map((entry) => shownTask(entry, { include }))
        return answerReply({ ...value, data }, async () => (await import('../../text/plain.ts')).listText(value))
      })
    },
  ),
  getTask: endpoint(
    {
      ...ONE_TASK_ROUTE,
      method: 'get',
      path: '/tasks/{id}',
      summary: 'Read a task',
      description: 'The task as it stands; `slice` is null. Changes nothing.',
      query: TaskAnswerQuery,
      body: null,
      headers: ['If-None-Match'],
      success: jsonAnswer('The task', 'Task', 200, MONITOR_HEADERS),
      also: [emptyAnswer(304, 'It is the version you have', VERSION_HEADERS)],
      problems: TASK_PROBLEMS,
    },
    async (ports, { caller, params, query, request }) =>
      replyTo(await ports.service.getTask(caller, params.id), (answered) => {
        const etag = etagOf(answered.task, answered.link_epoch)
        // The remaining time changes without a new version. While a task has one, the copy of the reader is never current.
        const countsDown = answered.task.retry_after_ms !== null
        return !countsDown && matchesEtag(request.headers.get('if-none-match'), etag)
          ? { kind: 'empty', status: 304, headers: { etag } }
          : monitoredAnswer(ports, { caller, query }, answered)
      }),
  ),
  deleteTask: endpoint(
    {
      ...ONE_TASK_ROUTE,
      method: 'delete',
      path: '/tasks/{id}',
      summary: 'Delete a task',
      description: 'Removes everything stored for it, also while a slice runs. After that it is 404.',
      body: null,
      success: emptyAnswer(204, 'It is gone'),
      problems: ['task_not_found'],
    },
    async ({ service }, { caller, params }) => emptyReply(await service.deleteTask(caller, params.id)),
  ),
  endLinks: endpoint(
    {
      ...ONE_TASK_ROUTE,
      method: 'delete',
      path: '/tasks/{id}/links',
      summary: 'End all links of a task',
      description:
        'Links to its events, its files, its question and its commands that were made before open nothing any more, whoever holds them; ' +
        'what watches it is cut off and may come again. Its next answers carry new ones. Once more ends those too.',
      body: null,
      success: emptyAnswer(204, 'They are ended'),
      problems: ['task_not_found', 'state_unreadable'],
    },
    async ({ service }, { caller, params }) => emptyReply(await service.endLinks(caller, params.id)),
  ),
}

export async function createReply(ports: Ports, call: Omit<Call<typeof CREATE_ROUTE>, 'params'>): Promise<Reply> {
  const { caller, query, body, files } = call
  if (query.dry_run) return files === undefined ? dryRunReply(ports, call) : refusalReply(NO_DRY_RUN)
  const { rounds, max_ms, hold } = body
  const beginning = { rounds, max_ms, ...(hold ? { hold } : {}), ...(files === undefined ? {} : { files }) }
  const task = await admittedTask(ports, call)
  if (!task.ok) {
    // Its agent may have been deleted since, or put otherwise.
    const earlier = body.agent === undefined ? null : await ports.service.repeatCreate(caller, beginning)
    return earlier === null ? refusalReply(task.refusal) : createdReply(ports, call, earlier)
  }
  return createdReply(ports, call, await ports.service.createTask(caller, task.value, beginning))
}

/** A dry run keeps nothing, so it reads no files. */
const NO_DRY_RUN: HttpRefusal = {
  code: 'validation_failed',
  errors: [{ pointer: '/dry_run', message: 'dry_run takes JSON, a form or a text, and no form of several parts' }],
}

async function dryRunReply(
  ports: Ports,
  call: Pick<Call<typeof CREATE_ROUTE>, 'body' | 'request'> & TaskCall,
): Promise<Reply> {
  const task = await admittedTask(ports, call)
  if (!task.ok) return refusalReply(task.refusal)
  return replyTo(await ports.service.dryRun(call.caller, task.value), ({ planned, replayed }) =>
    answerReply(
      shownTask(planned, call.query),
      async () => (await import('../../text/forecast-text.ts')).forecastText(planned),
      replayHeaders(replayed),
    ),
  )
}
