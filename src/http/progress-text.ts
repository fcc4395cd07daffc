/** Events as progress lines for a terminal (`curl -N -H 'Accept: text/plain'`), and at the end how the task stands. */
import { followedProgress } from '../core/shown/progress.ts'
import type { TaskView } from '../core/terms/view.ts'
import type { Sight } from '../shell/follow.ts'

/** `read` gives the task as it stands; null: it is gone. */
export async function* textFrames(
  sights: AsyncIterable<Sight>,
  task: TaskView,
  read: () => Promise<TaskView | null>,
): AsyncGenerator<string, void> {
  const progress = followedProgress(task)
  const frame = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  yield frame([progress.heading])
  for await (const sight of sights) {
    // A terminal shows nothing of it, and whoever has gone is noticed.
    if (sight.kind === 'quiet') yield '\r'
    else if (sight.kind === 'events') yield frame(sight.events.flatMap(progress.lines))
    else {
      const ended = await read()
      if (ended !== null) yield frame(progress.standing(ended))
    }
  }
}
