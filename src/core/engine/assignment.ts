/** One effect, handed to a Worker under a lease: everything it needs to perform it, and what its row keeps of it. */
import type { Reservation, WorstCase } from '../terms/budget.ts'
import { schemaOf } from './contracts.ts'
import { DELEGATE } from '../terms/delegation.ts'
import { shareOf } from '../terms/budget-share.ts'
import type { ClientTool } from '../terms/client-tools.ts'
import {
  contractOf,
  type Effect,
  type Message,
  type Recall,
  type ReplyForm,
  type StoredEffect,
} from '../terms/effect.ts'
import { type Locale } from '../terms/locale.ts'
import { fingerprint } from '../terms/values/hash.ts'
import type { Head } from '../terms/head.ts'
import { briefOf, type Prompt, type ToolSpec } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { priceOf, type PriceTable } from '../terms/money.ts'
import type { Settings } from '../terms/settings.ts'
import { utf8Bytes } from '../terms/text.ts'
import { clientTool, offeredTools } from './offered-tools.ts'

export type PendingWork =
  | {
      kind: 'call_model'
      phase: string
      contract?: string | undefined
      model: string | null
      temperature: number
      messages: Message[]
      tools: readonly ToolSpec[]
      form: ReplyForm
      max_output_tokens: number
    }
  | {
      kind: 'run_tool'
      tool: string
      /** Names of the tools the task may run. */
      offered: readonly string[]
      /** Where it is one of the client's own, reached over HTTP. */
      remote: ClientTool | null
      input: string
      wall_ms: number
      /** Of a call that is a round itself: when it was first begun. */
      begun_ms?: number | undefined
      timezone: string
      locale: Locale
      settings: Settings
    }

export interface Assignment {
  task: string
  mode: string
  seq: number
  /** `task:seq`: the idempotency key of the effect (P4). */
  key: string
  opens_round: boolean
  /** Longest time the effect may take. */
  timeout_ms: number
  work: PendingWork
}

/** A built-in tool is done long before; this bounds a search that hangs. */
export const TOOL_TIMEOUT_MS = 30_000

/** The frame of a request around messages, schema and model: names of members, numbers. */
const REQUEST_FRAME_BYTES = 512

/** Of what stands around a tool that is offered, and around a call that was made, beside its name, id and texts. */
const TOOL_FRAME_BYTES = 64

/** Tools and calls go out in a longer form than they are kept in. */
const framesIn = ({ messages, tools = [] }: Prompt): number =>
  messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0),
    tools.length,
  )

/** An effect made ready: what its row keeps, and the worst it can cost. */
export interface PreparedEffect {
  effect: Effect
  stored: StoredEffect
  worst: WorstCase
  /** That of a model call, so that it is not built again to be sent. */
  prompt: Prompt | null
}

/** Whether an effect is counted as a round of its slice: of the calls of tools only those that the mode counts. */
export function opensRound({ mode, state }: Pick<Head, 'mode' | 'state'>, { kind }: { kind: Effect['kind'] }): boolean {
  const { opens_round, cost } = modeOf(mode)
  return opens_round.has(state.phase) && (kind === 'call_model' || cost[state.phase] === 1)
}

/** What the row of an effect keeps: references and a fingerprint, not the prompt (U4). */
export function prepare(
  head: Head,
  effect: Effect,
  recall: Recall,
  wall_ms: number,
  prices: PriceTable,
): PreparedEffect {
  const { settings } = briefOf(recall)
  if (effect.kind === 'call_model') {
    const opens_round = opensRound(head, effect)
    const prompt = rebuildPrompt(head, effect.phase, recall, wall_ms)
    const sent = sentText(prompt)
    const hash = fingerprint(sent)
    const schema = JSON.stringify(schemaOf(head.mode, contractOf(effect)))
    const model = modelFor(settings, effect.phase) ?? prices.default_model
    return {
      effect,
      stored: { ...effect, prompt: prompt.version, hash, wall_ms, opens_round },
      worst: {
        input_bytes:
          utf8Bytes(sent) +
          utf8Bytes(schema) +
          utf8Bytes(JSON.stringify(model)) +
          REQUEST_FRAME_BYTES +
          TOOL_FRAME_BYTES * framesIn(prompt),
        output_cap: settings.max_output_tokens,
        timeout_ms: settings.model_timeout_s * 1000,
        price: priceOf(prices, model),
      },
      prompt,
    }
  }
  // A tool that is not offered is refused by whoever runs it, which changes nothing however often it is done.
  const card = offeredTools(briefOf(recall)).find((tool) => tool.name === effect.tool)
  const idempotent = card?.idempotent ?? true
  const { phase, tool, by, call, item_id } = effect
  const opening = opensRound(head, effect) ? { opens_round: true as const } : {}
  return {
    effect,
    stored: { kind: 'run_tool', phase, tool, by, call, item_id, idempotent, wall_ms, ...opening },
    worst: {
      input_bytes: 0,
      output_cap: 0,
      timeout_ms: card?.timeout_ms ?? TOOL_TIMEOUT_MS,
      price: null,
      share: tool === DELEGATE ? shareOf(head.budget, settings) : null,
    },
    prompt: null,
  }
}

/** The prompt of a phase as it is made from this head: also how `/journal` shows an earlier request again. */
export function rebuildPrompt(head: Head, phase: string, recall: Recall, wall_ms: number): Prompt {
  const brief = briefOf(recall)
  const context = { head, brief, recall, tools: offeredTools(brief), wall_ms }
  return modeOf(head.mode).prompt(head.state, phase, context)
}

/** What of a prompt reaches the model, as text: its fingerprint tells whether it is the same request. */
export const sentText = ({ messages, tools }: Pick<Prompt, 'messages' | 'tools'>): string =>
  JSON.stringify(tools === undefined ? messages : { messages, tools })

/** The model a phase asks: the one named for it, else the task's; null is the configured one. */
export function modelFor(settings: Settings, phase: string): string | null {
  const models: Partial<Record<string, string>> = settings.models
  return models[phase] ?? settings.model
}

/** The full order for a stored effect; `head` is the head it was chosen by. */
export function assign(
  head: Head,
  row: { seq: number; effect: StoredEffect; reserved: Reservation; lease: { attempt: number } },
  { effect, prompt }: Pick<PreparedEffect, 'effect' | 'prompt'>,
  recall: Recall,
): Assignment {
  const brief = briefOf(recall)
  const { settings, timezone, locale } = brief
  const { seq, effect: stored, reserved, lease } = row
  // One that is leased again belongs to the round in which it was begun.
  const opens_round = stored.opens_round === true && lease.attempt === 1
  const shared = { task: head.id, mode: head.mode, seq, key: `${head.id}:${seq}`, opens_round, timeout_ms: reserved.ms }
  if (effect.kind === 'run_tool') {
    const { tool, input } = effect
    const offered = offeredTools(brief).map(({ name }) => name)
    const remote = clientTool(brief, tool)
    const begun_ms = stored.kind === 'run_tool' ? stored.begun_ms : undefined
    const told = { wall_ms: stored.wall_ms, begun_ms, timezone, locale, settings }
    const work: PendingWork = { kind: 'run_tool', tool, offered, remote, input, ...told }
    return { ...shared, work }
  }
  const { phase, contract } = effect
  const { messages, tools = [] } = prompt ?? rebuildPrompt(head, phase, recall, stored.wall_ms)
  const work: PendingWork = {
    kind: 'call_model',
    phase,
    contract,
    model: modelFor(settings, phase),
    temperature: settings.temperature,
    messages,
    tools,
    form: head.form,
    max_output_tokens: reserved.output_tokens,
  }
  return { ...shared, work }
}
