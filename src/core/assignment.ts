/** One effect, handed to a Worker under a lease: everything it needs to perform it, and what its row keeps of it. */
import type { Effect, Locale, Message, Recall, ReplyForm, StoredEffect } from './effect.ts'
import { fingerprint } from './hash.ts'
import type { Head } from './head.ts'
import { briefOf } from './mode.ts'
import { modeOf } from './modes/index.ts'
import type { Settings } from './settings.ts'
import { BUILT_IN_TOOLS } from './tools.ts'

export type Work =
  | {
      kind: 'call_model'
      phase: string
      model: string | null
      temperature: number
      messages: Message[]
      form: ReplyForm
      max_output_tokens: number
    }
  | {
      kind: 'run_tool'
      tool: string
      input: string
      wall_ms: number
      timezone: string
      locale: Locale
      settings: Settings
    }

export interface Assignment {
  task: string
  mode: string
  seq: number
  /** `task:seq`: the idempotency key of the effect (docs/protocol.md 4). */
  key: string
  opens_round: boolean
  /** Longest time the effect may take. */
  timeout_ms: number
  work: Work
}

/** A built-in tool is done long before; this bounds a search that hangs. */
const TOOL_TIMEOUT_MS = 30_000

/** What the row of an effect keeps: references and a fingerprint, not the prompt (ruling 4). */
export function storeEffect(head: Head, effect: Effect, recall: Recall, wall_ms: number): StoredEffect {
  if (effect.kind === 'call_model') {
    const opens_round = modeOf(head.mode).opens_round.has(head.state.phase)
    const prompt = rebuildPrompt(head, effect.phase, recall, wall_ms)
    const hash = fingerprint(JSON.stringify(prompt.messages))
    return { kind: 'call_model', phase: effect.phase, prompt: prompt.version, hash, wall_ms, opens_round }
  }
  // A tool that is not offered is refused by whoever runs it, which changes nothing however often it is done.
  const idempotent = BUILT_IN_TOOLS.find((tool) => tool.name === effect.tool)?.idempotent ?? true
  const { phase, tool, by, item_id } = effect
  return { kind: 'run_tool', phase, tool, by, item_id, idempotent, wall_ms }
}

/** The prompt of a phase as it is made from this head: also how `/journal` shows an earlier request again. */
export function rebuildPrompt(head: Head, phase: string, recall: Recall, wall_ms: number) {
  const mode = modeOf(head.mode)
  const context = { head, brief: briefOf(recall), recall, tools: BUILT_IN_TOOLS, wall_ms }
  return mode.prompt(mode.state.parse(head.state), phase, context)
}

/** The full order for the effect that `stored` describes; `head` is the head it was chosen by. */
export function assign(head: Head, seq: number, stored: StoredEffect, effect: Effect, recall: Recall): Assignment {
  const { settings, timezone, locale } = briefOf(recall)
  const shared = { task: head.id, mode: head.mode, seq, key: `${head.id}:${seq}` }
  if (effect.kind === 'run_tool') {
    const { tool, input } = effect
    const work: Work = { kind: 'run_tool', tool, input, wall_ms: stored.wall_ms, timezone, locale, settings }
    return { ...shared, opens_round: false, timeout_ms: TOOL_TIMEOUT_MS, work }
  }
  const { phase } = effect
  const named = phase === 'plan' || phase === 'thought' || phase === 'replan' ? settings.models[phase] : undefined
  const work: Work = {
    kind: 'call_model',
    phase,
    model: named ?? settings.model,
    temperature: settings.temperature,
    messages: rebuildPrompt(head, phase, recall, stored.wall_ms).messages,
    form: head.form,
    max_output_tokens: settings.max_output_tokens,
  }
  const opens_round = stored.kind === 'call_model' && stored.opens_round
  return { ...shared, opens_round, timeout_ms: settings.model_timeout_s * 1000, work }
}

export function timeoutOf(settings: Settings, effect: Pick<Effect, 'kind'>): number {
  return effect.kind === 'run_tool' ? TOOL_TIMEOUT_MS : settings.model_timeout_s * 1000
}

/** How long an effect was worked on: a worker found dead long after did not work all that time, its deadline bounds it. */
export function workedMs(row: { at: number; effect: StoredEffect }, closed_ms: number, recall: Recall): number {
  return Math.min(closed_ms - row.at, timeoutOf(briefOf(recall).settings, row.effect))
}
