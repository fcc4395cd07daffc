/** The differences between two plans, with a line for each one. */
import type { ComponentChild } from 'preact'
import { useWords } from '../../../state/preferences.tsx'
import type { Changes, PlanChanges } from './changes.ts'
import './changes-list.css'

const WORDS = {
  en: {
    of: (kind: string) => `${kind}:`,
    added: 'Added',
    removed: 'Removed',
    renamed: 'Renamed',
    finished: 'Finished',
    detailed: 'Details changed',
    reordered: 'In another order',
    to: 'to',
    more: (count: number, kind: string) => `${kind}: ${count} more`,
  },
  zh: {
    of: (kind: string) => `${kind}：`,
    added: '新增',
    removed: '移除',
    renamed: '改名',
    finished: '已结束',
    detailed: '详情有改动',
    reordered: '顺序有变',
    to: '改为',
    more: (count: number, kind: string) => `${kind}：另有 ${count} 项`,
  },
}
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
