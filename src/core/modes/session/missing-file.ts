/** The wait for a file that a call found missing, and which texts of a person name one (U36). */
import type { Event, Recall } from '../../terms/effect.ts'
import { briefOf } from '../../mode/mode.ts'
import { callAt } from '../conversation/calls.ts'
import { readFileNeeds } from '../files/read-file.ts'
import { fileWaits } from '../files/waits.ts'
import type { SessionState } from './state.ts'
import { resetRounds } from './user-input.ts'

/** The text of a person in an event. null: it has none. */
function textOf(event: Event): string | null {
  switch (event.kind) {
    case 'user_remarked':
    case 'user_asked_aside':
    case 'user_answered':
    case 'approval_answered':
      return event.text
    case 'resumed':
      return event.text ?? null
    default:
      return null
  }
}

/** The texts of the client after the goal that the model may still know: the steps of templates, the requests, and the conversation. */
function* textsOf({ asked, answering, left_out, window }: SessionState, recall: Recall): Generator<string> {
  for (const { steps } of briefOf(recall).settings.plan_templates) yield* steps
  const named = [asked, ...(answering === null ? [] : [answering]), ...left_out.said]
  const inWindow = Array.from({ length: window.last - window.first + 1 }, (_, index) => window.first + index)
  for (const row of [...named, ...inWindow]) {
    const text = textOf(recall(row).event)
    if (text !== null) yield text
  }
}

export const { fileRequest, mayAwaitFile, noteCall, waitIfMissing, onFileArrived, onAnswerForFile } =
  fileWaits<SessionState>({
    ...readFileNeeds<SessionState>({
      inputOf: (_state, { by, call }, recall) => callAt(recall, by, call).input,
      textsOf,
    }),
    goOn: (state, _request, _context) => ({ state: goOn(state), notes: [] }),
    goOnWithout: (state) => goOn(state),
  })

/** A task that has not begun to wait makes its further calls first. */
const goOn = (before: SessionState): SessionState => {
  const state = resetRounds(before)
  return state.phase === 'waiting' ? { ...state, phase: 'turning' } : state
}
