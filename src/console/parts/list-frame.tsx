/** The frame of a list, newest first: title, choice of a status, curl line and pages. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { get, queryText } from '../api/request.ts'
import type { Page } from '../api/wire.ts'
import { useWords } from '../state/preferences.tsx'
import { useResource } from '../state/use-resource.ts'
import { useTitle } from '../state/use-title.ts'
import { CopyCurl } from './copy.tsx'
import { Field } from './field.tsx'
import { Pager } from './pager.tsx'
import { ProblemNote } from './problem/problem.tsx'
import { useStatusWord } from './status.tsx'
import './list-frame.css'

const WORDS = {
  en: {
    status: 'Status',
    all: 'all',
    list: 'this list',
    loading: 'Reading …',
    shown: (count: number) => `${count} shown`,
  },
  zh: {
    status: '状态',
    all: '全部',
    list: '此列表',
    loading: '正在读取……',
    shown: (count: number) => `显示 ${count} 项`,
  },
}
const PAGE = 20

/** `of` is the path of the list. `first` is the status that is chosen at first; '' stands for any. */
export function useList<T>(of: string, first: string, every_ms: number) {
  const [{ status, after }, turn] = useState<{ status: string; after: string | null }>({ status: first, after: null })
  const path = `${of}${queryText({ status, limit: PAGE, after })}`
  const { value, problem, refresh } = useResource<Page<T>>(path, every_ms)
  const place = useRef<HTMLDivElement>(null)
  return { status, after, turn, path, value, problem, refresh, place }
}

interface Props {
  list: Omit<ReturnType<typeof useList>, 'value'> & { value: Page<unknown> | null }
  title: string
  what: string
  statuses: readonly string[]
  /** How many entries are shown. */
  count: number
  none: string
  noneOf: string
  children: ComponentChildren
}

export function ListFrame({ list, title, what, statuses, count, none, noneOf, children }: Props) {
  const words = useWords(WORDS)
  useTitle(title)
  const { value, problem, status, place, turn } = list
  return (
    <div class="stack" ref={place} tabIndex={-1}>
      <h1>{title}</h1>
      <p class="soft">{what}</p>
      <div class="row list-filter">
        <StatusChoice statuses={statuses} chosen={status} choose={(name) => turn({ status: name, after: null })} />
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

interface ChoiceProps {
  statuses: readonly string[]
  chosen: string
  choose: (status: string) => void
}

function StatusChoice({ statuses, chosen, choose }: ChoiceProps) {
  const words = useWords(WORDS)
  const statusWord = useStatusWord()
  return (
    <Field label={words.status}>
      {(attributes) => (
        <select {...attributes} value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">{words.all}</option>
          {statuses.map((name) => (
            <option key={name} value={name}>
              {statusWord(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
