/** The service over its ports: what each request does, in terms of the store, the slice and the workspace. */
import { plainResult } from '../core/commands/run.ts'
import type { CommandResult } from '../core/commands/result.ts'
import type { Locale } from '../core/effect.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import type { Seen } from '../core/task-methods.ts'
import type { TaskEntry, TaskView } from '../core/view.ts'
import type { IndexPage } from '../core/workspace-methods.ts'
import type { Ports } from './ports.ts'
import type { Answered, Bounds, Caller, NewTask, Page, Paging, Service, TaskFilter } from './service.ts'
import { openSlice, runSlice, sliceOf, ticketOf, unmoved } from './slice.ts'

export function createService(ports: Ports): Service {
  const taskOf = (caller: Caller, id: string) => ports.store.of(caller.tenant, id)
  return {
    createTask: (caller, task, bounds) => createTask(ports, caller, task, bounds),
    async getTask(caller, id) {
      const seen = await taskOf(caller, id).read()
      return seen.ok ? ok({ task: { ...seen.value, slice: null } }) : seen
    },
    listTasks: (caller, filter, paging) => listTasks(ports, caller, filter, paging),
    async stepTask(caller, id, bounds) {
      const run = openSlice(ports, caller, id, bounds)
      return answered(await runSlice(run, await taskOf(caller, id).begin(ticketOf(run, 0))))
    },
    inputTask: (caller, id, input, requestId, bounds) => inputTask(ports, caller, id, input, requestId, bounds),
    cancelTask: (caller, id) => cancelTask(ports, caller, id),
    async deleteTask(caller, id) {
      const removed = await taskOf(caller, id).remove()
      if (removed.ok) await ports.store.workspace(caller.tenant).drop(id)
      return removed
    },
    listEvents: (caller, id, { after, limit }) => taskOf(caller, id).events(after, limit),
    listJournal: (caller, id, { after, limit }) => taskOf(caller, id).journal(after, limit),
    runCommand: (caller, command, taskId, locale) => runCommand(ports, caller, command, taskId, locale),
  }
}

const answered = (result: Result<TaskView>): Result<Answered> => (result.ok ? ok({ task: result.value }) : result)

/** The index is told first, so that no task is ever missing there; an entry without a task is dropped when it is met. */
async function createTask(ports: Ports, caller: Caller, task: NewTask, bounds: Bounds): Promise<Result<Answered>> {
  const id = `task_${ports.random_id()}`
  const { mode, metadata } = task
  const entry = { id, mode, status: 'running' as const, metadata }
  const admitted = await ports.store.workspace(caller.tenant).admit(entry, ports.max_open_tasks)
  if (!admitted.ok) return admitted
  const run = openSlice(ports, caller, id, bounds)
  const created = await ports.store
    .of(caller.tenant, id)
    .create({ id, tenant: caller.tenant, brief: task }, ticketOf(run, 0))
  // The index holds it as running already.
  const first = created.ok ? ok({ ...created.value, status_before: entry.status }) : created
  return answered(await runSlice(run, first))
}

async function listTasks(
  ports: Ports,
  caller: Caller,
  filter: TaskFilter,
  paging: Paging,
): Promise<Result<Page<TaskEntry>>> {
  const workspace = ports.store.workspace(caller.tenant)
  const page = await workspace.list(filter, paging.after, paging.limit)
  const seen = await Promise.all(page.entries.map(({ id }) => ports.store.of(caller.tenant, id).read()))
  await Promise.all(page.entries.map((entry, index) => mend(ports, caller, entry, seen[index])))
  const data = seen.flatMap((one) => (one.ok && fits(one.value, filter) ? [entryOf(one.value)] : []))
  const last = page.entries.at(-1)?.position
  const next_cursor = page.has_more && last !== undefined ? String(last) : null
  return ok({ data, has_more: page.has_more, next_cursor })
}

const fits = (task: Seen, { status }: TaskFilter) => status === null || task.status === status

/** A create that is this old without a task has died on the way. */
const ADMITTED_MS_MAX = 60_000

/** A request that died between its task and the index left them apart: whoever lists the task brings them together. */
async function mend(
  ports: Ports,
  caller: Caller,
  entry: IndexPage['entries'][number],
  seen: Result<Seen> | undefined,
): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant)
  if (seen?.ok === true && seen.value.status !== entry.status) {
    await workspace.setStatus(entry.id, seen.value.status, seen.value.version)
  }
  const missing = seen?.ok === false && seen.refusal.code === 'task_not_found'
  if (missing && ports.clock.now_ms() - entry.admitted_at > ADMITTED_MS_MAX) await workspace.drop(entry.id)
}

/** Ruling 25: an entry is the task without slice, plan items, last thought and handover. */
function entryOf({ last_thought: _thought, handover: _handover, plan, ...rest }: Seen): TaskEntry {
  const { items: _items, ...shown } = plan
  return { ...rest, plan: shown }
}

async function inputTask(
  ports: Ports,
  caller: Caller,
  id: string,
  input: string,
  requestId: string | null,
  bounds: Bounds,
): Promise<Result<Answered>> {
  const run = openSlice(ports, caller, id, bounds)
  const heard = await ports.store.of(caller.tenant, id).input(input, requestId, ticketOf(run, 0))
  if (!heard.ok) return heard
  if (heard.value !== 'command') return answered(await runSlice(run, ok(heard.value)))
  const seen = await ports.store.of(caller.tenant, id).read()
  if (!seen.ok) return seen
  const command = await commandFor(ports, caller, input, seen.value, seen.value.locale)
  return ok({ task: unmoved(seen.value), command })
}

async function cancelTask(ports: Ports, caller: Caller, id: string): Promise<Result<Answered>> {
  const canceled = await ports.store.of(caller.tenant, id).cancel()
  if (!canceled.ok) return canceled
  const { task, wrote, events, status, status_before } = canceled.value
  if (task === null) throw new Error('a canceled task has an effect under way')
  if (status !== status_before) await ports.store.workspace(caller.tenant).setStatus(id, status, task.version)
  return ok({ task: { ...task, slice: sliceOf(wrote, 0, events) } })
}

/** A slash command with the limits and the zone of a task, or with the configured ones. */
async function commandFor(ports: Ports, caller: Caller, command: string, task: Seen | null, locale: Locale) {
  const settings = task?.settings ?? ports.default_settings
  const { schedule_window_days, conflict_preview_days } = settings
  return ports.store.workspace(caller.tenant).command({
    command,
    key: null,
    locale,
    wall_ms: ports.clock.wall_ms(),
    timezone: ports.timezone,
    caller_timezone: task?.timezone ?? ports.timezone,
    schedule_window_days,
    conflict_preview_days,
  })
}

/** Requirements 2.1, O0-02: empty, then the cancel phrase, then a command, then free text. */
async function runCommand(
  ports: Ports,
  caller: Caller,
  command: string,
  taskId: string | null,
  locale: Locale,
): Promise<Result<CommandResult>> {
  const text = command.trim()
  const seen = taskId === null ? null : await ports.store.of(caller.tenant, taskId).read()
  if (seen?.ok === false) return refuse(seen.refusal)
  const task = seen?.value ?? null
  if (text === (task?.settings ?? ports.default_settings).cancel_phrase)
    return ok(await cancelBy(ports, caller, task, locale))
  if (text !== '' && !text.startsWith('/') && ports.model === null) return ok(plainResult('llm_not_configured', locale))
  return ok(await commandFor(ports, caller, text, task, locale))
}

async function cancelBy(ports: Ports, caller: Caller, task: Seen | null, locale: Locale): Promise<CommandResult> {
  if (task === null) return plainResult('no_active_task', locale)
  const canceled = await cancelTask(ports, caller, task.id)
  const done = canceled.ok && canceled.value.task.slice?.advanced === true
  return plainResult(done ? 'canceled' : 'no_active_task', locale)
}
