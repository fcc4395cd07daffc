/** The types of the API by name, and the types by which a verb finds its body, query and answer in the generated document types. */
import type { components, paths } from './openapi.ts'

type Schemas = components['schemas']

export type Task = Schemas['Task']
export type TaskEntry = Schemas['TaskEntry']
/** What happens in a task, told apart by `type`. */
export type Event = Schemas['Event']
/** What a task waits for, told apart by `kind`. */
export type Pending = Schemas['Pending']
export type Status = Schemas['Status']
export type Problem = Schemas['Problem']
export type ProblemCode = Schemas['ProblemCode']
export type CreateTask = Schemas['CreateTask']
export type InputTask = Schemas['InputTask']
export type Delegation = Schemas['Delegation']
export type StoredFile = Schemas['File']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** The paths of the document that take this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: unknown } ? P : never
}[keyof paths]

type Operation<M extends Method, P extends keyof paths> = paths[P] extends { [K in M]: infer O } ? O : never
type JsonOf<R> = R extends { content: { 'application/json': infer T } } ? T : never

export type BodyOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never
export type QueryOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { parameters: { query?: infer Q } } ? Q : never
export type AnswerOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201)]> : never

/** What every verb takes. */
export interface RequestOptions {
  /** Ends the request, and the waits between its repetitions. */
  signal?: AbortSignal | undefined
  /** The key under which a POST or PATCH is done once. Without it the client makes one. */
  idempotencyKey?: string | undefined
}

/** What a verb that changes a task takes. */
export interface TaskOptions extends RequestOptions {
  /** `settings`: the answer shows all settings, also those that the mode of the task does not heed. */
  include?: 'settings' | undefined
  /** How long the service waits for a task that is busy, in seconds; at most 30. */
  waitSeconds?: number | undefined
}

const ENDED: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'canceled'])
const STOPPED: ReadonlySet<Status> = new Set<Status>([...ENDED, 'input_required', 'paused'])

/** Whether the task has ended. */
export const hasEnded = ({ status }: Pick<Task, 'status'>): boolean => ENDED.has(status)
/** Whether the task does nothing more by itself: it has ended, or it waits for a person. */
export const hasStopped = ({ status }: Pick<Task, 'status'>): boolean => STOPPED.has(status)
