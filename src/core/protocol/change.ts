/** Decides what a client may change of a task after its create (`PATCH /tasks/{id}`, U52). */
import { briefNow, withChange } from '../engine/changed-brief.ts'
import type { Brief, Event, EventOf } from '../terms/effect.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Journal } from './journal.ts'

type Changed = EventOf<'task_changed'>
/** A member that is left out stays as it is. */
export type TaskChange = Partial<Pick<Changed, 'drive' | 'callback_url' | 'metadata' | 'title'>>

const NAMES = ['drive', 'callback_url', 'metadata', 'title'] as const

/** `versions` are those that its author may have seen. null: any. A change that changes nothing has no event. */
export function eventsForChange(
  journal: Journal,
  change: TaskChange,
  versions: readonly number[] | null,
  version_shown: number,
): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined) return refuse({ code: 'task_not_found' })
  if (versions !== null && !versions.includes(version_shown))
    return refuse({ code: 'precondition_failed', version: version_shown, waiting: false })
  // A change that waits for the effect under way comes first.
  const before = journal
    .queued()
    .reduce<Brief>(
      (brief, { event }) => (event.kind === 'task_changed' ? withChange(brief, event) : brief),
      briefNow(head, journal.recall),
    )
  const { drive, callback_url, metadata, title = null } = before
  const now = { drive, callback_url, metadata, title }
  const next = { ...now, ...change }
  const members = NAMES.filter((name) => firstDifference(now[name], next[name]) !== null)
  return ok(members.length === 0 ? [] : [{ kind: 'task_changed', ...next, members }])
}
