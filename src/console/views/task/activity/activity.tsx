/** The activity of a task: thoughts, actions, questions and changes of the plan, with the newest at the bottom. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { useTask } from '../task-context.tsx'
import { entryName, type Entry } from './event-entry.ts'
import { labelIn, WORDS as ENTRY_WORDS } from './entry-words.ts'
import {
  addEvents,
  EMPTY_LOG,
  ENTRY_FILTERS,
  filterEntries,
  VISIBLE_MAX,
  visibleEntries,
  type ActivityLog,
  type EntryFilter,
} from './entries.ts'
import { EntryRow } from './entry.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import './activity.css'

const WORDS = wordTable({
  activity: ['Activity', '动态'],
  filter: ['Show', '显示'],
  all: ['All', '全部'],
  thoughts: ['Thoughts', '思考'],
  actions: ['Actions', '操作'],
  plan: ['Plan', '计划'],
  earlier: [(count: number) => `Show earlier (${count})`, (count) => `显示更早的（${count}）`],
  news: [(count: number) => `${count} new`, (count) => `${count} 条新动态`],
  nothing: ['Nothing of this sort has happened yet.', '还没有这一类动态。'],
})

export function Activity() {
  const { task, events } = useTask()
  const words = useWords(WORDS)
  const entries = useEntries(events)
  const [filter, choose] = useState<EntryFilter>('all')
  const [most, show] = useState(VISIBLE_MAX)
  const matching = useMemo(() => filterEntries(entries, filter), [entries, filter])
  // These are the entries that were drawn when the reader left the end. They stay until the reader is back.
  const heldRange = useRef<{ first: number; last: number } | null>(null)
  const first = heldRange.current?.first ?? null
  const { drawn, earlier } = useMemo(() => visibleEntries(matching, most, first), [matching, most, first])
  // The rows depend on the events only, so other changes of the task must not draw them again.
  const rows = useMemo(
    () => drawn.map((entry) => <EntryRow key={entry.seq} entry={entry} task={task.id} />),
    [drawn, task.id],
  )
  const follow = useFollowEnd(drawn)
  useEffect(() => {
    if (follow.follows) show(VISIBLE_MAX)
  }, [follow.follows])
  if (follow.follows) heldRange.current = null
  else heldRange.current ??= { first: drawn[0]?.seq ?? 0, last: matching.at(-1)?.seq ?? 0 }
  const seen = heldRange.current?.last ?? null
  const news = seen === null ? 0 : matching.filter(({ seq }) => seq > seen).length
  const showEarlier = () => {
    follow.keepPlace()
    // The button disappears with the last of the earlier entries.
    if (earlier <= VISIBLE_MAX) follow.box.current?.focus()
    heldRange.current = null
    show(drawn.length + VISIBLE_MAX)
  }
  return (
    <div class="activity">
      <Filters
        chosen={filter}
        choose={(name) => {
          choose(name)
          show(VISIBLE_MAX)
          follow.toEnd()
        }}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
      <section ref={follow.box} class="activity-box card" aria-label={words.activity} tabIndex={0}>
        {earlier > 0 && (
          <Button kind="quiet" onClick={showEarlier}>
            {words.earlier(earlier)}
          </Button>
        )}
        {drawn.length === 0 && <p class="soft">{words.nothing}</p>}
        <ol ref={follow.list} class="activity-list">
          {rows}
        </ol>
      </section>
      <NewestEntry entries={entries} />
      {news > 0 && (
        <div class="activity-news">
          <Button kind="main" onClick={follow.toEnd}>
            ↓ {words.news(news)}
          </Button>
        </div>
      )}
    </div>
  )
}

const READ_OUT_CHARS = 200
/** A screen reader could not follow more often than this. */
const READ_OUT_MS = 1_000

/** Lets a screen reader read out the newest entry, but none that was there when the page was opened. */
function NewestEntry({ entries }: { entries: readonly Entry[] }) {
  const words = useWords(ENTRY_WORDS)
  const latest = useRef(entries.at(-1) ?? null)
  latest.current = entries.at(-1) ?? null
  const [[first, newest], setPair] = useState<[Entry | null, Entry | null]>([null, null])
  useEffect(() => {
    const readOut = () =>
      setPair((before) => (latest.current === before[1] ? before : [before[0] ?? latest.current, latest.current]))
    const timer = setInterval(readOut, READ_OUT_MS)
    return () => clearInterval(timer)
  }, [])
  const isNew = newest !== null && newest.seq !== first?.seq
  const text = isNew ? `${labelIn(words.names, entryName(newest))} ${'text' in newest ? newest.text : ''}`.trim() : ''
  return <output class="aside">{text.slice(0, READ_OUT_CHARS)}</output>
}

function Filters({ chosen, choose }: { chosen: EntryFilter; choose: (filter: EntryFilter) => void }) {
  const words = useWords(WORDS)
  return (
    <fieldset class="row">
      <legend class="aside">{words.filter}</legend>
      {ENTRY_FILTERS.map((name) => (
        <Button key={name} kind="quiet" pressed={name === chosen} onClick={() => choose(name)}>
          {words[name]}
        </Button>
      ))}
    </fieldset>
  )
}

/** Adds the new events to the log. If another list of events takes the place of the last one, the log begins again. */
function useEntries(events: Parameters<typeof addEvents>[1]) {
  const activity = useRef<ActivityLog>(EMPTY_LOG)
  return useMemo(() => {
    const isLater = (events.at(-1)?.seq ?? 0) >= activity.current.seq
    activity.current = addEvents(isLater ? activity.current : EMPTY_LOG, events)
    return activity.current.entries
  }, [events])
}
