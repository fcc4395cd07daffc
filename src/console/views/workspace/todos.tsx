/** The todos of the workspace, filtered by state, view, tag and text, with a form for a new one. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { CopyCurl } from '../../parts/copy.tsx'
import { InputField, SelectField } from '../../parts/form.tsx'
import { TryAgain } from '../../parts/problem/try-again.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { todoList, todoSearch, TODO_VIEWS } from './commands.ts'
import { useFieldError } from './use-field-error.ts'
import { moreOf, todosOf } from './command-rows.ts'
import { TodoForm } from './todo-form.tsx'
import { TodoItem } from './todo-item.tsx'
import { useCommandRequest, useCommandReading } from './use-command.ts'

const WORDS = wordTable({
  title: ['Todos', '待办'],
  show: ['Show', '显示'],
  open: ['open', '未完成'],
  done: ['done', '已完成'],
  all: ['all', '全部'],
  today: ['due today', '今天截止'],
  overdue: ['overdue', '已逾期'],
  upcoming: ['due within 7 days', '7 天内截止'],
  inbox: ['without a due time', '无截止时间'],
  tag: ['Tag', '标签'],
  text: ['Contains', '包含文字'],
  loading: ['Reading …', '正在读取……'],
  none: ['Nothing here.', '这里没有内容。'],
  list: ['this list', '此列表'],
  shown: [(n: number) => (n === 1 ? '1 todo' : `${n} todos`), (n) => `${n} 条待办`],
  more: [
    (n: number) => `… and ${n} more, which one answer has no room for. Narrow the list.`,
    (n) => `……另有 ${n} 条，一次应答放不下。请缩小范围。`,
  ],
})
/** The page itself separates open todos from done ones, because no command does. */
const STATES = ['open', 'done', 'all'] as const
const CHOICES = [...STATES, ...TODO_VIEWS]
type Show = (typeof CHOICES)[number]
interface TodoFilter {
  show: Show
  tag: string
  keyword: string
}

export function Todos({ version, onChanged }: { version: number; onChanged: () => void }) {
  const words = useWords(WORDS)
  const request = useCommandRequest()
  const [filter, setFilter] = useState<TodoFilter>({ show: 'open', tag: '', keyword: '' })
  const heading = useRef<HTMLHeadingElement>(null)
  const { show } = filter
  const tag = useDebouncedText(filter.tag)
  const keyword = useDebouncedText(filter.keyword)
  const view = TODO_VIEWS.find((name) => name === show) ?? null
  const line = keyword.trim() === '' ? todoList(tag, view) : todoSearch(keyword, tag)
  const [editCount, setEditCount] = useState(0)
  const reading = useCommandReading(line.ok ? line.value : null, version, editCount > 0)
  const { value: result, problem } = reading
  const errorOf = useFieldError(line.ok ? null : line.error)
  const todos = result === null ? [] : todosOf(result).filter(({ done }) => isShown(show, done))
  return (
    <section class="card stack" aria-labelledby="desk-todos">
      <div class="row">
        <h2 id="desk-todos" ref={heading} tabIndex={-1}>
          {words.title}
        </h2>
        <output class="soft small push">{result === null ? '' : words.shown(todos.length)}</output>
        {line.ok && <CopyCurl request={request(line.value)} of={words.list} />}
      </div>
      <TodoForm todo={null} onDone={onChanged} />
      <Filter filter={filter} errorOf={errorOf} onChange={(part) => setFilter((before) => ({ ...before, ...part }))} />
      {problem !== null && <TryAgain of={reading} />}
      {result !== null && result.kind === 'usage_error' && <p class="said">{result.text}</p>}
      {result === null && problem === null && line.ok && <p class="soft">{words.loading}</p>}
      {result?.ok === true && todos.length === 0 && <p class="soft">{words.none}</p>}
      <ul class="desk-list">
        {todos.map((todo) => (
          <TodoItem
            key={todo.id}
            todo={todo}
            onChanged={onChanged}
            onGone={() => heading.current?.focus()}
            onEditing={setEditCount}
          />
        ))}
      </ul>
      {result !== null && moreOf(result) > 0 && <p class="soft">{words.more(moreOf(result))}</p>}
    </section>
  )
}

/** A request for each letter would be too many, so the list follows a pause in typing. */
const TYPING_PAUSE_MS = 250

function useDebouncedText(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const isView = (show: Show) => TODO_VIEWS.some((name) => name === show)
const isShown = (show: Show, done: boolean) => (show === 'open' ? !done : show === 'done' ? done : true)

interface FilterProps {
  filter: TodoFilter
  errorOf: ReturnType<typeof useFieldError>
  onChange: (part: Partial<TodoFilter>) => void
}

function Filter({ filter, errorOf, onChange }: FilterProps) {
  const words = useWords(WORDS)
  return (
    <search class="desk-form desk-filter">
      <SelectField
        label={words.show}
        value={filter.show}
        options={CHOICES.map((name) => [name, words[name]])}
        // A search cannot be combined with a view.
        change={(show) => onChange({ show, ...(isView(show) && { keyword: '' }) })}
      />
      <InputField
        label={words.tag}
        error={errorOf('tag')}
        autocomplete="off"
        value={filter.tag}
        change={(tag) => onChange({ tag })}
      />
      <InputField
        label={words.text}
        error={errorOf('content')}
        type="search"
        autocomplete="off"
        value={filter.keyword}
        change={(keyword) => onChange({ keyword, ...(keyword !== '' && isView(filter.show) && { show: 'all' }) })}
      />
    </search>
  )
}
