/**
 * The window of a conversation: what is said is added to it row by row, and its oldest rounds are left out when it grows beyond
 * settings.transcript_token_limit, down to half of that; so each row is added once and left out once, however long a task lives.
 */
import * as z from 'zod'
import type { Note } from '../../terms/effect.ts'
import type { Context, Handler, ModeEvent, HandlerResult } from '../../mode/mode.ts'
import { tokensOf, type EntryOf } from './entry.ts'
import { LeftOut, NOTHING_LEFT_OUT, tallyEntry } from './omitted-rounds.ts'

const row = z.int().min(1)

/** The part of the conversation that is shown to the model: the messages of these rows, in order. */
const Window = z.object({
  first: row,
  last: row,
  /** As estimated, of all its messages. */
  tokens: z.int().min(0),
  /** The latest message of the model. */
  reply: row.nullable(),
})

/** Members of the state of a mode that is one conversation. */
export const Conversation = z.object({ window: Window, left_out: LeftOut })
export type Conversation = z.infer<typeof Conversation>

/** Row 1 is the brief. */
export const NO_CONVERSATION: Conversation = {
  window: { first: 2, last: 1, tokens: 0, reply: null },
  left_out: NOTHING_LEFT_OUT,
}

/** How a mode talks. */
interface ConversationState<S> {
  entryOf: EntryOf
  /** Whether the model is asked next: only then anything is left out. */
  asks(state: S): boolean
  /** The message from which on nothing is left out: the latest of the model, or the one whose calls are not all answered. */
  keptFrom(state: S): number | null
}

/** Wraps handlers whose row may be part of the conversation. */
export const withConversation =
  <S extends Conversation>(talk: ConversationState<S>) =>
  <K extends ModeEvent>(handler: Handler<S, K>): Handler<S, K> =>
  (state, event, context) => {
    const turn = handler(state, event, context)
    const next = added(turn.state, talk, context)
    return talk.asks(next) ? bounded({ ...turn, state: next }, talk, context) : { ...turn, state: next }
  }

function added<S extends Conversation>(
  state: S,
  { entryOf }: ConversationState<S>,
  { seq, recall, brief }: Context,
): S {
  const entry = entryOf(seq, { recall, brief })
  const { window } = state
  if (entry === null) return { ...state, window: { ...window, last: seq } }
  const reply = entry.kind === 'assistant' ? seq : window.reply
  return { ...state, window: { ...window, last: seq, reply, tokens: window.tokens + tokensOf(entry) } }
}

/** Most rows say nothing: they are read again for every prompt all the same. */
const ROWS_MAX = 1_000

function bounded<S extends Conversation>(
  turn: HandlerResult<S>,
  talk: ConversationState<S>,
  { brief, recall }: Context,
): HandlerResult<S> {
  const { state } = turn
  const { window } = state
  const most = brief.settings.transcript_token_limit
  const end = talk.keptFrom(state)
  const isLong = (first: number, rows: number) => window.last - first > rows
  if (end === null || (window.tokens <= most && !isLong(window.first, ROWS_MAX))) return turn
  let { first, tokens } = window
  let left_out = state.left_out
  for (; first < end; first++) {
    const entry = talk.entryOf(first, { recall, brief })
    // A round begins with the reply that calls its tools.
    if (entry?.kind === 'assistant' && tokens <= most / 2 && !isLong(first, ROWS_MAX / 2)) break
    if (entry === null) continue
    tokens -= tokensOf(entry)
    left_out = tallyEntry(left_out, first, entry, recall)
  }
  if (first === window.first) return turn
  const turns = left_out.turns - state.left_out.turns
  const next = { ...state, window: { ...window, first, tokens }, left_out }
  return { ...turn, state: next, notes: [...turn.notes, compactedNote(turns, window.first, first - 1)] }
}

const compactedNote = (turns: number, from: number, to: number): Note => ({
  type: 'loop_guard',
  payload: { guard: 'transcript_compacted', count: turns, evidence: `rows ${from} to ${to}` },
})
