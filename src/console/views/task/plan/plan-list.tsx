/** The items of a plan with their states. The list scrolls so that the current item stays in sight. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Bar } from '../../../parts/bar.tsx'
import { StatusMark } from '../../../parts/status.tsx'
import type { PlanItem } from '../../../api/wire.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'

const WORDS = wordTable({
  items: ['Items of the plan', '计划条目'],
  details: ['Details', '详情'],
  progress: ['Progress', '进度'],
  constraints: ['Constraints', '约束'],
  expected: ['Expected output', '预期产出'],
  result: ['Result', '结果'],
})

export function PlanList({ items, cursor }: { items: readonly PlanItem[]; cursor: number }) {
  const words = useWords(WORDS)
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const current = box.current?.querySelector<HTMLElement>('[aria-current]')
    if (box.current === null || current === null || current === undefined) return
    // Only the list scrolls, so that the reader keeps their place on the page.
    const top = current.offsetTop - box.current.offsetTop
    const isSeen =
      top >= box.current.scrollTop && top + current.offsetHeight <= box.current.scrollTop + box.current.clientHeight
    if (!isSeen) box.current.scrollTop = top - current.offsetHeight
  }, [cursor])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls must be reachable by keyboard
    <section ref={box} class="plan-box" aria-label={words.items} tabIndex={0}>
      <ol class="plan-items">
        {items.map((item, index) => (
          <li key={item.id} class={item.status} aria-current={index === cursor ? 'step' : undefined}>
            <Item item={item} place={index + 1} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Item({ item: { title, status, progress, ...item }, place }: { item: PlanItem; place: number }) {
  const words = useWords(WORDS)
  const details = [
    ['', item.description],
    [words.constraints, item.constraints ?? ''],
    [words.expected, item.expected_output ?? ''],
    [words.result, item.result ?? ''],
  ].filter(([, text]) => text !== '')
  return (
    <>
      <div class="plan-line">
        <span class="plan-place number" aria-hidden="true">
          {place}
        </span>
        <span class="plan-title">{title}</span>
        <StatusMark of={status} />
      </div>
      {progress !== null && (
        <Bar
          isProgress
          used={progress.current}
          max={progress.total}
          label={words.progress}
          text={`${progress.current} / ${progress.total}`}
        />
      )}
      {details.length > 0 && (
        <details class="small">
          <summary class="soft" aria-label={`${words.details}: ${title}`}>
            {words.details}
          </summary>
          <dl>
            {details.map(([name, text]) => (
              <div key={name}>
                {name !== '' && <dt class="soft">{name}</dt>}
                <dd class="said">{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}
