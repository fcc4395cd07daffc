/** The differences between two plans, with a line for each one. */
import type { ComponentChild } from 'preact'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import type { Changes, PlanChanges } from './changes.ts'
import './changes-list.css'

const WORDS = wordTable({
  of: [(kind: string) => `${kind}:`, (kind) => `${kind}：`],
  added: ['Added', '新增'],
  removed: ['Removed', '移除'],
  renamed: ['Renamed', '改名'],
  finished: ['Finished', '已结束'],
  detailed: ['Details changed', '详情有改动'],
  reordered: ['In another order', '顺序有变'],
  to: ['to', '改为'],
  more: [(count: number, kind: string) => `${kind}: ${count} more`, (count, kind) => `${kind}：另有 ${count} 项`],
})
const SIGNS = { added: '+', removed: '−', finished: '✓', detailed: '≠', renamed: '≠', reordered: '⇅' } as const
type Kind = keyof typeof SIGNS
/** More changes of one kind are folded. */
const SHOWN_MAX = 5

export function ChangesList({ changes }: { changes: Changes & Partial<PlanChanges> }) {
  const words = useWords(WORDS)
  const titles = (['added', 'removed', 'finished', 'detailed'] as const).map((kind) => (
    <Lines key={kind} kind={kind} lines={changes[kind] ?? []} />
  ))
  const renamed = changes.renamed.map(({ from, to }) => (
    <>
      {from} <span class="aside">{words.to}</span>
      <span aria-hidden="true">→</span> {to}
    </>
  ))
  return (
    <ul class="plan-changes small">
      {titles}
      <Lines kind="renamed" lines={renamed} />
      {changes.reordered && (
        <li>
          <span aria-hidden="true">{SIGNS.reordered} </span>
          <span class="soft">{words.reordered}</span>
        </li>
      )}
    </ul>
  )
}

function Lines({ kind, lines }: { kind: Exclude<Kind, 'reordered'>; lines: ComponentChild[] }) {
  const words = useWords(WORDS)
  const drawn = lines.map((line, index) => (
    <li key={index} class={kind}>
      <span aria-hidden="true">{SIGNS[kind]} </span>
      <span class="soft">{words.of(words[kind])}</span> {line}
    </li>
  ))
  if (drawn.length <= SHOWN_MAX) return <>{drawn}</>
  return (
    <>
      {drawn.slice(0, SHOWN_MAX)}
      <li>
        <details>
          <summary class="soft">{words.more(drawn.length - SHOWN_MAX, words[kind])}</summary>
          <ul class="plan-changes">{drawn.slice(SHOWN_MAX)}</ul>
        </details>
      </li>
    </>
  )
}
