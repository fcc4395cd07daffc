/** Follows a task from change to change: by its events where they come, and by looking at it now and then where they do not. */
import { timeLimit, type Clock } from './clock.ts'
import { LoopAgentError } from './errors.ts'
import { hasEnded, hasStopped, type Event, type Task } from './types.ts'

/** What following needs of the client. */
export interface Follower {
  clock: Clock
  get(id: string, signal: AbortSignal | undefined): Promise<Task>
  step(id: string, signal: AbortSignal | undefined): Promise<Task>
  events(id: string, signal: AbortSignal): AsyncIterable<Event>
}

export interface FollowOptions {
  /** Whether a task with `drive: manual` is stepped. */
  steps: boolean
  /** Whether a task that waits for a person is followed further, until somebody else lets it go on. */
  passesStops: boolean
  signal?: AbortSignal | undefined
}

/** A proxy may keep events back. So the task is looked at now and then although its stream is open. */
const LOOK_MS = 30_000
const POLL_MS_MIN = 1_000
const POLL_MS_MAX = 10_000

/**
 * Gives `start`, and the task again after each change. It ends when the task has stopped and the caller has not let it go on by the time
 * that the next task is asked for.
 */
export async function* followTask(
  follower: Follower,
  start: Task,
  options: FollowOptions,
): AsyncGenerator<Task, void, undefined> {
  const { steps, passesStops, signal } = options
  const watch = watchEvents(follower, start.id, signal)
  try {
    for (let task = start; ;) {
      yield task
      const isOver = passesStops ? hasEnded(task) : hasStopped(task)
      const fresh = isOver ? await follower.get(task.id, signal) : task
      if (isOver && fresh.version === task.version) return
      if (fresh.version !== task.version) task = fresh
      else if (steps && task.drive === 'manual') task = await stepUntilChanged(follower, task, signal)
      else task = await lookUntilChanged(follower, watch, task, signal)
    }
  } finally {
    watch.stop()
  }
}

async function stepUntilChanged(follower: Follower, task: Task, signal: AbortSignal | undefined): Promise<Task> {
  let pause = task.status === 'waiting_external' ? POLL_MS_MIN : (task.retry_after_ms ?? 0)
  for (;;) {
    if (pause > 0) await follower.clock.sleep(pause, signal)
    signal?.throwIfAborted()
    const next = await stepOrRead(follower, task.id, signal)
    if (next.version !== task.version) return next
    pause = Math.max(nextPause(pause), next.retry_after_ms ?? 0)
  }
}

/** Somebody else may have taken the task over meanwhile, or canceled it. Then it is read instead. */
async function stepOrRead(follower: Follower, id: string, signal: AbortSignal | undefined): Promise<Task> {
  try {
    return await follower.step(id, signal)
  } catch (error) {
    if (!(error instanceof LoopAgentError) || (error.code !== 'lease_lost' && error.code !== 'task_ended')) throw error
    return follower.get(id, signal)
  }
}

async function lookUntilChanged(
  follower: Follower,
  watch: Watch,
  task: Task,
  signal: AbortSignal | undefined,
): Promise<Task> {
  for (let pause = 0; ;) {
    pause = nextPause(pause)
    await watch.changed(Math.max(pause, task.retry_after_ms ?? 0))
    signal?.throwIfAborted()
    const next = await follower.get(task.id, signal)
    if (next.version !== task.version) return next
  }
}

const nextPause = (pause: number) => Math.min(Math.max(POLL_MS_MIN, pause * 1.5), POLL_MS_MAX)

interface Watch {
  /** Resolves when something has happened since the last call; without a stream after `pollMs`. */
  changed(pollMs: number): Promise<void>
  stop(): void
}

/** Listens to the events from the first call of `changed` on. Any error of the stream means that there is none. */
function watchEvents({ clock, events }: Follower, id: string, signal: AbortSignal | undefined): Watch {
  const stopped = new AbortController()
  const ends = signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal])
  let isListening: boolean | null = null
  let isChanged = false
  let wake: () => void = () => undefined

  const listen = async () => {
    try {
      for await (const _ of events(id, ends)) {
        isChanged = true
        wake()
      }
    } catch {
      // The task is looked at instead, which tells what is wrong if it is more than the stream.
    }
    isListening = false
    isChanged = true
    wake()
  }

  return {
    changed: async (pollMs) => {
      if (isListening === null) {
        isListening = true
        void listen()
      }
      if (!isChanged) {
        const heard = new AbortController()
        wake = () => heard.abort()
        await clock.sleep(isListening ? LOOK_MS : pollMs, AbortSignal.any([ends, heard.signal]))
      }
      isChanged = false
    },
    stop: () => stopped.abort(),
  }
}

export interface WaitOptions {
  /** Until when it is waited; by default until the task has ended or waits for a person. A task that has ended is given in any case. */
  until?: ((task: Task) => boolean) | undefined
  timeoutSeconds?: number | undefined
  signal?: AbortSignal | undefined
}

/** Rejects with the code `timeout` when the time is over. */
export async function waitFor(
  follower: Follower,
  id: string,
  { until = hasStopped, timeoutSeconds, signal: outer }: WaitOptions,
): Promise<Task> {
  const detail = `the task was not as wanted within ${timeoutSeconds} seconds`
  const timeout = () => new LoopAgentError({ method: 'GET', path: `/tasks/${id}`, status: 0, code: 'timeout', detail })
  const limit = timeoutSeconds === undefined ? null : timeLimit(follower.clock, timeoutSeconds * 1000, outer, timeout)
  const signal = limit?.signal ?? outer
  try {
    const start = await follower.get(id, signal)
    let last = start
    for await (const task of followTask(follower, start, { steps: false, passesStops: true, signal })) {
      last = task
      if (until(task)) break
    }
    return last
  } finally {
    limit?.clear()
  }
}
