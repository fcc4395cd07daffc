/** The form of a todo. What is typed stays until the service has accepted it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useDraft } from '../../state/drafts.ts'
import { InputField } from '../../parts/form.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { NO_TODO, todoAdd, todoUpdate, type FieldError, type TodoDraft } from './commands.ts'
import { useFieldError } from './use-field-error.ts'
import { CommandForm } from './command-form.tsx'
import { draftOfTodo, type TodoRow } from './command-rows.ts'
import { useCommandAction } from './use-command.ts'

const WORDS = wordTable({
  content: ['What is to be done', '要做的事'],
  tag: ['Tag', '标签'],
  priority: ['Priority', '优先级'],
  smaller: ['0 is the most urgent.', '0 最紧急。'],
  due: ['Due', '截止'],
  remind: ['Remind', '提醒'],
  add: ['Add todo', '添加待办'],
  stays: [
    'A due time or a reminder can be changed, not taken away: left empty, it stays.',
    '截止时间和提醒只能更改，不能清除：留空则保持不变。',
  ],
})

interface Props {
  /** null: the todo is new. */
  todo: TodoRow | null
  onDone: () => void
  onCancel?: () => void
}

export function TodoForm({ todo, onDone, onCancel }: Props) {
  const words = useWords(WORDS)
  // The draft of a new todo stays when the view is left. The draft of an edit ends with its form.
  const stored = useDraft('todo', NO_TODO)
  const [own, setOwn] = useState<TodoDraft>(todo === null ? NO_TODO : draftOfTodo(todo))
  const [draft, set] = todo === null ? [stored.value, stored.change] : [own, setOwn]
  const [error, setError] = useState<FieldError | null>(null)
  const command = useCommandAction()
  const first = useRef<HTMLInputElement>(null)
  const isNew = todo === null
  useLayoutEffect(() => {
    if (!isNew) first.current?.focus()
  }, [isNew])
  const errorOf = useFieldError(error)
  const line = todo === null ? todoAdd(draft) : todoUpdate(todo.id, draft)
  const submit = async () => {
    setError(line.ok ? null : line.error)
    if (!line.ok || (await command.run(line.value)) === null) return
    if (isNew) {
      // A text that was typed while the todo was added is the next todo.
      set((now) => (now === draft ? NO_TODO : now))
      first.current?.focus()
    }
    onDone()
  }
  const input = (name: keyof TodoDraft) => ({
    label: words[name],
    value: draft[name],
    error: errorOf(name),
    autocomplete: 'off' as const,
    change: (value: string) => set((before) => ({ ...before, [name]: value })),
  })
  return (
    <CommandForm
      id={todo?.id ?? null}
      add={words.add}
      note={words.stays}
      {...{ line, command, onCancel }}
      onSubmit={() => void submit()}
    >
      <div class="desk-wide">
        <InputField {...input('content')} focus={first} />
      </div>
      <InputField {...input('tag')} placeholder={todo === null ? 'default' : ''} />
      <InputField {...input('priority')} type="number" min={0} help={words.smaller} />
      <InputField {...input('due')} type="datetime-local" />
      <InputField {...input('remind')} type="datetime-local" />
    </CommandForm>
  )
}
