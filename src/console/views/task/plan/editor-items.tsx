/** The items of the editor. Buttons move, add and remove the open ones, and finished ones cannot be changed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { newUuid } from '../../../api/uuid.ts'
import { Button } from '../../../parts/button.tsx'
import { TextAreaField } from '../../../parts/form.tsx'
import { StatusMark } from '../../../parts/status.tsx'
import type { PlanItem } from '../../../api/wire.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { isOpen } from './changes.ts'
import { CHARS_MAX, changeItem, emptyItem, PLAN_ITEMS_MAX, moveItem, type DraftItem } from './plan-draft.ts'

const WORDS = wordTable({
  finished: ['Finished items stay as they are', '已结束的条目保持不变'],
  items: ['Items to be done, in order', '待完成的条目（按顺序）'],
  title: [(place: number) => `Title of item ${place}`, (place) => `第 ${place} 项的标题`],
  details: ['Description and expected output', '说明与预期产出'],
  description: ['Description', '说明'],
  expected: ['Expected output', '预期产出'],
  up: [(title: string) => `Move “${title}” up`, (title) => `上移“${title}”`],
  down: [(title: string) => `Move “${title}” down`, (title) => `下移“${title}”`],
  remove: [(title: string) => `Remove “${title}”`, (title) => `移除“${title}”`],
  add: ['Add an item', '添加条目'],
  place: [
    (title: string, place: number, of: number) => `“${title}” is now ${place} of ${of}.`,
    (title, place, of) => `“${title}”现在是第 ${place} 项，共 ${of} 项。`,
  ],
  removed: [(title: string) => `“${title}” is removed.`, (title) => `已移除“${title}”。`],
  nothing: ['No items are left to be done.', '没有待完成的条目。'],
  untitled: ['untitled', '无标题'],
})

interface Props {
  /** The items of the current plan. Only the finished ones are shown. */
  fixed: readonly PlanItem[]
  items: readonly DraftItem[]
  set: (items: DraftItem[]) => void
}
type Move = -1 | 1
/** The control that gets the focus once the list is drawn. */
type Target = { key: string; control: 'title' | Move } | 'add'

export function EditorItems({ fixed, items, set }: Props) {
  const words = useWords(WORDS)
  const box = useRef<HTMLDivElement>(null)
  const [message, setMessage] = useState('')
  const target = useRef<Target | null>(null)
  useLayoutEffect(() => {
    if (target.current !== null && box.current !== null) focusOn(box.current, target.current)
    target.current = null
  }, [items])
  const finished = fixed.filter((item) => !isOpen(item))
  const titleOf = ({ title }: DraftItem) => title.trim() || words.untitled
  const move = (item: DraftItem, step: Move) => {
    const next = moveItem(items, item.key, step)
    target.current = { key: item.key, control: step }
    setMessage(words.place(titleOf(item), next.findIndex(({ key }) => key === item.key) + 1, next.length))
    set(next)
  }
  const remove = (item: DraftItem, index: number) => {
    const next = items.filter((other) => other !== item)
    const neighbour = next[Math.min(index, next.length - 1)]
    target.current = neighbour === undefined ? 'add' : { key: neighbour.key, control: 'title' }
    setMessage(words.removed(titleOf(item)))
    set(next)
  }
  const add = () => {
    const item = emptyItem(newUuid())
    target.current = { key: item.key, control: 'title' }
    set([...items, item])
  }
  return (
    <div ref={box} class="stack">
      {finished.length > 0 && <FinishedItems items={finished} />}
      <ol class="plan-drafts" aria-label={words.items}>
        {items.map((item, index) => (
          <li key={item.key} data-key={item.key}>
            <Row
              item={item}
              place={index + 1}
              isLast={index === items.length - 1}
              name={titleOf(item)}
              change={(change) => set(changeItem(items, item.key, change))}
              move={(step) => move(item, step)}
              remove={() => remove(item, index)}
            />
          </li>
        ))}
      </ol>
      {items.length === 0 && <p class="soft">{words.nothing}</p>}
      <div class="row">
        <span data-add>
          <Button onClick={add} disabled={items.length >= PLAN_ITEMS_MAX}>
            + {words.add}
          </Button>
        </span>
        <output class="soft small">{message}</output>
      </div>
    </div>
  )
}

function FinishedItems({ items }: { items: readonly PlanItem[] }) {
  const words = useWords(WORDS)
  return (
    <details class="small">
      <summary class="soft">
        {words.finished} ({items.length})
      </summary>
      <ul class="plan-fixed">
        {items.map(({ id, title, status }) => (
          <li key={id}>
            {title} <StatusMark of={status} />
          </li>
        ))}
      </ul>
    </details>
  )
}

interface RowProps {
  item: DraftItem
  place: number
  isLast: boolean
  name: string
  change: (change: Partial<DraftItem>) => void
  move: (step: Move) => void
  remove: () => void
}

function Row({ item, place, isLast, name, change, move, remove }: RowProps) {
  const words = useWords(WORDS)
  return (
    <>
      <div class="plan-draft">
        <input
          aria-label={words.title(place)}
          maxLength={CHARS_MAX.title}
          value={item.title}
          onInput={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <span data-move="-1">
          <Button kind="quiet" label={words.up(name)} disabled={place === 1} onClick={() => move(-1)}>
            ↑
          </Button>
        </span>
        <span data-move="1">
          <Button kind="quiet" label={words.down(name)} disabled={isLast} onClick={() => move(1)}>
            ↓
          </Button>
        </span>
        <Button kind="quiet" label={words.remove(name)} onClick={remove}>
          ✕
        </Button>
      </div>
      <details class="small">
        <summary class="soft" aria-label={`${words.details}: ${name}`}>
          {words.details}
        </summary>
        <div class="stack plan-texts">
          <TextAreaField
            label={words.description}
            rows={3}
            maxLength={CHARS_MAX.description}
            value={item.description}
            change={(description) => change({ description })}
          />
          <TextAreaField
            label={words.expected}
            rows={2}
            maxLength={CHARS_MAX.expected_output}
            value={item.expected_output}
            change={(expected_output) => change({ expected_output })}
          />
        </div>
      </details>
    </>
  )
}

/** Focuses a control. The button of an item at the end is disabled, so the other button of the item gets the focus. */
function focusOn(box: HTMLElement, target: Target): void {
  if (target === 'add') return box.querySelector<HTMLElement>('[data-add] button')?.focus()
  const row = box.querySelector(`[data-key="${CSS.escape(target.key)}"]`)
  if (target.control === 'title') return row?.querySelector<HTMLElement>('input')?.focus()
  const button = (step: Move) => row?.querySelector<HTMLElement>(`[data-move="${step}"] button:enabled`)
  const other = target.control === 1 ? -1 : 1
  ;(button(target.control) ?? button(other))?.focus()
}
