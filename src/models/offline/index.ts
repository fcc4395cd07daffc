/**
 * The built-in model: rules instead of a language model, so that the service works without a key or a network. It reads only the request, is
 * deterministic, and names itself `model: "offline-rules"`.
 */
import type * as z from 'zod'
import type { EventOf } from '../../core/terms/effect.ts'
import type { Model, ModelRequest } from '../../shell/ports.ts'
import { DynamicContext, PlanExecuteContext } from './context.ts'
import { dynamicReply } from './dynamic.ts'
import { plan, replan } from './replan.ts'
import { readSessionTalk } from './session-talk.ts'
import { sessionTurn, type RulesTurn } from './session.ts'
import { thoughtReply } from './thought.ts'

type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>

export function offlineModel(): Model {
  return { complete: async (request) => replyTo(request, await decide(request)) }
}

const modelFailed = (reason: string): Outcome => ({
  kind: 'model_failed',
  reason: `offline model: ${reason}`,
  status: null,
  retry_after_ms: null,
})

function replyTo(request: ModelRequest, said: RulesReply): Outcome {
  if ('reason' in said) return modelFailed(said.reason)
  const { text, tool_calls } = said
  const asked = request.messages.map((message) => message.content).join('')
  const written = tool_calls === undefined ? text : `${text}${JSON.stringify(tool_calls)}`
  return {
    kind: 'model_replied',
    text,
    ...(tool_calls === undefined ? {} : { tool_calls }),
    usage: { input_tokens: estimate(asked), output_tokens: estimate(written) },
    model: 'offline-rules',
    form: request.form,
  }
}

type RulesReply = RulesTurn | { reason: string }

async function decide({ messages, metadata, tools }: ModelRequest): Promise<RulesReply> {
  const content = messages[1]?.content ?? ''
  switch (metadata.mode) {
    case 'session': {
      const talk = readSessionTalk(messages)
      return talk === null ? { reason: 'the system message tells no local time' } : sessionTurn(talk, tools.length > 0)
    }
    case 'autonomous': {
      // Other modes do not load its rules.
      const { autonomousTurn } = await import('./autonomous/turn.ts')
      return autonomousTurn(
        messages,
        tools.map(({ name }) => name),
      )
    }
    case 'orchestrator': {
      const { OrchestratorContext, orchestratorReply: orchestrator } = await import('./orchestrator/turn.ts')
      return replyFromContext(OrchestratorContext, content, orchestrator)
    }
    case 'dynamic':
      return replyFromContext(DynamicContext, content, dynamicReply)
    default:
      return replyFromContext(PlanExecuteContext, content, planExecute)
  }
}

function planExecute(context: PlanExecuteContext): object {
  switch (context.phase) {
    case 'plan':
      return plan(context)
    case 'thought':
      return thoughtReply(context)
    case 'replan':
      return replan(context)
  }
}

function replyFromContext<C>(
  schema: z.ZodType<C>,
  content: string,
  reply: (context: C) => object | string | null,
): RulesReply {
  let data: unknown
  try {
    data = JSON.parse(content)
  } catch {
    return { reason: 'the context is not JSON' }
  }
  const parsed = schema.safeParse(data)
  if (!parsed.success) return { reason: `the context does not fit: ${firstOf(parsed.error)}` }
  const said = reply(parsed.data)
  if (typeof said === 'string') return { text: said }
  return said === null ? { reason: 'no action is left for the current item' } : { text: JSON.stringify(said) }
}

const firstOf = ({ issues: [issue] }: z.ZodError) =>
  issue === undefined ? 'unknown' : `${issue.path.join('.') || 'root'}: ${issue.message}`

/** There is no tokenizer here; four bytes for a token is the usual estimate. */
const estimate = (text: string) => Math.ceil(new TextEncoder().encode(text).byteLength / 4)
