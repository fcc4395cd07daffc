/** Which tasks are wanted: a search, a status, a mode. What is chosen goes into the address. */
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
const SOUGHT_MAX = 200

export function Filters({ asked }: { asked: ListQuery }) {
  const words = useWords(WORDS)
  const statusWord = useStatusWord()
  const sought = asked['q'] ?? ''
  const [text, type] = useState(sought)
  // Whoever goes back sees what is searched then.
  useEffect(() => type(sought), [sought])
  const choose = (name: TaskFilter, value: string) => go(withFilters(asked, { q: text.trim(), [name]: value }))
  const select = (name: 'status' | 'mode', options: readonly string[], wordOf: (option: string) => string) => (
    <Field label={words[name]}>
      {(attributes: ControlAttributes) => (
        <select
          {...attributes}
          value={asked[name] ?? ''}
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
            maxLength={SOUGHT_MAX}
            value={text}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit">{words.search}</Button>
      {select('status', STATUSES, statusWord)}
      {select('mode', MODES, (mode) => mode)}
      {isFiltered(asked) && (
        <a class="button quiet" href={fragmentOf({ view: 'tasks', query: {} })}>
          {words.clear}
        </a>
      )}
    </form>
  )
}
