/** The index of tasks in memory, and its pages. */
import type { ListedText } from '../../../src/core/protocol/view/list-entry.ts'
import type { IndexEntry, IndexFilter, IndexPage } from '../../../src/core/protocol/workspace-records.ts'
import type { WorkspaceQuery } from '../../../src/core/protocol/workspace-requests.ts'
import type { Outcome } from '../../../src/core/terms/status.ts'
import { foldCase, matchesSearch } from '../../../src/core/workspace/search-match.ts'

export type Indexed = IndexEntry & {
  position: number
  version: number
  admitted_at: number
  admitted: string
  outcome: Outcome | null
}

export function pageOf(
  tasks: readonly Indexed[],
  told: (id: string) => ListedText | null,
  { filter, before, limit }: WorkspaceQuery<'list'>,
): IndexPage {
  const found = tasks
    .filter((task) => (before === 0 || task.position < before) && fits(task, filter))
    .sort((a, b) => b.position - a.position)
  const entries = found.slice(0, limit).map(({ id, position, mode, status, metadata, admitted_at }) => {
    const { text = null, as_of = null } = told(id) ?? {}
    return { id, position, mode, status, metadata, admitted_at, text, as_of }
  })
  const next = found.length > limit ? (entries.at(-1)?.position ?? null) : null
  return { entries, has_more: next !== null, next }
}

function fits(
  task: Indexed,
  { status, mode, metadata, q, outcome, forked_from = null, agent = null }: IndexFilter,
): boolean {
  const tagged = Object.entries(metadata).every(([key, value]) => task.metadata[key] === value)
  const found = q === null || matchesSearch(foldCase(q), { id: task.id, goal: foldCase(task.goal) })
  const ended = outcome === null || task.outcome === outcome
  const forked = forked_from === null || task.forked_from === forked_from
  const made = agent === null || task.agent === agent
  const filed = (status === null || task.status === status) && (mode === null || task.mode === mode)
  return filed && tagged && found && ended && forked && made
}
