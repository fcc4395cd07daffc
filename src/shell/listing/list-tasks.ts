/**
 * `GET /tasks` over the ports. A task itself is asked only where its entry has no text: it was just made, is of an
 * earlier release, or has an entry too long to keep. A task that fails breaks no list.
 */
import {
  countDown,
  listEntryOf,
  outcomeOf,
  readListEntry,
  type ListEntry,
} from '../../core/protocol/view/list-entry.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import { foldCase, matchesSearch } from '../../core/workspace/search-match.ts'
import type { IncompleteEntry, TaskEntry } from '../../core/terms/view.ts'
import type { IndexedTask } from '../../core/protocol/workspace-records.ts'
import { dropMissing } from '../delete-task.ts'
import type { Ports } from '../ports.ts'
import type { Caller, Paging, TaskFilter, TaskPage } from '../caller.ts'
import { entryWithLinks } from '../links/task-with-links.ts'
import { findPage } from './find-page.ts'
import { indexStatus } from './index-status.ts'

export async function listTasks(
  ports: Ports,
  caller: Caller,
  filter: TaskFilter,
  paging: Paging,
): Promise<Result<TaskPage>> {
  const page = await findPage(ports, caller.tenant, filter, paging)
  const found = await Promise.all(page.entries.map((indexed) => entryOf(ports, caller, filter, indexed)))
  const data = found.flatMap((one) => (one?.kind === 'entry' ? [one.entry] : []))
  const incomplete = found.flatMap((one) => (one?.kind === 'incomplete' ? [one.entry] : []))
  const { has_more, next } = page
  const shown = { data, has_more, next_cursor: next === null ? null : String(next), as_of: rfc3339(page.as_of) }
  return ok(incomplete.length === 0 ? shown : { ...shown, incomplete })
}

type Found = { kind: 'entry'; entry: TaskEntry } | { kind: 'incomplete'; entry: IncompleteEntry } | null

/** null where there is no such task, or where it has another status or outcome by now, or is no such fork. */
async function entryOf(
  ports: Ports,
  caller: Caller,
  { status, outcome, q, forked_from = null }: TaskFilter,
  indexed: IndexedTask,
): Promise<Found> {
  const now_ms = ports.clock.now_ms()
  const stored_entry = readListEntry(indexed.text)
  const as_of = indexed.as_of ?? now_ms
  const listed =
    stored_entry === null
      ? await askTask(ports, caller, indexed)
      : { entry: countDown(stored_entry, as_of, now_ms), as_of }
  if (listed === 'missing') return null
  if (listed === 'unreadable') return { kind: 'incomplete', entry: incompleteOf(indexed) }
  if (status !== null && listed.entry.status !== status) return null
  if (outcome !== null && outcomeOf(listed.entry) !== outcome) return null
  if (forked_from !== null && listed.entry.forked_from?.id !== forked_from) return null
  // The index database finds a long goal by its words.
  if (q !== null && !matchesSearch(foldCase(q), { id: indexed.id, goal: foldCase(listed.entry.goal) })) return null
  const entry = await entryWithLinks(ports.links, caller.tenant, listed.entry, now_ms)
  return { kind: 'entry', entry: { ...entry, as_of: rfc3339(listed.as_of) } }
}

/** Asks the task itself and reports to the index. */
async function askTask(
  ports: Ports,
  caller: Caller,
  { id }: IndexedTask,
): Promise<{ entry: ListEntry; as_of: number } | 'missing' | 'unreadable'> {
  try {
    const view = await ports.store.of(caller.tenant, id).ask({ kind: 'view' })
    if (view.ok) {
      await indexStatus(ports, caller.tenant, view.value)
      return { entry: listEntryOf(view.value), as_of: ports.clock.now_ms() }
    }
    if (view.refusal.code !== 'task_not_found') return 'unreadable'
    await dropMissing(ports, caller, id)
    return 'missing'
  } catch {
    // The storage is damaged, or the object is being moved. The other entries must not suffer.
    return 'unreadable'
  }
}

const incompleteOf = ({ id, mode, status, metadata, position }: IndexedTask): IncompleteEntry => ({
  id,
  mode,
  status,
  metadata,
  created_at: rfc3339(position),
})
