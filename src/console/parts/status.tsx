/** The status of a task, an item or a delegation. Word, colour and sign say the same, so a reader needs only one of them. */
import { useWords } from '../state/preferences.tsx'
import './status.css'

type Kind = 'going' | 'good' | 'bad' | 'wait' | 'held' | 'still'
const KINDS: Record<string, Kind> = {
  queued: 'still',
  running: 'going',
  input_required: 'wait',
  waiting_external: 'wait',
  paused: 'held',
  completed: 'good',
  failed: 'bad',
  canceled: 'still',
  pending: 'still',
  skipped: 'still',
  claimed: 'going',
  reported: 'good',
  expired: 'bad',
  delivered: 'good',
  gone: 'bad',
}
const SIGNS: Record<Kind, string> = { going: '▸', good: '✓', bad: '✕', wait: '?', held: '‖', still: '·' }
const WORDS: { en: Record<string, string>; zh: Record<string, string> } = {
  en: {
    queued: 'queued',
    running: 'running',
    input_required: 'needs an answer',
    waiting_external: 'waiting for a worker',
    paused: 'paused',
    completed: 'completed',
    failed: 'failed',
    canceled: 'canceled',
    pending: 'pending',
    skipped: 'skipped',
    claimed: 'claimed',
    reported: 'reported',
    expired: 'expired',
    delivered: 'delivered',
    gone: 'not wanted',
  },
  zh: {
    queued: '排队中',
    running: '进行中',
    input_required: '等待回答',
    waiting_external: '等待外部执行',
    paused: '已暂停',
    completed: '已完成',
    failed: '失败',
    canceled: '已取消',
    pending: '待处理',
    skipped: '已跳过',
    claimed: '已认领',
    reported: '已报告',
    expired: '已过期',
    delivered: '已送达',
    gone: '对方不再接收',
  },
}

export function StatusMark({ of }: { of: string }) {
  const kind = KINDS[of] ?? 'still'
  return (
    <span class={`status ${kind}`}>
      <span aria-hidden="true">{SIGNS[kind]}</span> {useStatusWord()(of)}
    </span>
  )
}

/** Returns the word alone, for lists of choices. */
export function useStatusWord(): (status: string) => string {
  const words = useWords(WORDS)
  return (status) => words[status] ?? status
}
