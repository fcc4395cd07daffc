/** Events over a WebSocket: one text message for each envelope, and a normal close when the task has ended. */
import type { ThoughtDelta } from '../../../core/protocol/view/news.ts'
import type { Envelope } from '../../../core/terms/view.ts'
import type { Following } from '../../../shell/follow.ts'

/**
 * A socket does not report what its reader has taken. So much is sent without a sign of the reader. Any message of the reader confirms
 * all that was sent before it.
 */
const UNREAD_BYTES_MAX = 1024 * 1024

const CLOSED = { ended: 1000, restarted: 1012, unread: 1013 } as const

/** The socket closes after so many heartbeats without an event, which is ten minutes. */
const QUIET_BEATS_MAX = 40

/** The part of a WebSocket that is used here. */
export type EventSocket = Pick<WebSocket, 'send' | 'close'> & {
  addEventListener(type: 'message' | 'close' | 'error', listener: () => void): void
}

export function upgradeToSocket(following: Following, after: number, onError: (error: unknown) => void): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  server.accept()
  void sendEvents(server, following, after).catch(onError)
  return new Response(null, { status: 101, webSocket: client })
}

export async function sendEvents(socket: EventSocket, following: Following, after: number): Promise<void> {
  let [unread, unsaid, sent, gone, beats] = [0, 0, after, false, 0]
  const leave = () => {
    gone = true
    following.stop()
  }
  socket.addEventListener('message', () => {
    unread = 0
    unsaid = 0
  })
  socket.addEventListener('close', leave)
  socket.addEventListener('error', leave)
  /** Whether the event was sent. */
  const send = (event: Envelope) => {
    const text = JSON.stringify(event)
    const bytes = new TextEncoder().encode(text).byteLength
    // One event is always sent, or a reader who reconnects would never get further.
    if (unread > 0 && unread + bytes > UNREAD_BYTES_MAX) return false
    socket.send(text)
    unread += bytes
    sent = event.seq
    return true
  }
  /** A reader who is far behind goes without the words, which take no room of the events. */
  const sendWords = (said: ThoughtDelta) => {
    const text = JSON.stringify({ type: 'thought_delta', ...said })
    const bytes = new TextEncoder().encode(text).byteLength
    if (unsaid + bytes > UNREAD_BYTES_MAX / 4) return
    socket.send(text)
    unsaid += bytes
  }
  const closeReason = (why: string) => `${why}; go on with ?after=${sent}`
  try {
    for await (const update of following.sights) {
      if (gone) return
      beats = update.kind === 'quiet' ? beats + 1 : 0
      // Nothing else detects a reader that has vanished.
      if (beats >= QUIET_BEATS_MAX) return socket.close(CLOSED.restarted, closeReason('nothing has happened for long'))
      if (update.kind === 'said') sendWords(update.said)
      if (update.kind === 'ended') return socket.close(CLOSED.ended, update.status)
      if (update.kind === 'events' && !update.events.every(send))
        return socket.close(CLOSED.unread, closeReason('too much unread'))
    }
    if (!gone) socket.close(CLOSED.restarted, closeReason('nobody tells any more'))
  } catch (error) {
    if (!gone) socket.close(CLOSED.restarted, closeReason('it was interrupted'))
    throw error
  } finally {
    following.stop()
  }
}
