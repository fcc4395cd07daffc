/**
 * The built-in model: rules instead of a language model, so that the service works without a key or a network. It reads only the request, is
 * deterministic, and names itself `model: "offline-rules"`.
 */
import type * as z from 'zod'
import type { EventOf } from '../../core/terms/effect.ts'
import { RESULT_PHASE } from '../../core/terms/settings.ts'
import type { ModeName } from '../../core/terms/mode-names.ts'
import type { Model, ModelRequest } from '../../shell/ports.ts'
import { PlanExecuteContext } from './context.ts'
import { DynamicContext } from './dynamic-context.ts'
import { dynamicReply } from './dynamic.ts'
import { plan, replan } from './replan.ts'
import { readSessionTalk } from './session-talk.ts'
import { sessionTurn, type RulesTurn } from './session.ts'
import { thoughtReply } from './thought.ts'

type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>

export function offlineModel(): Model {
  return { complete: async (request) => replyTo(request, await rulesOf(request.metadata)(request)) }
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

type Rules = (request: ModelRequest) => RulesReply | Promise<RulesReply>

/** A new mode does not compile until it has its rules here. Rules that are imported here are loaded only with the first task of their mode. */
const RULES: Record<ModeName, Rules> = {
  plan_execute: (request) => replyFromContext(PlanExecuteContext, contextIn(request), planExecute),
  dynamic: (request) => replyFromContext(DynamicContext, contextIn(request), dynamicReply),
  session({ messages, tools }) {
    const talk = readSessionTalk(messages)
    const names = tools.map(({ name }) => name)
    return talk === null ? { reason: 'the message of the program tells no local time' } : sessionTurn(talk, names)
  },
  async autonomous({ messages, tools }) {
    const { autonomousTurn } = await import('./autonomous/turn.ts')
    return autonomousTurn(
      messages,
      tools.map(({ name }) => name),
    )
  },
  async orchestrator(request) {
    const { OrchestratorContext, orchestratorReply } = await import('./orchestrator/turn.ts')
    return replyFromContext(OrchestratorContext, contextIn(request), orchestratorReply)
  },
}

/** The closing call is the same in every mode. */
const rulesOf = ({ mode, phase }: ModelRequest['metadata']): Rules => (phase === RESULT_PHASE ? giveData : RULES[mode])

async function giveData(request: ModelRequest): Promise<RulesReply> {
  const { dataReply, ResultContext } = await import('./data/reply.ts')
  return replyFromContext(ResultContext, contextIn(request), dataReply)
}

const contextIn = ({ messages }: ModelRequest) => messages[1]?.content ?? ''

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
