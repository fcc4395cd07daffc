/** The outcome of an effect as a word, a colour and a sign. */
import type { JournalEntry } from '../../../api/wire.ts'
import { useWords } from '../../../state/preferences.tsx'
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
const WORDS: { en: Record<string, string>; zh: Record<string, string> } = {
  en: {
    ok: 'ok',
    contract_error: 'contract error',
    model_error: 'model error',
    tool_error: 'tool error',
    orphaned: 'orphaned',
    outcome_unknown: 'outcome unknown',
    abandoned: 'abandoned',
    pending: 'under way',
  },
  zh: {
    ok: '成功',
    contract_error: '回复不合约定',
    model_error: '模型出错',
    tool_error: '工具出错',
    orphaned: '失去执行者',
    outcome_unknown: '结果未知',
    abandoned: '已放弃',
    pending: '进行中',
  },
}

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
