/** The frame of a list, newest first: title, choice of a status, curl line and pages. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { get, queryText } from '../api/request.ts'
import type { Page } from '../api/wire.ts'
import { useWords, wordTable } from '../state/preferences.tsx'
import { useResource } from '../state/use-resource.ts'
import { useTitle } from '../state/use-title.ts'
import { Button } from './button.tsx'
import { CopyCurl } from './copy.tsx'
import { SelectField } from './form.tsx'
import { ProblemNote } from './problem/problem.tsx'
import { useStatusWord } from './status.tsx'
import './list-frame.css'

const WORDS = wordTable({
  status: ['Status', '状态'],
  all: ['all', '全部'],
  list: ['this list', '此列表'],
  loading: ['Reading …', '正在读取……'],
  pages: ['Pages', '翻页'],
  newest: ['Newest', '最新'],
  older: ['Older', '更早'],
  first: ['First', '首页'],
  next: ['Next', '下一页'],
  shown: [(count: number) => `${count} shown`, (count) => `显示 ${count} 项`],
})
const PAGE = 20

/**
 * `of` is the path of the list, and `filter` what it is asked for beside the status. `first` is the status that is chosen at first; '' stands for
 * any.
 */
export function useList<T>(of: string, first: string, every_ms: number, filter: Record<string, string> = {}) {
  const [{ status, after }, turn] = useState<{ status: string; after: string | null }>({ status: first, after: null })
  const path = `${of}${queryText({ status, ...filter, limit: PAGE, after })}`
  const { value, problem, refresh } = useResource<Page<T>>(path, every_ms)
  const place = useRef<HTMLDivElement>(null)
  return { status, after, turn, path, value, problem, refresh, place }
}

interface Props {
  list: Omit<ReturnType<typeof useList>, 'value'> & { value: Page<unknown> | null }
  title: string
  what: string
  statuses: readonly string[]
  /** Further choices beside that of the status. */
  choices?: ComponentChildren
  /** How many entries are shown. */
  count: number
  none: string
  noneOf: string
  children: ComponentChildren
}

export function ListFrame({ list, title, what, statuses, choices, count, none, noneOf, children }: Props) {
  const words = useWords(WORDS)
  const statusWord = useStatusWord()
  useTitle(title)
  const { value, problem, status, place, turn } = list
  return (
    <div class="stack" ref={place} tabIndex={-1}>
      <h1>{title}</h1>
      <p class="soft">{what}</p>
      <div class="row list-filter">
        <SelectField
          label={words.status}
          value={status}
          options={[['', words.all], ...statuses.map((name) => [name, statusWord(name)] as const)]}
          change={(name) => turn({ status: name, after: null })}
        />
        {choices}
        <CopyCurl request={get(list.path)} of={words.list} />
        <output class="soft small">{value === null ? '' : words.shown(count)}</output>
      </div>
      <ProblemNote problem={problem} />
      {value === null && problem === null && <p class="soft">{words.loading}</p>}
      {value !== null && count === 0 && <p class="card">{status === '' ? none : noneOf}</p>}
      {children}
      <Pager
        after={list.after}
        next={value?.next_cursor ?? null}
        onTurn={(after) => {
          turn({ status, after })
          place.current?.focus()
        }}
      />
    </div>
  )
}

interface PagerProps {
  /** The cursor of the page that is shown; null on the first page. */
  after: string | null
  /** The cursor of the next page; null if there is none. */
  next: string | null
  onTurn: (after: string | null) => void
  /** The list is in the order of names. */
  isByName?: boolean
}

/** The buttons to the next page, and back to the first one. */
export function Pager({ after, next, onTurn, isByName = false }: PagerProps) {
  const words = useWords(WORDS)
  if (after === null && next === null) return null
  return (
    <nav class="row" aria-label={words.pages}>
      <Button disabled={after === null} onClick={() => onTurn(null)}>
        {isByName ? words.first : words.newest}
      </Button>
      <Button disabled={next === null} onClick={() => onTurn(next)}>
        {isByName ? words.next : words.older}
      </Button>
    </nav>
  )
}
