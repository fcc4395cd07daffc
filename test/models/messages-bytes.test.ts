/** D5: a request of the Messages wire is never longer than what was reserved for it. */
import { expect, it } from 'vitest'
import type { Message, ReplyForm, ToolCall } from '../../src/core/terms/effect.ts'
import { requestText } from '../../src/core/engine/rebuild-prompt.ts'
import { utf8Bytes } from '../../src/core/terms/text.ts'
import { messagesBody } from '../../src/models/wires/messages/request.ts'
import { FIRST_DIALECT, type Dialect } from '../../src/models/wires/wire.ts'
import { randomOf, type Random } from '../sim/random.ts'
import { request } from './chat-support.ts'

/** As src/core/engine/assignment.ts reserves it. */
const FRAME_BYTES = 512
const TOOL_FRAME_BYTES = 64

const TEXTS = ['', ' ', 'a', 'Go on.', '"quoted" \\ and\nlined', '买牛奶 🥛', '\u0000\u0001', 'x'.repeat(200)]
const REASONING = JSON.stringify([
  { type: 'thinking', thinking: '"', signature: 'sig' },
  2,
  { type: 'redacted_thinking', data: 'd' },
])

function callOf(random: Random): ToolCall {
  const id = random.pick(['a', 'a', 'call_1', '调用', 'toolu_01234567890123456789'])
  return { id, name: random.pick(['todo', 'x', 'to do']), arguments: random.pick(['{}', '{"n":1}', 'no json', '']) }
}

function conversation(random: Random, rounds: number): Message[] {
  const messages: Message[] = [{ role: 'system', content: random.pick(TEXTS) }]
  // Whole conversations without calls and without thinking have nothing that is sent in a shorter form.
  const calls_max = random.pick([0, 2])
  const thinks = random.chance(0.5)
  for (let round = 0; round < rounds; round += 1) {
    const calls = [callOf(random), callOf(random)].slice(0, random.between(0, calls_max))
    const tool_calls = calls.filter(({ id }, index) => calls.findIndex((other) => other.id === id) === index)
    const reasoning = { wire: 'messages' as const, endpoint: 'default', model: 'm', items: REASONING }
    if (random.chance(0.7)) messages.push({ role: 'user', content: random.pick(TEXTS) })
    messages.push({
      role: 'assistant',
      content: random.pick(TEXTS),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
      ...(thinks ? { reasoning } : {}),
    })
    for (const { id } of tool_calls) messages.push({ role: 'tool', content: random.pick(TEXTS), tool_call_id: id })
  }
  return random.chance(0.5) ? [...messages, { role: 'user', content: random.pick(TEXTS) }] : messages
}

it('D5 a request is no longer than its reservation, whatever the conversation', () => {
  let longest = 0
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const random = randomOf(seed)
    const messages = conversation(random, random.below(40))
    const tools = random.chance(0.7) ? [{ name: 'todo', description: 'A list.', parameters: { type: 'object' } }] : []
    const schema = { type: 'object', properties: { plan: { type: 'array', items: { type: 'string' } } } }
    const contract = random.chance(0.3) ? { name: 'plan', schema } : null
    const form = random.pick<ReplyForm>(['json_schema', 'json_object', 'text'])
    const reasoning_effort = random.pick([null, 'none', 'low', 'high'] as const)
    const dialect: Dialect = {
      ...FIRST_DIALECT,
      wire: 'messages',
      form,
      thinking: random.pick(['adaptive', 'budget', 'fixed']),
    }
    const asked = request({
      messages,
      tools,
      contract,
      form,
      reasoning_effort,
      max_output_tokens: 131_072,
      temperature: 0.123,
    })
    const body = JSON.stringify(messagesBody({ request: asked, endpoint: { name: 'default' }, model: 'm', dialect }))
    const frames = messages.reduce(
      (sum, one) => sum + (one.role === 'assistant' ? (one.tool_calls?.length ?? 0) : 0),
      tools.length,
    )
    const reserved =
      utf8Bytes(requestText({ messages, ...(tools.length === 0 ? {} : { tools }) })) +
      utf8Bytes(JSON.stringify(contract?.schema ?? null)) +
      utf8Bytes('"m"') +
      FRAME_BYTES +
      TOOL_FRAME_BYTES * frames
    longest = Math.max(longest, utf8Bytes(body) / reserved)
    expect(utf8Bytes(body), `seed ${seed}`).toBeLessThanOrEqual(reserved)
  }
  expect(longest).toBeGreaterThan(0.5)
})
