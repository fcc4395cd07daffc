/** The routes of tasks: what each asks of the service, and how its answer looks. */
import { guessLocale } from './language.ts'
import { listText, taskText } from './plain.ts'
import { refused, REPLAYED, type Handler, type Reply } from './route.ts'
import type { Routes } from './contract.ts'
import type { Outcome } from './errors.ts'
import { effectiveSettings } from './schemas.ts'
import type { Answered } from '../shell/service.ts'

function taskReply(result: Outcome<Answered>, status: 200 | 201 = 200): Reply {
  if (!result.ok) return refused(result.refusal)
  const { task, command, replayed } = result.value
  const headers: Record<string, string> = { etag: `"${task.version}"`, ...(replayed === true ? REPLAYED : {}) }
  if (status === 201) headers['location'] = `/tasks/${task.id}`
  const json = command === undefined ? task : { ...task, command }
  return { kind: 'answer', status, json, lines: () => taskText(task, command), headers }
}

export const createTask: Handler<Routes['createTask']> = async ({ config, service }, { caller, body }) => {
  if (!config.model_configured) return refused({ code: 'llm_not_configured' })
  const { goal, mode, rounds, max_ms, metadata = {} } = body
  const settings = effectiveSettings(config.settings, body.settings)
  const locale = body.locale ?? guessLocale(goal)
  const task = { goal, mode, settings, locale, timezone: body.timezone ?? config.timezone, metadata }
  return taskReply(await service.createTask(caller, task, { rounds, max_ms }), 201)
}

export const listTasks: Handler<Routes['listTasks']> = async ({ service }, { caller, query }) => {
  const filter = { status: query.status ?? null, mode: query.mode ?? null, metadata: query.metadata }
  const page = await service.listTasks(caller, filter, { limit: query.limit, after: query.after })
  if (!page.ok) return refused(page.refusal)
  return { kind: 'answer', status: 200, json: page.value, lines: () => listText(page.value) }
}

export const getTask: Handler<Routes['getTask']> = async ({ service }, { caller, params }) =>
  taskReply(await service.getTask(caller, params.id))

export const stepTask: Handler<Routes['stepTask']> = async ({ service }, { caller, params, body }) =>
  taskReply(await service.stepTask(caller, params.id, body))

export const inputTask: Handler<Routes['inputTask']> = async ({ service }, { caller, params, body }) => {
  const { input, request_id = null, ...bounds } = body
  return taskReply(await service.inputTask(caller, params.id, input, request_id, bounds))
}

export const cancelTask: Handler<Routes['cancelTask']> = async ({ service }, { caller, params }) =>
  taskReply(await service.cancelTask(caller, params.id))

export const deleteTask: Handler<Routes['deleteTask']> = async ({ service }, { caller, params }) => {
  const gone = await service.deleteTask(caller, params.id)
  return gone.ok ? { kind: 'empty' } : refused(gone.refusal)
}
