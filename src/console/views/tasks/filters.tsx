/** The filters of the list: a search, a status, an outcome and a mode. The address holds them. */
import { useEffect, useState } from 'preact/hooks'
import { MODES } from '../../api/mode-traits.ts'
import { OUTCOMES, STATUSES } from '../../../core/terms/plain/wire-names.ts'
import { Button } from '../../parts/button.tsx'
import { handleSubmit, InputField, SelectField } from '../../parts/form.tsx'
import { useOutcomeWord, useStatusWord } from '../../parts/status.tsx'
import { fragmentOf } from '../../route.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { go } from '../../state/use-route.ts'
import { withFilters, isFiltered, type ListQuery, type TaskFilter } from './listing.ts'

const WORDS = wordTable({
  filter: ['Filter the list', '筛选列表'],
  q: ['Goal or id contains', '目标或编号包含'],
  search: ['Search', '搜索'],
  status: ['Status', '状态'],
  outcome: ['Outcome', '结果'],
  mode: ['Mode', '模式'],
  any: ['any', '不限'],
  clear: ['Clear filters', '清除筛选'],
})
const SEARCH_MAX = 200

export function Filters({ query }: { query: ListQuery }) {
  const words = useWords(WORDS)
  const statusWord = useStatusWord()
  const outcomeWord = useOutcomeWord()
  const search = query['q'] ?? ''
  const [text, setText] = useState(search)
  // After going back the field shows the search of that page.
  useEffect(() => setText(search), [search])
  const choose = (name: TaskFilter, value: string) => go(withFilters(query, { q: text.trim(), [name]: value }))
  const select = <Option extends string>(
    name: 'status' | 'outcome' | 'mode',
    options: readonly Option[],
    wordOf: (option: Option) => string,
  ) => (
    <SelectField
      label={words[name]}
      value={query[name] ?? ''}
      options={[['', words.any], ...options.map((option) => [option, wordOf(option)] as const)]}
      change={(value) => choose(name, value)}
    />
  )
  return (
    <form class="tasks-filters" aria-label={words.filter} onSubmit={handleSubmit(() => choose('q', text.trim()))}>
      <InputField label={words.q} type="search" maxLength={SEARCH_MAX} value={text} change={setText} />
      <Button type="submit">{words.search}</Button>
      {select('status', STATUSES, statusWord)}
      {select('outcome', OUTCOMES, outcomeWord)}
      {select('mode', MODES, (mode) => mode)}
      {isFiltered(query) && (
        <a class="button quiet" href={fragmentOf({ view: 'tasks', query: {} })}>
          {words.clear}
        </a>
      )}
    </form>
  )
}
