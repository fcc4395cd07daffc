/** One effect that a Worker performs under a lease: what the Worker needs for it, and what the row stores of it. */
import type { Reservation, WorstCase } from '../terms/budget.ts'
import { contractOfCall, schemaBytes } from './contracts.ts'
import { DELEGATE } from '../terms/delegation.ts'
import { shareOf } from '../terms/budget-share.ts'
import type { ClientTool, ToolSource } from '../terms/tools/client-tools.ts'
import {
  FIRST_FORM,
  imagesOf,
  type Brief,
  type Effect,
  type Message,
  type Recall,
  type ReplyForm,
  type StoredEffect,
} from '../terms/effect.ts'
import { type Locale } from '../terms/locale.ts'
import { imageTokensMax } from '../terms/files/images.ts'
import { fingerprint } from '../terms/values/hash.ts'
import type { Head } from '../terms/head.ts'
import { ASK_USER, asksUser } from '../mode/ask-user.ts'
import { briefOf, type Prompt, type ToolSpec } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import type { ModeName } from '../terms/mode-names.ts'
import { priceOf, sentModel, type PriceTable } from '../terms/money.ts'
import { callSettings, highestOutputCap, RESULT_PHASE, type ReasoningEffort, type Settings } from '../terms/settings.ts'
import { utf8Bytes } from '../terms/text.ts'
import type { JsonSchema } from '../terms/schema/json-schema.ts'
import { unreadable } from '../terms/unreadable.ts'
import { modelFor, nameOfCall, namesOfTask, standInFor } from './model-choice.ts'
import { rebuildPrompt, requestText } from './rebuild-prompt.ts'
import { startsRound } from './result/closing.ts'
import { appliedSchemaOf } from './result/typed-data.ts'
import { heldState } from './tools/held-calls.ts'
import { findClientTool, offeredTools } from './tools/offered-tools.ts'
import { LIST_TIMEOUT_MS, sourcesOf, withListedTools } from './tools/tool-lists.ts'

export type PendingWork =
  | {
      kind: 'call_model'
      phase: string
      contract?: string | undefined
      /** Of a closing call: the schema of its data. */
      output_schema?: JsonSchema | null
      model: string | null
      temperature: number
      reasoning_effort: ReasoningEffort | null
      messages: Message[]
      tools: readonly ToolSpec[]
      one_call: boolean
      /** The names of the tools that a reply may name. */
      offered: readonly string[]
      form: ReplyForm
      max_output_tokens: number
      /** The longest time between two parts of a streamed reply, in ms. */
      silence_ms: number
    }
  | ({
      kind: 'run_tool'
      tool: string
      /** The names of the tools that the task may run. */
      offered: readonly string[]
      /** The tool of the client, which is called outside. null: it is a built-in tool. */
      remote: ClientTool | null
      /** The sources of the task, by whose positions its tools name them. */
      sources: readonly ToolSource[]
      input: string
      /** What a held call goes on from. Absent: the call begins. */
      held?: ReturnType<typeof heldState>
      /** Why the call is not made. Its text is the result. */
      refused?: string | undefined
    } & Circumstances)
  | ({ kind: 'list_tools'; source: ToolSource; position: number } & Circumstances)

/** What a tool knows of the time and the task. */
interface Circumstances {
  wall_ms: number
  /** When a call that is a round of its own began first. */
  begun_ms?: number | undefined
  timezone: string
  locale: Locale
  settings: Settings
}

export interface Assignment {
  task: string
  mode: ModeName
  seq: number
  /** The idempotency key of the effect: `task:seq` (P4). */
  key: string
  opens_round: boolean
  /** The deadline of the effect. */
  timeout_ms: number
  work: PendingWork
}

/** Bounds a search that hangs. All other built-in tools are much faster. */
export const TOOL_TIMEOUT_MS = 30_000

/** The bytes of a request around its messages, schema and model: member names and numbers. */
const REQUEST_FRAME_BYTES = 512

/** The bytes around an earlier reply, an offered tool or a made call, in addition to its name, id and texts. */
const FRAME_BYTES = 64

/** How many tools, earlier replies and calls a prompt has. Each is sent in a longer form than it is stored in. */
const countFrames = ({ messages, tools = [] }: Prompt): number =>
  messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? 1 + (message.tool_calls?.length ?? 0) : 0),
    tools.length,
  )

/** The most tokens of the images that a prompt shows. */
const imageTokens = ({ messages }: Prompt): number =>
  messages.flatMap(imagesOf).reduce((sum, image) => sum + imageTokensMax(image), 0)

/** An effect that is ready to run: what its row stores, and the most that it can cost. */
export interface PreparedEffect {
  effect: Effect
  stored: StoredEffect
  worst: WorstCase
  /** The prompt of a model call, so that it need not be built again when it is sent. */
  prompt: Prompt | null
}

/** Whether an effect counts as a round of its slice. Of tool calls only those count that cost a step of the mode. */
export function opensRound(
  head: Pick<Head, 'mode' | 'state' | 'closing'>,
  { kind }: { kind: Effect['kind'] },
): boolean {
  if (kind === 'list_tools') return false
  return startsRound(head) && (kind === 'call_model' || modeOf(head.mode).cost[head.state.phase] === 1)
}

/** Prepares an effect. Its row stores references and a fingerprint instead of the prompt (U4). */
export function prepareEffect(
  head: Head,
  effect: Effect,
  stored: Recall,
  wall_ms: number,
  { prices, now_ms }: { prices: PriceTable; now_ms: number },
): PreparedEffect {
  const recall = withListedTools(head, stored)
  const brief = briefOf(recall)
  const { settings } = brief
  if (effect.kind === 'call_model') {
    const opens_round = opensRound(head, effect)
    const prompt = rebuildPrompt(head, effect.phase, recall, wall_ms)
    const sent = requestText(prompt)
    const hash = fingerprint(sent)
    const output_schema = effect.phase === RESULT_PHASE ? appliedSchemaOf(brief) : null
    const contract = contractOfCall(head.mode, effect, offeredNames(recall), output_schema)
    const stand_in = standInFor(head, brief, effect.phase)
    const name = stand_in ?? modelFor(settings, effect.phase)
    return {
      effect,
      stored: {
        ...effect,
        prompt: prompt.version,
        hash,
        wall_ms,
        opens_round,
        ...(stand_in === null ? {} : { endpoint: stand_in }),
      },
      worst: {
        input_bytes:
          utf8Bytes(sent) +
          (contract === null ? 'null'.length : schemaBytes(contract)) +
          utf8Bytes(JSON.stringify(sentModel(prices, name))) +
          REQUEST_FRAME_BYTES +
          FRAME_BYTES * countFrames(prompt) +
          imageTokens(prompt),
        output_cap: outputCapOf(head, recall, callSettings(settings, effect.phase)),
        timeout_ms: settings.model_timeout_s * 1000,
        price: priceOf(prices, name, now_ms),
      },
      prompt,
    }
  }
  if (effect.kind === 'list_tools')
    return { effect, stored: { ...effect, wall_ms }, worst: { ...FREE, timeout_ms: LIST_TIMEOUT_MS }, prompt: null }
  // The runner refuses a tool that is not offered. A repeated refusal changes nothing, so the call is idempotent.
  const card = offeredTools(briefOf(recall)).find((tool) => tool.name === effect.tool)
  const { phase, tool, by, call, item_id, held } = effect
  // To look whether a call outside is done changes nothing.
  const idempotent = (card?.idempotent ?? true) || (held !== undefined && head.held?.kind === 'outside')
  const holding = held === undefined ? {} : { held }
  const round = opensRound(head, effect) ? { opens_round: true as const } : {}
  return {
    effect,
    stored: { kind: 'run_tool', phase, tool, by, call, item_id, idempotent, wall_ms, ...round, ...holding },
    worst: {
      ...FREE,
      timeout_ms: card?.timeout_ms ?? TOOL_TIMEOUT_MS,
      share: tool === DELEGATE ? shareOf(head.budget, settings) : null,
    },
    prompt: null,
  }
}

/** Tools cost time alone. */
const FREE = { input_bytes: 0, output_cap: 0, price: null }

/** The most that a cap may be raised to, which is the most that the setting allows. */
const OUTPUT_CAP_MAX = 131_072

/** The attempt after a reply that the endpoint has cut has twice the room (ruling 33). */
function outputCapOf(
  { streak, failed_row }: Head,
  recall: Recall,
  { max_output_tokens }: Pick<Settings, 'max_output_tokens'>,
): number {
  if (streak.count === 0 || failed_row === null) return max_output_tokens
  const { event } = recall(failed_row)
  const wasCut = event.kind === 'model_replied' && event.finish === 'length'
  return wasCut ? raisedCap(max_output_tokens) : max_output_tokens
}

const raisedCap = (cap: number): number => Math.min(OUTPUT_CAP_MAX, 2 * cap)

/** The most tokens that one reply may have. */
export const longestOutput = (settings: Pick<Settings, 'max_output_tokens' | 'phases'>): number =>
  raisedCap(highestOutputCap(settings))

const offeredNames = (recall: Recall): string[] => offeredTools(briefOf(recall)).map(({ name }) => name)

/** The best form that the model is known to accept. What one endpoint has refused says nothing of another. */
const formFor = ({ form, given_up }: Head, brief: Brief): ReplyForm =>
  given_up.length === 0 && namesOfTask({ ...brief, fallbacks: {} }).length === 1 ? form : FIRST_FORM

/** A call of a tool that is not offered is told the names of those that are, and the model may ask too. */
const withQuestions = (offered: readonly string[], { max_clarifications }: Settings): readonly string[] =>
  max_clarifications === 0 || offered.some(asksUser) ? offered : [...offered, ASK_USER]

/** The full assignment for a stored effect. `head` is the head that chose the effect. */
export function createAssignment(
  head: Head,
  row: { seq: number; effect: StoredEffect; reserved: Reservation; lease: { attempt: number } },
  { effect, prompt }: Pick<PreparedEffect, 'effect' | 'prompt'>,
  closed: Recall,
): Assignment {
  const recall = withListedTools(head, closed)
  const brief = briefOf(recall)
  const { settings, timezone, locale } = brief
  const { seq, effect: stored, reserved, lease } = row
  const offered = offeredNames(recall)
  // An effect that is leased again belongs to the round in which it began.
  const opens_round = 'opens_round' in stored && stored.opens_round === true && lease.attempt === 1
  const mode = modeOf(head.mode).name
  const shared = { task: head.id, mode, seq, key: `${head.id}:${seq}`, opens_round, timeout_ms: reserved.ms }
  const begun_ms = stored.kind === 'run_tool' ? stored.begun_ms : undefined
  const circumstances = { wall_ms: stored.wall_ms, begun_ms, timezone, locale, settings }
  if (effect.kind === 'list_tools') {
    const source = sourcesOf(recall)[effect.source]
    if (source === undefined) throw unreadable(`the task has no source ${effect.source}`)
    return { ...shared, work: { kind: 'list_tools', source, position: effect.source, ...circumstances } }
  }
  if (effect.kind === 'run_tool') {
    const { tool, input, refused } = effect
    const remote = findClientTool(brief, tool)
    const work: PendingWork = {
      kind: 'run_tool',
      tool,
      offered: withQuestions(offered, settings),
      remote,
      sources: sourcesOf(recall),
      input,
      refused,
      held: heldState(head, effect.held, recall),
      ...circumstances,
    }
    return { ...shared, work }
  }
  if (stored.kind !== 'call_model') throw new Error('a row of another kind than its effect')
  const { phase, contract } = effect
  const { messages, tools = [], one_call = false } = prompt ?? rebuildPrompt(head, phase, recall, stored.wall_ms)
  const { temperature, reasoning_effort } = callSettings(settings, phase)
  const work: PendingWork = {
    kind: 'call_model',
    phase,
    contract,
    ...(phase === RESULT_PHASE ? { output_schema: appliedSchemaOf(brief) } : {}),
    model: nameOfCall(stored, settings),
    temperature,
    reasoning_effort,
    messages,
    tools,
    one_call,
    offered,
    form: formFor(head, brief),
    max_output_tokens: reserved.output_tokens,
    silence_ms: settings.model_silence_s * 1000,
  }
  return { ...shared, work }
}
