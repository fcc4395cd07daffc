/**
 * The window of a conversation. Messages are added row by row. When the window grows beyond settings.transcript_token_limit, its
 * oldest rounds are omitted until half of the limit is left. So each row is added once and omitted once in the life of a task.
 */
import * as z from 'zod'
import type { Note } from '../../terms/effect.ts'
import type { HandlerContext, Handler, ModeEvent, HandlerResult } from '../../mode/mode.ts'
import { NOTHING_SEEN, type RepeatGuard } from '../../mode/repeat-guard.ts'
import { tokensOf, type EntryOf } from './entry.ts'
import { OmittedRounds, NO_OMITTED_ROUNDS, tallyEntry } from './omitted-rounds.ts'

const row = z.int().min(1)

/** The part of the conversation that the model sees: the messages of these rows, in order. */
const Window = z.object({
  first: row,
  last: row,
  /** The estimated tokens of all its messages. */
  tokens: z.int().min(0),
  /** The row of the latest reply of the model. */
  reply: row.nullable(),
})

/** Members of the state of a mode that is one conversation. */
export const Conversation = z.object({ window: Window, left_out: OmittedRounds })
export type Conversation = z.infer<typeof Conversation>

/** Row 1 is the brief. */
export const NO_CONVERSATION: Conversation = {
  window: { first: 2, last: 1, tokens: 0, reply: null },
  left_out: NO_OMITTED_ROUNDS,
}

/** A conversation with the calls that its guard against repetition remembers. */
type Guarded = Conversation & { seen: RepeatGuard }

/** How a mode uses the conversation. */
interface ConversationRules<S> {
  entryOf: EntryOf
  /** Whether the model is called next. Rounds are omitted only then. */
  asks(state: S): boolean
  /** The message from which on no message is omitted: the latest reply, or the reply whose calls are not all answered. */
  protectedFrom(state: S): number | null
}

/** Wraps handlers whose row may be part of the conversation. */
export const withConversation =
  <S extends Guarded>(rules: ConversationRules<S>) =>
  <K extends ModeEvent>(handler: Handler<S, K>): Handler<S, K> =>
  (state, event, context) => {
    const result = handler(state, event, context)
    const next = addRow(result.state, rules, context)
    return rules.asks(next) ? omitOldestRounds({ ...result, state: next }, rules, context) : { ...result, state: next }
  }

function addRow<S extends Conversation>(
  state: S,
  { entryOf }: ConversationRules<S>,
  { seq, recall, brief }: HandlerContext,
): S {
  const entry = entryOf(seq, { recall, brief })
  const { window } = state
  if (entry === null) return { ...state, window: { ...window, last: seq } }
  const reply = entry.kind === 'assistant' ? seq : window.reply
  return { ...state, window: { ...window, last: seq, reply, tokens: window.tokens + tokensOf(entry) } }
}

/** The most rows in a window. Rows without a message are read for every prompt too. */
const ROWS_MAX = 1_000

function omitOldestRounds<S extends Guarded>(
  result: HandlerResult<S>,
  rules: ConversationRules<S>,
  { brief, recall }: HandlerContext,
): HandlerResult<S> {
  const { state } = result
  const { window } = state
  const limit = brief.settings.transcript_token_limit
  const end = rules.protectedFrom(state)
  const isLong = (first: number, rows: number) => window.last - first > rows
  if (end === null || (window.tokens <= limit && !isLong(window.first, ROWS_MAX))) return result
  let { first, tokens } = window
  let left_out = state.left_out
  for (; first < end; first++) {
    const entry = rules.entryOf(first, { recall, brief })
    // A round begins with the reply that calls its tools.
    if (entry?.kind === 'assistant' && tokens <= limit / 2 && !isLong(first, ROWS_MAX / 2)) break
    if (entry === null) continue
    tokens -= tokensOf(entry)
    left_out = tallyEntry(left_out, first, entry, recall)
  }
  if (first === window.first) return result
  const turns = left_out.turns - state.left_out.turns
  // The model no longer sees the omitted results, so a call that brings one of them again is no repetition.
  // An earlier release may have counted a message otherwise.
  const counted = Math.max(0, tokens)
  const next = { ...state, window: { ...window, first, tokens: counted }, left_out, seen: NOTHING_SEEN }
  return { ...result, state: next, notes: [...result.notes, compactedNote(turns, window.first, first - 1)] }
}

const compactedNote = (turns: number, from: number, to: number): Note => ({
  type: 'loop_guard',
  payload: { guard: 'transcript_compacted', count: turns, evidence: `rows ${from} to ${to}` },
})
