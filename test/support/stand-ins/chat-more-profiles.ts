/** Qwen, Groq, Mistral and servers at home: what each of them refuses besides, and how it says what its model has thought. */
import { noImages } from './chat-image-rules.ts'
import {
  efforts,
  IN_MESSAGES,
  known,
  knownInMessages,
  objection,
  ofMessages,
  quoted,
  saysJson,
  TOP_LEVEL,
  type ChatMessage,
  type ChatRequest,
  type Objection,
  type Profile,
} from './chat-rules.ts'

const QWEN_THINKING = 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking'
const qwenSays = (message: string): Objection => ({
  status: 400,
  body: {
    error: { code: 'invalid_parameter_error', param: null, message, type: 'invalid_request_error' },
    request_id: 'cb57ead7',
  },
})
const thinksByItself = (request: ChatRequest) => request['enable_thinking'] !== false
export const qwen: Profile = {
  model: 'qwen3-32b',
  callId: (n) => `call_${String(n).padStart(20, 'a')}`,
  thought: (reasoning_content) => ({ reasoning_content }),
  rules: [
    {
      rule: 'open models think only in a stream',
      source: QWEN_THINKING,
      broken: (request) =>
        request.model === 'qwen3-32b' && thinksByItself(request) && request.stream !== true
          ? qwenSays('parameter.enable_thinking must be set to false for non-streaming calls')
          : null,
    },
    {
      rule: 'models that only think have no JSON mode',
      source: 'https://www.alibabacloud.com/help/en/model-studio/json-mode',
      broken: ({ model, response_format }) =>
        model.includes('thinking') && response_format !== undefined
          ? qwenSays(
              '<400> InternalError.Algo.InvalidParameter: Json mode response is not supported when enable_thinking is true',
            )
          : null,
    },
    {
      rule: 'JSON mode needs the word JSON in a message',
      source: 'https://www.alibabacloud.com/help/en/model-studio/json-mode',
      broken: saysJson(() =>
        qwenSays(
          "<400> InternalError.Algo.InvalidParameter: 'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        ),
      ),
    },
  ],
}

const GROQ_REASONING = 'https://console.groq.com/docs/reasoning'
/** Its messages have no param. */
const groqSays = (message: string): Objection => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error' } },
})
const GROQ_EFFORTS: Record<string, string[]> = {
  'openai/gpt-oss-120b': ['low', 'medium', 'high'],
  'qwen/qwen3.6-27b': ['none', 'default'],
}
export const groq: Profile = {
  model: 'openai/gpt-oss-120b',
  callId: (n) => `fc_${String(n).padStart(8, '0')}`,
  thought: (reasoning) => ({ reasoning }),
  rules: [
    noImages('https://console.groq.com/docs/vision', (place) => objection.openai('content must be a string', place)),
    {
      rule: 'no member of a message is unknown',
      source: 'https://console.groq.com/docs/api-reference#chat-create',
      broken: knownInMessages([...IN_MESSAGES, 'reasoning'], (index, member, role) =>
        groqSays(
          `'messages.${index}' : for 'role:${role}' the following must be satisfied[('messages.${index}' : property '${member}' is unsupported)]`,
        ),
      ),
    },
    {
      rule: 'only models that think have reasoning in messages',
      source: GROQ_REASONING,
      broken: ({ model, messages }) =>
        GROQ_EFFORTS[model] === undefined && messages.some((message) => 'reasoning' in message)
          ? groqSays('messages[2].reasoning: reasoning is not supported with this model')
          : null,
    },
    {
      rule: 'no member is unknown',
      source: 'https://console.groq.com/docs/api-reference#chat-create',
      broken: known(TOP_LEVEL, (member) => groqSays(`property '${member}' is unsupported`)),
    },
    {
      rule: 'each model has its words for an effort',
      source: GROQ_REASONING,
      broken: (request) =>
        efforts(GROQ_EFFORTS[request.model] ?? [], (_, accepted) =>
          groqSays(
            accepted.length === 0
              ? '`reasoning_effort` is not supported with this model'
              : `\`reasoning_effort\` must be one of ${quoted(accepted, '`')}`,
          ),
        )(request),
    },
    {
      rule: 'JSON mode and tools do not go together',
      source: 'https://console.groq.com/docs/structured-outputs',
      broken: ({ tools, response_format }) =>
        tools !== undefined && response_format !== undefined
          ? groqSays('json mode cannot be combined with tool/function calling')
          : null,
    },
    {
      rule: 'few models keep a schema',
      source: 'https://console.groq.com/docs/structured-outputs#supported-models',
      broken: ({ model, response_format }) =>
        !model.startsWith('openai/') && response_format?.type === 'json_schema'
          ? groqSays(
              'This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models',
            )
          : null,
    },
  ],
}

const MISTRAL_CALLS = 'https://docs.mistral.ai/capabilities/function_calling'
const inOrder = (messages: readonly ChatMessage[], index: number) =>
  !(messages[index]?.role === 'user' && messages[index - 1]?.role === 'tool')
/** It lists what its schema forbids, in a body with the same twice. */
const mistralForbids = (...loc: (string | number)[]): Objection => {
  const detail = [{ type: 'extra_forbidden', loc: ['body', ...loc], msg: 'Extra inputs are not permitted', input: 'x' }]
  return { status: 422, body: { object: 'error', message: { detail }, type: 'invalid_request_error', code: null } }
}
export const mistral: Profile = {
  model: 'mistral-medium-3-5',
  style: { usage: 'with the end', wholeCalls: true, index: (n) => n },
  callId: (n) => `D${String(n).padStart(8, '0')}`,
  thought: (text, content) => ({
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text }], closed: true },
      ...(content === null ? [] : [{ type: 'text', text: content }]),
    ],
  }),
  rules: [
    {
      rule: 'no member of a message is unknown',
      source: 'https://docs.mistral.ai/api/#tag/chat',
      broken: knownInMessages(IN_MESSAGES, (index, member, role) => mistralForbids('messages', index, role, member)),
    },
    {
      rule: 'no member is unknown',
      source: 'https://docs.mistral.ai/api/#tag/chat',
      broken: known(
        TOP_LEVEL.filter((member) => member !== 'max_completion_tokens'),
        (member) => mistralForbids(member),
      ),
    },
    {
      rule: 'usage is told unasked',
      source: 'https://github.com/openai/openai-agents-python/issues/442',
      broken: ({ stream_options }) =>
        stream_options?.include_usage === undefined ? null : mistralForbids('stream_options', 'include_usage'),
    },
    {
      rule: 'the id of a call is nine letters and digits',
      source: MISTRAL_CALLS,
      broken: ofMessages(
        ({ tool_calls = [] }) => tool_calls.some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id)),
        (_, { tool_calls = [] }) =>
          objection.flat(
            `Tool call id was ${tool_calls[0]?.id} but must be a-z, A-Z, 0-9, with a length of 9.`,
            'invalid_function_call',
          ),
      ),
    },
    {
      rule: 'a reply stands between the results of calls and what the user says next',
      source: MISTRAL_CALLS,
      broken: ofMessages(
        (_, index, { messages }) => !inOrder(messages, index),
        () => objection.flat("Unexpected role 'user' after role 'tool'", 'invalid_request_message_order'),
      ),
    },
    {
      rule: 'a reply says something or calls something',
      source: 'https://docs.mistral.ai/api/#tag/chat',
      broken: ofMessages(
        ({ role, content, tool_calls }) => role === 'assistant' && tool_calls === undefined && (content ?? '') === '',
        () => objection.flat('Assistant message must have either content or tool_calls, but not none.'),
      ),
    },
    {
      rule: 'a model takes the words for an effort that it has',
      source: 'https://docs.mistral.ai/capabilities/reasoning/',
      broken: efforts(['none', 'high'], () =>
        objection.detail(['reasoning_effort'], 'literal_error', "Input should be 'none' or 'high'"),
      ),
    },
  ],
}

const VLLM = 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html'
const OLLAMA = 'https://docs.ollama.com/api/openai-compatibility'
/** The template of the model counts what users and replies say, and skips calls and their results. */
const alternates = (messages: readonly ChatMessage[]) => {
  const said = messages.filter(({ role, tool_calls }) => role === 'user' || (role === 'assistant' && !tool_calls))
  return said.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
}
export const local: Profile = {
  model: 'vllm/gemma',
  callId: (n) => `chatcmpl-tool-${n}`,
  thought: (reasoning) => ({ reasoning }),
  rules: [
    noImages('https://github.com/vllm-project/vllm/issues/11629', () =>
      objection.flat('vllm/gemma is not a multimodal model', 'BadRequestError'),
    ),
    {
      rule: 'the template of a model has its roles by turns',
      source: `${VLLM}#chat-template`,
      broken: ({ messages }) =>
        alternates(messages)
          ? null
          : objection.flat('Conversation roles must alternate user/assistant/user/assistant/...', 'BadRequestError'),
    },
    {
      rule: 'vLLM has three words for an effort',
      source: VLLM,
      broken: (request) =>
        request.model.startsWith('vllm/')
          ? efforts(['low', 'medium', 'high'], () =>
              objection.detail(['reasoning_effort'], 'literal_error', "Input should be 'low', 'medium' or 'high'"),
            )(request)
          : null,
    },
    {
      rule: 'Ollama has its words for an effort',
      source: OLLAMA,
      broken: (request) =>
        request.model === 'ollama/qwen3'
          ? efforts(['high', 'medium', 'low', 'max', 'none'], (word) =>
              objection.openai(
                `invalid reasoning value: "${word}" (must be "high", "medium", "low", "max", or "none")`,
              ),
            )(request)
          : null,
    },
    {
      rule: 'a model that does not think takes no effort',
      source: OLLAMA,
      broken: (request) =>
        request.model === 'ollama/llama3.2'
          ? efforts(['none'], () => objection.bare('"llama3.2" does not support thinking'))(request)
          : null,
    },
  ],
}
