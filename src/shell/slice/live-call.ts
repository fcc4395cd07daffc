/**
 * A call that others follow while it runs: what a model says is passed on to the watchers of the task and to the reader of the request. The call
 * ends before its time when its task was canceled, deleted or taken over, or when the reader of a model's words has left. Nothing of this is stored.
 */
import type { Assignment } from '../../core/engine/assignment.ts'
import type { Event } from '../../core/terms/effect.ts'
import type { Caller } from '../caller.ts'
import { hideThinking } from './hide-thinking.ts'
import type { Ports } from '../ports.ts'
import type { CallContext } from '../tool-ports.ts'

/** How often words are passed on. */
const TICK_MS = 250
/** After so many of these the object is asked whether the call still counts. A call that is shorter than this asks nothing. */
const TICKS_PER_CHECK = 4

/** A call that was ended is given up: its tokens are charged as those of a lost one, and it is no failure of the model. */
const GIVEN_UP: Event = { kind: 'abandoned', by: 'holder' }

/** A process that ends waits 25 s for what is under way. A call that takes longer is given up in time for its row to be closed. */
const DRAIN_MS = 20_000

/** Whether a call has failed so that nobody knows what it cost. A failure that is known, such as a status, stands. */
const isUnknown = (event: Event): boolean =>
  event.kind === 'model_failed' && event.status === null && event.usage === undefined

/** The slice that makes the call, and whose it is. */
interface LiveSlice {
  ports: Pick<Ports, 'store' | 'draining'>
  caller: Caller
  /** The task. */
  id: string
  slice: string
}

export async function performLive(
  { ports, caller, id, slice }: LiveSlice,
  { seq, work }: Assignment,
  perform: (live: Pick<CallContext, 'stop' | 'onWords'>) => Promise<Event>,
): Promise<Event> {
  // Tools within the service are quick, and a list changes nothing outside.
  if (work.kind === 'list_tools' || (work.kind === 'run_tool' && work.remote === null)) return perform({})
  const phase = work.kind === 'call_model' ? work.phase : 'act'
  // An action is not cut off because its reader has left.
  const reader = work.kind === 'call_model' ? caller.reader : undefined
  const end = new AbortController()
  const state = { sent: 0, unsent: '', ticks: 0, isWatched: false, isAsking: false }
  const visible = hideThinking()
  let asking: Promise<void> = Promise.resolve()
  const show = (words: string) => {
    if (words === '') return
    reader?.onWords({ journal_seq: seq, phase, from: state.sent + state.unsent.length, text: words })
    state.unsent += words
  }
  /** Without watchers the words are kept, so that one who comes later sees the reply from its beginning. */
  const relay = async () => {
    const text = state.isWatched ? state.unsent : ''
    const from = state.sent
    const task = ports.store.of(caller.tenant, id)
    const { open, watched } = await task.relay({ journal_seq: seq, phase, from, text }, slice)
    state.sent += text.length
    state.unsent = state.unsent.slice(text.length)
    state.isWatched = watched
    if (!open) end.abort()
  }
  const tick = () => {
    state.ticks += 1
    const isDue = state.ticks % TICKS_PER_CHECK === 0 || (state.isWatched && state.unsent !== '')
    if (!isDue || state.isAsking) return
    state.isAsking = true
    // An object that cannot be reached says nothing of the call. The commit will tell.
    asking = relay()
      .catch(() => undefined)
      .then(() => void (state.isAsking = false))
  }
  const leave = () => end.abort()
  const timer = setInterval(tick, TICK_MS)
  let drained: ReturnType<typeof setTimeout> | undefined
  const stopListening = ports.draining.onBegin(() => (drained = setTimeout(leave, DRAIN_MS)))
  reader?.left.addEventListener('abort', leave)
  if (reader?.left.aborted === true) end.abort()
  try {
    const event = await perform({ stop: end.signal, onWords: (words) => show(visible.next(words)) })
    show(visible.rest())
    if (state.isWatched && state.unsent !== '') await asking.then(relay).catch(() => undefined)
    return end.signal.aborted && isUnknown(event) ? GIVEN_UP : event
  } finally {
    clearInterval(timer)
    clearTimeout(drained)
    stopListening()
    reader?.left.removeEventListener('abort', leave)
  }
}
