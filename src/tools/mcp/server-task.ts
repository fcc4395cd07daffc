/** A call that an MCP server works on as a task of its own: it is looked at again, answered, and given up. */
import * as z from 'zod'
import { cut } from '../../core/terms/text.ts'
import { withDeadline } from '../../shell/network/bounded-fetch.ts'
import type { HeldCall, HeldState, ToolContext } from '../../shell/tool-ports.ts'
import type { McpServer } from './server.ts'
import { failureError } from './failures.ts'
import { stateText, type McpState, type TaskState } from './held-state.ts'
import { answersTo, QUESTIONS_MAX, toolQuestionOf, readInquiries, readInquiry, type Inquiry } from './questions.ts'
import { mcpFailure } from './texts.ts'

const POLL_MS = { usual: 5_000, least: 1_000, most: 300_000 }
/** How long a server of 2025 may take to say what input its task wants. */
const INPUT_MS = 5_000
const MESSAGE_CHARS_MAX = 500
const ID_CHARS_MAX = 512
/** A server of 2025 keeps the task so long. */
export const TASK_TTL_MS = 3_600_000

const ServerTask = z.looseObject({
  taskId: z.string().min(1).max(ID_CHARS_MAX),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional().catch(undefined),
  pollIntervalMs: z.number().optional().catch(undefined),
  pollInterval: z.number().optional().catch(undefined),
  inputRequests: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
})
type ServerTask = z.infer<typeof ServerTask>

/** A task that is not over, or its result as a server gives results of tools. */
export type TaskProgress = { held: HeldCall } | { result: unknown }

/** What a server has said in place of a result. */
export async function beginTask(server: McpServer, given: unknown, call: ToolContext): Promise<TaskProgress> {
  const task = readTask(given)
  const state: TaskState = {
    kind: 'task',
    id: task.taskId,
    is_modern: server.is_modern,
    session: server.session,
    asked: [],
    answered: [],
    request_id: null,
    questions: 0,
  }
  return progressOf(server, task, state, call)
}

/** What has become of a task, after the answer to what it asked. */
export async function pollTask(
  server: McpServer,
  state: TaskState,
  answer: HeldState['answer'],
  call: ToolContext,
): Promise<TaskProgress> {
  const next = answer === null || state.asked.length === 0 ? state : await answerTask(server, state, answer)
  return progressOf(server, readTask(await server.request('tasks/get', { taskId: state.id })), next, call)
}

async function answerTask(
  server: McpServer,
  state: TaskState,
  answer: NonNullable<HeldState['answer']>,
): Promise<TaskState> {
  const answers = answersTo(state.asked, answer)
  if (state.is_modern) await server.request('tasks/update', { taskId: state.id, inputResponses: answers })
  else if (state.request_id !== null)
    await server.respond(state.request_id, { ...(Object.values(answers)[0] ?? { action: 'cancel' }) })
  return { ...state, asked: [], request_id: null, answered: [...state.answered, ...Object.keys(answers)] }
}

function readTask(given: unknown): ServerTask {
  const read = ServerTask.safeParse(given)
  if (!read.success) throw failureError(mcpFailure('no_protocol', 'a task without an id or a known status'))
  return read.data
}

async function progressOf(
  server: McpServer,
  task: ServerTask,
  state: TaskState,
  call: ToolContext,
): Promise<TaskProgress> {
  const progress = await readProgress(server, task, state, call)
  if ('held' in progress) server.keeps_session = true
  return progress
}

async function readProgress(
  server: McpServer,
  task: ServerTask,
  state: TaskState,
  call: ToolContext,
): Promise<TaskProgress> {
  const reason = cut(task.statusMessage ?? '', MESSAGE_CHARS_MAX)
  switch (task.status) {
    case 'working':
      return { held: waits(task, state) }
    case 'cancelled':
      throw failureError(mcpFailure('task_cancelled', reason))
    case 'completed':
    case 'failed':
      return { result: await resultOf(server, task, state, reason) }
    case 'input_required':
      return server.is_modern && state.is_modern
        ? { held: await ask(server, task, state, call) }
        : inputOf(server, task, state, call)
  }
}

const TaskError = z.looseObject({ message: z.string() })

/** Servers of 2026 send the result with the task. */
async function resultOf(server: McpServer, task: ServerTask, state: TaskState, reason: string): Promise<unknown> {
  if (state.is_modern && task.status === 'completed' && task.result !== undefined) return task.result
  if (state.is_modern) {
    const error = TaskError.safeParse(task.error)
    throw failureError(mcpFailure('task_failed', error.success ? cut(error.data.message, MESSAGE_CHARS_MAX) : reason))
  }
  return server.request('tasks/result', { taskId: state.id })
}

/** What the task asks and has no answer yet. */
async function ask(server: McpServer, task: ServerTask, state: TaskState, call: ToolContext): Promise<HeldCall> {
  const read = readInquiries(task.inputRequests)
  const inquiries = read.ok ? read.value.filter(({ key }) => !state.answered.includes(key)) : []
  if (read.ok && inquiries.length === 0) return waits(task, state)
  const questions = state.questions + 1
  if (read.ok && questions <= QUESTIONS_MAX) return asks(inquiries, { ...state, asked: inquiries, questions }, call)
  await server.request('tasks/cancel', { taskId: state.id })
  throw failureError(read.ok ? mcpFailure('many_questions', String(QUESTIONS_MAX)) : read.error)
}

/** A server of 2025 says what it wants while its result is waited for. The answer goes to that request later. */
async function inputOf(
  server: McpServer,
  task: ServerTask,
  state: TaskState,
  call: ToolContext,
): Promise<TaskProgress> {
  const asked = server.nextQuestion()
  const result = server.request('tasks/result', { taskId: state.id })
  result.catch(() => undefined)
  const waited: TaskProgress = { held: waits(task, state) }
  return withDeadline(INPUT_MS, waited, () =>
    Promise.race([
      result.then((value): TaskProgress => ({ result: value })),
      asked.then(({ params, id }): TaskProgress => {
        const inquiry = readInquiry(String(id), params)
        if (!inquiry.ok) throw failureError(inquiry.error)
        const questions = state.questions + 1
        if (questions > QUESTIONS_MAX) throw failureError(mcpFailure('many_questions', String(QUESTIONS_MAX)))
        const next = { ...state, asked: [inquiry.value], request_id: id, questions }
        return { held: asks([inquiry.value], next, call) }
      }),
    ]),
  )
}

function waits(task: ServerTask, state: TaskState): HeldCall {
  const wanted = task.pollIntervalMs ?? task.pollInterval ?? POLL_MS.usual
  const poll_ms = Math.round(Math.min(POLL_MS.most, Math.max(POLL_MS.least, Number.isFinite(wanted) ? wanted : 0)))
  const message = task.statusMessage === undefined ? null : cut(task.statusMessage, MESSAGE_CHARS_MAX)
  return { kind: 'tool_waits', state: keptText(state), poll_ms, message }
}

export const asks = (inquiries: readonly Inquiry[], state: McpState, call: ToolContext): HeldCall => ({
  kind: 'tool_asked',
  question: toolQuestionOf(inquiries, call.locale),
  state: keptText(state),
})

function keptText(state: McpState): string {
  const text = stateText(state)
  if (text === null) throw failureError(mcpFailure('too_large', '64 kB of state'))
  return text
}
