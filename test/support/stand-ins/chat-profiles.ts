/** OpenAI, DeepSeek and Kimi: what each of them refuses besides, and how it says what its model has thought. */
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

const thinks = ({ model }: ChatRequest) => /^(gpt-5|o4)/.test(model)

const CREATE = 'https://platform.openai.com/docs/api-reference/chat/create'
const STRUCTURED = 'https://platform.openai.com/docs/guides/structured-outputs'
export const openai: Profile = {
  model: 'o4-mini',
  callId: (n) => `call_${String(n).padStart(24, 'x')}`,
  // Its models never show what they think here.
  thought: () => ({}),
  rules: [
    noImages(
      'https://github.com/vllm-project/vllm/issues/11629',
      (place) => objection.openai('Invalid content type. image_url is only supported by certain models.', place),
      ({ model }) => /^(gpt-3|o3-mini)/.test(model),
    ),
    {
      rule: 'the newest models take tools with an effort only over Responses',
      source: 'https://developers.openai.com/api/docs/guides/reasoning',
      broken: ({ model, tools, reasoning_effort }) =>
        model.startsWith('gpt-5') && tools !== undefined && reasoning_effort !== 'none'
          ? objection.openai(
              `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
              'reasoning_effort',
            )
          : null,
    },
    {
      rule: 'an organization that is not verified does not stream the largest models',
      source: 'https://help.openai.com/en/articles/10910291-api-organization-verification',
      broken: ({ model, stream }) =>
        model === 'o3' && stream === true
          ? {
              status: 400,
              body: {
                error: {
                  message:
                    'Your organization must be verified to stream this model. Please go to the settings and click on Verify Organization.',
                  type: 'invalid_request_error',
                  param: 'stream',
                  code: 'unsupported_value',
                },
              },
            }
          : null,
    },
    {
      rule: 'models that think take the cap as max_completion_tokens',
      source: CREATE,
      broken: (request) =>
        thinks(request) && 'max_tokens' in request
          ? objection.openai(
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
              'max_tokens',
            )
          : null,
    },
    {
      rule: 'models that think have one temperature',
      source: 'https://developers.openai.com/api/docs/guides/reasoning',
      broken: (request) =>
        thinks(request) && 'temperature' in request && request['temperature'] !== 1
          ? objection.openai(
              "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
              'temperature',
            )
          : null,
    },
    {
      rule: 'a model takes the words for an effort that it has',
      source: 'https://developers.openai.com/api/docs/guides/reasoning',
      broken: (request) =>
        thinks(request)
          ? efforts(
              request.model.startsWith('gpt-5')
                ? ['none', 'low', 'medium', 'high', 'xhigh']
                : ['low', 'medium', 'high'],
              (word, accepted) =>
                objection.openai(
                  `Unsupported value: '${word}' is not supported with the '${request.model}' model. Supported values are: ${quoted(accepted)}.`,
                  'reasoning_effort',
                ),
            )(request)
          : efforts([], () => objection.openai('Unrecognized request argument supplied: reasoning_effort'))(request),
    },
    {
      rule: 'the first models that think always decide by themselves how many calls they make',
      source: CREATE,
      broken: (request) =>
        request.model.startsWith('o') && 'parallel_tool_calls' in request
          ? objection.openai(
              "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
              'parallel_tool_calls',
            )
          : null,
    },
    {
      rule: 'a strict schema names all of its members as required and allows no others',
      source: STRUCTURED,
      broken: ({ response_format }) => {
        const { strict, schema, name } = (response_format?.['json_schema'] ?? {}) as Record<string, unknown>
        return strict === true && !isStrict(schema)
          ? objection.openai(
              `Invalid schema for response_format '${String(name)}': In context=(), 'required' is required to be supplied and to be an array including every key in properties.`,
              'response_format',
            )
          : null
      },
    },
    {
      rule: 'JSON mode needs the word JSON in a message',
      source: STRUCTURED,
      broken: saysJson(() =>
        objection.openai(
          "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
          'messages',
        ),
      ),
    },
    {
      rule: 'no member is unknown',
      source: CREATE,
      broken: known(TOP_LEVEL, (member) => objection.openai(`Unknown parameter: '${member}'.`, member)),
    },
    {
      rule: 'no member of a message is unknown',
      source: CREATE,
      broken: knownInMessages(IN_MESSAGES, (index, member) =>
        objection.openai(`Unknown parameter: 'messages[${index}].${member}'.`, `messages[${index}].${member}`),
      ),
    },
  ],
}

/** Whether a schema of an object, and those of objects in it, can be enforced. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  const names = Object.keys((properties ?? {}) as object)
  const isWhole = Array.isArray(required) && names.every((name) => required.includes(name))
  const isObject = type === 'object' && properties !== undefined
  return (!isObject || (isWhole && additionalProperties === false)) && Object.values(schema).every(isStrict)
}

const THINKING_MODE = 'https://api-docs.deepseek.com/guides/thinking_mode'
const lacksReasoning = ({ tool_calls, ...message }: ChatMessage) =>
  tool_calls !== undefined && (message['reasoning_content'] ?? '') === ''
const DEEPSEEK_EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']
export const deepseek: Profile = {
  model: 'deepseek-v4-pro',
  callId: (n) => `call_00_${String(n).padStart(24, '0')}`,
  thought: (reasoning_content) => ({ reasoning_content }),
  rules: [
    noImages('https://github.com/DayuanJiang/next-ai-draw-io/pull/474', () =>
      objection.openai(
        'Failed to deserialize the JSON body into the target type: messages[3]: unknown variant `image_url`, expected `text` at line 1 column 4711',
      ),
    ),
    {
      rule: 'each earlier reply with calls has what was thought before it',
      source: THINKING_MODE,
      broken: ofMessages(lacksReasoning, () =>
        objection.openai('The `reasoning_content` in the thinking mode must be passed back to the API.'),
      ),
    },
    {
      rule: 'a reply has no schema',
      source: 'https://api-docs.deepseek.com/api/create-chat-completion',
      broken: ({ response_format }) =>
        response_format?.type === 'json_schema'
          ? objection.openai('This response_format type is unavailable now')
          : null,
    },
    {
      rule: 'JSON mode needs the word JSON in a message',
      source: 'https://api-docs.deepseek.com/guides/json_mode',
      broken: saysJson(() =>
        objection.openai(
          "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
        ),
      ),
    },
    {
      rule: 'an effort is one of those that are mapped',
      source: THINKING_MODE,
      broken: efforts(DEEPSEEK_EFFORTS, (word, accepted) =>
        objection.openai(
          `Failed to deserialize the JSON body into the target type: reasoning_effort: unknown variant \`${word}\`, expected one of ${quoted(accepted, '`')} at line 1 column 300`,
        ),
      ),
    },
  ],
}

const KIMI_MODELS = 'https://platform.kimi.ai/docs/api/models-overview'
const KIMI_CHAT = 'https://platform.kimi.ai/docs/api/chat'
/** Its messages have no code. */
const kimiSays = (message: string): Objection => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error' } },
})
/** What Moonshot's kind of JSON Schema does not have: a type beside alternatives. */
const isFlavored = (schema: unknown): boolean =>
  typeof schema !== 'object' ||
  schema === null ||
  (!('anyOf' in schema && 'type' in schema) && Object.values(schema).every(isFlavored))
export const kimi: Profile = {
  model: 'kimi-k3',
  style: { usage: 'in the choice', wholeCalls: false, index: (n) => n },
  callId: (n) => `functions.tool:${n}`,
  thought: (reasoning_content) => ({ reasoning_content }),
  rules: [
    {
      rule: 'each earlier reply with calls has what was thought before it, and no empty text counts',
      source: 'https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model',
      broken: ofMessages(lacksReasoning, (index) =>
        kimiSays(
          `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
        ),
      ),
    },
    {
      rule: 'there is one temperature',
      source: KIMI_MODELS,
      broken: (request) =>
        'temperature' in request && request['temperature'] !== 1
          ? kimiSays('invalid temperature: only 1 is allowed for this model')
          : null,
    },
    {
      rule: 'the name of a function begins with a letter and has at least three characters',
      source: KIMI_CHAT,
      broken: ({ tools = [] }) =>
        tools.every((tool) => /^[a-zA-Z_][a-zA-Z0-9-_]{2,63}$/.test(tool.function.name))
          ? null
          : kimiSays('Invalid request: function name is invalid'),
    },
    {
      rule: 'parameters that are enforced are of its own kind of schema, and they are unless the tool says otherwise',
      source: KIMI_CHAT,
      broken: ({ tools = [] }) =>
        tools.every((tool) => tool.function['strict'] === false || isFlavored(tool.function.parameters))
          ? null
          : kimiSays(
              "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
            ),
    },
    {
      rule: 'a message says something',
      source: KIMI_CHAT,
      broken: ofMessages(
        ({ role, content, tool_calls }) => role !== 'tool' && tool_calls === undefined && (content ?? '') === '',
        (index, { role }) =>
          kimiSays(`Invalid request: the message at position ${index} with role '${role}' must not be empty`),
      ),
    },
    {
      rule: 'the model has three efforts',
      source: KIMI_MODELS,
      broken: efforts(['low', 'high', 'max'], (word, accepted) =>
        kimiSays(
          `Unsupported value: 'reasoning_effort' does not support '${word}' with this model. Supported values are: ${quoted(accepted)}.`,
        ),
      ),
    },
  ],
}
