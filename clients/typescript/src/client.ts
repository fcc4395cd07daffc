/** The client: a verb for each route of a task. Resources with names of their own stand in groups, such as `client.files`. */
import { baseOf, callEmpty, callJson, checkedKey, type Address, type CallJson } from './api.ts'
import { SYSTEM_CLOCK, type Clock } from './clock.ts'
import { taskEvents, type EventsOptions } from './events.ts'
import { createWithFiles, Files, type TaskFile } from './files.ts'
import { followTask, waitFor, type Follower, type WaitOptions } from './follow.ts'
import { Pages } from './pages.ts'
import { Admin } from './admin.ts'
import { Agents, Delegations, Deliveries, Schedules, Secrets, Telemetry, Tools, Webhooks } from './resources.ts'
import type { Fetch } from './transport.ts'
import type {
  AnswerOf,
  BodyOf,
  CreateTask,
  Event,
  InputTask,
  QueryOf,
  RequestOptions,
  Task,
  TaskOptions,
} from './types.ts'

export interface LoopAgentOptions {
  /** Where the service is, such as `https://agent.example.com`. */
  url: string
  key: string
  fetch?: Fetch
  /** The language of error texts. */
  language?: 'en' | 'zh'
  /** How often a request is sent again at most; 4 by default. */
  retries?: number
  /** The longest wait that is accepted from `Retry-After`; 60 by default. If the service asks for more, the request fails at once. */
  maxWaitSeconds?: number
  /** How long one sending of a request may take; 300 by default. */
  timeoutSeconds?: number
  clock?: Clock
}

export interface CreateOptions extends TaskOptions {
  /** Files that the task has before it begins. */
  files?: readonly TaskFile[] | undefined
}

export interface RunOptions extends CreateOptions {
  /** How many rounds one step of a task with `drive: manual` does at most; 1 by default. */
  rounds?: number
}

/** A task, or its id. */
export type TaskRef = string | { id: string }
/** A task at the version that was seen. */
export type TaskVersion = Pick<Task, 'id' | 'version'>

const idOf = (task: TaskRef) => (typeof task === 'string' ? task : task.id)
const bodyOfGoal = (task: string | CreateTask): CreateTask => (typeof task === 'string' ? { goal: task } : task)
const bodyOfInput = (input: string | InputTask): InputTask => (typeof input === 'string' ? { input } : input)

export class LoopAgent {
  readonly files: Files
  readonly schedules: Schedules
  readonly agents: Agents
  readonly telemetry: Telemetry
  readonly secrets: Secrets
  readonly deliveries: Deliveries
  readonly webhooks: Webhooks
  readonly tools: Tools
  readonly delegations: Delegations
  readonly admin: Admin
  readonly #address: Address
  readonly #call: CallJson

  constructor({ url, key, language, clock = SYSTEM_CLOCK, ...options }: LoopAgentOptions) {
    this.#address = {
      base: baseOf(url),
      key: checkedKey(key),
      language: language ?? null,
      clock,
      // Called as a method of another object, the fetch of a browser or of workerd refuses.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      retries: options.retries ?? 4,
      maxWaitSeconds: options.maxWaitSeconds ?? 60,
      timeoutSeconds: options.timeoutSeconds ?? 300,
    }
    this.#call = callJson(this.#address)
    this.files = new Files(this.#address, this.#call)
    this.schedules = new Schedules(this.#address, this.#call)
    this.agents = new Agents(this.#address, this.#call)
    this.telemetry = new Telemetry(this.#address, this.#call)
    this.secrets = new Secrets(this.#address, this.#call)
    this.deliveries = new Deliveries(this.#call)
    this.webhooks = new Webhooks(this.#call)
    this.tools = new Tools(this.#call)
    this.delegations = new Delegations(this.#call)
    this.admin = new Admin(this.#address, this.#call)
  }

  /** Makes a task, plans it, and advances one slice. With `files` it has them before it begins. */
  create(task: string | CreateTask, { files = [], ...options }: CreateOptions = {}): Promise<Task> {
    const body = bodyOfGoal(task)
    if (files.length === 0) return this.#call('post', '/tasks', { body, options })
    return createWithFiles(this.#address, body, files, options)
  }

  /** Plans without making a task: the plan, the worst case and the expected cost. */
  dryRun(task: string | CreateTask, options?: TaskOptions): Promise<AnswerOf<'post', '/tasks/dry-run'>> {
    return this.#call('post', '/tasks/dry-run', { body: bodyOfGoal(task), options })
  }

  get(id: string, options?: TaskOptions): Promise<Task> {
    return this.#call('get', '/tasks/{id}', { params: { id }, options })
  }

  /** The tasks, newest first: all entries with `for await`, or page by page with `.pages()`. */
  list(query: QueryOf<'get', '/tasks'> = {}, options?: RequestOptions): Pages<AnswerOf<'get', '/tasks'>> {
    return new Pages((cursor) => this.#call('get', '/tasks', { query, cursor, options }))
  }

  /** Advances the task by one bounded slice. */
  step(id: string, body: BodyOf<'post', '/tasks/{id}/step'> = {}, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/step', { params: { id }, body, options })
  }

  /** Answers, approves, resumes, remarks, or runs a slash command. */
  input(id: string, input: string | InputTask, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/input', { params: { id }, body: bodyOfInput(input), options })
  }

  /** Answers the open question. Given the task itself, the answer is refused if another question is open by then. */
  answer(task: string | Pick<Task, 'id' | 'pending'>, text: string, options?: TaskOptions): Promise<Task> {
    const pending = typeof task === 'string' ? null : task.pending
    const asks = pending !== null && 'request_id' in pending
    return this.input(idOf(task), asks ? { input: text, request_id: pending.request_id } : text, options)
  }

  /** Adds to the budget. */
  budget(id: string, body: BodyOf<'post', '/tasks/{id}/budget'>, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/budget', { params: { id }, body, options })
  }

  /** Replaces the items that are not finished, if the task still is at the version that was seen. */
  changePlan(task: TaskVersion, body: BodyOf<'patch', '/tasks/{id}/plan'>, options?: TaskOptions): Promise<Task> {
    const call = { params: { id: task.id }, body, options: { ...options, ifVersion: task.version } }
    return this.#call('patch', '/tasks/{id}/plan', call)
  }

  /** Changes drive, callback, labels or title. Given the task itself, only if it still is at the version that was seen. */
  change(task: string | TaskVersion, body: BodyOf<'patch', '/tasks/{id}'>, options?: TaskOptions): Promise<Task> {
    const ifVersion = typeof task === 'string' ? undefined : task.version
    return this.#call('patch', '/tasks/{id}', { params: { id: idOf(task) }, body, options: { ...options, ifVersion } })
  }

  pause(id: string, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/pause', { params: { id }, options })
  }

  resume(id: string, body: BodyOf<'post', '/tasks/{id}/resume'> = {}, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/resume', { params: { id }, body, options })
  }

  cancel(id: string, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/cancel', { params: { id }, options })
  }

  /** Makes a task from the past of this one. */
  fork(id: string, body: BodyOf<'post', '/tasks/{id}/fork'>, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/fork', { params: { id }, body, options })
  }

  /** Makes an ended task again, anew. */
  retry(id: string, body: BodyOf<'post', '/tasks/{id}/retry'> = {}, options?: TaskOptions): Promise<Task> {
    return this.#call('post', '/tasks/{id}/retry', { params: { id }, body, options })
  }

  /** Checks each row of the journal against what was decided. */
  replay(id: string, options?: RequestOptions): Promise<AnswerOf<'post', '/tasks/{id}/replay'>> {
    return this.#call('post', '/tasks/{id}/replay', { params: { id }, options })
  }

  /** Deletes everything that is stored for the task. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/tasks/{id}', { params: { id }, options })
  }

  /** Ends all links of the task that were made before. */
  endLinks(id: string, options?: RequestOptions): Promise<void> {
    return callEmpty(this.#address, 'delete', '/tasks/{id}/links', { params: { id }, options })
  }

  /** Every effect of the task with its cost and outcome. */
  journal(
    id: string,
    query: QueryOf<'get', '/tasks/{id}/journal'> = {},
    options?: RequestOptions,
  ): Pages<AnswerOf<'get', '/tasks/{id}/journal'>> {
    return new Pages((cursor) => this.#call('get', '/tasks/{id}/journal', { params: { id }, query, cursor, options }))
  }

  /** The rows of the journal as they are stored. */
  export(id: string, options?: RequestOptions): Pages<AnswerOf<'get', '/tasks/{id}/export'>> {
    return new Pages((cursor) => this.#call('get', '/tasks/{id}/export', { params: { id }, cursor, options }))
  }

  /** The events so far. */
  pastEvents(
    id: string,
    query: QueryOf<'get', '/tasks/{id}/events'> = {},
    options?: RequestOptions,
  ): Pages<AnswerOf<'get', '/tasks/{id}/events'>> {
    return new Pages((cursor) => this.#call('get', '/tasks/{id}/events', { params: { id }, query, cursor, options }))
  }

  /** The events as they happen, each once, until the task has ended. A connection that is cut is opened again. */
  events(id: string, options?: EventsOptions): AsyncGenerator<Event, void, undefined> {
    return taskEvents(this.#address, id, options)
  }

  /** Waits until the task has ended or waits for a person, and gives it. */
  wait(id: string, options: WaitOptions = {}): Promise<Task> {
    return waitFor(this.#follower(), id, options)
  }

  /**
   * Makes a task and gives it after each change, until it has ended or waits for a person. It goes on if the body of the loop answers. With
   * `drive: manual`, which is the default, it is stepped; with `drive: background` it is followed.
   */
  async *run(task: string | CreateTask, options: RunOptions = {}): AsyncGenerator<Task, void, undefined> {
    const { rounds, ...created } = options
    const { rounds: first = rounds, ...body } = bodyOfGoal(task)
    const start = await this.create(first === undefined ? body : { ...body, rounds: first }, created)
    const follower = this.#follower(rounds)
    yield* followTask(follower, start, { steps: true, passesStops: false, signal: options.signal })
  }

  /** Gives a task now and after each change, until it has ended or waits for a person. `steps`: a task with `drive: manual` is stepped. */
  async *follow(
    id: string,
    { steps = false, rounds, signal }: { steps?: boolean; rounds?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<Task, void, undefined> {
    const start = await this.get(id, { signal })
    yield* followTask(this.#follower(rounds), start, { steps, passesStops: false, signal })
  }

  /** Runs a slash command of todos and calendar, without a model. */
  command(command: string, options?: RequestOptions): Promise<AnswerOf<'post', '/commands'>> {
    return this.#call('post', '/commands', { body: { command }, options })
  }

  /** The models that a task may name. */
  models(options?: RequestOptions): Promise<AnswerOf<'get', '/models'>> {
    return this.#call('get', '/models', { options })
  }

  /** The limits of the tenant and of the key, and what is used of them. */
  limits(options?: RequestOptions): Promise<AnswerOf<'get', '/limits'>> {
    return this.#call('get', '/limits', { options })
  }

  /** What the tenant has used: `usage({ from: '2026-03-01', group_by: 'day,model' })`. */
  usage(query: QueryOf<'get', '/usage'> = {}, options?: RequestOptions): Promise<AnswerOf<'get', '/usage'>> {
    return this.#call('get', '/usage', { query, options })
  }

  health(options?: RequestOptions): Promise<AnswerOf<'get', '/health'>> {
    return this.#call('get', '/health', { options })
  }

  #follower(rounds?: number): Follower {
    return {
      clock: this.#address.clock,
      get: (id, signal) => this.get(id, { signal }),
      step: (id, signal) => this.step(id, rounds === undefined ? {} : { rounds }, { signal }),
      events: (id, signal) => this.events(id, { signal }),
    }
  }
}
