/** The words in which the tables of routes are written. */
import type * as z from 'zod'
import type { AnswerName } from './answers.ts'
import type { BodyRule, Form, Route, Success } from './route.ts'

/** Gives an entry its exact type: a handler's call is typed by the schemas of its own route. */
export const route = <const R extends Route>(entry: R): R => entry
export const json = (description: string, schema: AnswerName, status: 200 | 201 = 200, headers = {}) =>
  ({ status, description, content: { kind: 'json', schema, more: [] }, headers }) satisfies Success
export const forms = (description: string, schema: AnswerName, ...more: Form[]) =>
  ({ status: 200, description, content: { kind: 'json', schema, more }, headers: {} }) satisfies Success
export const file = (description: string, type: string) =>
  ({ status: 200, description, content: { kind: 'document', type }, headers: {} }) satisfies Success
export const takes = <S extends z.ZodObject>(schema: S, text_field: string | null, required: boolean) =>
  ({ schema, text_field, required }) satisfies BodyRule

/** What every route of one task may refuse. */
export const ONE_TASK = ['task_not_found', 'state_unreadable'] as const
/** What a POST may refuse for the sake of its Idempotency-Key. */
export const KEYED = ['idempotency_key_reused', 'request_in_progress'] as const

/** Headers of answers that show a task. */
export const VERSIONED = { ETag: "the task's version, in double quotes" }
export const WATCHED = {
  ...VERSIONED,
  Link: 'with `rel="monitor"`: where the events of the task can be followed for a day without a key',
}
export const MADE = { ...WATCHED, Location: 'the path of the new task' }
