/**
 * The window of the conversation: what is said is added to it row by row, and its oldest rounds are left out when it grows beyond
 * settings.transcript_token_limit, down to half of that; so each row is added once and left out once, however long a session is.
 */
import type { Note } from '../../effect.ts'
import type { Context, Handler, ModeEvent, Turn } from '../../mode.ts'
import { entryOf, tokensOf } from './entries.ts'
import { tallied } from './left-out.ts'
import type { State } from './state.ts'

/** A handler whose row may be part of the conversation. */
export const heard =
  <K extends ModeEvent>(handler: Handler<State, K>): Handler<State, K> =>
  (state, event, context) => {
    const turn = handler(state, event, context)
    const next = added(turn.state, context)
    // Only before the model is asked again.
    const asks = next.phase === 'turning' || next.phase === 'aside'
    return asks ? bounded({ ...turn, state: next }, context) : { ...turn, state: next }
  }

function added(state: State, { seq, recall, brief }: Context): State {
  const entry = entryOf(seq, { recall, brief })
  const { window } = state
  if (entry === null) return { ...state, window: { ...window, last: seq } }
  const reply = entry.kind === 'assistant' ? seq : window.reply
  return { ...state, window: { ...window, last: seq, reply, tokens: window.tokens + tokensOf(entry) } }
}

/** Most rows say nothing: they are read again for every prompt all the same. */
const ROWS_MAX = 1_000

/** The message from which on nothing is left out: the latest of the model, or the one whose calls are not all answered. */
const keptFrom = ({ phase, back, by, window }: State) => (phase === 'aside' && back === 'acting' ? by : window.reply)

function bounded(turn: Turn<State>, { brief, recall }: Context): Turn<State> {
  const { state } = turn
  const { window } = state
  const most = brief.settings.transcript_token_limit
  const end = keptFrom(state)
  const isLong = (first: number, rows: number) => window.last - first > rows
  if (end === null || (window.tokens <= most && !isLong(window.first, ROWS_MAX))) return turn
  let { first, tokens } = window
  let left_out = state.left_out
  for (; first < end; first++) {
    const entry = entryOf(first, { recall, brief })
    // A round begins with the reply that calls its tools.
    if (entry?.kind === 'assistant' && tokens <= most / 2 && !isLong(first, ROWS_MAX / 2)) break
    if (entry === null) continue
    tokens -= tokensOf(entry)
    left_out = tallied(left_out, first, entry, recall)
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
