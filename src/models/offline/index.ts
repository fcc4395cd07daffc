/**
 * The built-in model: rules instead of a language model, so that the service works without a key or a network. It reads nothing
 * but the request, is deterministic and says what it is (`model: "offline-rules"`).
 */
import type { EventOf } from '../../core/effect.ts'
import type { Model, ModelRequest } from '../../shell/ports.ts'
import { OfflineContext } from './context.ts'
import { plan, replan } from './replan.ts'
import { think } from './thought.ts'

type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>

export function offlineModel(): Model {
  return { complete: async (request) => replyTo(request) }
}

const failed = (reason: string): Outcome => ({
  kind: 'model_failed',
  reason: `offline model: ${reason}`,
  status: null,
  retry_after_ms: null,
})

function replyTo(request: ModelRequest): Outcome {
  const read = readContext(request.messages[1]?.content ?? '')
  if ('reason' in read) return failed(read.reason)
  const text = JSON.stringify(decide(read.context))
  const asked = request.messages.map((message) => message.content).join('')
  return {
    kind: 'model_replied',
    text,
    usage: { input_tokens: estimate(asked), output_tokens: estimate(text) },
    model: 'offline-rules',
    form: request.form,
  }
}

function readContext(content: string): { context: OfflineContext } | { reason: string } {
  let data: unknown
  try {
    data = JSON.parse(content)
  } catch {
    return { reason: 'the context is not JSON' }
  }
  const parsed = OfflineContext.safeParse(data)
  if (parsed.success) return { context: parsed.data }
  const [issue] = parsed.error.issues
  return {
    reason: `the context does not fit: ${issue ? `${issue.path.join('.') || 'root'}: ${issue.message}` : 'unknown'}`,
  }
}

function decide(context: OfflineContext) {
  switch (context.phase) {
    case 'plan':
      return plan(context)
    case 'thought':
      return think(context)
    case 'replan':
      return replan(context)
  }
}

/** No tokenizer runs here: four bytes a token is the usual estimate. */
const estimate = (text: string) => Math.ceil(new TextEncoder().encode(text).byteLength / 4)
