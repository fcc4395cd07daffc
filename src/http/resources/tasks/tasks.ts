/** Tasks: create, list, read and delete them, and end their links. */
import * as z from 'zod'
import { idlePatterns } from '../../../core/engine/approval.ts'
import { modelsWithoutPrice } from '../../../core/engine/budgetable.ts'
import { fallbacksFor } from '../../../core/engine/model-choice.ts'
import { modelErrors, withAllowedDefaults } from '../../../core/engine/model-rules.ts'
import { modeOf } from '../../../core/modes/index.ts'
import { MODE_NAMES } from '../../../core/terms/mode-names.ts'
import { SCHEMA_VERSION } from '../../../core/terms/head.ts'
import { nameHint } from '../../../core/terms/values/known-names.ts'
import { guessLocale } from '../../../core/terms/locale.ts'
import { Outcome, Status } from '../../../core/terms/status.ts'
import type { NewTask } from '../../../shell/caller.ts'
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
import { addressesIn, addressRefusal } from '../../gate/callback-address.ts'
import { secretRefusal } from '../../gate/named-secrets.ts'
import { ERRORS_MAX } from '../../gate/text-safety.ts'
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
import { refuse, type HttpRefusal, type HttpResult } from '../../shapes/http-refusal.ts'
import { CreateTask, effectiveSettings, METADATA_KEY } from '../../shapes/requests.ts'
import { clientToolsOf, toolSourcesOf, type NamedAddress } from '../../shapes/tools/entries.ts'
import { shownTask } from '../../shapes/shown-task.ts'
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
  forked_from: z.string().max(200).optional().describe('only forks of the task with this id'),
  ...TaskAnswerQuery.shape,
  ...pageRange,
})

const DRY_RUN_ANSWER = jsonAnswer('A dry run: the plan, not kept, and the forecast', 'DryRun')
const CREATE_ROUTE = {
  ...TASK_ROUTE,
  method: 'post',
  path: '/tasks',
  summary: 'Make a task',
  description:
    'Makes the task, plans it, then advances one slice. A task whose planning failed is still 201: see its status. ' +
    'As a form, `goal` (or `input`, `Body`, `text`) is the goal, and `mode`, `locale`, `timezone`, `rounds` and ' +
    '`max_ms` may stand beside it; as plain text the whole body is the goal. With `hold: true` it is made and not begun: `paused`, ' +
    'with the stop reason `held`, until `/resume`.',
  params: NoParams,
  query: CreateQuery,
  body: bodyOf(CreateTask, 'goal', true),
  headers: ['Idempotency-Key'],
  success: jsonAnswer('The new task', 'Task', 201, CREATED_HEADERS),
  also: [{ ...DRY_RUN_ANSWER, deprecated: true }],
  problems: [
    ...SLICE_PROBLEMS,
    'llm_not_configured',
    'model_not_budgetable',
    'quota_exceeded',
    'tenant_budget_exceeded',
  ],
} as const
const DRY_RUN_ROUTE = {
  ...CREATE_ROUTE,
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
    if (call.query.dry_run) return dryRunReply(ports, call)
    const task = await admittedTask(ports, call)
    if (!task.ok) return refusalReply(task.refusal)
    const { rounds, max_ms, hold } = call.body
    const beginning = { rounds, max_ms, ...(hold ? { hold } : {}) }
    return createdReply(ports, call, await ports.service.createTask(call.caller, task.value, beginning))
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
      const { status = null, mode = null, metadata, q = null, outcome = null, forked_from = null, include, ...range } = query
      const page = await service.listTasks(caller, { status, mode, metadata, q, outcome, forked_from }, range)
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

/** The body of a create, without what its first slice may do. */
type SentTask = Omit<Call<typeof CREATE_ROUTE>['body'], 'rounds' | 'max_ms' | 'hold'>
type CreateCall = Pick<Call<typeof CREATE_ROUTE>, 'body' | 'request'> & TaskCall

/** The task that the caller describes, or why it may not be made. */
async function admittedTask(ports: Ports, call: CreateCall): Promise<HttpResult<NewTask>> {
  const { caller, body } = call
  const task = newTaskOf(ports, call)
  const refusal =
    createRefusal(ports, caller.tenant, task, addressesIn(body)) ??
    (await secretRefusal(ports.service, caller, body.tools ?? []))
  return refusal === null ? { ok: true, value: task } : refuse(refusal)
}

async function dryRunReply(ports: Ports, call: CreateCall): Promise<Reply> {
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

/** What the caller left out is filled in from the configuration. */
export function newTaskOf(
  { config }: Pick<Ports, 'config'>,
  { caller, body, request }: Pick<Call<typeof CREATE_ROUTE>, 'caller'> & { body: SentTask; request: { url: string } },
): NewTask {
  const {
    goal,
    mode,
    instructions = null,
    output_schema = null,
    metadata = {},
    drive,
    callback_url = null,
    idle_ttl_s,
  } = body
  const { model_rules } = config
  const effective = effectiveSettings(mode, config.given_settings, body.settings)
  const sources = toolSourcesOf(body.tools ?? [])
  const tools = clientToolsOf(body.tools ?? [])
  const mayDestroy = sources.length > 0 || tools.some(({ destructive }) => destructive === true)
  const asks = mayDestroy && config.environment === 'production'
  const given = { ...config.given_settings, ...body.settings }
  const settings = {
    ...withAllowedDefaults(effective, body.settings ?? {}, model_rules, caller.tenant),
    // What is called destructive is asked about, unless somebody has said what is to be approved.
    ...(asks && given.approve === undefined ? { approve: { tools: ['hint:destructive'] } } : {}),
  }
  const shape = output_schema === null ? {} : { output_schema }
  return {
    goal,
    ...(instructions === null ? {} : { instructions }),
    ...shape,
    mode,
    settings,
    locale: body.locale ?? guessLocale(goal),
    timezone: body.timezone ?? config.timezone,
    metadata,
    drive,
    callback_url,
    origin: config.public_url ?? new URL(request.url).origin,
    idle_ttl_s,
    made_in: SCHEMA_VERSION,
    tools,
    ...(sources.length === 0 ? {} : { sources }),
    code_language: config.code_runner === null ? 'javascript' : 'python',
    fallbacks: fallbacksFor({ mode, settings, ...shape }, model_rules, caller.tenant),
  }
}

/** null: nothing in the configuration forbids the task. */
export function createRefusal(
  { config }: Pick<Ports, 'config'>,
  tenant: string,
  task: NewTask,
  addresses: readonly NamedAddress[],
): HttpRefusal | null {
  const { settings, tools, sources = [] } = task
  if (!config.model_configured) return { code: 'llm_not_configured' }
  const errors = modelErrors(settings, config.model_rules, tenant)
  if (errors.length > 0) return { code: 'validation_failed', errors }
  const models = modelsWithoutPrice(task, config.prices, config.daily.cost !== null)
  if (models.length > 0) return { code: 'model_not_budgetable', models }
  if (tools.length + sources.length > 0 && !modeOf(task.mode).takes_tools) {
    const message = `tools are never called in mode ${task.mode}; leave them out`
    return { code: 'validation_failed', errors: [{ pointer: '/tools', message }] }
  }
  return idlePatternRefusal(task) ?? addressRefusal(config, tenant, addresses)
}

/** A pattern that fits no tool would let pass what somebody wanted to see first. */
function idlePatternRefusal({ mode, tools, settings, sources = [] }: NewTask): HttpRefusal | null {
  const names = [...new Set([...modeOf(mode).tools, ...tools.map(({ name }) => name)])]
  const source_names = sources.map(({ name }) => name)
  const { approve } = settings
  const errors = idlePatterns(approve, names, source_names).map((pattern) => {
    const message = `settings.approve.tools has "${pattern}", which fits no tool of this task${nameHint(pattern, [...names, ...source_names])}`
    return { pointer: '/settings/approve/tools', message }
  })
  return errors.length === 0 ? null : { code: 'validation_failed', errors: errors.slice(0, ERRORS_MAX) }
}
