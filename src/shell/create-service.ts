/** Creates the service over its ports: what each request does with the store, the slice and the workspace. */
import { slashCommands } from '../core/workspace/commands/load-commands.ts'
import type { CommandResult } from '../core/workspace/commands/result.ts'
import type { Locale } from '../core/terms/locale.ts'
import { ok, refuse, type Result } from '../core/terms/refusal.ts'
import type { TaskCommand } from '../core/protocol/commands.ts'
import type { CommandTerms } from '../core/replay/stored-task.ts'
import type { Ticket } from '../core/protocol/advance.ts'
import type { StepResult } from '../core/protocol/task-answers.ts'
import { workLimitsOf } from '../core/workspace/limits.ts'
import type { Ports } from './ports.ts'
import { limitsOf } from './quotas/limits-of.ts'
import type { TaskMaker } from './scheduled-tasks.ts'
import type { Service, ServiceCommand } from './service.ts'
import type { TaskAnswer, Bounds, Caller } from './caller.ts'
import { answerQuestion, readQuestion } from './answer-links.ts'
import { tellPool } from './pools/pools.ts'
import { deleteTask } from './delete-task.ts'
import { followTask, type Fetch } from './follow.ts'
import { fileService } from './files/uploads.ts'
import { lazyAgents, lazyDelegations, lazySchedules, lazyExports } from './lazy-services.ts'
import { secretService } from './secrets/secret-service.ts'
import { listDeliveries, redeliver } from './callbacks/deliveries.ts'
import { listTasks } from './listing/list-tasks.ts'
import { createTask, repeatCreate } from './create-task.ts'
import { taskAnswer, openIdleSlice, openSlice, runSlice, ticketOf, IDLE_SLICE, type SliceRun } from './slice/slice.ts'
import { indexStatus } from './listing/index-status.ts'

export function createService(ports: Ports): Service {
  const tasks: TaskMaker = {
    createTask: (...asked) => createTask(ports, ...asked),
    tellTask: (caller, id, command) => tellTask(ports, caller, id, command),
  }
  const taskOf = (caller: Caller, id: string) => ports.store.of(caller.tenant, id)
  return {
    ...tasks,
    repeatCreate: (caller, beginning) => repeatCreate(ports, caller, beginning),
    dryRun: async (caller, task) => (await import('./dry-run.ts')).dryRun(ports, caller, task),
    async getTask(caller, id) {
      const view = await taskOf(caller, id).ask({ kind: 'view' })
      return view.ok ? ok(await taskAnswer(ports, caller, view.value, null)) : view
    },
    listTasks: (caller, filter, paging) => listTasks(ports, caller, filter, paging),
    async stepTask(caller, id, bounds) {
      const run = await openSlice(ports, caller, id, bounds)
      return runSlice(run, await taskOf(caller, id).begin(ticketOf(run, 0)))
    },
    inputTask: (caller, id, input, requestId, bounds) => inputTask(ports, caller, id, input, requestId, bounds),
    readQuestion: (token) => readQuestion(ports, token),
    answerQuestion: (caller, token, text) => answerQuestion(ports, caller, token, text),
    editPlan: (caller, id, items, versions) => {
      const edit = { items, versions, author: `api:${caller.tenant}` }
      return tellTask(ports, caller, id, { kind: 'edit_plan', edit })
    },
    changeTask: (caller, id, change, versions) => changeTask(ports, caller, id, { kind: 'change', change, versions }),
    deleteTask: (caller, id) => deleteTask(ports, caller, id),
    async endLinks(caller, id) {
      const ended = await taskOf(caller, id).upkeep({ kind: 'end_links' })
      if (!ended.ok) return ended
      // Lists show links to files too, so the index is told.
      await indexStatus(ports, caller.tenant, ended.value)
      return ok(null)
    },
    listEvents: (caller, id, { after, limit }) =>
      taskOf(caller, id).ask({ kind: 'events', after, limit, link: caller.link }),
    async followEvents(caller, id, pace) {
      const watch = await ports.watch(caller.tenant, id, caller.link)
      const read: Fetch = (after, limit) => taskOf(caller, id).ask({ kind: 'events', after, limit, link: caller.link })
      return watch.ok ? ok(followTask(read, watch.value, pace)) : watch
    },
    listJournal: (caller, id, { after, limit }) => taskOf(caller, id).ask({ kind: 'journal', after, limit }),
    listTaskTools: (caller, id) => taskOf(caller, id).ask({ kind: 'tools' }),
    exportTask: (caller, id, { after, limit }) => taskOf(caller, id).ask({ kind: 'stored_rows', after, limit }),
    forkTask: async (caller, id, request) => (await import('./fork.ts')).forkTask(ports, caller, id, request),
    replayTask: async (caller, id) => (await import('./fork.ts')).replayTask(ports, caller, id),
    ...fileService(ports),
    listDeliveries: (caller, status, paging) => listDeliveries(ports, caller, status, paging),
    testWebhook: async ({ tenant }, url) =>
      ok(await (await import('./callbacks/test-webhook.ts')).testWebhook(ports, tenant, url)),
    redeliver: (caller, id) => redeliver(ports, caller, id),
    ...lazyDelegations(ports),
    ...lazyAgents(ports),
    ...lazySchedules(ports, tasks),
    ...secretService(ports),
    ...lazyExports(ports),
    previewTools: async (...asked) => (await import('./tool-trials.ts')).previewTools(ports, ...asked),
    tryTool: async (...asked) => (await import('./tool-trials.ts')).tryTool(ports, ...asked),
    limitUse: async ({ tenant }, limits) =>
      ok(await ports.store.workspace(tenant).ask({ kind: 'limit_use', ...limits })),
    listEntries: ({ tenant }) => ports.store.workspace(tenant).ask({ kind: 'entries' }),
    runCommand: (caller, command, taskId, locale) => runCommand(ports, caller, command, taskId, locale),
  }
}

async function inputTask(
  ports: Ports,
  caller: Caller,
  id: string,
  input: string,
  requestId: string | null,
  bounds: Bounds,
): Promise<Result<TaskAnswer>> {
  const run = await openSlice(ports, caller, id, bounds)
  const answer = await tellAdmitted(run, { kind: 'input', text: input, request_id: requestId }, () => ticketOf(run, 0))
  if (!answer.ok) return answer
  if (answer.value !== 'command') return runSlice(run, ok(answer.value))
  const view = await ports.store.of(caller.tenant, id).ask({ kind: 'view' })
  if (!view.ok) return view
  const ran = await commandFor(ports, caller, input, view.value, view.value.locale)
  if (!ran.ok) return ran
  const { result, replayed } = ran.value
  const shown = { ...(await taskAnswer(ports, caller, view.value, IDLE_SLICE)), command: result }
  return ok(replayed ? { ...shown, replayed: true } : shown)
}

type Told = TaskCommand<'input' | 'edit_plan' | 'change'> | ServiceCommand

/**
 * Tells a task something. A task that goes on after its end is admitted first, as a new task is (U20). The ticket is made again then,
 * because the caller may have hung up meanwhile.
 */
async function tellAdmitted(
  run: SliceRun,
  command: Told,
  ticket: () => Ticket,
): Promise<Result<StepResult | 'command'>> {
  const { ports, caller, id } = run
  const task = ports.store.of(caller.tenant, id)
  const first = await task.tell(command, ticket())
  if (!first.ok) return first
  if (first.value !== 'reopens') return ok(first.value)
  const admitted = await reopen(run, caller.key_name)
  if (!admitted.ok) return admitted
  const answer = await task.tell(command, { ...ticket(), admitted: true })
  if (!answer.ok) return answer
  if (answer.value === 'reopens') throw new Error('a task asked for what it was given')
  // The index now holds the task as open, so it must be told the result.
  return ok(answer.value === 'command' ? 'command' : { ...answer.value, status_before: null })
}

/** The next run counts for the key that made the task, which is mostly that of the caller. */
async function reopen({ ports, caller, id }: SliceRun, key_name: string | null): Promise<Result<unknown>> {
  const workspace = ports.store.workspace(caller.tenant)
  const openFor = async (name: string | null) =>
    workspace.tell({ kind: 'reopen', id, ...workLimitsOf(await limitsOf(ports, caller.tenant, name)) })
  const first = await openFor(key_name)
  const opened =
    first.ok && first.value !== null && 'made_with' in first.value ? await openFor(first.value.made_with) : first
  if (opened.ok && opened.value !== null && 'until' in opened.value) {
    const { pool, until } = opened.value
    await tellPool(ports.store, { tenant: caller.tenant, pool }, id, { change: 'reopened', until })
  }
  return opened
}

/** Tells the task something that begins no effect in this request. */
async function tellTask(
  ports: Ports,
  caller: Caller,
  id: string,
  command: TaskCommand<'edit_plan' | 'change'> | ServiceCommand,
): Promise<Result<TaskAnswer>> {
  const { run, ticket } = openIdleSlice(ports, caller, id)
  const answer = await tellAdmitted(run, command, () => ticket)
  if (!answer.ok) return answer
  if (answer.value === 'command') throw new Error('only a text can be a slash command')
  return runSlice(run, ok(answer.value))
}

/** Lists and the queue for run slots are told at once: labels are searched for, and a task that nobody drives waits for no slot. */
async function changeTask(
  ports: Ports,
  caller: Caller,
  id: string,
  command: TaskCommand<'change'>,
): Promise<Result<TaskAnswer>> {
  const changed = await tellTask(ports, caller, id, command)
  if (!changed.ok || changed.value.replayed === true) return changed
  const view = await ports.store.of(caller.tenant, id).ask({ kind: 'view' })
  if (!view.ok) return changed
  await indexStatus(ports, caller.tenant, view.value)
  const { drive, version } = view.value
  if (drive === 'manual') await ports.store.workspace(caller.tenant).tell({ kind: 'release_slot', task: id, version })
  return changed
}

/** Runs a slash command with the limits and the zone of a task, or with the configured ones. */
async function commandFor(ports: Ports, caller: Caller, command: string, task: CommandTerms | null, locale: Locale) {
  const settings = task?.settings ?? ports.default_settings
  const { schedule_window_days, conflict_preview_days } = settings
  return ports.store.workspace(caller.tenant).tell({
    kind: 'run_command',
    command,
    key: null,
    request: caller.key,
    locale,
    reader: 'person',
    wall_ms: ports.clock.wall_ms(),
    timezone: ports.timezone,
    caller_timezone: task?.timezone ?? ports.timezone,
    schedule_window_days,
    conflict_preview_days,
  })
}

/** Checks in this order: empty text, the cancel phrase, a command, free text (requirements 2.1, O0-02). */
async function runCommand(
  ports: Ports,
  caller: Caller,
  command: string,
  taskId: string | null,
  locale: Locale,
): Promise<Result<{ result: CommandResult; replayed: boolean }>> {
  const text = command.trim()
  const terms = taskId === null ? null : await ports.store.of(caller.tenant, taskId).ask({ kind: 'command_terms' })
  if (terms?.ok === false) return refuse(terms.refusal)
  const task = terms?.value ?? null
  const once = (result: CommandResult) => ok({ result, replayed: false })
  if (text === (task?.settings ?? ports.default_settings).cancel_phrase) {
    return ok(await cancelBy(ports, caller, task, locale))
  }
  if (text !== '' && !text.startsWith('/') && ports.model === null) {
    return once(slashCommands.plainResult('llm_not_configured', locale))
  }
  return commandFor(ports, caller, text, task, locale)
}

async function cancelBy(ports: Ports, caller: Caller, task: CommandTerms | null, locale: Locale) {
  if (task === null) return { result: slashCommands.plainResult('no_active_task', locale), replayed: false }
  const canceled = await tellTask(ports, caller, task.id, { kind: 'cancel' })
  const done = canceled.ok && canceled.value.task.slice?.advanced === true
  const result = slashCommands.plainResult(done ? 'canceled' : 'no_active_task', locale)
  return { result, replayed: canceled.ok && canceled.value.replayed === true }
}
