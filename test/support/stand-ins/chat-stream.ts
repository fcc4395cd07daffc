/**
 * How endpoints of chat completions stream what they would have answered: the same completion as events. They differ in how they send what was
 * thought, in calls, and in where they tell the usage.
 */
import { piecesOf } from './pieces.ts'

type Json = Record<string, unknown>
interface Call {
  id: string
  type: string
  function: { name: string; arguments: string }
}
interface Completion {
  model: string
  choices: { finish_reason: string; message: Json & { content?: unknown; tool_calls?: Call[] } }[]
  usage: Json
}

/** Where the usage is told: in an event of its own if the request asks for it, always with the end, or with the end beside the choice. */
export interface StreamStyle {
  usage: 'asked' | 'with the end' | 'in the choice'
  /** Whether each call comes whole, in one event. */
  wholeCalls: boolean
  /** The index of the n-th call. */
  index: (n: number) => number | undefined
}
export const USUAL: StreamStyle = { usage: 'asked', wholeCalls: false, index: (n) => n }

/** The events of a completion, as the body of a response. */
export function completionStream(completion: Completion, style: StreamStyle, isUsageAsked: boolean): string {
  const { choices, usage, model } = completion
  const { message, finish_reason } = choices[0] ?? { message: {}, finish_reason: 'stop' }
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model }
  const told = style.usage === 'asked' ? (isUsageAsked ? { usage: null } : {}) : {}
  const chunk = (delta: Json) => ({ ...frame, choices: [{ index: 0, delta, finish_reason: null }], ...told })
  const end = { index: 0, delta: {}, finish_reason, ...(style.usage === 'in the choice' ? { usage } : {}) }
  const events = [
    chunk({ role: 'assistant', content: '' }),
    ...deltasOf(message, style).map(chunk),
    { ...frame, choices: [end], ...(style.usage === 'with the end' ? { usage } : told) },
    ...(style.usage === 'asked' && isUsageAsked ? [{ ...frame, choices: [], usage }] : []),
  ]
  return [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}

function deltasOf(
  { content, tool_calls = [], ...more }: Completion['choices'][number]['message'],
  style: StreamStyle,
): Json[] {
  const thought = Object.entries(more).filter(([name]) => name !== 'role')
  return [
    ...thought.flatMap(([name, text]) => piecesOf(String(text)).map((piece) => ({ [name]: piece, content: null }))),
    ...contentDeltas(content),
    ...tool_calls.flatMap((call, n) => callDeltas(call, style, style.index(n))),
  ]
}

/** Mistral sends what was thought as parts of the content, and the text after them as a text. */
function contentDeltas(content: unknown): Json[] {
  if (typeof content === 'string') return piecesOf(content).map((piece) => ({ content: piece }))
  if (!Array.isArray(content)) return []
  return content.flatMap((part: Json): Json[] => {
    if (part.type === 'text') return piecesOf(String(part.text)).map((piece) => ({ content: piece }))
    const [{ text }] = part.thinking as [{ text: string }]
    const pieces = piecesOf(text)
    return pieces.map((piece, at) => ({
      content: [
        {
          type: 'thinking',
          thinking: [{ type: 'text', text: piece }],
          ...(at === pieces.length - 1 ? { closed: true } : {}),
        },
      ],
    }))
  })
}

function callDeltas(call: Call, { wholeCalls }: StreamStyle, index: number | undefined): Json[] {
  const at = index === undefined ? {} : { index }
  if (wholeCalls) return [{ tool_calls: [{ ...at, ...call }] }]
  const { name, arguments: args } = call.function
  return [
    { tool_calls: [{ ...at, id: call.id, type: 'function', function: { name, arguments: '' } }] },
    ...piecesOf(args).map((piece) => ({ tool_calls: [{ ...at, function: { arguments: piece } }] })),
  ]
}
