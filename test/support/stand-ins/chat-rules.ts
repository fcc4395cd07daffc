/** What the endpoints of chat completions refuse, as their public pages say. A rule reads a request and says what is wrong with it. */
import * as z from 'zod'
import type { StreamStyle } from './chat-stream.ts'

const ToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})
const ChatMessage = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z.array(ToolCall).min(1).optional(),
  tool_call_id: z.string().optional(),
})
export type ChatMessage = z.infer<typeof ChatMessage>
const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }),
})
export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(ChatMessage).min(1),
  tools: z.array(Tool).min(1).optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  reasoning_effort: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
})
export type ChatRequest = z.infer<typeof ChatRequest>

/** The answer to a request that breaks a rule. */
export interface Objection {
  status: number
  body: object
}
export interface Rule {
  rule: string
  /** The public page that says so. */
  source: string
  /** null: the request keeps the rule. */
  broken: (request: ChatRequest) => Objection | null
}

/** An objection in each of the shapes that error bodies have. */
export const objection = {
  openai: (message: string, param: string | null = null): Objection => ({
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param, code: null } },
  }),
  bare: (message: string): Objection => ({ status: 400, body: { error: message } }),
  flat: (message: string, type = 'invalid_request_error'): Objection => ({
    status: 400,
    body: { object: 'error', message, type, param: null, code: 400 },
  }),
  detail: (loc: (string | number)[], type: string, msg: string): Objection => ({
    status: 422,
    body: { detail: [{ type, loc: ['body', ...loc], msg, input: 'whatever was sent' }] },
  }),
}

/** A rule about messages, which names the first one that breaks it. */
export const ofMessages = (
  isBroken: (message: ChatMessage, index: number, request: ChatRequest) => boolean,
  object: (index: number, message: ChatMessage) => Objection,
) => {
  return (request: ChatRequest): Objection | null => {
    const index = request.messages.findIndex((message, at) => isBroken(message, at, request))
    const message = request.messages[index]
    return message === undefined ? null : object(index, message)
  }
}

export const quoted = (words: readonly string[], mark = "'") => words.map((word) => `${mark}${word}${mark}`).join(', ')

/** The members of a request that most endpoints know, and those of a message. */
export const TOP_LEVEL = [
  'model',
  'messages',
  'tools',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'parallel_tool_calls',
  'stream',
  'stream_options',
]
export const IN_MESSAGES = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal']

/** A rule about members that the endpoint does not know. */
export const known =
  (members: readonly string[], object: (member: string) => Objection) =>
  (request: object): Objection | null => {
    const unknown = Object.keys(request).find((member) => !members.includes(member))
    return unknown === undefined ? null : object(unknown)
  }

/** The same of the members of messages. */
export function knownInMessages(
  members: readonly string[],
  object: (index: number, member: string, role: string) => Objection,
) {
  const unknownIn = (message: ChatMessage) => Object.keys(message).find((member) => !members.includes(member))
  return ofMessages(
    (message) => unknownIn(message) !== undefined,
    (index, message) => object(index, unknownIn(message) ?? '', message.role),
  )
}

export const efforts =
  (accepted: readonly string[], object: (word: string, accepted: readonly string[]) => Objection) =>
  ({ reasoning_effort: word }: ChatRequest): Objection | null =>
    word === undefined || accepted.includes(word) ? null : object(word, accepted)

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The ids of the calls of a reply that the messages directly behind it do not answer. */
function unanswered({ messages }: ChatRequest, index: number): string[] {
  const behind = messages.slice(index + 1)
  const end = behind.findIndex(({ role }) => role !== 'tool')
  const answered = new Set(behind.slice(0, end === -1 ? undefined : end).map(({ tool_call_id }) => tool_call_id))
  return (messages[index]?.tool_calls ?? []).flatMap(({ id }) => (answered.has(id) ? [] : [id]))
}

const OPENAI_CALLS = 'https://platform.openai.com/docs/guides/function-calling'

/** What every endpoint refuses. */
export const EVERYWHERE: readonly Rule[] = [
  {
    rule: 'options of a stream stand only beside a stream',
    source: 'https://platform.openai.com/docs/api-reference/chat/create#chat_create-stream_options',
    broken: ({ stream, stream_options }) =>
      stream_options !== undefined && stream !== true
        ? objection.openai("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
        : null,
  },
  {
    rule: 'the results of the calls of a reply stand directly behind it',
    source: OPENAI_CALLS,
    broken: ofMessages(
      (_, index, request) => unanswered(request, index).length > 0,
      (index) =>
        objection.openai(
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
          `messages.[${index}].role`,
        ),
    ),
  },
  {
    rule: 'the arguments of a call are the text of a JSON object',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    broken: ofMessages(
      ({ tool_calls = [] }) => tool_calls.some((call) => !isJsonObject(call.function.arguments)),
      (index) => objection.flat(`Invalid tool call arguments at messages[${index}]`),
    ),
  },
  {
    rule: 'a function has a name of letters, digits, _ and -',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    broken: (request) => {
      const made = request.messages.flatMap(({ tool_calls = [] }) => tool_calls)
      const names = [...made, ...(request.tools ?? [])].map((one) => one.function.name)
      return names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))
        ? null
        : objection.openai("Invalid 'function.name': string does not match pattern.", 'tools')
    },
  },
]

/** In JSON mode some message has to say so. */
export const saysJson =
  (object: () => Objection) =>
  ({ response_format, messages }: ChatRequest): Objection | null =>
    response_format?.type === 'json_object' && !/json/i.test(JSON.stringify(messages)) ? object() : null

export interface Profile {
  /** The model that plays all modes. Others stand for what some rules are about. */
  model: string
  rules: readonly Rule[]
  /** The members of the message that say what was thought, with its content. */
  thought: (text: string, content: string | null) => { content?: unknown; [member: string]: unknown }
  /** How it streams. */
  style?: StreamStyle
  /** The id of the n-th call that the endpoint makes. */
  callId: (n: number) => string
}
