/** Events over a WebSocket: the same envelopes, one text message each, and a normal close when the task has ended. */
import type { Envelope } from '../../../core/terms/view.ts'
import type { Following } from '../../../shell/follow.ts'

/**
 * A socket does not say what its reader has taken. So much is sent on trust; any message of the reader says that he has read what came
 * so far, and more may be sent.
 */
const UNREAD_BYTES_MAX = 1024 * 1024

const CLOSED = { ended: 1000, restarted: 1012, unread: 1013 } as const

/** Heartbeats of a stream in which nothing happened: ten minutes. */
const QUIET_BEATS_MAX = 40

/** Of a socket, what is used here. */
export type EventSocket = Pick<WebSocket, 'send' | 'close'> & {
  addEventListener(type: 'message' | 'close' | 'error', listener: () => void): void
}

export function upgradeToSocket(following: Following, after: number, failed: (error: unknown) => void): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  server.accept()
  void sendEvents(server, following, after).catch(failed)
  return new Response(null, { status: 101, webSocket: client })
}

export async function sendEvents(socket: EventSocket, following: Following, after: number): Promise<void> {
  let [unread, sent, gone, beats] = [0, after, false, 0]
  const left = () => {
    gone = true
    following.stop()
  }
  socket.addEventListener('message', () => {
    unread = 0
  })
  socket.addEventListener('close', left)
  socket.addEventListener('error', left)
  /** Whether it went out. */
  const send = (event: Envelope) => {
    const text = JSON.stringify(event)
    const bytes = new TextEncoder().encode(text).byteLength
    // One always goes, or whoever comes again would come for nothing.
    if (unread > 0 && unread + bytes > UNREAD_BYTES_MAX) return false
    socket.send(text)
    unread += bytes
    sent = event.seq
    return true
  }
  const again = (why: string) => `${why}; go on with ?after=${sent}`
  try {
    for await (const sight of following.sights) {
      if (gone) return
      beats = sight.kind === 'quiet' ? beats + 1 : 0
      // One that has vanished without a word is noticed by nothing else.
      if (beats >= QUIET_BEATS_MAX) return socket.close(CLOSED.restarted, again('nothing has happened for long'))
      if (sight.kind === 'ended') return socket.close(CLOSED.ended, sight.status)
      if (sight.kind === 'events' && !sight.events.every(send))
        return socket.close(CLOSED.unread, again('too much unread'))
    }
    if (!gone) socket.close(CLOSED.restarted, again('nobody tells any more'))
  } catch (error) {
    if (!gone) socket.close(CLOSED.restarted, again('it was interrupted'))
    throw error
  } finally {
    following.stop()
  }
}
