/** What `/v1/messages` refuses of turns, calls, results and tools. */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { isReadable } from './images.ts'
import {
  asksToThink,
  bad,
  recordsIn,
  THINKING_TYPES,
  type Asked,
  type Json,
  type Refusal,
  type Rule,
} from './messages-asked.ts'

const DOCS = 'https://platform.claude.com/docs/en'
const API = `${DOCS}/api/messages/create`
const CALLS = `${DOCS}/agents-and-tools/tool-use/handle-tool-calls`
const TOOLS = `${DOCS}/agents-and-tools/tool-use/define-tools`
const ERRORS = 'https://github.com/anthropics/skills/blob/main/skills/claude-api/shared/error-codes.md'

const ID = /^[a-zA-Z0-9_-]+$/
const NAME = /^[a-zA-Z0-9_-]{1,128}$/

/** The members of a block by its type, and whose turn it may stand in. */
const BLOCKS: Record<string, { role: 'user' | 'assistant' | 'any'; members: string[] }> = {
  text: { role: 'any', members: ['text'] },
  image: { role: 'user', members: ['source'] },
  tool_use: { role: 'assistant', members: ['id', 'name', 'input'] },
  tool_result: { role: 'user', members: ['tool_use_id', 'content', 'is_error'] },
  thinking: { role: 'assistant', members: ['thinking', 'signature'] },
  redacted_thinking: { role: 'assistant', members: ['data'] },
}

const callsIn = (blocks: readonly Json[]) => blocks.filter(({ type }) => type === 'tool_use')
const resultsIn = (blocks: readonly Json[]) => blocks.filter(({ type }) => type === 'tool_result')
const eachBlock = ({ turns }: Asked) =>
  turns.flatMap(({ role, blocks }, turn) =>
    blocks.map((block, at) => ({ role, block, where: `messages.${turn}.content.${at}` })),
  )

const isSource = ({ type, media_type, data, ...rest }: Json): boolean =>
  type === 'base64' && isReadable(media_type, data) && Object.keys(rest).length === 0
const isResultPart = (part: unknown): boolean =>
  isRecord(part) &&
  ((part.type === 'text' && typeof part.text === 'string' && part.text.trim() !== '') || part.type === 'image')
/** An image, or those in a result. */
const imagesIn = (block: Json): Json[] =>
  block.type === 'image' ? [block] : recordsIn(block.content).filter(({ type }) => type === 'image')

/** Refuses for the first block that is wrong. */
const blockRule =
  (wrong: (found: { role: unknown; block: Json; where: string }) => string | null): Rule['check'] =>
  (asked) => {
    for (const found of eachBlock(asked)) {
      const message = wrong(found)
      if (message !== null) return bad(`${found.where}${message}`)
    }
    return null
  }

const TURN_RULES: Rule[] = [
  {
    rule: 'there is a message',
    source: API,
    check: ({ turns }) => (turns.length > 0 ? null : bad('messages: at least one message is required')),
  },
  {
    rule: 'turns are those of the user and of the assistant',
    source: API,
    check: ({ turns }) =>
      turns.every(({ role }) => role === 'user' || role === 'assistant')
        ? null
        : bad('messages: Unexpected role. The system is a top-level member.'),
  },
  {
    rule: 'the first turn is the user’s',
    source: ERRORS,
    check: ({ turns }) => (turns[0]?.role === 'user' ? null : bad('messages: first message must use the "user" role')),
  },
  {
    rule: 'turns alternate',
    source: ERRORS,
    check: ({ turns }) =>
      turns.every(({ role }, index) => role !== turns[index + 1]?.role) ? null : bad('messages: roles must alternate'),
  },
  {
    rule: 'newer models do not continue a turn of their own',
    source: `${DOCS}/about-claude/models/migration-guide`,
    check: ({ turns, traits }) =>
      turns.at(-1)?.role === 'user' || traits.prefill
        ? null
        : bad('This model does not support assistant message prefill. The conversation must end with a user message.'),
  },
  {
    rule: 'a turn says something',
    source: API,
    check: ({ turns }) =>
      turns.every(({ blocks }) => blocks.length > 0) ? null : bad('messages: must have non-empty content'),
  },
]

const BLOCK_RULES: Rule[] = [
  {
    rule: 'a block is of a kind that its turn may have',
    source: API,
    check: blockRule(({ role, block }) => {
      const known = BLOCKS[String(block.type)]
      return known !== undefined && (known.role === 'any' || known.role === role) ? null : ': unexpected kind of block'
    }),
  },
  {
    rule: 'no member of a block is unknown',
    source: API,
    check: blockRule(({ block }) => {
      const known = ['type', 'cache_control', ...(BLOCKS[String(block.type)]?.members ?? [])]
      const strange = Object.keys(block).find((name) => !known.includes(name))
      return strange === undefined ? null : `.${strange}: Extra inputs are not permitted`
    }),
  },
  {
    rule: 'a text has a visible character',
    source: API,
    check: blockRule(({ block: { type, text } }) =>
      type === 'text' && (typeof text !== 'string' || text.trim() === '')
        ? ': text content blocks must contain non-whitespace text'
        : null,
    ),
  },
  {
    rule: 'a result is a text, or blocks of text and images',
    source: CALLS,
    check: blockRule(({ block: { type, content } }) => {
      if (type !== 'tool_result' || content === undefined || typeof content === 'string') return null
      const isFine = Array.isArray(content) && content.length > 0 && content.every(isResultPart)
      return isFine ? null : '.tool_result.content: Input should be a valid string or a list of blocks'
    }),
  },
  {
    rule: 'an image is base64 of what it says',
    source: `${DOCS}/build-with-claude/vision`,
    check: blockRule(({ block }) =>
      imagesIn(block).every(({ source }) => isRecord(source) && isSource(source))
        ? null
        : '.image.source.base64: The image was specified in a media type that it does not have',
    ),
  },
  {
    rule: 'a model without vision takes no images',
    source: 'https://github.com/ollama/ollama/issues/17301',
    check: ({ turns, traits }) =>
      traits.vision || turns.every(({ blocks }) => blocks.every((block) => imagesIn(block).length === 0))
        ? null
        : bad('this model does not support image input (ref: b8bd630e)'),
  },
  {
    rule: 'the id of a call has only letters, digits, underscores and hyphens',
    source: API,
    check: blockRule(({ block: { type, id } }) =>
      type === 'tool_use' && !(typeof id === 'string' && ID.test(id))
        ? `.tool_use.id: String should match pattern '${ID.source}'`
        : null,
    ),
  },
  {
    rule: 'the name of a call is a name of a tool',
    source: API,
    check: blockRule(({ block: { type, name } }) =>
      type === 'tool_use' && !(typeof name === 'string' && NAME.test(name))
        ? '.tool_use.name: String should match pattern'
        : null,
    ),
  },
  {
    rule: 'the input of a call is an object',
    source: API,
    check: blockRule(({ block: { type, input } }) =>
      type === 'tool_use' && !isRecord(input) ? '.tool_use.input: Input should be a valid dictionary' : null,
    ),
  },
]

const CALL_RULES: Rule[] = [
  {
    rule: 'the ids of calls are unique in the conversation',
    source: 'https://github.com/anthropics/claude-code/issues/21317',
    check({ turns }) {
      const ids = turns.flatMap(({ blocks }) => callsIn(blocks).map(({ id }) => id))
      return new Set(ids).size === ids.length ? null : bad('messages: `tool_use` ids must be unique')
    },
  },
  {
    rule: 'each call is answered in the next turn',
    source: CALLS,
    check: ({ turns }) =>
      turns.every(({ blocks }, index) => {
        const answered = resultsIn(turns[index + 1]?.blocks ?? []).map(({ tool_use_id }) => tool_use_id)
        return callsIn(blocks).every(({ id }) => answered.includes(id))
      })
        ? null
        : bad('messages: `tool_use` ids were found without `tool_result` blocks immediately after'),
  },
  {
    rule: 'each result answers a call of the turn before, once',
    source: CALLS,
    check: ({ turns }) =>
      turns.every(({ blocks }, index) => {
        const open = callsIn(turns[index - 1]?.blocks ?? []).map(({ id }) => id)
        const answered = resultsIn(blocks).map(({ tool_use_id }) => tool_use_id)
        return new Set(answered).size === answered.length && answered.every((id) => open.includes(id))
      })
        ? null
        : bad('messages: unexpected `tool_use_id` found in `tool_result` blocks'),
  },
  {
    rule: 'results come first in their turn',
    source: CALLS,
    check: ({ turns }) =>
      turns.every(({ blocks }) => blocks.slice(0, resultsIn(blocks).length).every(({ type }) => type === 'tool_result'))
        ? null
        : bad('messages: `tool_result` blocks must come first'),
  },
  {
    rule: 'a conversation with calls defines tools',
    source: 'https://github.com/BerriAI/litellm/issues/4689',
    check: ({ body, turns }) =>
      recordsIn(body.tools).length === 0 && turns.some(({ blocks }) => callsIn(blocks).length > 0)
        ? bad('Requests which include `tool_use` or `tool_result` blocks must define tools.')
        : null,
  },
  {
    rule: 'the last block of a turn is no thinking',
    source: `${DOCS}/build-with-claude/thinking`,
    check: ({ turns }) =>
      turns.some(({ blocks }) => THINKING_TYPES.includes(blocks.at(-1)?.type))
        ? bad('messages: The final block in an assistant message cannot be `thinking`.')
        : null,
  },
  {
    rule: 'with a budget the last turn of the model begins with thinking',
    source: `${DOCS}/build-with-claude/extended-thinking`,
    check({ body: { thinking }, turns }) {
      const reply = turns.findLast(({ role }) => role === 'assistant')
      const needs = isRecord(thinking) && thinking.type === 'enabled' && reply !== undefined
      return needs && !THINKING_TYPES.includes(reply.blocks[0]?.type)
        ? bad('messages: Expected `thinking` or `redacted_thinking`, but found another block.')
        : null
    },
  },
]

const COMBINATORS = ['anyOf', 'oneOf', 'allOf']

function toolProblem(tool: Json): string | null {
  const { name, description, input_schema: schema } = tool
  const strange = Object.keys(tool).find(
    (member) => !['name', 'description', 'input_schema', 'cache_control', 'strict', 'type'].includes(member),
  )
  if (strange !== undefined) return `tools.${strange}: Extra inputs are not permitted`
  if (typeof name !== 'string' || !NAME.test(name)) return 'tools.name: String should match pattern'
  if (description !== undefined && typeof description !== 'string') return 'tools.description: Input should be a string'
  if (!isRecord(schema) || schema.type !== 'object') return 'tools.input_schema.type: Input should be object'
  return COMBINATORS.some((word) => schema[word] !== undefined)
    ? 'tools.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level'
    : null
}

function toolChoiceProblem({ body, traits, ...asked }: Asked): Refusal | null {
  const { tool_choice: choice } = body
  if (choice === undefined) return null
  const type = isRecord(choice) ? choice.type : null
  if (type === 'auto' || type === 'none') return null
  if (type !== 'any' && type !== 'tool') return bad('tool_choice.type: Input should be auto, any, tool or none')
  if (!traits.forced_tools) return bad('tool_choice: type "tool" and "any" are not supported for this model.')
  return asksToThink({ ...asked, body }) ? bad('Thinking may not be enabled when tool_choice forces tool use.') : null
}

const TOOL_RULES: Rule[] = [
  {
    rule: 'a tool has a name, and a schema of an object without alternatives at its top',
    source: TOOLS,
    check({ body }) {
      const problem = recordsIn(body.tools)
        .map(toolProblem)
        .find((found) => found !== null)
      return problem === undefined ? null : bad(problem)
    },
  },
  {
    rule: 'the names of tools are unique',
    source: TOOLS,
    check({ body }) {
      const names = recordsIn(body.tools).map(({ name }) => name)
      return new Set(names).size === names.length ? null : bad('tools: Tool names must be unique.')
    },
  },
  { rule: 'newer models are not forced to call a tool', source: TOOLS, check: toolChoiceProblem },
]

export const CONVERSATION_RULES: readonly Rule[] = [...TURN_RULES, ...BLOCK_RULES, ...CALL_RULES, ...TOOL_RULES]
