/** An event stream whose other end is the test. */

export interface FakeSource {
  url: string
  /** What the page was given. */
  source: EventSource
  closed(): boolean
  open(): void
  /** One envelope, as the service writes it into a message. */
  say(seq: number, type?: string): void
  end(): void
  /** The connection broke: the browser tries again by itself, unless the answer was a refusal. */
  fail(refused: boolean): void
}

export function fakeSource(url: string): FakeSource {
  const target = new EventTarget()
  const state = { readyState: 0, closed: false }
  const close = () => {
    state.readyState = 2
    state.closed = true
  }
  // No event reaches a listener of a source that was closed.
  const tell = (event: Event) => state.closed || target.dispatchEvent(event)
  const source = Object.defineProperty(Object.assign(target, { url, close }), 'readyState', {
    get: () => state.readyState,
  })
  return {
    url,
    // It has the parts of one that are used.
    source: source as unknown as EventSource,
    closed: () => state.closed,
    open() {
      state.readyState = 1
      tell(new Event('open'))
    },
    say(seq, type = 'thought_decided') {
      const data = JSON.stringify({ seq, type, at: '2026-11-22T00:00:00Z', task_id: 'task_1', payload: {} })
      tell(new MessageEvent(type, { data }))
    },
    end: () => tell(new MessageEvent('end', { data: '{}' })),
    fail(refused) {
      state.readyState = refused ? 2 : 0
      tell(new Event('error'))
    },
  }
}
