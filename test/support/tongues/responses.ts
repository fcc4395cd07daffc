/** Responses, where a choice is a list of items. */
import { lost, refused } from '../hostile-kit.ts'
import { responseStream } from '../stand-ins/streams/responses.ts'
import { listOf, memberOf, renamed, toolIn, type Tongue } from './tongue.ts'

const NO_CONTENT = lost('no content')

export const RESPONSES: Tongue = {
  wire: 'responses',
  say: ({ choices, usage, ...more }) => ({
    ...more,
    object: 'response',
    ...endOf(choices),
    usage: renamed(usage, NAMES),
    ...(choices === undefined ? {} : { output: Array.isArray(choices) ? choices.flatMap(itemsOf) : choices }),
  }),
  refuse: (error) => ({ error }),
  hear: ({ text, max_output_tokens, tools }) => ({
    form: String(memberOf(memberOf(text, 'format'), 'type') ?? 'text'),
    cap: Number(max_output_tokens),
    tools: listOf(tools).map(toolIn),
  }),
  fates: {
    'an empty list of choices': NO_CONTENT,
    'a choice of null': NO_CONTENT,
    'a choice in the old style': NO_CONTENT,
    'a message that is a text': NO_CONTENT,
    // The end of a reply is said in other words.
    'a reply that a filter has ended': lost('content filter'),
    'a reply that an error has ended': lost('the model failed'),
    // There are no choices, and the cap has one name.
    // None of its events ends a response.
    'a stream of events': lost('the stream ended before the reply'),
    'a second choice that is broken': null,
    'HTTP 400 that names the cap, once': null,
    'HTTP 400 that names the cap': refused(400),
    'HTTP 400 that names every parameter': refused(400, { sends: 4 }),
  },
}
/** The same, streamed. What a response says beyond its cap is not read to its end. */
export const RESPONSES_STREAMED: Tongue = {
  ...RESPONSES,
  stream: responseStream,
  fates: { ...RESPONSES.fates, 'a text of 64 KiB and one byte': lost('reply longer than its cap') },
}

const NAMES: Record<string, string> = {
  prompt_tokens: 'input_tokens',
  completion_tokens: 'output_tokens',
  prompt_tokens_details: 'input_tokens_details',
  completion_tokens_details: 'output_tokens_details',
}
/** How a response says that its first choice has ended in this way. A word that is none of the API stands where its own would. */
function endOf(choices: unknown): object {
  const end = memberOf(listOf(choices)[0], 'finish_reason') ?? 'stop'
  switch (end) {
    case 'stop':
    case 'tool_calls':
      return { status: 'completed' }
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: end } }
    case 'error':
      return { status: 'failed', error: { code: 'server_error', message: end } }
    default:
      return { status: end }
  }
}

/** The items of a choice. One without a message is an item that nobody knows. */
function itemsOf(choice: unknown): unknown[] {
  const message = memberOf(choice, 'message')
  if (typeof message !== 'object' || message === null)
    return [message === undefined ? choice : { type: 'message', content: message }]
  const [content, refusal] = [memberOf(message, 'content'), memberOf(message, 'refusal')]
  const parts = [
    ...(typeof content === 'string' ? [{ type: 'output_text', text: content, annotations: [] }] : []),
    ...(typeof refusal === 'string' ? [{ type: 'refusal', refusal }] : []),
  ]
  const spoken = parts.length > 0 ? [{ type: 'message', role: 'assistant', content: parts }] : []
  const strange = typeof content === 'string' || content === null || content === undefined
  return [
    ...thoughtsOf(message),
    ...(strange ? spoken : [{ type: 'message', role: 'assistant', content: partsOf(content) }]),
    ...listOf(memberOf(message, 'tool_calls')).map(callOf),
  ]
}

/** Parts of a text have another name here. Others are parts that nobody knows. */
const partsOf = (content: unknown): unknown =>
  Array.isArray(content)
    ? content.map((part) => (memberOf(part, 'type') === 'text' ? { ...Object(part), type: 'output_text' } : part))
    : content

/** Reasoning is an item of its own, with its text encrypted or its parts in the open. */
function thoughtsOf(message: object): object[] {
  const item = { type: 'reasoning', id: 'rs_1', summary: [] }
  const thought = memberOf(message, 'reasoning_content') ?? memberOf(message, 'reasoning')
  const details = memberOf(message, 'reasoning_details')
  return [
    ...(thought === undefined ? [] : [{ ...item, encrypted_content: thought }]),
    ...(details === undefined ? [] : [{ ...item, content: details }]),
  ]
}

const callOf = (call: unknown) => ({
  type: 'function_call',
  call_id: memberOf(call, 'id'),
  name: memberOf(memberOf(call, 'function'), 'name'),
  arguments: memberOf(memberOf(call, 'function'), 'arguments'),
})
