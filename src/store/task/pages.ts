/** Pages of a task's events and journal, bounded by number and by size. */
import { closedEntry, eventsOf, pendingEntry, queuedEntry } from '../../core/replay/history.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { PageOf, ReadablePage } from '../../core/protocol/task-answers.ts'
import { unreadable } from '../../core/terms/unreadable.ts'
import type { Envelope, JournalEntry } from '../../core/terms/view.ts'
import type { Rows } from './rows/rows.ts'

/** The most characters of one page: what crosses between object and Worker is bounded, however long prompts and results are. */
const PAGE_CHARS_MAX = 4_000_000

/** Collects up to `limit` entries and one more, as far as they fit, and at least one. An unreadable entry takes a place too. */
export function collector<T extends { seq: number }>(limit: number) {
  const found: { seq: number; entry: T | null }[] = []
  let chars = 0
  let full = false
  return {
    open: () => !full && found.length <= limit,
    add(entry: T) {
      chars += JSON.stringify(entry).length
      full = full || (chars > PAGE_CHARS_MAX && found.length > 0)
      if (!full) found.push({ seq: entry.seq, entry })
    },
    lack: (seq: number) => void found.push({ seq, entry: null }),
    page(): ReadablePage<T> {
      const shown = found.slice(0, limit)
      const has_more = full || found.length > limit
      const data = shown.flatMap(({ entry }) => entry ?? [])
      const unreadable = shown.flatMap(({ seq, entry }) => (entry === null ? [seq] : []))
      const page = { data, has_more, next_cursor: has_more ? String(shown.at(-1)?.seq ?? '') : null }
      return unreadable.length === 0 ? page : { ...page, unreadable, incomplete: true }
    },
  }
}

/** The first closed row that caused an event after `after`. Event ids grow with seq, so a binary search finds it. */
function firstRowAfter(rows: Rows, after: number, last: number): number {
  let [low, high] = [1, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const events = rows.closed(middle)?.head.events
    if (events !== undefined && events.first + events.count - 1 > after) high = middle
    else low = middle + 1
  }
  return low
}

export function eventPage(rows: Rows, after: number, limit: number): Result<PageOf<Envelope>> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const found = collector<Envelope>(limit)
  for (let seq = firstRowAfter(rows, after, last.seq); seq <= last.seq && found.open(); seq++) {
    const row = rows.closed(seq)
    if (row === null) throw unreadable(`row ${seq} is missing`)
    const caused = eventsOf(row, rows.closed(seq - 1)?.head ?? null, rows.recall)
    for (const event of caused) if (event.seq > after) found.add(event)
  }
  return ok(found.page())
}

export function journalPage(rows: Rows, after: number, limit: number): Result<PageOf<JournalEntry>> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const found = collector<JournalEntry>(limit)
  for (let seq = after + 1; seq <= last.seq && found.open(); seq++) {
    const row = rows.closed(seq)
    if (row === null) throw unreadable(`row ${seq} is missing`)
    found.add(closedEntry(row, rows.closed(seq - 1)?.head ?? null, rows.recall))
  }
  const pending = rows.pending()
  if (pending !== null && pending.seq > after && found.open()) found.add(pendingEntry(pending, last.head, rows.recall))
  for (const row of rows.queued()) if (row.seq > after && found.open()) found.add(queuedEntry(row))
  return ok(found.page())
}

/** The most that is sent to every watcher of a task at once. Each watcher fetches more at its own pace. */
const FRESH_MAX = 20
const FRESH_CHARS_MAX = 16_000

/** All events after `after`; undefined where they are too many or too long to send to every watcher. */
export function freshEvents(rows: Rows, after: number): Envelope[] | undefined {
  const page = eventPage(rows, after, FRESH_MAX)
  if (!page.ok || page.value.has_more) return undefined
  return JSON.stringify(page.value.data).length > FRESH_CHARS_MAX ? undefined : page.value.data
}
