/** The list of tasks: how many wait for a person, filters, one page, and links to the others. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { Page, TaskEntry } from '../../api/wire.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { ProblemNote } from '../../parts/problem/problem.tsx'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { useTitle } from '../../state/use-title.ts'
import { useResource } from '../../state/use-resource.ts'
import { Filters } from './filters.tsx'
import {
  isFiltered,
  isFirst,
  readAgainAfter,
  newerPage,
  olderPage,
  pageNumber,
  pathOf,
  statusesOf,
  type ListQuery,
} from './listing.ts'
import { TaskTable } from './task-table.tsx'
import { WaitingCounts } from './waiting-counts.tsx'
import './tasks.css'

const WORDS = wordTable({
  title: ['Tasks', '任务'],
  new: ['New task', '新任务'],
  list: ['List of tasks', '任务列表'],
  loading: ['Reading the tasks …', '正在读取任务……'],
  none: ['There is no task yet.', '还没有任务。'],
  first: ['Post the first goal', '提交第一个目标'],
  unmatched: ['No task matches.', '没有符合条件的任务。'],
  emptied: ['Nothing is left on this page.', '这一页已经没有任务了。'],
  clear: ['Show all tasks', '显示全部任务'],
  pages: ['Pages', '分页'],
  page: [(number: number) => `Page ${number}`, (number) => `第 ${number} 页`],
  newer: ['← Newer', '← 较新'],
  older: ['Older →', '较早 →'],
})
const ALL = fragmentOf({ view: 'tasks', query: {} })

export function TasksView({ query }: { query: ListQuery }) {
  const words = useWords(WORDS)
  useTitle(words.title)
  const path = pathOf(query)
  const { value, problem } = useResource<Page<TaskEntry>>(path, readAgainAfter(query))
  const shown = useLastValue(value)
  const page = value ?? (problem === null ? shown : null)
  const list = useRef<HTMLElement>(null)
  useFocusOnPage(query['after'] ?? '', list)
  return (
    <div class="tasks stack">
      <div class="row">
        <h1>{words.title}</h1>
        <div class="row push">
          <CopyCurl request={get(path)} of={words.list} />
          <a class="button main tasks-new" href="#/new">
            {words.new}
          </a>
        </div>
      </div>
      <WaitingCounts statuses={value === null ? null : statusesOf(value.data)} />
      <Filters query={query} />
      <ProblemNote problem={problem} />
      <section ref={list} tabIndex={-1} aria-label={words.list} aria-busy={value === null} class="tasks-list stack">
        {page === null ? (
          problem === null && <p class="soft">{words.loading}</p>
        ) : (
          <>
            {page.data.length === 0 ? <Nothing query={query} /> : <TaskTable tasks={page.data} />}
            <Pages query={query} next={value?.next_cursor ?? null} />
          </>
        )}
      </section>
    </div>
  )
}

function Nothing({ query }: { query: ListQuery }) {
  const words = useWords(WORDS)
  const all = isFirst(query) && !isFiltered(query)
  return (
    <div class="card tasks-nothing stack">
      <p>{all ? words.none : isFirst(query) ? words.unmatched : words.emptied}</p>
      <a href={all ? '#/new' : ALL}>{all ? words.first : words.clear}</a>
    </div>
  )
}

/** `next` is the cursor of the next page; null while an earlier page is still shown. */
function Pages({ query, next }: { query: ListQuery; next: string | null }) {
  const words = useWords(WORDS)
  if (isFirst(query) && next === null) return null
  return (
    <nav class="row tasks-pages" aria-label={words.pages}>
      {!isFirst(query) && (
        <a class="button" href={fragmentOf(newerPage(query))}>
          {words.newer}
        </a>
      )}
      <span class="soft small">{words.page(pageNumber(query))}</span>
      {next !== null && (
        <a class="button" href={fragmentOf(olderPage(query, next))}>
          {words.older}
        </a>
      )}
    </nav>
  )
}

/** Returns the last value until the answer for the next page has come, so that the list does not flicker. */
function useLastValue<T>(value: T | null): T | null {
  const last = useRef<T | null>(null)
  if (value !== null) last.current = value
  return last.current
}

/** Moves the focus to the list of a new page, because the link that led there may be gone. */
function useFocusOnPage(after: string, list: { current: HTMLElement | null }): void {
  const before = useRef(after)
  useLayoutEffect(() => {
    if (before.current === after) return
    before.current = after
    list.current?.focus()
  }, [after, list])
}
