/** One todo of the list, with its actions. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { useWords, wordTable } from '../../state/preferences.tsx'
import { CommandRefusal } from './command-refusal.tsx'
import { todoDelete, todoDone } from './commands.ts'
import { RemoveButton } from './remove-button.tsx'
import type { TodoRow } from './command-rows.ts'
import { TodoForm } from './todo-form.tsx'
import { useCommandAction, useCommandRequest } from './use-command.ts'

const WORDS = wordTable({
  done: ['Done', '完成'],
  tick: [(id: number) => `Tick todo #${id} as done`, (id) => `将待办 #${id} 标记为完成`],
  isDone: ['done', '已完成'],
  edit: ['Edit', '编辑'],
  editOf: [(id: number) => `Edit todo #${id}`, (id) => `编辑待办 #${id}`],
  todo: [(id: number) => `todo #${id}`, (id) => `待办 #${id}`],
  question: ['Delete it?', '确定删除？'],
  priority: [(n: number) => `priority ${n}`, (n) => `优先级 ${n}`],
  due: ['due', '截止'],
  remind: ['reminder', '提醒'],
  completed: ['done at', '完成于'],
  remove: ['Delete', '删除'],
})

interface Props {
  todo: TodoRow
  onChanged: () => void
  /** Moves the focus, because the todo has left the list with the button that had it. */
  onGone: () => void
  /** Changes the number of todos that are being edited. */
  onEditing: (change: (before: number) => number) => void
}

export function TodoItem({ todo, onChanged, onGone, onEditing }: Props) {
  const words = useWords(WORDS)
  const command = useCommandAction()
  const [isEditing, setEditing] = useState(false)
  const place = useRef<HTMLLIElement>(null)
  const wasEditing = useRef(false)
  useLayoutEffect(() => {
    // The button that opened the form is back and gets the focus.
    if (!isEditing && wasEditing.current) place.current?.querySelector<HTMLButtonElement>('.desk-edit button')?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  useEffect(() => {
    if (!isEditing) return
    onEditing((before) => before + 1)
    return () => onEditing((before) => before - 1)
  }, [isEditing, onEditing])
  const act = async (line: string) => {
    if ((await command.run(line)) === null) return
    onGone()
    onChanged()
  }
  const close = () => setEditing(false)
  if (isEditing)
    return (
      <li class="desk-item" ref={place}>
        <TodoForm
          todo={todo}
          onCancel={close}
          onDone={() => {
            close()
            onChanged()
          }}
        />
      </li>
    )
  return (
    <li class="desk-item" ref={place}>
      <div class="desk-line">
        {!todo.done && (
          <Button label={words.tick(todo.id)} busy={command.busy} onClick={() => void act(todoDone(todo.id))}>
            <span aria-hidden="true">✓</span> {words.done}
          </Button>
        )}
        <div class="desk-said">
          <p class={todo.done ? 'said desk-done' : 'said'}>{todo.content}</p>
          <Facts todo={todo} />
        </div>
        <Actions
          todo={todo}
          busy={command.busy}
          onEdit={() => setEditing(true)}
          onRemove={() => void act(todoDelete(todo.id))}
        />
      </div>
      <CommandRefusal command={command} />
    </li>
  )
}

interface ActionsProps {
  todo: TodoRow
  busy: boolean
  onEdit: () => void
  onRemove: () => void
}

function Actions({ todo, busy, onEdit, onRemove }: ActionsProps) {
  const words = useWords(WORDS)
  const request = useCommandRequest()
  return (
    <div class="row push">
      <span class="desk-edit">
        <Button kind="quiet" label={words.editOf(todo.id)} onClick={onEdit}>
          {words.edit}
        </Button>
      </span>
      <RemoveButton of={words.todo(todo.id)} question={words.question} busy={busy} onRemove={onRemove} />
      <details class="desk-curl small">
        <summary>curl</summary>
        <div class="row">
          {!todo.done && (
            <span>
              {words.done}
              <CopyCurl request={request(todoDone(todo.id))} of={words.tick(todo.id)} />
            </span>
          )}
          <span>
            {words.remove}
            <CopyCurl request={request(todoDelete(todo.id))} of={`${words.remove}: ${words.todo(todo.id)}`} />
          </span>
        </div>
      </details>
    </div>
  )
}

function Facts({ todo }: { todo: TodoRow }) {
  const words = useWords(WORDS)
  const times = [
    ['due', todo.due],
    ['remind', todo.remind],
    ['completed', todo.completed_at],
  ] as const
  return (
    <p class="desk-facts soft small number">
      <span>#{todo.id}</span>
      {todo.done && <span class="desk-good">✓ {words.isDone}</span>}
      <span class="desk-tag">{todo.tag}</span>
      <span>{words.priority(todo.priority)}</span>
      {times.map(([name, time]) => time !== null && <span key={name}>{`${words[name]} ${time}`}</span>)}
    </p>
  )
}
