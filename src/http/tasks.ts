/** The routes of tasks: what each asks of the service, and how its answer looks. */
import type { Brief } from '../core/terms/effect.ts'
import type * as z from 'zod'
import type { Grant } from '../core/terms/axes.ts'
import { unpriced } from '../core/engine/budgetable.ts'
import { guessLocale } from '../core/terms/locale.ts'
import { modeOf } from '../core/modes/index.ts'
import { modelFlaws } from '../core/engine/allowed-models.ts'
import { microDollars } from '../core/terms/money.ts'
import type { Answered, Caller } from '../shell/service.ts'
import type { Routes } from './contract.ts'
import type { HttpRefusal, Outcome } from './errors.ts'
import { etagOf, ifMatch, noneMatch } from './etag.ts'
import { forecastText } from './forecast-text.ts'
import { listText, taskText } from './plain.ts'
import { sendingRefusal } from './reached.ts'
import { refused, REPLAYED, type Handler, type Ports, type Reply } from './route.ts'
import { effectiveSettings, type TopUpTask } from './schemas.ts'

export function taskReply(result: Outcome<Answered>, status: 200 | 201 = 200): Reply {
  if (!result.ok) return refused(result.refusal)
  const { task, command, replayed, link_epoch } = result.value
  const headers: Record<string, string> = { etag: etagOf(task, link_epoch), ...(replayed === true ? REPLAYED : {}) }
  if (status === 201) headers['location'] = `/tasks/${task.id}`
  const json = command === undefined ? task : { ...task, command }
  return { kind: 'answer', status, json, lines: () => taskText(task, command), headers }
}

/** The same answer, and where its reader can follow the task, or let a browser do so, without a key (U22). */
export async function watched(
  { config, links, now }: Ports,
  { tenant }: Caller,
  { task: { id }, link_epoch }: Answered,
  reply: Reply,
): Promise<Reply> {
  if (reply.kind !== 'answer') return reply
  const token = await links.events.sign({ tenant, task: id, link_epoch }, now())
  const link = `<${config.public_url ?? ''}/tasks/${id}/events?token=${token}>; rel="monitor"`
  return { ...reply, headers: { ...reply.headers, link } }
}

const uncalled = (mode: string): HttpRefusal => ({
  code: 'validation_failed',
  errors: [{ pointer: '/tools', message: `tools are never called in mode ${mode}; leave them out` }],
})

export const createTask: Handler<Routes['createTask']> = async (ports, { caller, query, body, request }) => {
  const { config, service } = ports
  if (!config.model_configured) return refused({ code: 'llm_not_configured' })
  const { goal, mode, rounds, max_ms, metadata = {} } = body
  const settings = effectiveSettings(mode, config.given_settings, body.settings)
  const errors = modelFlaws(settings, config.allowed_models)
  if (errors.length > 0) return refused({ code: 'validation_failed', errors })
  const models = unpriced({ mode, settings }, config.prices, config.daily.cost !== null)
  if (models.length > 0) return refused({ code: 'model_not_budgetable', models })
  const locale = body.locale ?? guessLocale(goal)
  const { drive, callback_url = null, idle_ttl_s } = body
  const tools = (body.tools ?? []).map((tool) => ({ ...tool, parameters: tool.parameters ?? null }))
  if (tools.length > 0 && modeOf(mode).takes_tools === false) return refused(uncalled(mode))
  const unsent = sendingRefusal(config, caller.tenant, { callback_url, tools })
  if (unsent !== null) return refused(unsent)
  const timezone = body.timezone ?? config.timezone
  const origin = config.public_url ?? new URL(request.url).origin
  const code_language: Brief['code_language'] = config.code_runner === null ? 'javascript' : 'python'
  const told = { drive, callback_url, origin, idle_ttl_s, tools, code_language }
  const task = { goal, mode, settings, locale, timezone, metadata, ...told }
  if (!query.dry_run) {
    const created = await service.createTask(caller, task, { rounds, max_ms })
    const reply = taskReply(created, 201)
    return created.ok ? watched(ports, caller, created.value, reply) : reply
  }
  const planned = await service.dryRun(caller, task)
  if (!planned.ok) return refused(planned.refusal)
  const { planned: json, replayed } = planned.value
  const headers: Record<string, string> = replayed === true ? REPLAYED : {}
  return { kind: 'answer', status: 200, json, lines: () => forecastText(json), headers }
}

export const listTasks: Handler<Routes['listTasks']> = async ({ service }, { caller, query }) => {
  const { status = null, mode = null, metadata, q = null } = query
  const filter = { status, mode, metadata, q }
  const page = await service.listTasks(caller, filter, { limit: query.limit, after: query.after })
  if (!page.ok) return refused(page.refusal)
  return { kind: 'answer', status: 200, json: page.value, lines: () => listText(page.value) }
}

export const getTask: Handler<Routes['getTask']> = async (ports, { caller, params, request }) => {
  const seen = await ports.service.getTask(caller, params.id)
  if (!seen.ok) return refused(seen.refusal)
  const { retry_after_ms } = seen.value.task
  const etag = etagOf(seen.value.task, seen.value.link_epoch)
  // The time to wait counts down without a new version, so while there is one the answer is not the reader's.
  const has = retry_after_ms === null && noneMatch(request.headers.get('if-none-match'), etag)
  return has ? { kind: 'empty', status: 304, headers: { etag } } : watched(ports, caller, seen.value, taskReply(seen))
}

export const stepTask: Handler<Routes['stepTask']> = async ({ service }, { caller, params, body }) =>
  taskReply(await service.stepTask(caller, params.id, body))

export const inputTask: Handler<Routes['inputTask']> = async ({ service }, { caller, params, body }) => {
  const { input, request_id = null, ...bounds } = body
  return taskReply(await service.inputTask(caller, params.id, input, request_id, bounds))
}

export const topUpTask: Handler<Routes['topUpTask']> = async ({ service }, { caller, params, body }) =>
  taskReply(await service.topUpTask(caller, params.id, grantOf(body.add)))

/** In the units of the stored axes. */
function grantOf({ steps, iterations, tokens, cost_usd, seconds }: z.output<typeof TopUpTask>['add']): Grant {
  return {
    ...(steps === undefined ? {} : { steps }),
    ...(iterations === undefined ? {} : { iterations }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost_usd === undefined ? {} : { cost: microDollars(cost_usd) }),
    ...(seconds === undefined ? {} : { working_ms: seconds * 1000 }),
  }
}

export const editPlan: Handler<Routes['editPlan']> = async ({ service }, { caller, params, body, request }) => {
  const match = request.headers.get('if-match')
  if (match === null) return refused({ code: 'precondition_required' })
  return taskReply(await service.editPlan(caller, params.id, body.items, ifMatch(match)))
}

export const pauseTask: Handler<Routes['pauseTask']> = async ({ service }, { caller, params }) =>
  taskReply(await service.pauseTask(caller, params.id))

export const resumeTask: Handler<Routes['resumeTask']> = async ({ service }, { caller, params }) =>
  taskReply(await service.resumeTask(caller, params.id))

export const cancelTask: Handler<Routes['cancelTask']> = async ({ service }, { caller, params }) =>
  taskReply(await service.cancelTask(caller, params.id))

export const endLinks: Handler<Routes['endLinks']> = async ({ service }, { caller, params }) => {
  const ended = await service.endLinks(caller, params.id)
  return ended.ok ? { kind: 'empty', status: 204 } : refused(ended.refusal)
}

export const deleteTask: Handler<Routes['deleteTask']> = async ({ service }, { caller, params }) => {
  const gone = await service.deleteTask(caller, params.id)
  return gone.ok ? { kind: 'empty', status: 204 } : refused(gone.refusal)
}
