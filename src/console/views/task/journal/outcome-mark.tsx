/** The outcome of an effect as a word, a colour and a sign. */
import type { JournalEntry } from '../../../api/wire.ts'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import '../../../parts/status.css'

const MARKS: Record<string, { kind: string; sign: string }> = {
  ok: { kind: 'good', sign: '✓' },
  contract_error: { kind: 'bad', sign: '✕' },
  model_error: { kind: 'bad', sign: '✕' },
  tool_error: { kind: 'bad', sign: '✕' },
  orphaned: { kind: 'held', sign: '?' },
  outcome_unknown: { kind: 'held', sign: '?' },
  abandoned: { kind: 'held', sign: '‖' },
  pending: { kind: 'going', sign: '▸' },
}
const UNKNOWN_MARK = { kind: 'still', sign: '·' }
const WORDS = wordTable<Record<string, string>>({
  ok: ['ok', '成功'],
  contract_error: ['contract error', '回复不合约定'],
  model_error: ['model error', '模型出错'],
  tool_error: ['tool error', '工具出错'],
  orphaned: ['orphaned', '失去执行者'],
  outcome_unknown: ['outcome unknown', '结果未知'],
  abandoned: ['abandoned', '已放弃'],
  pending: ['under way', '进行中'],
})

/** Draws nothing for a closed row that is no effect. */
export function OutcomeMark({ row }: { row: JournalEntry }) {
  const words = useWords(WORDS)
  const outcome = row.outcome ?? (row.finished_at === null ? 'pending' : null)
  if (outcome === null) return null
  const { kind, sign } = MARKS[outcome] ?? UNKNOWN_MARK
  return (
    <span class={`status ${kind}`}>
      <span aria-hidden="true">{sign}</span> {words[outcome] ?? outcome}
    </span>
  )
}
