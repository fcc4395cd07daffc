/**
 * One call of a tool of an MCP server. It ends with a result, or it is held: the server asks a person, or works on. A held call goes on
 * with another connection.
 */
import { UrlElicitationRequiredError } from '@modelcontextprotocol/client'
import type { ClientTool, McpCall, McpSource } from '../../core/terms/tools/client-tools.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { withDeadline } from '../../shell/network/bounded-fetch.ts'
import type { HeldCall, HeldState, ToolContext, ToolResult } from '../../shell/tool-ports.ts'
import type { McpPorts } from './connection.ts'
import { LIFTED, type McpServer } from './server.ts'
import { canonicalJson } from './canonical-json.ts'
import { failureError } from './failures.ts'
import { type McpState } from './held-state.ts'
import { answersTo, QUESTIONS_MAX, readInquiries, readInquiry, type Inquiry } from './questions.ts'
import { toolResultOf } from './results.ts'
import { asks, beginTask, pollTask, TASK_TTL_MS, type TaskProgress } from './server-task.ts'
import { mcpFailure } from './texts.ts'

/** How long a server of 2025 may take to end a call whose question was put off. */
const PUT_OFF_MS = 2_000
/** How often a server may want the same call again without asking anything. */
const EMPTY_ROUNDS_MAX = 3

export interface McpRequest {
  tool: ClientTool
  how: McpCall
  source: McpSource
  args: Record<string, unknown>
  state: McpState | null
  answer: HeldState['answer']
}
type AgainState = Extract<McpState, { kind: 'again' }>

/** Rejects with a failure. */
export async function callTool(
  server: McpServer,
  request: McpRequest,
  outside: McpPorts,
  call: ToolContext,
): Promise<ToolResult | HeldCall> {
  const progress = await progressOf(server, request, call)
  if ('held' in progress) return progress.held
  const result = await toolResultOf(outside, call, request.how, progress.result)
  if (!result.ok) throw failureError(result.error)
  return server.hasListChanged() ? { ...result.value, list_changed: true } : result.value
}

function progressOf(server: McpServer, request: McpRequest, call: ToolContext): Promise<TaskProgress> {
  const { state, answer } = request
  if (state?.kind === 'task') return pollTask(server, state, answer, call)
  return server.is_modern ? callModern(server, request, call) : callOlder(server, request, call)
}

/** Servers of 2026 end a call with what they want to know, and get it with the same call. */
async function callModern(server: McpServer, request: McpRequest, call: ToolContext): Promise<TaskProgress> {
  const { state, answer } = request
  const round = state?.kind === 'round' ? state : null
  let more = round === null ? {} : roundParams(round, answer)
  for (let empty = 0; empty < EMPTY_ROUNDS_MAX; empty++) {
    const result = await callOnce(server, request, more)
    if (result['resultType'] !== 'input_required') return finished(server, result, call)
    const inquiries = readInquiries(result['inputRequests'])
    if (!inquiries.ok) throw failureError(inquiries.error)
    const request_state = typeof result['requestState'] === 'string' ? result['requestState'] : null
    const questions = (round?.questions ?? 0) + 1
    if (inquiries.value.length > 0) {
      if (questions > QUESTIONS_MAX) throw failureError(mcpFailure('many_questions', String(QUESTIONS_MAX)))
      const next: McpState = { kind: 'round', asked: inquiries.value, request_state, questions }
      return { held: asks(inquiries.value, next, call) }
    }
    more = { requestState: request_state }
  }
  throw failureError(mcpFailure('too_many', `${EMPTY_ROUNDS_MAX} times it wanted the same call again`))
}

function roundParams(
  { asked, request_state }: Extract<McpState, { kind: 'round' }>,
  answer: HeldState['answer'],
): Record<string, unknown> {
  return {
    inputResponses: answersTo(asked, answer ?? { action: 'decline', content: null }),
    ...(request_state === null ? {} : { requestState: request_state }),
  }
}

function callOnce(
  server: McpServer,
  { how, args, tool }: McpRequest,
  more: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const params = { name: how.tool, arguments: args, ...more }
  return server.callTool(params, { name: how.tool, inputSchema: tool.parameters ?? { type: 'object' } })
}

/** A result, or a task in its place. */
async function finished(server: McpServer, result: Record<string, unknown>, call: ToolContext): Promise<TaskProgress> {
  const task = isRecord(result['_meta']) ? result['_meta'][LIFTED] : undefined
  return task === undefined ? { result } : beginTask(server, task, call)
}

/**
 * Servers of 2025 ask in the middle of a call, which cannot wait for a person. So the question is put off, the call ends, and with the
 * answer it is made again.
 */
async function callOlder(server: McpServer, request: McpRequest, call: ToolContext): Promise<TaskProgress> {
  const answers = request.state?.kind === 'again' ? answersOf(request.state, request.answer) : []
  const questions = questionsOf(server, answers)
  const more = request.how.as_task === true ? { task: { ttl: TASK_TTL_MS } } : {}
  const done = callOnce(server, request, more).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  const asked = questions.first.then(async (inquiry) => {
    // The server is told that the question is put off, and gets a moment to end the call by itself.
    await withDeadline<unknown>(PUT_OFF_MS, null, () => done)
    return { inquiry }
  })
  const end = await Promise.race([done, asked])
  const inquiry =
    'inquiry' in end ? end.inquiry : (questions.asked() ?? ('error' in end ? urlInquiry(end.error) : null))
  if (inquiry !== null) {
    if (answers.length >= QUESTIONS_MAX) throw failureError(mcpFailure('many_questions', String(QUESTIONS_MAX)))
    return { held: asks([inquiry], { kind: 'again', answers, asked: inquiry }, call) }
  }
  if ('error' in end) throw end.error
  if ('result' in end) return finished(server, end.result, call)
  throw failureError(mcpFailure('no_protocol', 'a call without an end'))
}

const answersOf = ({ answers, asked }: AgainState, answer: HeldState['answer']): AgainState['answers'] =>
  answer === null ? answers : [...answers, { inquiry: asked, action: answer.action, content: answer.content }]

/** Answers the questions that a person has answered. The first other one is put off, and so are all after it. */
function questionsOf(server: McpServer, answers: AgainState['answers']) {
  const left = [...answers]
  let first: Inquiry | null = null
  let tell: (inquiry: Inquiry) => void = () => {}
  const told = new Promise<Inquiry>((resolve) => {
    tell = resolve
  })
  server.answerQuestions(({ params }) => {
    const inquiry = readInquiry('answer', params)
    if (!inquiry.ok) return { action: 'cancel' }
    const at = first === null ? left.findIndex((answer) => isSameQuestion(answer.inquiry, inquiry.value)) : -1
    const [known] = at < 0 ? [] : left.splice(at, 1)
    if (known !== undefined) return answersTo([inquiry.value], known)['answer'] ?? { action: 'cancel' }
    if (first === null) {
      first = inquiry.value
      tell(first)
    }
    return { action: 'cancel' }
  })
  return { first: told, asked: () => first }
}

const isSameQuestion = (one: Inquiry, other: Inquiry): boolean =>
  one.message === other.message &&
  canonicalJson(one.schema) === canonicalJson(other.schema) &&
  (one.url === null) === (other.url === null)

/** A server of 2025 may refuse a call until a person has opened an address. */
function urlInquiry(error: unknown): Inquiry | null {
  const [first] = error instanceof UrlElicitationRequiredError ? error.elicitations : []
  const inquiry = first === undefined ? null : readInquiry('answer', { ...first, mode: 'url' })
  return inquiry?.ok === true ? inquiry.value : null
}
