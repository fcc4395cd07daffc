/** The resources beside tasks, each as a group of verbs. A new one gets its class here, and a field of the client. */
import { callEmpty, type Address, type CallJson } from './api.ts'
import { Pages } from './pages.ts'
import type { AnswerOf, BodyOf, Delegation, QueryOf, RequestOptions, Task, TaskOptions } from './types.ts'

type Secret = AnswerOf<'get', '/secrets/{name}'>
type Schedule = AnswerOf<'get', '/schedules/{name}'>

export class Secrets {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  put(name: string, body: BodyOf<'put', '/secrets/{name}'>, options?: RequestOptions): Promise<Secret> {
    return this.#call('put', '/secrets/{name}', { params: { name }, body, options })
  }

  /** All of the secret but its value. */
  get(name: string, options?: RequestOptions): Promise<Secret> {
    return this.#call('get', '/secrets/{name}', { params: { name }, options })
  }

  list(options?: RequestOptions): Pages<AnswerOf<'get', '/secrets'>> {
    return new Pages((cursor) => this.#call('get', '/secrets', { cursor, options }))
  }

  delete(name: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/secrets/{name}', { params: { name }, options })
  }
}

/** Where the spans of the tenant's tasks are sent. */
export class Telemetry {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  put(body: BodyOf<'put', '/telemetry'>, options?: RequestOptions): Promise<AnswerOf<'get', '/telemetry'>> {
    return this.#call('put', '/telemetry', { body, options })
  }

  get(options?: RequestOptions): Promise<AnswerOf<'get', '/telemetry'>> {
    return this.#call('get', '/telemetry', { options })
  }

  delete(options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/telemetry', { options })
  }
}

type Agent = AnswerOf<'get', '/agents/{name}'>
interface AgentOptions extends RequestOptions {
  /** The `etag` of the version that was seen, or `none` where there must be no such agent yet. Otherwise the put is refused. */
  ifTag?: string | undefined
}

/** A name may have a version behind it, such as `support@3`. */
export class Agents {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  /** Puts the next version, unless the newest one says the same. */
  put(name: string, body: BodyOf<'put', '/agents/{name}'>, options?: AgentOptions): Promise<Agent> {
    return this.#call('put', '/agents/{name}', { params: { name }, body, options })
  }

  get(name: string, options?: RequestOptions): Promise<Agent> {
    return this.#call('get', '/agents/{name}', { params: { name }, options })
  }

  list(options?: RequestOptions): Pages<AnswerOf<'get', '/agents'>> {
    return new Pages((cursor) => this.#call('get', '/agents', { cursor, options }))
  }

  /** Newest first. */
  versions(name: string, options?: RequestOptions): Pages<AnswerOf<'get', '/agents/{name}/versions'>> {
    return new Pages((cursor) => this.#call('get', '/agents/{name}/versions', { params: { name }, cursor, options }))
  }

  /** Makes a task by the agent: `create('support', { input: { ticket: '…' } })`. */
  create(name: string, body: BodyOf<'post', '/agents/{name}/tasks'>, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/agents/{name}/tasks', { params: { name }, body, options })
  }

  /** `force`: also while tasks of it are open, which keep what it said. */
  delete(name: string, { force = false, ...options }: AgentOptions & { force?: boolean } = {}): Promise<void> {
    const query = force ? { force } : {}
    return callEmpty(this.#address, 'delete', '/agents/{name}', { params: { name }, query, options })
  }
}

export class Schedules {
  readonly #address: Address
  readonly #call: CallJson

  constructor(address: Address, call: CallJson) {
    this.#address = address
    this.#call = call
  }

  put(name: string, body: BodyOf<'put', '/schedules/{name}'>, options?: RequestOptions): Promise<Schedule> {
    return this.#call('put', '/schedules/{name}', { params: { name }, body, options })
  }

  get(name: string, options?: RequestOptions): Promise<Schedule> {
    return this.#call('get', '/schedules/{name}', { params: { name }, options })
  }

  list(options?: RequestOptions): Pages<AnswerOf<'get', '/schedules'>> {
    return new Pages((cursor) => this.#call('get', '/schedules', { cursor, options }))
  }

  delete(name: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/schedules/{name}', { params: { name }, options })
  }

  pause(name: string, options?: RequestOptions): Promise<Schedule> {
    return this.#call('post', '/schedules/{name}/pause', { params: { name }, options })
  }

  resume(name: string, options?: RequestOptions): Promise<Schedule> {
    return this.#call('post', '/schedules/{name}/resume', { params: { name }, options })
  }

  /** Makes one task of the schedule now. */
  run(name: string, options?: RequestOptions): Promise<AnswerOf<'post', '/schedules/{name}/run'>> {
    return this.#call('post', '/schedules/{name}/run', { params: { name }, options })
  }

  /** What became of each tick, newest first. */
  runs(name: string, options?: RequestOptions): Pages<AnswerOf<'get', '/schedules/{name}/runs'>> {
    return new Pages((cursor) => this.#call('get', '/schedules/{name}/runs', { params: { name }, cursor, options }))
  }
}

export class Deliveries {
  readonly #call: CallJson

  constructor(call: CallJson) {
    this.#call = call
  }

  list(
    query: QueryOf<'get', '/webhooks/deliveries'> = {},
    options?: RequestOptions,
  ): Pages<AnswerOf<'get', '/webhooks/deliveries'>> {
    return new Pages((cursor) => this.#call('get', '/webhooks/deliveries', { query, cursor, options }))
  }

  redeliver(id: string, options?: RequestOptions): Promise<AnswerOf<'post', '/webhooks/deliveries/{id}/redeliver'>> {
    return this.#call('post', '/webhooks/deliveries/{id}/redeliver', { params: { id }, options })
  }
}

export class Webhooks {
  readonly #call: CallJson

  constructor(call: CallJson) {
    this.#call = call
  }

  /** Sends one test delivery. It is not sent again after a broken connection, because the route has no key: the first one may have arrived. */
  test(url: string, options?: RequestOptions): Promise<AnswerOf<'post', '/webhooks/test'>> {
    return this.#call('post', '/webhooks/test', { body: { url }, options: { ...options, once: true } })
  }
}

export class Tools {
  readonly #call: CallJson

  constructor(call: CallJson) {
    this.#call = call
  }

  /** The built-in tools, and the modes that offer them. */
  list(options?: RequestOptions): Promise<AnswerOf<'get', '/tools'>> {
    return this.#call('get', '/tools', { options })
  }

  /** The tools that the model of this task may call. */
  ofTask(id: string, options?: RequestOptions): Promise<AnswerOf<'get', '/tasks/{id}/tools'>> {
    return this.#call('get', '/tasks/{id}/tools', { params: { id }, options })
  }

  /** What a task with these tools would be offered. */
  preview(
    body: BodyOf<'post', '/tools/preview'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'post', '/tools/preview'>> {
    return this.#call('post', '/tools/preview', { body, options })
  }

  /** Tries one tool once, outside of any task. */
  call(body: BodyOf<'post', '/tools/call'>, options?: RequestOptions): Promise<AnswerOf<'post', '/tools/call'>> {
    return this.#call('post', '/tools/call', { body, options })
  }
}

/** Commands for workers, for a program that takes the work of `orchestrator`. */
export class Delegations {
  readonly #call: CallJson

  constructor(call: CallJson) {
    this.#call = call
  }

  /** `waitSeconds`: how long the service waits for a command if there is none. */
  list(
    query: QueryOf<'get', '/delegations'> = {},
    options?: RequestOptions & { waitSeconds?: number },
  ): Pages<AnswerOf<'get', '/delegations'>> {
    return new Pages((cursor) => this.#call('get', '/delegations', { query, cursor, options }))
  }

  /** The default pool, and the pools that tasks name as `worker_pool`. */
  pools(query: QueryOf<'get', '/pools'> = {}, options?: RequestOptions): Pages<AnswerOf<'get', '/pools'>> {
    return new Pages((cursor) => this.#call('get', '/pools', { query, cursor, options }))
  }

  get(id: string, options?: RequestOptions): Promise<Delegation> {
    return this.#call('get', '/delegations/{id}', { params: { id }, options })
  }

  claim(id: string, body: BodyOf<'post', '/delegations/{id}/claim'>, options?: RequestOptions): Promise<Delegation> {
    return this.#call('post', '/delegations/{id}/claim', { params: { id }, body, options })
  }

  report(id: string, body: BodyOf<'post', '/delegations/{id}/report'>, options?: RequestOptions): Promise<Delegation> {
    return this.#call('post', '/delegations/{id}/report', { params: { id }, body, options })
  }
}
