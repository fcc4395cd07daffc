/** The filters of the list: a search, a status and a mode. The address holds them. */
import { useEffect, useState } from 'preact/hooks'
import { MODES } from '../../api/mode-traits.ts'
import { STATUSES } from '../../api/wire-names.ts'
import { Button } from '../../parts/button.tsx'
import { Field, type ControlAttributes } from '../../parts/field.tsx'
import { useStatusWord } from '../../parts/status.tsx'
import { fragmentOf } from '../../route.ts'
import { useWords } from '../../state/preferences.tsx'
import { go } from '../../state/use-route.ts'
import { withFilters, isFiltered, type ListQuery, type TaskFilter } from './listing.ts'

const WORDS = {
  en: {
    filter: 'Filter the list',
    q: 'Goal or id contains',
    search: 'Search',
    status: 'Status',
    mode: 'Mode',
    any: 'any',
    clear: 'Clear filters',
  },
  zh: {
    filter: '筛选列表',
    q: '目标或编号包含',
    search: '搜索',
    status: '状态',
    mode: '模式',
    any: '不限',
    clear: '清除筛选',
  },
}
const SEARCH_MAX = 200

export function Filters({ query }: { query: ListQuery }) {
  const words = useWords(WORDS)
  const statusWord = useStatusWord()
  const search = query['q'] ?? ''
  const [text, setText] = useState(search)
  // After going back the field shows the search of that page.
  useEffect(() => setText(search), [search])
  const choose = (name: TaskFilter, value: string) => go(withFilters(query, { q: text.trim(), [name]: value }))
  const select = (name: 'status' | 'mode', options: readonly string[], wordOf: (option: string) => string) => (
    <Field label={words[name]}>
      {(attributes: ControlAttributes) => (
        <select
          {...attributes}
          value={query[name] ?? ''}
          onChange={({ currentTarget }) => choose(name, currentTarget.value)}
        >
          <option value="">{words.any}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {wordOf(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  return (
    <form
      class="tasks-filters"
      aria-label={words.filter}
      onSubmit={(event) => {
        event.preventDefault()
        choose('q', text.trim())
      }}
    >
      <Field label={words.q}>
        {(attributes: ControlAttributes) => (
          <input
            {...attributes}
            type="search"
            maxLength={SEARCH_MAX}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit">{words.search}</Button>
      {select('status', STATUSES, statusWord)}
      {select('mode', MODES, (mode) => mode)}
      {isFiltered(query) && (
        <a class="button quiet" href={fragmentOf({ view: 'tasks', query: {} })}>
          {words.clear}
        </a>
      )}
    </form>
  )
}
