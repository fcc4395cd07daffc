/** Counts the tasks that need a person: those with an open question, and those that are paused. */
import { useEffect, useRef } from 'preact/hooks'
import type { Page, TaskEntry } from '../../api/wire.ts'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useResource } from '../../state/use-resource.ts'
import { withFilters, waitingPath } from './listing.ts'

const WORDS = wordTable({
  title: ['Need you', '需要您处理'],
  input_required: [
    (count: string) => (count === '1' ? '1 waits for an answer' : `${count} wait for an answer`),
    (count) => `${count} 个等待回答`,
  ],
  paused: [(count: string) => (count === '1' ? '1 is paused' : `${count} are paused`), (count) => `${count} 个已暂停`],
  nobody: ['No task waits for you.', '没有任务在等您。'],
})
/** The list is read more often and shows when something has changed. */
const EVERY_MS = 30_000
const KINDS = ['input_required', 'paused'] as const

/** `statuses` are those of the list. The tasks are counted again when they change. */
export function WaitingCounts({ statuses }: { statuses: string | null }) {
  const words = useWords(WORDS)
  const counts = { input_required: useCount('input_required', statuses), paused: useCount('paused', statuses) }
  if (counts.input_required === null || counts.paused === null) return null
  const some = KINDS.filter((kind) => counts[kind] !== '0')
  return (
    <output class="tasks-waiting row">
      {some.length === 0 ? <span class="soft">{words.nobody}</span> : <strong>{words.title}:</strong>}
      {some.map((kind) => (
        <a
          key={kind}
          class={`status ${kind === 'paused' ? 'held' : 'wait'}`}
          href={fragmentOf(withFilters({}, { status: kind }))}
        >
          {words[kind](counts[kind] ?? '')}
        </a>
      ))}
    </output>
  )
}

/** Returns the count as far as one page shows it; null if it is unknown. */
function useCount(status: (typeof KINDS)[number], statuses: string | null): string | null {
  const { value, refresh } = useResource<Page<TaskEntry>>(waitingPath(status), EVERY_MS)
  const before = useRef(statuses)
  useEffect(() => {
    if (before.current !== null && statuses !== null && before.current !== statuses) refresh()
    if (statuses !== null) before.current = statuses
  }, [statuses, refresh])
  if (value === null) return null
  return value.has_more ? `${value.data.length}+` : String(value.data.length)
}
