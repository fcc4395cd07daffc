/** Events as Server-Sent Events: `id:` the event's seq, `event:` its type, `data:` the whole envelope; then `event: end`. */
import type { Sight } from '../shell/follow.ts'

/** When a browser comes again after a break. */
const RETRY_MS = 2_000
/** And after the end, where one that does not close itself has nothing to come for. */
const RETRY_ENDED_MS = 600_000

export async function* sseFrames(sights: AsyncIterable<Sight>): AsyncGenerator<string, void> {
  yield `retry: ${RETRY_MS}\n\n`
  for await (const sight of sights) yield frameOf(sight)
}

function frameOf(sight: Sight): string {
  switch (sight.kind) {
    case 'events':
      return sight.events
        .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('')
    case 'quiet':
      return ': still here\n\n'
    case 'ended':
      return `retry: ${RETRY_ENDED_MS}\nevent: end\ndata: ${JSON.stringify({ status: sight.status })}\n\n`
  }
}
