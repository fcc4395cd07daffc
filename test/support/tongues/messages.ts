/** Messages, where a choice is a list of blocks. */
import { BROKEN, FINE, lost, refused, type Fate } from '../hostile-kit.ts'
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../src/core/terms/values/parse-json.ts'
import { messageStream } from '../stand-ins/streams/messages.ts'
import { listOf, memberOf, renamed, toolIn, type Tongue } from './tongue.ts'

const NOT_ONE = lost('reply is not a completion')
const UNREADABLE = lost('content is not readable')
/** An empty reply. The answer has no usage. */
const NO_REPLY: Fate = { ...BROKEN, charge: 'reservation' }

export const MESSAGES: Tongue = {
  wire: 'messages',
  say: ({ choices, usage, ...more }) => {
    const [choice] = listOf(choices)
    return {
      ...more,
      type: 'message',
      role: 'assistant',
      ...(choice === undefined ? {} : { content: contentOf(choice) }),
      stop_reason: endOf(choice),
      usage: renamed(usage, NAMES),
    }
  },
  refuse: (error) => ({ type: 'error', error: inOwnWords(error) }),
  hear: ({ output_config, system, max_tokens, tools }) => ({
    form: memberOf(output_config, 'format') === undefined ? formIn(system) : 'json_schema',
    cap: Number(max_tokens),
    tools: listOf(tools).map((tool) => toolIn({ ...Object(tool), parameters: memberOf(tool, 'input_schema') })),
  }),
  fates: {
    'an empty list of choices': NOT_ONE,
    'a choice of null': UNREADABLE,
    'a choice in the old style': NO_REPLY,
    'a message that is a text': NO_REPLY,
    'content of null': NOT_ONE,
    'no content': NOT_ONE,
    'content that is a number': NOT_ONE,
    'content that is the object itself': NOT_ONE,
    'content in parts without a text': UNREADABLE,
    'content that is an empty list': NO_REPLY,
    // None of its events ends a message.
    'a stream of events': lost('the stream ended before the reply'),
    // A filter refuses, and no error ends a message.
    'a reply that a filter has ended': lost('refusal'),
    'a reply that an error has ended': { ...FINE, charge: 'reservation' },
    // The lowest form is an instruction, which is not refused, and the cap has one name.
    'HTTP 400 that names response_format': refused(400, { sends: 2 }),
    'HTTP 422 that names json_schema': refused(422, { sends: 2 }),
    'HTTP 400 that names every parameter': refused(400, { sends: 3 }),
    'HTTP 400 that names the cap, once': refused(400),
    'HTTP 400 that names the cap': refused(400),
  },
}
/** The same, streamed where there are blocks. What a message says beyond its cap is not read to its end. */
export const MESSAGES_STREAMED: Tongue = {
  ...MESSAGES,
  stream: (message) => (isStreamable(message) ? messageStream(message) : null),
  fates: { ...MESSAGES.fates, 'a text of 64 KiB and one byte': lost('reply longer than its cap') },
}
const isStreamable = ({ content }: Record<string, unknown>): boolean =>
  Array.isArray(content) && content.every(isRecord)

/** The lowest form is asked for in words. */
const formIn = (system: unknown): string =>
  String(memberOf(listOf(system).at(-1), 'text')).startsWith('Reply with one JSON object') ? 'json_object' : 'text'

/** An error with the name that the form has here. */
const inOwnWords = (error: unknown): unknown =>
  JSON.parse(JSON.stringify(error).replaceAll('response_format', 'output_config.format'))

const NAMES: Record<string, string> = { prompt_tokens: 'input_tokens', completion_tokens: 'output_tokens' }
/** How a message says that the choice has ended in this way. A word that is none of the API stands where its own would. */
function endOf(choice: unknown): unknown {
  const message = memberOf(choice, 'message')
  const isRefused = typeof memberOf(message, 'refusal') === 'string' && !memberOf(message, 'content')
  const end = memberOf(choice, 'finish_reason') ?? 'stop'
  if (isRefused || end === 'content_filter') return 'refusal'
  return end === 'stop' ? 'end_turn' : end
}

/** Content that is no text stands where the blocks belong, and so does a choice without a message. */
function contentOf(choice: unknown): unknown {
  const message = memberOf(choice, 'message')
  if (typeof message !== 'object' || message === null) return [choice]
  const content = memberOf(message, 'content')
  const refusal = memberOf(message, 'refusal')
  const calls = listOf(memberOf(message, 'tool_calls')).map(callOf)
  if (calls.length === 0 && typeof content !== 'string' && typeof refusal !== 'string') return content
  const thought = memberOf(message, 'reasoning_content')
  return [
    ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: 'signed' }]),
    ...(typeof content === 'string' ? [{ type: 'text', text: content }] : []),
    ...calls,
  ]
}

/** Arguments that are no object are written where the object belongs. */
function callOf(call: unknown): object {
  const called = memberOf(call, 'function')
  const args = memberOf(called, 'arguments')
  const input = typeof args === 'string' ? jsonOrNull(args) : args
  return {
    type: 'tool_use',
    id: memberOf(call, 'id'),
    name: memberOf(called, 'name'),
    input: typeof input === 'object' && input !== null && !Array.isArray(input) ? input : args,
  }
}
