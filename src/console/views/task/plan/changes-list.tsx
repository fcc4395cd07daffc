/** What is different between two plans, one line for each kind of difference. */
import { useWords } from '../../../state/preferences.tsx'
import type { Changes, PlanChanges } from './changes.ts'
import './changes-list.css'

const WORDS = {
  en: {
    added: 'Added',
    removed: 'Removed',
    renamed: 'Renamed',
    finished: 'Finished',
    detailed: 'Details changed',
    reordered: 'In another order',
    to: 'to',
  },
  zh: {
    added: '新增',
    removed: '移除',
    renamed: '改名',
    finished: '已结束',
    detailed: '详情有改动',
    reordered: '顺序有变',
    to: '改为',
  },
}
const SIGNS = { added: '+', removed: '−', finished: '✓', detailed: '≠' } as const

export function ChangesList({ changes }: { changes: Changes & Partial<PlanChanges> }) {
  const words = useWords(WORDS)
  return (
    <ul class="plan-changes small">
      {(['added', 'removed', 'finished', 'detailed'] as const).flatMap((kind) =>
        (changes[kind] ?? []).map((title) => (
          <li key={kind + title} class={kind}>
            <span aria-hidden="true">{SIGNS[kind]} </span>
            <span class="soft">{words[kind]}:</span> {title}
          </li>
        )),
      )}
      {changes.renamed.map(({ from, to }) => (
        <li key={`renamed${from}${to}`}>
          <span aria-hidden="true">≠ </span>
          <span class="soft">{words.renamed}:</span> {from} <span class="aside">{words.to}</span>
          <span aria-hidden="true">→</span> {to}
        </li>
      ))}
      {changes.reordered && (
        <li>
          <span aria-hidden="true">⇅ </span>
          <span class="soft">{words.reordered}</span>
        </li>
      )}
    </ul>
  )
}
