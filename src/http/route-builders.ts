/** The parts from which routes are put together. */
import type * as z from 'zod'
import type { AnswerMediaType, BodyRule, Success } from './route.ts'
import type { AnswerName } from './shapes/answers.ts'
import { NoQuery, SeqQuery, TaskParams } from './shapes/fields.ts'

export const jsonAnswer = (description: string, schema: AnswerName, status: 200 | 201 = 200, headers = {}) =>
  ({ status, description, content: { kind: 'json', schema, more: [] }, headers }) satisfies Success
/** JSON and plain text, and the further forms `more`. */
export const answerInForms = (description: string, schema: AnswerName, ...more: AnswerMediaType[]) =>
  ({ status: 200, description, content: { kind: 'json', schema, more }, headers: {} }) satisfies Success
export const documentAnswer = (description: string, type: string, headers: Record<string, string> = {}) =>
  ({ status: 200, description, content: { kind: 'document', type }, headers }) satisfies Success
/** 101, 204 or 304. */
export const emptyAnswer = (status: 101 | 204 | 304, description: string, headers: Record<string, string> = {}) =>
  ({ status, description, content: null, headers }) satisfies Success
export const bodyOf = <S extends z.ZodObject>(schema: S, text_field: string | null, required: boolean) =>
  ({ schema, text_field, required }) satisfies BodyRule

/** The refusals of every route about one task. */
export const TASK_PROBLEMS = ['task_not_found', 'state_unreadable'] as const
/** The refusals of every route that takes an Idempotency-Key. */
export const IDEMPOTENCY_PROBLEMS = ['idempotency_key_reused', 'request_in_progress'] as const

/** The refusals of every route that may run a slice. */
export const SLICE_PROBLEMS = [...TASK_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, 'task_busy', 'lease_lost'] as const

/** The headers of answers that show a task. */
export const VERSION_HEADERS = { ETag: "the task's version, in double quotes" }
export const STREAMED_HEADERS = { ETag: "the task's version, in double quotes; not in a stream that has begun before" }
export const MONITOR_HEADERS = {
  ...VERSION_HEADERS,
  Link: 'with `rel="monitor"`: where the events of the task can be followed for a day without a key',
}
export const CREATED_HEADERS = { ...MONITOR_HEADERS, Location: 'the path of the new task' }

export const TASK_ROUTE = { tag: 'Tasks', open: false, query: NoQuery, headers: [], also: [] } as const
export const ONE_TASK_ROUTE = { ...TASK_ROUTE, params: TaskParams } as const
/** A route that lists entries of a task by their seq. */
export const HISTORY_ROUTE = {
  tag: 'History',
  open: false,
  method: 'get',
  query: SeqQuery,
  params: TaskParams,
  body: null,
  headers: [],
  also: [],
  problems: TASK_PROBLEMS,
} as const
