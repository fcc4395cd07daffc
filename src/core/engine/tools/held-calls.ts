/**
 * Calls of tools that have no result yet: the tool asks a person, works on outside, or its worker was lost and a person decides. The
 * engine holds such a call between what a mode wants and what is begun. The mode still wants the same action and is told its result only.
 */
import type { ClientTool, ToolSource } from '../../terms/tools/client-tools.ts'
import type { Effect, Event, EventOf, Recall, StoredEffect } from '../../terms/effect.ts'
import type { Head, HeldCall } from '../../terms/head.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf } from '../../mode/mode.ts'
import type { AnyMode } from '../../modes/index.ts'
import { findClientTool } from './offered-tools.ts'
import { sourcesOf } from './tool-lists.ts'

type ToolEffect = Extract<Effect, { kind: 'run_tool' }>
type StoredCall = Extract<StoredEffect, { kind: 'run_tool' }>

const isSameCall = (held: HeldCall, { by, call }: Pick<ToolEffect, 'by' | 'call'>): boolean =>
  held.by === by && held.call === call

/** Whether a person has to answer before a held call goes on. */
export const asksPerson = ({ held }: Pick<Head, 'held'>): boolean =>
  held !== null && held.kind !== 'outside' && held.answer === null

/** Whether a held call works on outside. It is looked at again when `retry_at` of the head has come. */
export const worksOutside = ({ held }: Pick<Head, 'held'>): boolean => held?.kind === 'outside' && !held.expired

/** The effect by which an action goes on that the engine holds. */
export function continueHeld({ held }: Pick<Head, 'held'>, effect: Effect, recall: Recall): Effect {
  if (held === null || effect.kind !== 'run_tool' || !isSameCall(held, effect)) return effect
  const { locale } = briefOf(recall)
  if (held.expired) return { ...effect, refused: EXPIRED[locale] }
  if (held.kind !== 'lost') return { ...effect, held: held.row }
  if (answerAt(held.answer, recall)?.action !== 'accept') return { ...effect, refused: SKIPPED[locale] }
  return held.from === undefined ? effect : { ...effect, held: held.from.row }
}

const EXPIRED: Record<Locale, string> = {
  en: 'the tool still worked when its time was over: it may or may not finish, and nobody waits for it any more',
  zh: '工具在时限内仍未完成：它可能会、也可能不会完成，不再等待',
}
const SKIPPED: Record<Locale, string> = {
  en: 'outcome unknown: the call was lost, and a person has decided not to repeat it',
  zh: '结果未知：调用丢失，且用户决定不再重复',
}

/** The answer of a person to what a held call asked. null: there is none. */
function answerAt(answer: number | null, recall: Recall): EventOf<'tool_answered'> | null {
  const event = answer === null ? null : recall(answer).event
  return event?.kind === 'tool_answered' ? event : null
}

/** What a tool gets to go on with its call. Absent: it begins the call. */
export function heldState({ held }: Pick<Head, 'held'>, row: number | undefined, recall: Recall) {
  if (held === null || row === undefined) return undefined
  const { event } = recall(row)
  if (event.kind !== 'tool_asked' && event.kind !== 'tool_waits') return undefined
  const answered = answerAt(held.from === undefined ? held.answer : held.from.answer, recall)
  return {
    state: event.state,
    answer: answered === null ? null : { action: answered.action, content: answered.content },
  }
}

/** The row of a call, and the tool that was called. */
interface CallRow {
  seq: number
  now_ms: number
  effect: StoredCall
  recall: Recall
}

/** The held call after a row that closed a tool call without a result. null: the row has a result, which the mode is told. */
export function holdCall({ held }: Pick<Head, 'held'>, event: Event, { seq, now_ms, effect, recall }: CallRow) {
  const { by, call } = effect
  const earlier = held !== null && isSameCall(held, effect) ? held : null
  const next = { row: seq, by, call, answer: null, expired: false, since: earlier?.since ?? now_ms, looks: 0 }
  switch (event.kind) {
    case 'tool_asked':
      return { ...next, kind: 'asked' as const }
    case 'tool_waits': {
      const { report_timeout_s } = briefOf(recall).settings
      const expired = now_ms - next.since >= report_timeout_s * 1000
      return { ...next, kind: 'outside' as const, looks: (earlier?.looks ?? 0) + 1, expired }
    }
    case 'outcome_unknown':
      return isAskedAbout(effect, recall) ? { ...next, ...fromOf(earlier), kind: 'lost' as const } : null
    default:
      return null
  }
}

/** From where a lost call had gone on: from what its tool asked, or from where an earlier lost one had. */
function fromOf(earlier: HeldCall | null): Pick<HeldCall, 'from'> {
  if (earlier === null) return {}
  if (earlier.kind === 'lost') return earlier.from === undefined ? {} : { from: earlier.from }
  return { from: { row: earlier.row, answer: earlier.answer } }
}

/** Whether a person is asked what becomes of a lost call. */
function isAskedAbout({ tool: name }: StoredCall, recall: Recall): boolean {
  const call = findClientTool(briefOf(recall), name)?.call
  const source = call?.kind === 'mcp' ? sourcesOf(recall)[call.source] : undefined
  return source?.kind === 'mcp' && source.on_lost === 'ask'
}

/** The time between two looks grows, so that a task that waits for days has few rows. */
const LOOK_MS_MIN = 1_000
const LOOK_MS_MAX = 900_000
export const nextLookMs = ({ looks }: Pick<HeldCall, 'looks'>, asked_ms: number): number =>
  Math.min(LOOK_MS_MAX, Math.max(LOOK_MS_MIN, asked_ms, LOOK_MS_MIN * 1.2 ** Math.min(60, looks - 1)))

/**
 * What is still held after a row, and what the task waits for. The mode may have turned to something else, for example because its plan was
 * edited: then nothing is looked at any more. A side turn only comes between, and does not wait for the next look.
 */
export function stillHeld(head: Head, mode: AnyMode, event: Event, recall: Recall): Pick<Head, 'held' | 'retry_at'> {
  const { held, retry_at, state, end } = head
  if (held === null) return { held, retry_at }
  if (end === null && mode.side_phase === state.phase)
    return { held, retry_at: event.kind === 'user_asked_aside' ? null : retry_at }
  const next = end === null ? mode.next(state, recall) : null
  const isWanted = next?.kind === 'run' && next.effect.kind === 'run_tool' && isSameCall(held, next.effect)
  return isWanted ? { held, retry_at } : { held: null, retry_at: null }
}

/** A held call that nobody waits for any more, so that its server can be told. */
export interface DroppedCall {
  tool: ClientTool
  sources: readonly ToolSource[]
  state: string
  locale: Locale
}
export function droppedCall(before: Head, after: Head, event: Event, recall: Recall): DroppedCall | null {
  const { held } = before
  const row = held?.kind === 'lost' ? held.from?.row : held?.row
  if (row === undefined || after.held !== null) return null
  if (event.kind === 'tool_returned' && event.code !== 'refused') return null
  const { effect, event: holding } = recall(row)
  const tool = effect?.kind === 'run_tool' ? findClientTool(briefOf(recall), effect.tool) : null
  const isHolding = holding.kind === 'tool_asked' || holding.kind === 'tool_waits'
  return tool !== null && isHolding
    ? { tool, sources: sourcesOf(recall), state: holding.state, locale: briefOf(recall).locale }
    : null
}
